import { Fields } from './fields';
import { type EntryState, RECORD_KINDS, type RecordKind, type TransferRecord } from './records';

/** What a file may leave out and where it then comes from. */
export interface Defaults {
  /** Author of whatever names none. */
  author: string;
  /** Time of whatever names none, as `isoTime` writes it. */
  at: string;
}

/**
 * One line's object as a record, with what it leaves out. Checks fields and types; the rules of the domain (ids,
 * lengths, parents) are the domain's. Throws an Error whose message names everything that is wrong with it.
 */
export function readRecord(object: Readonly<Record<string, unknown>>, defaults: Defaults): TransferRecord {
  const kind = RECORD_KINDS.find((each) => each === object.type);
  if (kind === undefined) throw new Error(`"type" must be one of ${RECORD_KINDS.join(', ')}`);
  const problems: string[] = [];
  const fields = new Fields(object, problems);
  const record = READERS[kind](fields, defaults);
  fields.end();
  if (problems.length > 0) throw new Error(problems.join('; '));
  return record;
}

const READERS: { [K in RecordKind]: (f: Fields, defaults: Defaults) => Extract<TransferRecord, { type: K }> } = {
  scope: (f) => {
    const id = f.text('id');
    return {
      type: 'scope',
      id,
      tier: f.oneOf('tier', ['GENERAL', 'PRODUCT', 'GROUP', 'PROJECT']),
      name: f.text('name', id),
      description: f.optionalText('description'),
      parents: [...new Set(f.texts('parents'))].sort(),
    };
  },

  category: (f) => ({
    type: 'category',
    scope: f.text('scope'),
    category: f.text('category'),
    description: f.text('description'),
  }),

  entry: (f, defaults) => {
    const revisions = f.list('revisions', (each, index) => readState(each, defaults, index === 0));
    return {
      type: 'entry',
      scope: f.text('scope'),
      category: f.text('category'),
      keyword: f.text('keyword'),
      ...readState(f, defaults, revisions.length === 0),
      revisions,
    };
  },

  overview: (f, defaults) => ({
    type: 'overview',
    project: f.text('project'),
    purpose: f.optionalText('purpose'),
    tech_stack: f.texts('tech_stack'),
    compliance: f.texts('compliance'),
    current_phase: f.optionalText('current_phase'),
    key_constraints: f.texts('key_constraints'),
    author: f.text('author', defaults.author),
    by_agent: f.flag('by_agent'),
    at: f.time('at', defaults.at),
  }),

  session: (f, defaults) => ({
    type: 'session',
    project: f.text('project'),
    // Without a default: a session is told apart by its time, so importing one twice must find the same time twice.
    at: f.time('at'),
    duration_minutes: f.count('duration_minutes'),
    summary: f.text('summary'),
    tasks_completed: f.texts('tasks_completed'),
    domain: f.optionalText('domain'),
    next_planned: f.optionalText('next_planned'),
    author: f.text('author', defaults.author),
    by_agent: f.flag('by_agent'),
  }),

  progress: (f, defaults) => ({
    type: 'progress',
    project: f.text('project'),
    overall_progress: f.optionalText('overall_progress'),
    current_sprint: f.optionalText('current_sprint'),
    author: f.text('author', defaults.author),
    by_agent: f.flag('by_agent'),
    at: f.time('at', defaults.at),
  }),

  task: (f, defaults) => ({
    type: 'task',
    project: f.text('project'),
    name: f.text('name'),
    domain: f.optionalText('domain'),
    state: f.oneOf('state', ['in_progress', 'blocked', 'completed']),
    status: f.optionalText('status'),
    blocker: f.optionalText('blocker'),
    author: f.text('author', defaults.author),
    by_agent: f.flag('by_agent'),
    at: f.time('at', defaults.at),
  }),
};

function readState(f: Fields, defaults: Defaults, isFirst: boolean): EntryState {
  const content = f.nullableText('content');
  const metaknowledge = f.labels('metaknowledge');
  const likely = content === null ? 'delete' : isFirst ? 'create' : 'update';
  const action = f.oneOf('action', ['create', 'update', 'delete', 'restore'], likely);
  if (action === 'delete' && content !== null) f.refuse('content', 'must be null when the action is delete');
  if (action !== 'delete' && content === null) f.refuse('content', 'may only be null when the action is delete');
  return {
    content,
    metaknowledge: content === null ? null : metaknowledge,
    action,
    author: f.text('author', defaults.author),
    by_agent: f.flag('by_agent'),
    at: f.time('at', defaults.at),
    project_context: f.text('project_context', ''),
    reason: f.optionalText('reason'),
  };
}
