import type { ProjectRecord, ProjectTemplate } from '../records-model';
import type { LearnedKind } from '../vocabulary';
import type { PlanningRequest } from '../workflows-model';
import { byScore, type Passage } from './evidence';
import { isIncident } from './incidents';
import type { Inquiry } from './inquiry';

/** A project of the asked type is similar at least so much, one of another type so much less. */
const SAME_TYPE = 0.5;
const OTHER_TYPE = 0.6;
/** Records of one type that are looked at without any word in common. */
const MOST_OF_TYPE = 200;

export type SimilarProject = Passage & { record: { kind: 'project'; record: ProjectRecord } };
export type SimilarTemplate = Passage & { record: { kind: 'template'; record: ProjectTemplate } };

/** What a planned project is like, in words. */
export function planned(request: PlanningRequest, ...more: readonly (string | undefined)[]): string {
  const { project_type = '', project_description = '' } = request;
  return [project_type.replaceAll('_', ' '), project_description, ...more].filter(Boolean).join(' ');
}

/** Captured records like the planned project: by words, and by type and domain where those are told. Best first. */
async function similarRecords(
  kind: Extract<LearnedKind, 'project' | 'template'>,
  request: PlanningRequest,
  inquiry: Inquiry,
  factors: readonly string[] = [],
): Promise<Passage[]> {
  const { evidence, deep, world } = inquiry;
  const query = planned(request, ...factors);
  const found = new Map<string, Passage>();
  const bySearch = await evidence.search({ query, limit: deep, places: ['learning'], kinds: [kind] });
  for (const passage of bySearch) found.set(passage.uri, passage);
  const type = request.project_type?.trim();
  if (type) {
    for (const { id } of world.learning.list(kind, { project_type: type }).slice(0, MOST_OF_TYPE)) {
      const record = world.learning.find(id);
      if (!record) continue;
      const semantic = found.get(record.uri)?.semantic ?? 0;
      const matched = found.get(record.uri)?.matched ?? [];
      const passage = evidence.ofRecord(record, SAME_TYPE + (1 - SAME_TYPE) * semantic);
      found.set(record.uri, { ...passage, matched: [...new Set([type, ...matched])] });
      await inquiry.turns.pause();
    }
  }
  return [...found.values()]
    .map((passage) => (isOfType(passage, type) ? passage : { ...passage, semantic: passage.semantic * OTHER_TYPE }))
    .sort(byScore);
}

export async function similarProjects(
  request: PlanningRequest,
  inquiry: Inquiry,
  factors?: readonly string[],
): Promise<SimilarProject[]> {
  return (await similarRecords('project', request, inquiry, factors)) as SimilarProject[];
}

export async function similarTemplates(request: PlanningRequest, inquiry: Inquiry): Promise<SimilarTemplate[]> {
  return (await similarRecords('template', request, inquiry)) as SimilarTemplate[];
}

/** Where no type is asked for, all are, but what went wrong once: that is no example of how such a project goes. */
function isOfType({ record }: Passage, type: string | undefined): boolean {
  if (!type && record?.kind === 'project') return !isIncident(record.record);
  if (!type || !record || !('project_type' in record.record)) return true;
  return record.record.project_type?.toLowerCase() === type.toLowerCase();
}
