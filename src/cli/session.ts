import { resolve } from 'node:path';
import { dataDirectories, proposeProjectId } from '../core/locations';
import { personName } from '../core/person';
import type { Kaizen, KaizenParts } from '../kaizen';
import { type Arguments, type Option, type Options, UsageError } from './command';
import { readKnowledgeOptions } from './knowledge-options';
import { learningOptionsOf } from './learning-options';
import { libraryOptionsOf } from './library-options';
import { notesOptionsOf } from './notes-options';
import type { Terminal } from './terminal';

export { BASES_OPTIONS, EMBEDDINGS_OPTIONS } from './bases-options';
export { LIBRARY_OPTIONS } from './library-options';
export { NOTES_OPTIONS } from './notes-options';

/** The options that say which knowledge is meant; every command has them. */
export const LOCATION_OPTIONS: Options = {
  data: { type: 'string', value: 'DIR', help: "the workspace's store (KAIZEN_DATA)" },
  shared: { type: 'string', value: 'DIR', help: 'the shared store (KAIZEN_SHARED)' },
  workspace: { type: 'string', value: 'FOLDER', help: 'the folder that is worked in; the current one unless told' },
  project: { type: 'string', value: 'SCOPE_ID', help: "the current project's scope (KAIZEN_PROJECT)" },
};

export const HELP_OPTION: Option = { type: 'boolean', short: 'h', help: 'print this help' };

export const COMMON_OPTIONS: Options = {
  ...LOCATION_OPTIONS,
  json: { type: 'boolean', help: 'print JSON for programs' },
  help: HELP_OPTION,
};

export interface Locations {
  /** The folder that is worked in, absolute. */
  workspace: string;
  data: string;
  shared: string;
  project: string;
  /** Whether a person named the project; otherwise it is the repository's name. */
  isProjectNamed: boolean;
}

/**
 * Flags win over environment variables, and these over the platform's data directory. A variable that is
 * empty counts as unset.
 */
export function locate(args: Arguments): Locations {
  for (const option of Object.keys(LOCATION_OPTIONS)) {
    // `--data "$UNSET"` must not end up in another store than the one that was meant.
    if (args.string(option) === '') throw new UsageError(`--${option} needs a value that is not empty.`);
  }
  const named = (option: string, variable: string) => args.string(option) || process.env[variable] || undefined;
  const workspace = resolve(args.string('workspace') ?? '.');
  const data = named('data', 'KAIZEN_DATA');
  const shared = named('shared', 'KAIZEN_SHARED');
  const project = named('project', 'KAIZEN_PROJECT');
  const standard = data === undefined || shared === undefined ? dataDirectories(workspace) : undefined;
  return {
    workspace,
    data: resolve(data ?? standard!.data),
    shared: resolve(shared ?? standard!.shared),
    project: project ?? proposeProjectId(workspace),
    isProjectNamed: project !== undefined,
  };
}

export interface Session extends KaizenParts {
  kaizen: Kaizen;
  /** The scope that is meant when none is named. */
  project: string;
  /** The author of this person's changes. */
  author: string;
}

/** Opens the stores for one command and closes them after it, whatever happens. */
export async function withKaizen<T>(
  args: Arguments,
  terminal: Terminal,
  action: (session: Session) => Promise<T>,
): Promise<T> {
  const { workspace, data, shared, project } = locate(args);
  const { Kaizen } = await import('../kaizen');
  const { options } = await readKnowledgeOptions(args, shared, terminal);
  const onReport = (message: string) => terminal.say(`kaizen: ${message}`);
  const kaizen = new Kaizen({
    workspace,
    data,
    shared,
    project,
    ...options,
    ...notesOptionsOf(args, workspace),
    ...libraryOptionsOf(args),
    ...learningOptionsOf(),
    onReport,
  });
  try {
    return await action({ ...(await kaizen.parts()), kaizen, project, author: personName() });
  } finally {
    await kaizen.close();
  }
}
