import { learningUri } from '../../core/knowledge-uri';
import type { FeedbackRecord } from '../feedback-model';
import type { LearnedRecords } from '../records-model';
import { propagationWeight, workedOf } from '../scoring/factors';
import { FEEDBACK_WEIGHTS } from '../vocabulary';

/** What feedback on a project says of the template that the project was made from (seed 003, 6.3). */
export interface Propagated {
  /** Without an id: whoever writes it gives one. */
  record?: Omit<FeedbackRecord, 'id'>;
  /** What was propagated and how, or why nothing was: a sentence. */
  note: string;
}

export function propagated(
  given: Omit<FeedbackRecord, 'id'>,
  project: LearnedRecords['project'] | undefined,
  { enabled, hasTemplate }: { enabled: boolean; hasTemplate(id: string): boolean },
): Propagated {
  const template = project?.source_template_id;
  if (!project || template === undefined) return { note: 'No source template to propagate to' };
  if (!enabled) return { note: 'Propagation is switched off (score_propagation_enabled)' };
  if (!hasTemplate(template)) return { note: `The source template ${template} is not there any more` };
  const worked = workedOf(given);
  if (worked === undefined) return { note: 'Nothing propagated: the feedback does not say how well it worked' };
  const modifications = project.template_modifications.length;
  const weight = propagationWeight(modifications);
  const record = {
    ...given,
    artifact: learningUri('template', template),
    artifact_type: 'template' as const,
    project_id: project.id,
    rating: worked,
    comment: undefined,
    ...{ specific_data: {}, corrections: [], suggested_improvements: [] },
    propagated_from: project.id,
    propagation_weight: weight,
  };
  const tier = `${FEEDBACK_WEIGHTS[given.feedback_tier]} as it is ${given.feedback_tier}`;
  const note = `Propagated to ${template} as effectiveness ${worked} with weight ${weight} (${modifications} ${modifications === 1 ? 'modification' : 'modifications'} of the template) × ${tier}`;
  return { record, note };
}
