import type { ProjectRecord } from '../../src/learning/records-model';
import type { Form } from './page';

type Version = Pick<ProjectRecord, 'id' | 'updated_at'>;

/**
 * What is open once a form was asked for. One in which something was typed stays; `refused` says that it stands in the
 * way of another.
 */
export function opened(open: Form | undefined, wanted: Form): { form: Form; refused: boolean } {
  if (!open?.touched) return { form: wanted, refused: false };
  return { form: open, refused: !isForSame(open, wanted) };
}

/**
 * What the person changes of a project beside its open form, such as the state of a task, is no reason to refuse the form
 * as changed elsewhere: it begins at what the project is now.
 * @param before the project as the page knew it when the change was asked for
 * @param after as it is now
 */
export function rebased(form: Form, before: Version | undefined, after: Version | undefined): void {
  if (form.kind !== 'change' || form.project_id !== before?.id || before.id !== after?.id) return;
  if (form.base === before.updated_at) form.base = after.updated_at;
}

function isForSame(open: Form, wanted: Form): boolean {
  if (open.kind !== 'create' && wanted.kind !== 'create') {
    return open.kind === wanted.kind && open.project_id === wanted.project_id;
  }
  if (open.kind !== 'create' || wanted.kind !== 'create') return false;
  const { template } = wanted.fields;
  return template === '' || template === open.fields.template;
}
