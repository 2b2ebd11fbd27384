import type { ExploreRequest, Finding, Findings } from '../workflows-model';
import { counted } from './confidence';
import type { Passage } from './evidence';
import { because, type Inquiry } from './inquiry';
import { quoteFrom, shared, stemSet, stemsOf } from './words';

type Synthesize = Extract<ExploreRequest, { operation: 'synthesize' }>;

const MOST_QUERIES = 20;
const QUOTED = 400;
/** Two passages that have so much in common say the same. */
const SAME = 0.8;
/** What fits less answers nothing. */
const LEAST_FIT = 0.1;

interface Part {
  query: string;
  cited: { number: number; quote: string }[];
}

/**
 * What is known about a question, part by part (5.4.3): quotes with their sources, and which parts nothing was found for.
 * Nothing in it is worded here but the questions themselves.
 */
export async function synthesize(request: Synthesize, inquiry: Inquiry): Promise<Findings> {
  const { question, synthesis_format = 'structured' } = request;
  const queries = queriesOf(request);
  const each = Math.max(1, Math.ceil(inquiry.limit / queries.length));
  const numbers = new Map<string, number>();
  const taken: { stems: ReadonlySet<string>; uri: string }[] = [];
  const findings: Finding[] = [];
  const parts: Part[] = [];
  const found = await Promise.all(queries.map((query) => inquiry.evidence.search({ query, limit: inquiry.deep })));
  for (const [at, query] of queries.entries()) {
    const asked = stemSet(query);
    const part: Part = { query, cited: [] };
    parts.push(part);
    for (const passage of ranked(found[at]!, inquiry)) {
      await inquiry.turns.pause();
      if (part.cited.length >= each || passage.semantic < LEAST_FIT) break;
      const quote = quoteFrom(passage.text, asked, QUOTED);
      const stems = stemSet(quote);
      const known = numbers.get(passage.uri);
      if (known !== undefined) {
        // Its own part may have other words of the same passage.
        part.cited.push({ number: known, quote });
        continue;
      }
      if (findings.length >= inquiry.limit || taken.some((other) => isSame(stems, other.stems))) continue;
      const number = findings.length + 1;
      numbers.set(passage.uri, number);
      taken.push({ stems, uri: passage.uri });
      part.cited.push({ number, quote });
      findings.push(
        inquiry.finding(passage, {
          content: quote,
          why: because(passage, `for "${query}"`),
          details: { citation: number, sub_query: query },
        }),
      );
    }
  }
  const unanswered = parts.filter(({ cited }) => cited.length === 0).map(({ query }) => query);
  const whole = inquiry.confidence(inquiry.sorted(findings));
  const share = 1 - unanswered.length / parts.length;
  return inquiry.answer(inquiry.sorted(findings), {
    operation: request.operation,
    extra: {
      question,
      synthesis: findings.length === 0 ? '' : FORMATS[synthesis_format](parts.filter(({ cited }) => cited.length > 0)),
      synthesis_format,
      sub_queries: queries,
      citations: findings.map(({ uri, title, source, details }) => ({ number: details?.citation, uri, title, source })),
      unanswered,
    },
    nothing: 'Nothing is known about this question.',
    remarks: [
      unanswered.length > 0 && findings.length > 0 ? `Nothing was found for: ${unanswered.join('; ')}.` : undefined,
    ],
    confidence: {
      confidence: Math.round(whole.confidence * share * 1_000) / 1_000,
      rationale:
        unanswered.length === 0
          ? whole.rationale
          : `${whole.rationale} ${counted(unanswered.length, 'part')} of ${parts.length} without an answer.`,
    },
  });
}

/** Those that are given; else the question's own parts, which its signs and conjunctions show, beside it as a whole. */
function queriesOf({ question, sub_queries = [] }: Synthesize): string[] {
  const given = sub_queries.map((query) => query.trim()).filter((query) => query !== '');
  if (given.length > 0) return [...new Set(given)].slice(0, MOST_QUERIES);
  const parts = question
    .split(/[?;\n]+|,\s+(?:and|or)\s+|\s+(?:and|as well as|versus|vs\.?)\s+/iu)
    .map((part) => part.trim())
    .filter((part) => new Set(stemsOf(part)).size >= 2);
  return parts.length > 1 ? [...new Set(parts)].slice(0, MOST_QUERIES) : [question.trim()];
}

/** As everywhere: by the combined score. */
function ranked(passages: readonly Passage[], { world: { learning } }: Inquiry): Passage[] {
  const rank = new Map(
    passages.map((passage) => [
      passage,
      learning.combinedScore(passage.semantic, learning.effectivenessOf(passage.uri)),
    ]),
  );
  return [...passages].sort((a, b) => rank.get(b)! - rank.get(a)!);
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const both = shared(one, other).length;
  return both > 0 && both / Math.min(one.size, other.size) >= SAME && both / Math.max(one.size, other.size) >= SAME / 2;
}

const FORMATS: Record<NonNullable<Synthesize['synthesis_format']>, (parts: readonly Part[]) => string> = {
  narrative: (parts) =>
    parts.map(({ cited }) => cited.map(({ quote, number }) => `“${inLine(quote)}” [${number}]`).join(' ')).join('\n\n'),
  bullet_points: (parts) =>
    parts.flatMap(({ cited }) => cited.map(({ quote, number }) => `- “${inLine(quote)}” [${number}]`)).join('\n'),
  structured: (parts) =>
    parts
      .map(({ query, cited }) =>
        [
          `## ${inLine(query)}`,
          ...cited.map(({ quote, number }) => `> ${quote.replaceAll('\n', '\n> ')}\n>\n> [${number}]`),
        ].join('\n\n'),
      )
      .join('\n\n'),
};

function inLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
