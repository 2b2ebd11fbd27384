import type { Dependency } from '../../bases';
import { type Command, expectWords } from '../command';
import { chosen, limitOf } from '../discovery-arguments';
import { waitForIndex } from '../indexing';
import { BASES_OPTIONS, COMMON_OPTIONS, withKaizen } from '../session';
import { indent, type Terminal, table } from '../terminal';

const DIRECTIONS = ['upstream', 'downstream', 'both'] as const;

export const dependencies: Command = {
  name: 'dependencies',
  usage: ['dependencies ID [--direction upstream|downstream|both] [--depth N]'],
  summary: 'Show what a node of a knowledge base waits for, and what waits for it',
  details: 'Follows the blocked_by of the nodes (tool get_dependencies).',
  options: {
    direction: { type: 'string', value: 'DIRECTION', help: `${DIRECTIONS.join(', ')}; both unless told` },
    depth: { type: 'string', value: 'N', help: 'how far to follow them, 1 to 20; 1 unless told' },
    ...BASES_OPTIONS,
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID']);
    const direction = chosen(args, 'direction', DIRECTIONS) ?? 'both';
    const depth = limitOf(args, 'depth', 20) ?? 1;
    return withKaizen(args, terminal, async (session) => {
      await waitForIndex(session, terminal);
      const result = await session.bases.dependencies(args.positionals[0]!, { direction, depth });
      if (terminal.isJson) {
        terminal.json(result);
        return 0;
      }
      const { node, upstream, downstream } = result;
      terminal.out(
        `${terminal.paint('bold', node.title)}  ${terminal.paint('dim', `${node.id}  ${node.type}, ${node.status}`)}`,
      );
      if (direction !== 'downstream') terminal.out(section('Waits for', upstream, terminal));
      if (direction !== 'upstream') terminal.out(section('Is waited for by', downstream, terminal));
      if (result.message) terminal.say(result.message);
      return 0;
    });
  },
};

function section(title: string, rows: readonly Dependency[], terminal: Terminal): string {
  if (rows.length === 0) return `\n${title}: nothing`;
  const lines = rows.map(({ id, title, type, status, depth }) => [
    `${'  '.repeat(depth - 1)}${title || id}`,
    `${type || 'unknown'}, ${status}`,
    terminal.paint('dim', id),
  ]);
  return `\n${title}:\n${indent(table(lines))}`;
}
