import type { RelationType } from '../../relations';
import type { ExploreRequest, Finding, Findings } from '../workflows-model';
import { becauseOf, type Inquiry } from './inquiry';
import { matterOf, type OpposedBy, opposition } from './opposition';
import { relatedBy } from './related';
import { named, sentencesOf, stemSet } from './words';

type Counterarguments = Extract<ExploreRequest, { operation: 'counterarguments' }>;

const RELATIONS: Readonly<Record<OpposedBy, RelationType>> = {
  contradicts: 'contradicts',
  qualifies: 'qualifies',
  alternatives: 'alternative_to',
};
const KINDS = Object.keys(RELATIONS) as OpposedBy[];
/** What was recorded is surer than what was read off a text. */
const READ_OFF = 0.8;

/** What speaks against a claim seldom says the most of it: what it is about is asked for by itself, and counts less. */
const BY_MATTER = 0.5;

/** What speaks against a claim (5.4.3): what relations record of what matches it, then opposed claims in texts. */
export async function counterarguments(request: Counterarguments, inquiry: Inquiry): Promise<Findings> {
  const { claim, search_mode = 'all' } = request;
  const wanted = new Set<OpposedBy>(search_mode === 'all' ? KINDS : [search_mode]);
  const passages = await inquiry.evidence.searchAll(
    [claim, ...matterOf(claim)].map((query, at) => ({
      query,
      limit: inquiry.deep,
      weight: at === 0 ? 1 : BY_MATTER,
      // Whether it is about the claim is told by its sentences.
      least: 0,
    })),
  );
  const asked = stemSet(claim);
  const findings: Finding[] = [];
  const types = [...wanted].map((kind) => RELATIONS[kind]);
  for (const { passage, relation, near } of await relatedBy(inquiry, passages.slice(0, 15), {
    types,
    direction: 'both',
  })) {
    const kind = KINDS.find((each) => RELATIONS[each] === relation.type)!;
    const isFrom = relation.source === near.uri;
    // What it qualifies is no argument against it.
    if (kind === 'qualifies' && isFrom && !relation.bidirectional) continue;
    const why = `Recorded: ${isFrom ? `"${near.title}" ${WORDS[kind]} it` : `it ${WORDS[kind]} "${near.title}"`}, which matches the claim${relation.context === '' ? '' : ` (${relation.context})`}.`;
    findings.push(
      inquiry.finding(passage, {
        why,
        details: {
          opposes: kind,
          found_by: 'relation',
          relation_id: relation.id,
          about: near.uri,
          confidence: relation.confidence,
        },
      }),
    );
  }
  for (const passage of passages) {
    const told = new Set<string>();
    for (const { text } of sentencesOf(passage.text)) {
      await inquiry.turns.pause();
      const found = opposition(claim, text);
      if (!found || !wanted.has(found.kind) || told.has(text)) continue;
      told.add(text);
      const { kind, rule, words, strength } = found;
      const fit = READ_OFF * Math.max(passage.semantic, 0.5) * strength;
      findings.push(
        inquiry.finding(passage, {
          content: text,
          semantic: fit,
          why: `${becauseOf(text, asked)} ${SAYS[rule](words)}`,
          details: { opposes: kind, found_by: 'text', rule, words },
        }),
      );
    }
    await inquiry.turns.pause();
  }
  const results = inquiry.best(findings);
  const count = (by: string) => results.filter(({ details }) => details?.found_by === by).length;
  return inquiry.answer(results, {
    operation: request.operation,
    extra: { search_mode, by_relation: count('relation'), by_text: count('text') },
    nothing:
      'Nothing that is known speaks against it. That is no proof: it may only be that nobody has written it down.',
  });
}

const WORDS: Readonly<Record<OpposedBy, string>> = {
  contradicts: 'contradicts',
  qualifies: 'qualifies',
  alternatives: 'is an alternative to',
};

const SAYS: Readonly<Record<NonNullable<ReturnType<typeof opposition>>['rule'], (words: readonly string[]) => string>> =
  {
    negation: () => 'One of them denies what the other says.',
    antonym: (words) => `It has the opposite: ${named(words)}.`,
    direction: (words) => `It goes the other way: ${named(words)}.`,
    'no effect': (words) => `It says that it changed nothing: ${named(words)}.`,
    despite: (words) => `It says that it came about all the same: ${named(words)}.`,
    contrast: (words) => `It says that it is otherwise: ${named(words)}.`,
    condition: (words) => `It says under what conditions: ${named(words)}.`,
    alternative: (words) => `It names something else: ${named(words)}.`,
  };
