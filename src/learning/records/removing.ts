import type { LearnedKind } from '../vocabulary';
import type { Plan, Writing } from './writing';

/** Throws `unknown_project`, `unknown_template` … */
export function planRemoval(kind: LearnedKind, artifact: string, writing: Writing): Plan {
  const record = writing.require(kind, artifact);
  const projects = kind === 'template' ? writing.all('project', { field: 'source_template_id', value: record.id }) : [];
  return {
    kind,
    record,
    changes: [{ kind, id: record.id, record: null }],
    hint: projects.length > 0 ? `Projects that were made from it stay as they are: ${projects.length}.` : undefined,
  };
}
