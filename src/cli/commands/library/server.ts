import { KaizenError } from '../../../core/errors';
import { type Arguments, type Command, expectWords } from '../../command';
import { libraryOptionsOf } from '../../library-options';
import { HELP_OPTION, LIBRARY_OPTIONS } from '../../session';

const PLACE_OPTIONS = {
  library: LIBRARY_OPTIONS.library!,
  json: { type: 'boolean', help: 'print JSON for programs' },
  help: HELP_OPTION,
} as const;

export const init: Command = {
  name: 'library init',
  usage: ['library init'],
  summary: 'Create the tables of a library on PostgreSQL, or bring them up to date',
  details: [
    'In a schema "kaizen_library" of its own. Two at once, and one more time, do no harm. Whoever comes first and may create',
    'them does so, too; this is for those who may where others may not. A folder needs nothing.',
  ].join('\n'),
  options: PLACE_OPTIONS,

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    const place = serverOf(args);
    const { setUpLibrary } = await import('../../../kaizen');
    const { from, to } = await setUpLibrary(place);
    if (terminal.isJson) terminal.json({ from, to });
    else if (from === to) terminal.out(`The library is there already (schema ${to}).`);
    else terminal.out(from === 0 ? 'The library is set up.' : `The library went from schema ${from} to ${to}.`);
    if (from === 0 && !terminal.isJson) {
      terminal.say('"kaizen library roles" prints what to grant to those who read and add.');
    }
    return 0;
  },
};

export const roles: Command = {
  name: 'library roles',
  usage: ['library roles'],
  summary: 'Print SQL with the rights of those who read and those who add',
  details:
    'For whoever ran "kaizen library init", to be read and then run: kaizen library roles | psql URL. Asks no server.',
  options: { json: PLACE_OPTIONS.json, help: HELP_OPTION },

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    const { libraryRoles } = await import('../../../kaizen');
    const sql = await libraryRoles();
    if (terminal.isJson) terminal.json({ sql });
    else terminal.raw(sql);
    return 0;
  },
};

function serverOf(args: Arguments): { url: string } {
  const { library } = libraryOptionsOf(args);
  if (library && 'url' in library) return library;
  throw new KaizenError(
    'registry_not_configured',
    'No library on PostgreSQL is named.',
    'Set KAIZEN_LIBRARY=postgres://user:password@host:5432/database.',
  );
}
