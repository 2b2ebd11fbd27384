import { personName } from '../core/person';
import type { Kaizen, KaizenParts } from '../kaizen';
import type { Arguments, Option, Options } from './command';
import { readKnowledgeOptions } from './knowledge-options';
import { learningOptionsOf } from './learning-options';
import { libraryOptionsOf } from './library-options';
import { LOCATION_OPTIONS, locate } from './locating';
import { notesOptionsOf } from './notes-options';
import { SAFETY_OPTIONS, safetyOptionsOf } from './safety-options';
import type { Terminal } from './terminal';
import { sayingWaits } from './waiting';

export { BASES_OPTIONS, EMBEDDINGS_OPTIONS } from './bases-options';
export { LIBRARY_OPTIONS } from './library-options';
export { expectFolder, LOCATION_OPTIONS, type Locations, locate } from './locating';
export { NOTES_OPTIONS } from './notes-options';

export const HELP_OPTION: Option = { type: 'boolean', short: 'h', help: 'print this help' };

export const COMMON_OPTIONS: Options = {
  ...LOCATION_OPTIONS,
  json: { type: 'boolean', help: 'print JSON for programs' },
  help: HELP_OPTION,
};

/** Of commands that store texts. */
export const WRITING_OPTIONS: Options = { ...SAFETY_OPTIONS, ...COMMON_OPTIONS };

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
  const { Kaizen, refreshGuardIndex } = await import('../kaizen');
  const { options } = await readKnowledgeOptions(args, shared, terminal);
  const onReport = (message: string) => terminal.say(`kaizen: ${message}`);
  const kaizen = new Kaizen({
    workspace,
    data,
    shared,
    project,
    // A command that only reads leaves nothing behind where there was nothing.
    createsOnWrite: true,
    ...options,
    ...notesOptionsOf(args, workspace),
    ...libraryOptionsOf(args),
    ...learningOptionsOf(),
    ...safetyOptionsOf(args, terminal),
    onReport,
    onWaiting: sayingWaits(args, { data, shared }, terminal),
  });
  try {
    const result = await action({ ...(await kaizen.parts()), kaizen, project, author: personName() });
    // Where that does not work, the next hook looks into the stores itself.
    await refreshGuardIndex(kaizen, { data, shared, project }).catch(() => {});
    return result;
  } finally {
    await kaizen.close();
  }
}
