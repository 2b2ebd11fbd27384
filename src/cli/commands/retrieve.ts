import type { RetrievedNode } from '../../discovery';
import { type Command, UsageError } from '../command';
import { chosen } from '../discovery-arguments';
import { waitForIndex } from '../indexing';
import { BASES_OPTIONS, COMMON_OPTIONS, NOTES_OPTIONS, withKaizen } from '../session';
import { type Terminal, table } from '../terminal';
import { inCommands } from '../wording';

const FORMATS = ['markdown', 'json', 'plain'] as const;

export const retrieve: Command = {
  name: 'retrieve',
  usage: ['retrieve ID... [--children] [--format markdown|json|plain]'],
  summary: 'Print entries and nodes of knowledge bases whole',
  details: 'Takes the ids that "kaizen search" and "kaizen discover" print, at most 20 (tool retrieve_knowledge).',
  options: {
    children: { type: 'boolean', help: 'what is below a node as well' },
    format: { type: 'string', value: 'FORMAT', help: `${FORMATS.join(', ')}; markdown unless told` },
    ...BASES_OPTIONS,
    ...NOTES_OPTIONS,
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    if (args.positionals.length === 0) throw new UsageError('ID is missing.');
    const request = {
      ids: args.positionals,
      include_children: args.flag('children'),
      format: chosen(args, 'format', FORMATS),
    };
    return withKaizen(args, terminal, async (session) => {
      await waitForIndex(session, terminal);
      const result = await session.discovery.retrieve(request);
      if (terminal.isJson) {
        terminal.json(result);
        return 0;
      }
      terminal.out(result.nodes.map((node) => nodeText(node, 0, terminal)).join('\n\n'));
      if (result.message) terminal.say(inCommands(result.message));
      return 0;
    });
  },
};

function nodeText(
  { id, path, title, metadata, content, children }: RetrievedNode,
  depth: number,
  terminal: Terminal,
): string {
  const labels = Object.entries(metadata).map(([label, value]) => [
    terminal.paint('dim', label),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return [
    `${terminal.paint('bold', `${'#'.repeat(Math.min(depth + 1, 6))} ${title}`)}  ${terminal.paint('dim', `${path}  ${id}`)}`,
    ...(labels.length > 0 ? [table(labels)] : []),
    ...(content.trim() === '' ? [] : ['', content.trimEnd()]),
    ...children.map((child) => `\n${nodeText(child, depth + 1, terminal)}`),
  ].join('\n');
}
