import { KaizenError } from '../../core/errors';
import type { Registry, RegistryStatus } from '../../notes';
import { type Arguments, type Command, type CommandGroup, expectWords, type Options } from '../command';
import { limitOf } from '../discovery-arguments';
import { heading } from '../discovery-output';
import { notesOptionsOf } from '../notes-options';
import { COMMON_OPTIONS, HELP_OPTION, locate, NOTES_OPTIONS } from '../session';
import { onTermination } from '../signals';
import { indent, table } from '../terminal';
import { spaceOf, withNotes } from './notes/arguments';
import { paintedDifference } from './notes/wording';

const REGISTRY_OPTIONS: Options = { ...NOTES_OPTIONS, ...COMMON_OPTIONS };

const init: Command = {
  name: 'registry init',
  usage: ['registry init'],
  summary: 'Create the tables of a registry, or bring them up to date',
  details: 'In a schema "kaizen" of its own. Two at once, and one more time, do no harm.',
  options: REGISTRY_OPTIONS,

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    return withRegistry(args, async (registry, signal) => {
      const { from, to } = await registry.init(signal);
      if (terminal.isJson) terminal.json({ from, to });
      else if (from === to) terminal.out(`The registry is there already (schema ${to}).`);
      else terminal.out(from === 0 ? 'The registry is set up.' : `The registry went from schema ${from} to ${to}.`);
      if (from === 0 && !terminal.isJson) {
        terminal.say('"kaizen registry roles" prints what to grant to those who read and publish.');
      }
      return 0;
    });
  },
};

const status: Command = {
  name: 'registry status',
  usage: ['registry status'],
  summary: 'Whether the registry can be reached, and what may be done there',
  details: 'The exit code is 1 unless its tables are there and of this version.',
  options: REGISTRY_OPTIONS,

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    return withRegistry(args, async (registry, signal) => {
      const answer = await registry.status(signal);
      if (terminal.isJson) terminal.json(answer);
      else terminal.out(describe(answer));
      return answer.state === 'ready' ? 0 : 1;
    });
  },
};

const STATES: Record<RegistryStatus['state'], string> = {
  ready: 'ready',
  missing: 'has no tables yet: "kaizen registry init" creates them',
  older: 'of an older version: "kaizen registry init" brings it up to date',
  newer: 'of a newer version: update Kaizen',
};
const TLS: Record<RegistryStatus['tls'], string> = {
  verified: 'the server proved whose it is',
  unverified: 'encrypted, to whoever answers',
  none: 'none',
};

function describe({ server, postgres, schema, state, tls, entries, canPublish }: RegistryStatus): string {
  return table([
    ['registry', server],
    ['PostgreSQL', postgres],
    ['TLS', TLS[tls]],
    ['tables', state === 'ready' ? `${STATES.ready} (schema ${schema})` : STATES[state]],
    ...(state === 'ready'
      ? [
          ['notes', String(entries)],
          ['you may', canPublish ? 'search, download and publish' : 'search and download'],
        ]
      : []),
  ]);
}

const search: Command = {
  name: 'registry search',
  usage: ['registry search QUERY [--limit N]'],
  summary: 'Search the registry alone',
  details: '"kaizen notes search --source registry" filters as well, and searches the spaces with it.',
  options: { limit: { type: 'string', value: 'N', help: '1 to 100; 10 unless told' }, ...REGISTRY_OPTIONS },

  async run(args, terminal) {
    expectWords(args.positionals, ['QUERY']);
    const [query = ''] = args.positionals;
    const limit = limitOf(args, 'limit', 100) ?? 10;
    return withRegistry(args, async (registry, signal) => {
      const { hits, total } = await registry.search({ query, limit }, signal);
      if (terminal.isJson) {
        terminal.json({ results: hits, total });
        return 0;
      }
      for (const { zettel_id, title, entry_type, version, relevance_score, snippet } of hits) {
        const path = `registry ${version}`;
        const type = entry_type ?? 'note';
        terminal.out(heading({ id: zettel_id, path, title, type, score: relevance_score }, terminal));
        terminal.out(`${indent(snippet, '      ')}\n`);
      }
      if (total > hits.length) terminal.say(`${hits.length} of ${total} are shown; --limit shows more.`);
      else if (total === 0) terminal.say('Nothing was found.');
      return 0;
    });
  },
};

const versions: Command = {
  name: 'registry versions',
  usage: ['registry versions ID'],
  summary: "A note's versions, latest first, with who published them and when",
  details: '"kaizen notes get ID --source registry --version V" prints one of them.',
  options: REGISTRY_OPTIONS,

  async run(args, terminal) {
    expectWords(args.positionals, ['ID']);
    const [id = ''] = args.positionals;
    return withRegistry(args, async (registry, signal) => {
      const list = await registry.versions(id, signal);
      if (list.length === 0) throw unknown(id);
      if (terminal.isJson) terminal.json(list);
      else terminal.out(table(list.map((each) => [each.version, each.published_at, each.published_by])));
      return 0;
    });
  },
};

const diff: Command = {
  name: 'registry diff',
  usage: ['registry diff ID [--version V] [--in project|user]'],
  summary: 'What a note of a space says that the registry does not, and the other way round',
  details: 'From what the registry has to what the file says. The exit code is 1 when they differ.',
  options: {
    version: { type: 'string', value: 'V', help: "of the registry's; the latest unless told" },
    in: { type: 'string', value: 'SPACE', help: 'project or user; the first that has it unless told' },
    ...REGISTRY_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID']);
    const [id = ''] = args.positionals;
    const space = spaceOf(args);
    return withNotes(args, terminal, async ({ notes }) => {
      const note = notes.resolve({ zettel_id: id, space });
      const { text } = await notes.text(note);
      const entry = await (await notes.registry()).get(note.zettel_id, args.string('version'));
      if (!entry) throw unknown(id);
      const { difference } = await import('../../notes/registry');
      const shown = difference(
        { name: `registry/${id}@${entry.version}`, text: entry.document },
        { name: `${note.space}/${note.file}`, text },
      );
      if (terminal.isJson)
        terminal.json({ zettel_id: id, version: entry.version, space: note.space, difference: shown });
      else if (shown === '') terminal.say(`Both say the same (version ${entry.version}).`);
      else terminal.out(paintedDifference(shown, terminal));
      return shown === '' ? 0 : 1;
    });
  },
};

const roles: Command = {
  name: 'registry roles',
  usage: ['registry roles'],
  summary: 'Print SQL with the rights of readers and publishers',
  details: [
    'For whoever ran "kaizen registry init", to be read and then run: kaizen registry roles | psql URL. Readers search and',
    'download, publishers publish as well; neither changes the tables, nor what was published before. Asks no server.',
  ].join('\n'),
  options: { json: { type: 'boolean', help: 'print JSON for programs' }, help: HELP_OPTION },

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    const { REGISTRY_ROLES } = await import('../../notes/registry');
    if (terminal.isJson) terminal.json({ sql: REGISTRY_ROLES });
    else terminal.raw(REGISTRY_ROLES);
    return 0;
  },
};

export const registry: CommandGroup = {
  name: 'registry',
  summary: "The team's registry of notes on PostgreSQL",
  details: [
    'KAIZEN_REGISTRY_URL names it: postgres://user:password@host:5432/database. --registry does so, too, but others on the',
    'machine can read the flags of a process. docs/registry.md describes it.',
  ].join('\n'),
  commands: [init, status, search, versions, diff, roles],
};

/** Connects for one command; Ctrl+C ends what is under way. Opens no stores. */
async function withRegistry<T>(
  args: Arguments,
  action: (registry: Registry, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { registry: options } = notesOptionsOf(args, locate(args).workspace);
  if (!options) {
    throw new KaizenError(
      'registry_not_configured',
      'No registry is named.',
      'Set KAIZEN_REGISTRY_URL=postgres://user:password@host:5432/database.',
    );
  }
  const { openRegistry } = await import('../../notes/registry');
  const opened = openRegistry(options);
  const stop = new AbortController();
  const release = onTermination(() => stop.abort());
  try {
    return await action(opened, stop.signal);
  } finally {
    release();
    await opened.close();
  }
}

function unknown(id: string): KaizenError {
  return new KaizenError(
    'unknown_note',
    `The registry has no note "${id}".`,
    '"kaizen registry search" looks for others.',
  );
}
