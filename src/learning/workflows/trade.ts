import type { Finding, Findings, TradeRequest } from '../workflows-model';
import { dangers } from './dangers';
import type { Passage } from './evidence';
import { because, type Inquiry } from './inquiry';
import { relatedBy } from './related';
import { cut, named, sentencesOf, shared, stemSet, stemsOf } from './words';

type Of<O extends TradeRequest['operation']> = Extract<TradeRequest, { operation: O }>;

/** What is weighed, or must be so. */
const WEIGHS =
  /\b(?:criteri(?:on|a)|shall|should|must|consider\w*|evaluat\w+|assess\w*|weigh\w*|compar\w+|trade-?offs?|measure of|figure of merit|requirement|depends on|choose|chosen|select\w*|prefer\w*|important)\b/iu;

/** What a decision is measured by (5.4.2): criteria of earlier decisions, then sentences that weigh or demand. */
export async function extractCriteria(request: Of<'extract_criteria'>, inquiry: Inquiry): Promise<Findings> {
  const { decision_context: context, standards_filter: standards } = request;
  const asked = stemSet(context);
  const passages = await inquiry.evidence.search({
    query: context,
    limit: inquiry.deep,
    kinds: ['decision', 'pattern', 'lesson'],
    standards,
  });
  const findings: Finding[] = [];
  for (const passage of passages) {
    for (const { criterion, from, share } of criteriaIn(passage, asked)) {
      findings.push(
        inquiry.finding(passage, {
          content: criterion,
          semantic: passage.semantic * share,
          why: because(passage, from),
          details: { criterion, from, normative: passage.chunk?.normative },
        }),
      );
    }
    await inquiry.turns.pause();
  }
  return inquiry.answer(inquiry.best(once(inquiry.sorted(findings))), {
    operation: request.operation,
    nothing: 'No criteria are known for this decision: neither earlier decisions nor documents name any.',
  });
}

function criteriaIn(
  passage: Passage,
  asked: ReadonlySet<string>,
): { criterion: string; from: string; share: number }[] {
  const { record: found, text } = passage;
  switch (found?.kind) {
    case 'decision':
      return found.record.criteria.map((criterion) => ({
        criterion,
        from: 'a criterion of an earlier decision',
        share: 1,
      }));
    case 'pattern':
      if (found.record.pattern_type !== 'best_practice' && found.record.pattern_type !== 'design_pattern') return [];
      return [...found.record.prerequisites, ...found.record.benefits].map((criterion) => ({
        criterion,
        from: 'what a practice needs or brings',
        share: 0.7,
      }));
    default:
      return sentencesOf(text).flatMap(({ text: criterion }) => {
        const both = shared(stemsOf(criterion), asked);
        if (!WEIGHS.test(criterion) || both.length === 0) return [];
        return [{ criterion, from: 'a sentence that weighs or demands', share: Math.min(1, 0.5 + both.length / 6) }];
      });
  }
}

/** The words for something else stand between what is taken and what is not. */
const INSTEAD =
  /\b(?:instead\s+of|rather\s+than|alternatives?\s+(?:to|is|are|for)|as\s+an\s+alternative|as\s+opposed\s+to|in\s+place\s+of|replac(?:e|es|ed|ing)|substitut\w+|another\s+(?:way|option|approach)|either|options?\s+(?:are|is|include)|prefer(?:red)?\s+(?:to|over))\b/iu;

/** What else would do (5.4.2): recorded relations, alternatives of decisions, then texts that set one against another. */
export async function findAlternatives(request: Of<'find_alternatives'>, inquiry: Inquiry): Promise<Findings> {
  const { need_statement: need, current_approach: current, standards_filter: standards } = request;
  const { evidence, deep, turns } = inquiry;
  const passages = await evidence.searchAll([
    { query: need, limit: deep, standards },
    ...(current ? [{ query: current, limit: deep, standards, weight: 0.8 }] : []),
  ]);
  const asked = stemSet(`${need} ${current ?? ''}`);
  const remarks = new Set<string>();
  const findings: Finding[] = [];
  const related = await relatedBy(inquiry, passages.slice(0, 10), {
    types: ['alternative_to', 'preferred_over'],
    direction: 'both',
  });
  for (const { passage, relation, near } of related) {
    const isPreferred = relation.type === 'preferred_over' && relation.target === near.uri;
    const why =
      relation.type === 'alternative_to'
        ? `It is recorded as an alternative to "${near.title}".`
        : isPreferred
          ? `It is recorded as preferred over "${near.title}".`
          : `"${near.title}" is recorded as preferred over it.`;
    findings.push(
      inquiry.finding(passage, {
        why,
        details: {
          alternative: passage.title,
          from: 'relation',
          relation_id: relation.id,
          type: relation.type,
          preferred: isPreferred,
        },
      }),
    );
  }
  for (const passage of passages) {
    for (const found of alternativesIn(passage, asked)) {
      // What is there already is no alternative to itself; why it was once not taken is worth knowing.
      if (current && plain(found.alternative) === plain(current)) {
        if ('why_not' in found.details && found.details.why_not) {
          remarks.add(
            `"${found.alternative}" was not chosen in "${passage.title}": ${found.details.why_not.replace(/\.$/, '')}.`,
          );
        }
        continue;
      }
      findings.push(
        inquiry.finding(passage, {
          content: found.content,
          why: because(passage, found.from),
          details: { ...found.details, alternative: found.alternative, from: found.from },
        }),
      );
    }
    await turns.pause();
  }
  return inquiry.answer(inquiry.best(once(inquiry.sorted(findings))), {
    operation: request.operation,
    nothing: 'No documented alternative is known.',
    remarks: [...remarks],
  });
}

function plain(text: string): string {
  return stemsOf(text).join(' ');
}

function alternativesIn(passage: Passage, asked: ReadonlySet<string>) {
  const { record: found, text } = passage;
  if (found?.kind === 'decision') {
    const { decision, alternatives } = found.record;
    return [
      { alternative: decision, content: decision, from: 'what was decided then', details: { chosen: true } },
      ...alternatives.map(({ name, description, why_not }) => ({
        alternative: name,
        content: [description ? `${name}: ${description}` : name, why_not && `Not chosen: ${why_not}`]
          .filter(Boolean)
          .join('. '),
        from: 'an alternative of a decision',
        details: { chosen: false, why_not },
      })),
    ];
  }
  if (
    found?.kind === 'pattern' &&
    (found.record.pattern_type === 'design_pattern' || found.record.pattern_type === 'best_practice')
  ) {
    return [{ alternative: found.record.name, content: found.record.description, from: 'a pattern', details: {} }];
  }
  if (found) return [];
  return sentencesOf(text)
    .filter(({ text: each }) => INSTEAD.test(each) && shared(stemsOf(each), asked).length > 0)
    .map(({ text: content }) => ({
      alternative: cut(content, 200),
      content,
      from: 'a text that sets one against another',
      details: {},
    }));
}

/** What was decided before in such a case (5.4.2), with why and what came of it. */
export async function findPrecedents(request: Of<'find_precedents'>, inquiry: Inquiry): Promise<Findings> {
  const { decision_description: description, key_factors = [] } = request;
  const { evidence, deep, turns } = inquiry;
  const places = ['learning'] as const;
  const passages = await evidence.searchAll([
    { query: [description, ...key_factors].join(' '), limit: deep, places, kinds: ['decision', 'project'] },
    ...key_factors
      .slice(0, 10)
      .map((query) => ({ query, limit: deep, places, kinds: ['decision' as const], weight: 0.4 })),
  ]);
  const findings: Finding[] = [];
  for (const passage of passages) {
    const found = passage.record;
    const said = stemSet(passage.text);
    const factors = key_factors.filter((factor) => shared(stemsOf(factor), said).length > 0);
    const more = factors.length > 0 ? `it speaks of ${named(factors, 3)}` : undefined;
    const why = because(passage, more);
    if (found?.kind === 'decision') {
      const { decision, rationale, alternatives, criteria, consequences, decision_date } = found.record;
      const details = {
        decision,
        rationale,
        alternatives,
        criteria,
        consequences,
        decision_date,
        key_factors: factors,
      };
      findings.push(inquiry.finding(passage, { content: decision, why, details }));
    } else if (found?.kind === 'project') {
      const { status, outcome_summary, success_rating, what_worked, what_didnt_work } = found.record;
      const details = { status, outcome_summary, success_rating, what_worked, what_didnt_work, key_factors: factors };
      findings.push(inquiry.finding(passage, { why, details, semantic: passage.semantic * 0.8 }));
    }
    await turns.pause();
  }
  return inquiry.answer(inquiry.best(findings), {
    operation: request.operation,
    nothing: 'No similar decision was captured. Capture this one, with its alternatives and why they were not taken.',
  });
}

/** What may go wrong with an alternative (5.4.2). */
export async function assessRisks(request: Of<'assess_risks'>, inquiry: Inquiry): Promise<Findings> {
  const { alternative_description: alternative, context, standards_filter: standards } = request;
  const query = [alternative, context].filter(Boolean).join(' ');
  const results = inquiry.best(once(inquiry.sorted(await dangers(inquiry, { query, standards }))));
  return inquiry.answer(results, {
    operation: request.operation,
    extra: { by_severity: bySeverity(results) },
    nothing: 'No risk of such an alternative is documented. That does not say that it has none.',
  });
}

export function bySeverity(results: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { details } of results) {
    const severity = typeof details?.severity === 'string' ? details.severity : 'unknown';
    counts[severity] = (counts[severity] ?? 0) + 1;
  }
  return counts;
}

/** The same, said in several places, once: where it fits best. */
export function once(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ content }) => {
    const key = content
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    return !seen.has(key) && seen.add(key);
  });
}
