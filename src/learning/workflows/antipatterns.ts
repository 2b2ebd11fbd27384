import type { Pattern } from '../records-model';
import { SEVERITIES } from '../vocabulary';
import type { ExploreRequest, Finding, Findings } from '../workflows-model';
import { counted } from './confidence';
import type { Inquiry } from './inquiry';
import { clausesOf, isNegated, NEGATION } from './polarity';
import { cut, partsOf, sentencesOf, shared, stemSet, stemsOf } from './words';

type MatchAntipatterns = Extract<ExploreRequest, { operation: 'match_antipatterns' }>;

/** An indicator is matched where a clause has so much of its words, by how telling they are, and at least two of them. */
const LEAST_SHARE = 0.5;
const LEAST_WORDS = 2;
/** A keyword names the matter, an indicator shows it: one of the first counts for less. */
const KEYWORD = 0.4;
/** Words that may stand between those of a keyword. */
const BETWEEN = 2;

interface Sign {
  sentence: string;
  /** What it matched, as the pattern has it. */
  indicator: string;
  by: 'indicator' | 'keyword';
  words: readonly string[];
  /** 0 to 1. */
  strength: number;
}

interface Clause {
  sentence: string;
  stems: ReadonlySet<string>;
  inOrder: readonly string[];
  isNegated: boolean;
}

/**
 * Signs of known anti-patterns and failure modes in a text, clause by clause (5.4.3). A sign is what the text states as
 * the indicator does: where one of them denies it and the other does not, it is none. Each sentence with what it matched.
 */
export async function matchAntipatterns(request: MatchAntipatterns, inquiry: Inquiry): Promise<Findings> {
  const { content, domains = [], severity_threshold = 'medium' } = request;
  const least = SEVERITIES.indexOf(severity_threshold);
  const clauses = await clausesIn(content, inquiry);
  const findings: Finding[] = [];
  const { learning } = inquiry.world;
  const patterns = learning.list('pattern');
  const weight = weightsIn(patterns);
  let looked = 0;
  for (const pattern of patterns) {
    await inquiry.turns.pause();
    if (pattern.pattern_type !== 'antipattern' && pattern.pattern_type !== 'failure_mode') continue;
    if (SEVERITIES.indexOf(pattern.severity) < least) continue;
    if (domains.length > 0 && !domains.includes(pattern.domain)) continue;
    looked++;
    const signs = signsOf(pattern, clauses, weight);
    if (signs.length === 0) continue;
    const found = learning.find(pattern.id);
    if (!found) continue;
    const semantic = 1 - signs.reduce((doubt, { strength }) => doubt * (1 - 0.8 * strength), 1);
    const passage = inquiry.evidence.ofRecord(found, semantic);
    findings.push(
      inquiry.finding(passage, {
        content: signs[0]!.sentence,
        why: `${counted(signs.length, 'sign')}: "${cut(signs[0]!.sentence, 120)}" matches ${signs[0]!.by} "${signs[0]!.indicator}".`,
        details: {
          pattern: pattern.name,
          description: pattern.description,
          severity: pattern.severity,
          domain: pattern.domain,
          signs: signs.map(({ sentence, indicator, by, words }) => ({ sentence, indicator, by, words })),
          consequences: pattern.consequences,
          mitigations: pattern.mitigations,
        },
      }),
    );
  }
  return inquiry.answer(inquiry.best(findings), {
    operation: request.operation,
    extra: { patterns_compared: looked, severity_threshold },
    nothing: `None of ${counted(looked, 'pattern')} that were compared shows in the text, as far as words tell.`,
  });
}

async function clausesIn(content: string, { turns }: Inquiry): Promise<Clause[]> {
  const clauses: Clause[] = [];
  for (const part of partsOf(content)) {
    for (const { text: sentence } of sentencesOf(part)) {
      for (const clause of clausesOf(sentence)) {
        const inOrder = stemsOf(clause);
        clauses.push({ sentence, stems: new Set(inOrder), inOrder, isNegated: isNegated(clause) });
      }
    }
    await turns.pause();
  }
  return clauses;
}

/** How telling words are: what many indicators have, such as `test` or `change`, tells little (idf). */
function weightsIn(patterns: readonly Pattern[]): (stem: string) => number {
  const counts = new Map<string, number>();
  let indicators = 0;
  for (const { indicators: all } of patterns) {
    for (const indicator of all) {
      indicators++;
      for (const stem of wordsOfMatter(indicator)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    }
  }
  return (stem) => Math.log(1 + indicators / (counts.get(stem) ?? 1));
}

/** Without what only says yes or no: that is compared by itself. */
function wordsOfMatter(text: string): Set<string> {
  return new Set(stemsOf(text.replace(NEGATION, ' ')));
}

function signsOf(pattern: Pattern, clauses: readonly Clause[], weight: (stem: string) => number): Sign[] {
  const total = (stems: Iterable<string>) => [...stems].reduce((sum, stem) => sum + weight(stem), 0);
  const best = new Map<string, Sign>();
  const add = (sign: Sign) => {
    const key = `${sign.sentence}\n${sign.indicator}`;
    const known = best.get(key);
    if (!known || known.strength < sign.strength) best.set(key, sign);
  };
  for (const indicator of pattern.indicators) {
    const stems = wordsOfMatter(indicator);
    const whole = total(stems);
    const denied = isNegated(indicator);
    for (const { sentence, stems: said, isNegated: isDenied } of clauses) {
      if (isDenied !== denied) continue;
      const words = shared(stems, said);
      const share = total(words) / whole;
      if (words.length < LEAST_WORDS || share < LEAST_SHARE) continue;
      add({ sentence, indicator, by: 'indicator', words, strength: share });
    }
  }
  for (const keyword of [pattern.name, ...pattern.keywords]) {
    const stems = stemsOf(keyword);
    if (stems.length < 2) continue;
    for (const { sentence, inOrder, isNegated: isDenied } of clauses) {
      if (isDenied || !standTogether(stems, inOrder)) continue;
      add({ sentence, indicator: keyword, by: 'keyword', words: stems, strength: KEYWORD });
    }
  }
  // A name that denies, "Backups that nobody has restored", is said by a sentence rather than by one clause of it.
  const named = wordsOfMatter(pattern.name);
  if (named.size >= LEAST_WORDS && isNegated(pattern.name)) {
    for (const [sentence, { stems, isNegated: isDenied }] of sentencesIn(clauses)) {
      if (!isDenied || [...named].some((stem) => !stems.has(stem))) continue;
      add({ sentence, indicator: pattern.name, by: 'keyword', words: [...named], strength: KEYWORD });
    }
  }
  return [...best.values()].sort((a, b) => b.strength - a.strength);
}

/** Sentences with all that their clauses say, and whether one of them denies it. */
function sentencesIn(clauses: readonly Clause[]): Map<string, { stems: Set<string>; isNegated: boolean }> {
  const all = new Map<string, { stems: Set<string>; isNegated: boolean }>();
  for (const { sentence, stems, isNegated: isDenied } of clauses) {
    const known = all.get(sentence) ?? { stems: new Set<string>(), isNegated: false };
    for (const stem of stems) known.stems.add(stem);
    all.set(sentence, { ...known, isNegated: known.isNegated || isDenied });
  }
  return all;
}

/** Whether all words stand near each other, in any order: `shared database` in "share one database". */
function standTogether(words: readonly string[], text: readonly string[]): boolean {
  const span = words.length + BETWEEN;
  return text.some((stem, at) => {
    if (!words.includes(stem)) return false;
    const near = new Set(text.slice(at, at + span));
    return words.every((word) => near.has(word));
  });
}

/** Whether a text speaks of a matter: the share of its words that stand in the text. */
export function coverageOf(matter: string, said: ReadonlySet<string>): number {
  const stems = stemSet(matter);
  return stems.size === 0 ? 0 : shared(stems, said).length / stems.size;
}
