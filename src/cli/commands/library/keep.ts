import { type Command, expectWords, UsageError } from '../../command';
import { counted } from '../../terminal';
import { EVERY_LIBRARY_COMMAND, METADATA_OPTIONS, metadataOf, withLibrary } from './arguments';
import { documentName, pageLines } from './wording';

export const refresh: Command = {
  name: 'library refresh',
  usage: ['library refresh [DOCUMENT]...'],
  summary: 'Look whether sources have changed, and read those again; all of them unless told',
  details: 'The exit code is 1 when one could not be looked at; what it said before stays.',
  options: EVERY_LIBRARY_COMMAND,

  async run(args, terminal) {
    const ids = args.positionals.length > 0 ? args.positionals : undefined;
    return withLibrary(args, terminal, async ({ library, change }) => {
      const pages = await library.refresh(ids, change);
      if (terminal.isJson) terminal.json(pages);
      else {
        if (pages.length > 0) terminal.out(pageLines(pages, terminal));
        terminal.say(`${counted(pages.length, 'source')} looked at.`);
      }
      return pages.some(({ status }) => status === 'failed' || status === 'refused') ? 1 : 0;
    });
  },
};

export const remove: Command = {
  name: 'library remove',
  usage: ['library remove DOCUMENT... [--yes]'],
  summary: 'Take sources out with all their passages; the files and pages themselves stay',
  options: {
    yes: { type: 'boolean', short: 'y', help: 'without asking' },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['DOCUMENT'], Number.POSITIVE_INFINITY);
    const ids = [...new Set(args.positionals)];
    return withLibrary(args, terminal, async ({ library, change }) => {
      const names = (await Promise.all(ids.map((id) => library.source(id)))).map(documentName);
      const agreed = args.flag('yes') || (await terminal.confirm(`Remove ${names.join(', ')}?`));
      if (agreed === undefined) throw new UsageError('--yes is missing, where nobody can be asked.');
      if (!agreed) {
        terminal.say('Nothing was removed.');
        return 1;
      }
      await library.remove(ids, change);
      if (terminal.isJson) terminal.json({ removed: ids });
      else for (const name of names) terminal.out(`${name} is removed.`);
      return 0;
    });
  },
};

export const describe: Command = {
  name: 'library describe',
  usage: [
    'library describe DOCUMENT [--title TEXT] [--type TYPE] [--authority LEVEL] [--standard ID] [--version TEXT]',
  ],
  summary: 'Say what a source is; that stays when it is read again',
  options: { ...METADATA_OPTIONS, ...EVERY_LIBRARY_COMMAND },

  async run(args, terminal) {
    expectWords(args.positionals, ['DOCUMENT']);
    const overrides = metadataOf(args);
    if (Object.keys(overrides).length === 0) {
      throw new UsageError('Name what to say: --title, --type, --authority, --standard or --version.');
    }
    return withLibrary(args, terminal, async ({ library, change }) => {
      const document = await library.describe(args.positionals[0]!, overrides, change);
      if (terminal.isJson) terminal.json(document);
      else terminal.out(`${documentName(document)}: ${document.document_type}, ${document.authority_level}.`);
      return 0;
    });
  },
};
