import { KaizenError } from '../core/errors';
import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import type { Dependencies, Dependency, Direction, KnowledgeNode } from './model';

const MAX_DEPTH = 20;
/** Of each direction: more than anybody reads. */
const MAX_REACHED = 1_000;

/** What `blocked_by` says, as ids that tools answer. */
export interface DependencyGraph {
  /** What the node waits for: nodes, and ids that name none. */
  blockers(node: KnowledgeNode): (KnowledgeNode | string)[];
  /** What waits for the node. */
  blocked(node: KnowledgeNode): Promise<readonly KnowledgeNode[]>;
  publicId(node: KnowledgeNode): string;
}

/**
 * Everything within `depth` steps of `blocked_by`, each by its shortest way (of several the one that is found first by
 * id), so that circles end; the nearest 1,000 of each direction. In turns. Throws `invalid_argument` for a depth that is not 1 to 20.
 */
export async function dependenciesOf(
  node: KnowledgeNode,
  { direction, depth }: { direction: Direction; depth: number },
  graph: DependencyGraph,
): Promise<Dependencies> {
  if (!Number.isInteger(depth) || depth < 1 || depth > MAX_DEPTH) {
    throw new KaizenError('invalid_argument', `The depth must be 1 to ${MAX_DEPTH}.`);
  }
  const upstream =
    direction === 'downstream' ? [] : await walk(node, depth, async (from) => graph.blockers(from), graph);
  const downstream = direction === 'upstream' ? [] : await walk(node, depth, (from) => graph.blocked(from), graph);
  const found = { node: described(node, graph.publicId(node)), upstream, downstream };
  if (Math.max(upstream.length, downstream.length) < MAX_REACHED) return found;
  return {
    ...found,
    message: `Only the nearest ${MAX_REACHED} are listed. Ask for one direction and a smaller depth.`,
  };
}

async function walk(
  start: KnowledgeNode,
  depth: number,
  next: (from: KnowledgeNode) => Promise<readonly (KnowledgeNode | string)[]>,
  { publicId }: DependencyGraph,
): Promise<Dependency[]> {
  const turns = new Turns();
  const reached: Dependency[] = [];
  const seen = new Set([publicId(start)]);
  let level = [{ node: start, path: [publicId(start)] }];
  for (let step = 1; step <= depth && level.length > 0 && reached.length < MAX_REACHED; step++) {
    const found: { node: KnowledgeNode | undefined; dependency: Dependency }[] = [];
    for (const { node, path } of level) {
      for (const each of await next(node)) {
        const id = typeof each === 'string' ? each : publicId(each);
        if (seen.has(id) || reached.length + found.length >= MAX_REACHED) continue;
        seen.add(id);
        const way = { depth: step, path: [...path, id] };
        if (typeof each === 'string') found.push({ node: undefined, dependency: { ...missing(id), ...way } });
        else found.push({ node: each, dependency: { ...described(each, id), ...way } });
      }
      await turns.pause();
    }
    found.sort((a, b) => compareText(a.dependency.id, b.dependency.id));
    for (const { dependency } of found) reached.push(dependency);
    level = found.flatMap(({ node, dependency: { path } }) => (node ? [{ node, path }] : []));
  }
  return reached;
}

function described({ title, type, status }: KnowledgeNode, id: string): Dependencies['node'] {
  return { id, title, type, status };
}

/** Somebody waits for what nobody has written. */
function missing(id: string): Dependencies['node'] {
  return { id, title: id, type: 'unknown', status: 'missing' };
}
