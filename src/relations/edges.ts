import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import type { Reader, Store } from '../store';
import type { Relation, RelationSource } from './model';
import { type Edge, edgesPage, type Page, type Place, type RowQuery, relationsPage, relationsWithIds } from './rows';
import type { Direction, Provenance, RelationType } from './vocabulary';

/** Relations that are read in one piece by their ids: some milliseconds. */
const AT_ONCE = 500;

/** Which relations are meant. */
export interface EdgeFilter {
  types?: readonly RelationType[] | undefined;
  min_confidence?: number | undefined;
  created_by?: Provenance | undefined;
  /** The end at the other side. */
  other?: string | undefined;
}

type Pages<Item> = (reader: Reader, query: RowQuery, after: Place | undefined) => Page<Item>;

/** All relations there are, wherever they are said. Of those that are stored, none that has lost an end. */
export class Edges {
  constructor(
    private readonly stores: readonly Store[],
    private readonly sources: readonly RelationSource[],
  ) {}

  /** Those that can be followed from `uri` in this direction, in no order: pages of stored ones, then what files say. */
  async *from(
    uri: string,
    direction: Direction,
    filter: EdgeFilter,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly Edge[]> {
    const turns = new Turns(signal);
    for (const store of this.stores) {
      for (const query of queriesOf(uri, direction, filter)) yield* pagesOf(store, edgesPage, query, turns);
    }
    const stated = await this.stated(uri, signal);
    if (stated.length > 0) yield stated.filter((relation) => isMeant(relation, uri, direction, filter));
  }

  /** Newest first; all of them without `uri`. */
  async *newest(
    uri: string | undefined,
    direction: Direction,
    filter: EdgeFilter,
    signal?: AbortSignal,
  ): AsyncGenerator<Relation> {
    const turns = new Turns(signal);
    const queries = queriesOf(uri, direction, filter);
    const streams = this.stores.flatMap((store) =>
      queries.map((query) => each(pagesOf(store, relationsPage, query, turns))),
    );
    const stated = (await this.stated(uri, signal)).filter((relation) => isMeant(relation, uri, direction, filter));
    stated.sort(byTime);
    yield* merged([...streams, each(inPages(stated))]);
  }

  /** The relations of edges, in their order; those that are gone meanwhile are left out. */
  async whole(edges: readonly Edge[], signal?: AbortSignal): Promise<Relation[]> {
    const turns = new Turns(signal);
    const found = new Map<string, Relation>();
    const stored: string[] = [];
    for (const edge of edges) {
      if ('origin' in edge) found.set(edge.id, edge as Relation);
      else stored.push(edge.id);
    }
    for (let at = 0; at < stored.length; at += AT_ONCE) {
      const ids = stored.slice(at, at + AT_ONCE);
      for (const store of this.stores) {
        for (const relation of relationsWithIds(store.read(), ids)) found.set(relation.id, relation);
      }
      await turns.pause();
    }
    return edges.flatMap(({ id }) => found.get(id) ?? []);
  }

  /** What files say of `uri`, or all that they say, each once. */
  async stated(uri: string | undefined, signal?: AbortSignal): Promise<Relation[]> {
    const turns = new Turns(signal);
    const found = new Map<string, Relation>();
    for (const source of this.sources) {
      for (const relation of await source.relationsOf(uri, signal)) found.set(relation.id, relation);
      await turns.pause();
    }
    return [...found.values()];
  }
}

/** One query for each side, so that an index answers it in order. */
function queriesOf(uri: string | undefined, direction: Direction, filter: EdgeFilter): RowQuery[] {
  if (uri === undefined) return [filter];
  const from: RowQuery = { ...filter, end: { uri, side: 'source' } };
  const to: RowQuery = { ...filter, end: { uri, side: 'target' } };
  if (direction === 'both') return [from, to];
  const [along, against] = direction === 'outgoing' ? [from, to] : [to, from];
  return [along, { ...against, bidirectionalOnly: true }];
}

function isMeant(relation: Relation, uri: string | undefined, direction: Direction, filter: EdgeFilter): boolean {
  const { types, min_confidence = 0, created_by, other } = filter;
  if (other !== undefined && relation.source !== other && relation.target !== other) return false;
  if (types && !types.includes(relation.type)) return false;
  if (relation.confidence < min_confidence) return false;
  if (created_by !== undefined && relation.created_by !== created_by) return false;
  if (uri === undefined || direction === 'both' || relation.bidirectional) return true;
  return (direction === 'outgoing' ? relation.source : relation.target) === uri;
}

async function* pagesOf<Item>(
  store: Store,
  read: Pages<Item>,
  query: RowQuery,
  turns: Turns,
): AsyncGenerator<readonly Item[]> {
  let after: Place | undefined;
  do {
    const { items, next } = read(store.read(), query, after);
    if (items.length > 0) yield items;
    await turns.pause();
    after = next;
  } while (after);
}

async function* inPages<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield items;
}

async function* each<Item>(pages: AsyncGenerator<readonly Item[]>): AsyncGenerator<Item> {
  for await (const items of pages) yield* items;
}

/** As one that is in order where each of them is. */
async function* merged(streams: readonly AsyncGenerator<Relation>[]): AsyncGenerator<Relation> {
  const heads: { relation: Relation; stream: AsyncGenerator<Relation> }[] = [];
  for (const stream of streams) {
    const { value } = await stream.next();
    if (value) heads.push({ relation: value, stream });
  }
  while (heads.length > 0) {
    const first = heads.reduce((best, head) => (byTime(head.relation, best.relation) < 0 ? head : best));
    yield first.relation;
    const { value } = await first.stream.next();
    if (value) first.relation = value;
    else heads.splice(heads.indexOf(first), 1);
  }
}

/** Newest first. */
function byTime(a: Relation, b: Relation): number {
  return compareText(b.created_at, a.created_at) || compareText(b.id, a.id);
}
