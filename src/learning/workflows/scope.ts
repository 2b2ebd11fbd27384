import type { ProjectRecord } from '../records-model';
import type { Finding, Findings, PlanningRequest } from '../workflows-model';
import { counted, rounded } from './confidence';
import { ENOUGH, estimateToActual, spreadOf } from './estimates';
import { because, type Inquiry } from './inquiry';
import { type SimilarProject, similarProjects } from './similar-projects';

type EstimateScope = Extract<PlanningRequest, { operation: 'estimate_scope' }>;

/** Projects that fit less than this part of the best do not tell of this one. */
const NEAR = 0.25;
/** From so many on nothing is lacking. */
const PLENTY = 8;

/**
 * What such projects took (5.4.4): ranges of what was captured when they were completed, never of estimates, each with the
 * number of projects behind it; and by how much estimates were wrong, for those who have one.
 */
export async function estimateScope(request: EstimateScope, inquiry: Inquiry): Promise<Findings> {
  const candidates = await similarProjects(request, inquiry, request.scope_factors);
  const best = candidates[0]?.semantic ?? 0;
  const near = candidates.filter(
    ({ semantic, record: { record } }) =>
      semantic >= best * NEAR && record.status === 'completed' && hasActuals(record),
  );
  const behind = ofTypeIfEnough(near, request.project_type);
  const findings: Finding[] = [];
  for (const passage of behind) {
    const { record } = passage.record;
    findings.push(
      inquiry.finding(passage, {
        why: because(passage, 'it was completed, and what it took was captured'),
        details: {
          actual_duration_days: record.actual_duration_days,
          actual_effort_hours: record.actual_effort_hours,
          estimated_duration_days: record.estimated_duration_days,
          estimated_effort_hours: record.estimated_effort_hours,
          task_count: record.tasks.length,
          outcome_status: record.outcome_status,
          success_rating: record.success_rating,
        },
      }),
    );
    await inquiry.turns.pause();
  }
  const records = behind.map(({ record: { record } }) => record);
  const duration = spreadOf(records.flatMap(({ actual_duration_days: days }) => days ?? []));
  const effort = spreadOf(records.flatMap(({ actual_effort_hours: hours }) => hours ?? []));
  const tasks = spreadOf(records.flatMap(({ tasks: all }) => (all.length > 0 ? [all.length] : [])));
  const results = inquiry.best(findings);
  const told = inquiry.confidence(results);
  const share = Math.min(1, records.length / PLENTY);
  const isEnough = records.length >= ENOUGH;
  return inquiry.answer(results, {
    operation: request.operation,
    extra: {
      projects: records.length,
      sufficient: isEnough,
      duration_days: duration ?? null,
      effort_hours: effort ?? null,
      task_count: tasks ?? null,
      estimate_to_actual: estimateToActual(records),
    },
    nothing:
      'No similar project was completed with what it took captured: there is nothing to estimate from. Capture outcomes with actual_duration_days and actual_effort_hours.',
    remarks: [
      records.length > 0 && !isEnough
        ? `Only ${counted(records.length, 'similar project')} behind it: an example, no range to rely on (at least ${ENOUGH} are needed).`
        : undefined,
    ],
    confidence: {
      confidence: rounded(told.confidence * share),
      rationale:
        records.length === 0
          ? told.rationale
          : `${told.rationale} ${counted(records.length, 'completed project')} behind the ranges, of ${PLENTY} that would be plenty.`,
    },
  });
}

/** Others of which a text speaks alike may be of another kind: those of the type alone, where that is enough of them. */
function ofTypeIfEnough(near: readonly SimilarProject[], type: string | undefined): readonly SimilarProject[] {
  const wanted = type?.trim().toLowerCase();
  const own = near.filter(({ record: { record } }) => record.project_type.toLowerCase() === wanted);
  return own.length >= ENOUGH ? own : near;
}

function hasActuals({ actual_duration_days, actual_effort_hours }: ProjectRecord): boolean {
  return actual_duration_days !== undefined || actual_effort_hours !== undefined;
}
