import type { Finding, Findings, RccaRequest } from '../workflows-model';
import { compare, isDemand } from './demands';
import { because, becauseOf, type Inquiry } from './inquiry';
import { risksIn } from './risks';
import { sentencesOf, shared, stemSet, stemsOf } from './words';

type CheckCompliance = Extract<RccaRequest, { operation: 'check_compliance' }>;

/** What is demanded of a situation (5.4.1): normative passages and rules that warn, each with what it asks in its own words. */
export async function checkCompliance(request: CheckCompliance, inquiry: Inquiry): Promise<Findings> {
  const { situation_description: situation, standards_filter } = request;
  const { evidence, deep, turns } = inquiry;
  const asked = stemSet(situation);
  const stated = sentencesOf(situation).map(({ text }) => text);
  const [normative, warnings] = await Promise.all([
    evidence.search({
      query: situation,
      limit: deep,
      places: ['library'],
      normative_only: true,
      standards: standards_filter,
    }),
    standards_filter?.length ? [] : evidence.search({ query: situation, limit: deep, places: ['knowledge'] }),
  ]);
  const findings: Finding[] = [];
  for (const passage of normative) {
    for (const { text: demand } of sentencesOf(passage.text)) {
      await turns.pause();
      const both = shared(stemsOf(demand), asked);
      if (!isDemand(demand) || both.length === 0) continue;
      const { status, reason } = compare(demand, stated);
      // What may be broken is read first.
      const weight = status === 'applies' ? APPLIES : 1;
      const fit = weight * passage.semantic * Math.min(1, 0.5 + both.length / 6);
      findings.push(
        inquiry.finding(passage, {
          content: demand,
          semantic: fit,
          why: `${becauseOf(demand, asked)} ${reason}`,
          details: {
            status,
            reason,
            requirement: demand,
            standard: passage.source.title,
            clause: passage.source.clause_number,
          },
        }),
      );
    }
  }
  for (const passage of warnings) {
    for (const { level, text } of risksIn(passage.text)) {
      const { status, reason } = isDemand(text) ? compare(text, stated) : NOT_COMPARED;
      findings.push(
        inquiry.finding(passage, {
          content: `${level}: ${text}`,
          why: `${because(passage)} ${reason}`,
          details: { status, reason, requirement: text, level },
        }),
      );
    }
    await turns.pause();
  }
  const results = inquiry.best(findings);
  const count = (status: string) => results.filter(({ details }) => details?.status === status).length;
  return inquiry.answer(results, {
    operation: request.operation,
    extra: { applies: count('applies'), possibly_not_met: count('possibly not met') },
    nothing: standards_filter?.length
      ? 'Nothing in these standards concerns the situation, or they are not in the library: ask for them with knowledge_request_document.'
      : 'Nothing normative is known that concerns the situation. That does not say that nothing applies: look at knowledge_assess_coverage.',
    remarks: [
      results.length > 0
        ? 'What is possibly not met is to be judged by a person: only what both texts state was compared.'
        : undefined,
    ],
  });
}

const APPLIES = 0.9;
const NOT_COMPARED = { status: 'applies', reason: 'It warns of what the situation is about.' } as const;
