import { type Command, expectWords } from '../../command';
import { counted, indent, type Terminal, table } from '../../terminal';
import { EVERY_LIBRARY_COMMAND, wholeLibrary, withLibrary } from './arguments';

export const stats: Command = {
  name: 'library stats',
  usage: ['library stats [--domains] [--freshness]'],
  summary: 'What the library holds, and what is not as it should be',
  options: {
    domains: { type: 'boolean', help: 'by host, too' },
    freshness: { type: 'boolean', help: 'by age, too' },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    const include = { domains: args.flag('domains'), freshness: args.flag('freshness') };
    return withLibrary(args, terminal, async (session) => {
      const { library } = session;
      await wholeLibrary(session, terminal);
      const found = await library.stats(include);
      if (terminal.isJson) {
        terminal.json({ place: library.state.place, ...found });
        return 0;
      }
      const { documents, chunks, tokens, size, open_requests, health, domains } = found;
      terminal.out(
        table([
          ['library', library.state.place],
          ['sources', String(documents)],
          ['passages', `${chunks} (${counted(tokens, 'token')})`],
          ...(size === undefined ? [] : [['on the disk', `${(size / 1_000_000).toFixed(1)} MB`]]),
          ['open requests', String(open_requests)],
        ]),
      );
      counts('By type', found.by_document_type, terminal);
      counts('By authority', found.by_authority, terminal);
      counts('By freshness', found.freshness ?? {}, terminal);
      counts('By host', Object.fromEntries((domains ?? []).map((each) => [each.domain, each.documents])), terminal);
      for (const sentence of health) terminal.out(terminal.paint('yellow', sentence));
      return 0;
    });
  },
};

function counts(title: string, by: Readonly<Record<string, number>>, terminal: Terminal): void {
  const rows = Object.entries(by).filter(([, count]) => count > 0);
  if (rows.length === 0) return;
  terminal.out(`\n${title}\n${indent(table(rows.map(([name, count]) => [name, String(count)])))}`);
}
