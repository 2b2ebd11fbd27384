import type { Finding, Findings, RccaRequest } from '../workflows-model';
import type { Passage } from './evidence';
import { caseOf, causesOf, type Incidents } from './incidents';
import { because, type Inquiry } from './inquiry';
import { isRisky, risksIn } from './risks';
import { named } from './words';

type FindSimilar = Extract<RccaRequest, { operation: 'find_similar' }>;

/**
 * What a passage counts for by what it is: a case that was worked on tells more than a lesson or a warning, these more
 * than what a document says, and a pattern only names a mechanism.
 */
const WEIGHTS = { project: 1, lesson: 0.9, warning: 0.9, library: 0.8, pattern: 0.3 } as const;

/** Similar failures in the past (5.4.1): cases first, then what else tells of such failures. */
export async function findSimilar(request: FindSimilar, inquiry: Inquiry, incidents: Incidents): Promise<Findings> {
  const { problem_description, symptom_keywords = [] } = request;
  const { evidence, deep, signal } = inquiry;
  const query = [problem_description, ...symptom_keywords].join(' ');
  const [cases, others] = await Promise.all([
    incidents.find(problem_description, symptom_keywords, ['project', 'lesson', 'pattern'], 2 * deep, signal),
    evidence.search({ query, limit: deep, places: ['library', 'knowledge'], standards: request.standards_filter }),
  ]);
  const findings: Finding[] = [];
  for (const { found, semantic, matched, likeness } of cases) {
    const passage = evidence.ofRecord(found, semantic * WEIGHTS[found.kind as 'project' | 'lesson' | 'pattern'], {
      matched: [...matched],
    });
    const like = likeness.length > 0 ? `it says ${named(likeness, 3)} for what was described` : undefined;
    const why = matched.length > 0 ? because(passage, like) : `In other words: ${like ?? 'it is close'}.`;
    findings.push(inquiry.finding(passage, { why, details: detailsOf(passage) }));
    await inquiry.turns.pause();
  }
  for (const passage of others) {
    const isOfLibrary = passage.source.where === 'library';
    if (!isOfLibrary && !isRisky(passage.text) && !tellsOfFailure(passage)) continue;
    const semantic = passage.semantic * (isOfLibrary ? WEIGHTS.library : WEIGHTS.warning);
    const risks = isOfLibrary ? [] : risksIn(passage.text);
    findings.push(
      inquiry.finding(passage, {
        semantic,
        why: because(passage, risks[0] && `it warns: ${risks[0].level}`),
        ...(risks.length > 0 ? { details: { risks } } : {}),
      }),
    );
    await inquiry.turns.pause();
  }
  const results = inquiry.best(findings);
  return inquiry.answer(results, {
    operation: request.operation,
    extra: { cases: results.filter(({ kind }) => kind === 'project').length },
    nothing:
      'No similar failure is known. That says only that none was captured: capture this one as a project of type "rcca", with its outcome, once it is solved.',
  });
}

function tellsOfFailure({ title, text }: Passage): boolean {
  return /incident|post-?mortem|outage|failure|root cause|went wrong|lessons? learned/i.test(
    `${title}\n${text.slice(0, 2_000)}`,
  );
}

/** What of a case is asked next: what was seen, what it came from, what was done. */
function detailsOf({ record: found }: Passage): Record<string, unknown> | undefined {
  if (!found) return undefined;
  const { symptoms, causes } = caseOf(found);
  const common = { symptoms, root_causes: found.kind === 'project' ? causesOf(found.record) : causes };
  switch (found.kind) {
    case 'project': {
      const { status, outcome_summary, what_worked, lessons_learned, success_rating } = found.record;
      return { ...common, status, outcome_summary, corrective_actions: what_worked, lessons_learned, success_rating };
    }
    case 'pattern':
      return { ...common, severity: found.record.severity, corrective_actions: found.record.mitigations };
    case 'lesson':
      return { recommendation: found.record.recommendation };
    default:
      return undefined;
  }
}
