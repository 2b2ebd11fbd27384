import type { Finding } from '../workflows-model';
import type { Passage } from './evidence';
import { because, becauseOf, type Inquiry } from './inquiry';
import { risksIn } from './risks';
import { sentencesOf, shared, stemSet, stemsOf } from './words';

/** A text that tells of what may go wrong. */
const ENDANGERS =
  /\b(?:risks?|hazard\w*|danger\w*|fail(?:s|ed|ure|ures)?|vulnerab\w+|threat\w*|drawback\w*|disadvantage\w*|limitation\w*|pitfall\w*|problem\w*|caution|warning|beware|careful|lose|loss|unsafe|insecure|degrad\w+|break(?:s|ing)?|crash\w*)\b/iu;
/** What is read off a text is less sure than what was recorded as a risk. */
const TOLD = 0.8;
const SEVERITY_OF_RULE = { DANGER: 'critical', WARNING: 'high', 'LAST TIME': 'high' } as const;

interface Danger {
  text: string;
  from: string;
  severity?: string | undefined;
  details?: object | undefined;
  /** Of a sentence: how much of the passage's fit it has. */
  share?: number | undefined;
}

/** What is documented of risks: failure modes, lessons, what projects feared and met, rules that warn, documents. */
export async function dangers(
  inquiry: Inquiry,
  {
    query,
    standards,
    categories = [],
  }: { query: string; standards?: readonly string[] | undefined; categories?: readonly string[] | undefined },
): Promise<Finding[]> {
  const { evidence, deep, turns } = inquiry;
  const passages = await evidence.searchAll([
    { query, limit: deep, kinds: ['pattern', 'lesson', 'project', 'template'], standards },
    { query, limit: deep, places: ['learning'], kinds: ['pattern'] },
  ]);
  const asked = stemSet(query);
  const findings: Finding[] = [];
  for (const passage of passages) {
    for (const { text, from, severity, details = {}, share } of dangersIn(passage, asked)) {
      if (!isOfCategory(`${text} ${passage.title} ${JSON.stringify(details)}`, categories)) continue;
      findings.push(
        inquiry.finding(passage, {
          content: text,
          semantic: passage.semantic * (share ?? 1),
          why: share === undefined ? because(passage, from) : becauseOf(text, asked, from),
          details: { ...details, risk: text, from, ...(severity === undefined ? {} : { severity }) },
        }),
      );
    }
    await turns.pause();
  }
  return findings;
}

function dangersIn(passage: Passage, asked: ReadonlySet<string>): Danger[] {
  const { record: found, text } = passage;
  switch (found?.kind) {
    case 'pattern': {
      const { pattern_type, description, severity, mitigations, indicators, consequences, domain } = found.record;
      if (pattern_type !== 'failure_mode' && pattern_type !== 'antipattern') return [];
      const details = { mitigations, indicators, consequences, category: domain };
      return [{ text: description, from: 'a known pattern', severity, details }];
    }
    case 'project': {
      const { identified_risks, what_didnt_work } = found.record;
      return [
        ...identified_risks.map((risk) => ({
          text: risk.description,
          from: 'a risk that a project named',
          severity: severityIn(risk),
          details: { item: risk },
        })),
        ...what_didnt_work.map((each) => ({ text: each, from: "what didn't work in a project" })),
      ];
    }
    case 'template':
      return found.record.risk_template.map((risk) => ({
        text: risk.description,
        from: 'a risk that a template names',
        severity: severityIn(risk),
        details: { item: risk },
      }));
    case 'lesson':
      return [
        {
          text: found.record.lesson,
          from: 'a captured lesson',
          details: { recommendation: found.record.recommendation },
        },
      ];
    case 'decision':
      return [];
    default: {
      const stated = risksIn(text).map(({ level, text: each }) => ({
        text: `${level}: ${each}`,
        from: 'a rule that warns',
        severity: SEVERITY_OF_RULE[level],
      }));
      if (stated.length > 0) return stated;
      const telling = sentencesOf(text)
        .map(({ text: each }) => ({ text: each, both: shared(stemsOf(each), asked).length }))
        .filter(({ text: each, both }) => both > 0 && ENDANGERS.test(each))
        .sort((one, other) => other.both - one.both)
        .slice(0, 3);
      return telling.map(({ text: each, both }) => ({
        text: each,
        from: 'a text that tells of risks',
        share: (TOLD * both) / telling[0]!.both,
      }));
    }
  }
}

function severityIn(item: Readonly<Record<string, unknown>>): string | undefined {
  const told = item.severity ?? item.impact;
  return typeof told === 'string' ? told : undefined;
}

/** Where categories are asked for: at least one of them is named. */
export function isOfCategory(text: string, categories: readonly string[]): boolean {
  if (categories.length === 0) return true;
  const said = stemSet(text.replaceAll('_', ' '));
  return categories.some((category) => {
    const stems = stemsOf(category.replaceAll('_', ' '));
    return stems.length > 0 && shared(stems, said).length === new Set(stems).size;
  });
}
