import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { EDITOR_STORES, type EditorStores, editorStoresFor, STORES_VARIABLE } from '../core/editor-stores';
import { KaizenError } from '../core/errors';
import { dataDirectories, proposeProjectId } from '../core/locations';
import { type Arguments, type Options, UsageError } from './command';

/** The options that say which knowledge is meant; every command has them. */
export const LOCATION_OPTIONS: Options = {
  data: { type: 'string', value: 'DIR', help: "the workspace's store (KAIZEN_DATA)" },
  shared: { type: 'string', value: 'DIR', help: 'the shared store (KAIZEN_SHARED)' },
  workspace: { type: 'string', value: 'FOLDER', help: 'the folder that is worked in; the current one unless told' },
  project: { type: 'string', value: 'SCOPE_ID', help: "the current project's scope (KAIZEN_PROJECT)" },
};

export interface Locations {
  /** The folder that is worked in, absolute. */
  workspace: string;
  data: string;
  shared: string;
  project: string;
  /** Whether a person named the project; otherwise it is the repository's name. */
  isProjectNamed: boolean;
  /** What the editor tells of the folder, when its stores were asked for and are the ones that are meant. */
  editor?: EditorStores | undefined;
}

/**
 * Flags win over environment variables, these over the stores that the editor has for the folder (KAIZEN_STORES=editor),
 * and these over the platform's data directory. A variable that is empty counts as unset. The project goes with the
 * store: the editor's is meant only where its data directory is. `current` is the folder that is meant where no flag names
 * one.
 */
export function locate(args: Arguments, current = '.'): Locations {
  for (const option of Object.keys(LOCATION_OPTIONS)) {
    // `--data "$UNSET"` must not end up in another store than the one that was meant.
    if (args.string(option) === '') throw new UsageError(`--${option} needs a value that is not empty.`);
  }
  const named = (option: string, variable: string) => args.string(option) || process.env[variable] || undefined;
  const folder = args.string('workspace');
  const data = named('data', 'KAIZEN_DATA');
  const shared = named('shared', 'KAIZEN_SHARED');
  const project = named('project', 'KAIZEN_PROJECT');
  const asked = process.env[STORES_VARIABLE] === EDITOR_STORES && data === undefined;
  const editor = asked ? editorStoresFor(folder ?? current) : undefined;
  // Clients start programs in the folder or somewhere within it; the flag means what it says.
  const workspace = folder === undefined && editor ? editor.workspace : resolve(folder ?? current);
  const isWhole = (data ?? editor?.data) !== undefined && (shared ?? editor?.shared) !== undefined;
  const standard = isWhole ? undefined : dataDirectories(workspace);
  return {
    workspace,
    data: resolve(data ?? editor?.data ?? standard!.data),
    shared: resolve(shared ?? editor?.shared ?? standard!.shared),
    project: project ?? editor?.project ?? proposeProjectId(workspace),
    isProjectNamed: project !== undefined,
    editor,
  };
}

/** For commands that look into the folder itself. Throws `invalid_argument` where it is none. */
export function expectFolder(workspace: string): void {
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new KaizenError('invalid_argument', `There is no folder ${workspace}.`, 'Name one with --workspace.');
}
