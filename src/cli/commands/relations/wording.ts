import type { Relation, RelationsPart } from '../../../relations';
import { indent, type Terminal } from '../../terminal';

/** What ends are called. */
export type Titles = ReadonlyMap<string, string>;

export async function titlesOf(relations: RelationsPart, found: readonly Relation[]): Promise<Titles> {
  const titles = new Map<string, string>();
  for (const uri of new Set(found.flatMap(({ source, target }) => [source, target]))) {
    titles.set(uri, (await relations.resolve(uri))?.title ?? uri);
  }
  return titles;
}

/** In a few lines: what is what to what, why, and where it is said. */
export function relationLines(relation: Relation, titles: Titles, terminal: Terminal): string {
  const { id, source, target, type, bidirectional, confidence, context, created_by, author, evidence } = relation;
  const titleOf = (uri: string) => terminal.paint('bold', titles.get(uri) ?? uri);
  const arrow = bidirectional ? '↔' : '→';
  const sure = confidence < 1 ? `, ${Math.round(confidence * 100)} %` : '';
  const where = relation.origin === 'stored' ? id : `in ${author}`;
  return [
    `${titleOf(source)} ${arrow} ${type} ${arrow} ${titleOf(target)}`,
    indent(
      [
        ...(context === '' ? [] : [context]),
        ...evidence.map((uri) => `shown by ${uri}`),
        terminal.paint('dim', `${source}\n${target}`),
        terminal.paint('dim', `${where}  ${created_by} by ${author}${sure}`),
      ].join('\n'),
    ),
  ].join('\n');
}
