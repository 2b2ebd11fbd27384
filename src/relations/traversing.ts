import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import { inParallel } from '../files';
import type { EdgeFilter, Edges } from './edges';
import type { End, ReachedEnd, Relation, RelationPath, Resolve, Traversal } from './model';
import type { Edge } from './rows';
import { type Direction, RELATION_TYPES } from './vocabulary';

/** More than anybody reads, and than a picture can show. */
const MAX_ENDS = 1_000;
/** A thing that very many lead to would otherwise have all of them read. */
const MAX_EDGES = 50_000;
/** Ends that are looked up at once. */
const AT_ONCE = 16;
/** Addresses that are sorted in one piece. */
const SORTED = 4_000;

export interface Walk {
  from: readonly End[];
  direction: Direction;
  maxDepth: number;
  filter: EdgeFilter;
  signal?: AbortSignal | undefined;
}

/** How an end was reached. */
interface Reached {
  end: ReachedEnd;
  /** Undefined for a beginning. */
  by: { edge: Edge; from: string } | undefined;
  confidence: number;
}

/** A way to the next level's ends. */
type Way = Omit<Reached, 'end'> & { by: NonNullable<Reached['by']> };

/**
 * Breadth first, level by level, so that each end is reached by the shortest way and among equally short ones by the
 * surest (then by the address it comes from, the type's place in the vocabulary and the id). What is not there is not
 * passed through.
 */
export async function walk(edges: Edges, resolve: Resolve, asked: Walk): Promise<Traversal> {
  const walker = new Walker(edges, resolve, asked);
  for (let depth = 1; depth <= asked.maxDepth && walker.goesOn; depth++) await walker.step(depth);
  return walker.result();
}

class Walker {
  private readonly turns: Turns;
  private readonly reached = new Map<string, Reached>();
  private readonly seen = new Map<string, Edge>();
  /** Ends that are not there, or that cannot be told of. */
  private readonly absent = new Set<string>();
  /** What was reached last. */
  private level: string[];
  private unresolved = 0;
  private truncated = false;

  constructor(
    private readonly edges: Edges,
    private readonly resolve: Resolve,
    private readonly asked: Walk,
  ) {
    this.turns = new Turns(asked.signal);
    this.level = asked.from.map(({ uri }) => uri);
    for (const end of asked.from) {
      this.reached.set(end.uri, { end: { ...end, depth: 0 }, by: undefined, confidence: 1 });
    }
  }

  get goesOn(): boolean {
    return this.level.length > 0;
  }

  async step(depth: number): Promise<void> {
    const ways = new Map<string, Way>();
    for (const uri of this.level) await this.look(uri, ways);
    this.level = await this.arrive(ways, depth);
  }

  /** Notes where one can go from here, each by the best way. */
  private async look(uri: string, ways: Map<string, Way>): Promise<void> {
    const { direction, filter, signal } = this.asked;
    const { confidence } = this.reached.get(uri)!;
    await this.turns.pause();
    if (this.isFull) return;
    for await (const page of this.edges.from(uri, direction, filter, signal)) {
      if (this.isFull) return;
      for (const edge of page) {
        this.seen.set(edge.id, edge);
        const other = edge.source === uri ? edge.target : edge.source;
        if (this.reached.has(other) || this.absent.has(other)) continue;
        const way: Way = { by: { edge, from: uri }, confidence: confidence * edge.confidence };
        const known = ways.get(other);
        if (!known || isSurer(way, known)) ways.set(other, way);
      }
      await this.turns.pause();
    }
  }

  private get isFull(): boolean {
    const isFull = this.seen.size >= MAX_EDGES;
    if (isFull) this.truncated = true;
    return isFull;
  }

  /** Looks up where the ways lead, in the order of the addresses; answers what is there and new. */
  private async arrive(ways: ReadonlyMap<string, Way>, depth: number): Promise<string[]> {
    const found = await this.inOrder([...ways.keys()]);
    const arrived: string[] = [];
    for (let at = 0; at < found.length; ) {
      // What is not there takes no place from what is.
      const asking = found.slice(at, at + MAX_ENDS - this.reached.size);
      if (asking.length === 0) {
        this.truncated = true;
        break;
      }
      const ends = await inParallel(asking, AT_ONCE, async (uri) => {
        await this.turns.pause();
        return this.resolve(uri, this.asked.signal);
      });
      for (const [place, end] of ends.entries()) {
        const uri = asking[place]!;
        if (typeof end === 'string') {
          this.absent.add(uri);
          if (end === 'unknown') this.unresolved++;
        } else {
          this.reached.set(uri, { ...ways.get(uri)!, end: { ...end, uri, depth } });
          arrived.push(uri);
        }
      }
      at += asking.length;
    }
    return arrived;
  }

  /** Sorted piece by piece: what is in order already costs little when it is sorted with more. */
  private async inOrder(uris: readonly string[]): Promise<string[]> {
    let sorted: string[] = [];
    for (let at = 0; at < uris.length; at += SORTED) {
      sorted = [...sorted, ...uris.slice(at, at + SORTED)].sort(compareText);
      await this.turns.pause();
    }
    return sorted;
  }

  async result(): Promise<Traversal> {
    const { reached, truncated, unresolved } = this;
    const between = [...this.seen.values()].filter(({ source, target }) => reached.has(source) && reached.has(target));
    const relations = await this.edges.whole(between, this.asked.signal);
    const byId = new Map(relations.map((relation) => [relation.id, relation]));
    const paths: RelationPath[] = [];
    for (const each of reached.values()) {
      const path = each.by && pathTo(each, reached, byId);
      if (path) paths.push(path);
      await this.turns.pause();
    }
    // In the order in which they were reached: by depth, then by address.
    return { ends: [...reached.values()].map(({ end }) => end), relations, paths, truncated, unresolved };
  }
}

function isSurer(way: Way, known: Way): boolean {
  if (way.confidence !== known.confidence) return way.confidence > known.confidence;
  const order =
    compareText(way.by.from, known.by.from) ||
    placeOf(way.by.edge) - placeOf(known.by.edge) ||
    compareText(way.by.edge.id, known.by.edge.id);
  return order < 0;
}

function placeOf({ type }: Edge): number {
  return RELATION_TYPES.indexOf(type);
}

/** Undefined where a relation on the way is gone meanwhile. */
function pathTo(
  { end, confidence, by }: Reached,
  reached: ReadonlyMap<string, Reached>,
  byId: ReadonlyMap<string, Relation>,
): RelationPath | undefined {
  const uris = [end.uri];
  const relations: Relation[] = [];
  for (let way = by; way; way = reached.get(way.from)?.by) {
    const relation = byId.get(way.edge.id);
    if (!relation) return undefined;
    relations.unshift(relation);
    uris.unshift(way.from);
  }
  return { uris, relations, confidence };
}
