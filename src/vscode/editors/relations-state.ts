import type { GraphKind, GraphNode } from '../../../webview-ui/protocol/graph';
import type {
  RelationDetail,
  RelationEndDetail,
  RelationsEdge,
  RelationsState,
  RelationsView,
  RelationsWay,
} from '../../../webview-ui/protocol/relations';
import { MOST_NODES, MOST_RELATIONS } from '../../../webview-ui/protocol/relations-limits';
import { isKaizenError } from '../../core/errors';
import { Turns } from '../../core/turns';
import type { End, Provenance, Relation, RelationsPart, RelationType, Traversal } from '../../relations';
import { RELATION_TYPES } from '../../relations';

/** How things are called where the person reads it. */
export interface RelationWords {
  kinds: readonly GraphKind[];
  outgoing(type: RelationType): string;
  incoming(type: RelationType): string;
  provenance(provenance: Provenance): string;
}

type Asked = Pick<RelationsPart, 'traverse' | 'stored' | 'resolve' | 'find'>;

/** Types that say the same of both ends. */
const WITHOUT_DIRECTION: readonly RelationType[] = ['related'];
/** As far as a way is looked for. */
const FARTHEST = 10;

/** What is drawn, before it is numbered. */
interface Drawn {
  ends: Map<string, End>;
  relations: Map<string, Relation>;
  total: number;
  truncated: boolean;
  unresolved: number;
  partial: boolean;
}

/**
 * What a view shows of all relations: what is reached from its beginning, the neighbours of what is unfolded, and the
 * way; without a beginning the stored ones. Of too many the nodes with most relations stay, so that the same relations
 * always give the same picture. Throws `unknown_end` where the beginning is gone.
 */
export async function relationsState(
  part: Asked,
  view: RelationsView,
  words: RelationWords,
  { writable, signal }: { writable: boolean; signal?: AbortSignal | undefined },
): Promise<RelationsState> {
  const drawn = view.start === undefined ? await overview(part, view, signal) : await surroundings(part, view, signal);
  const wayFound = view.way && (await wayBetween(part, view.way, view.minimum, signal));
  if (wayFound) include(drawn, wayFound.ends, wayFound.relations);
  const ends = [...drawn.ends.values()];
  const places = new Map(ends.map(({ uri }, place) => [uri, place]));
  const relations = [...drawn.relations.values()].filter(
    ({ source, target }) => places.has(source) && places.has(target),
  );
  const edges = relations.map(
    ({ source, target, type, bidirectional, confidence }): RelationsEdge => ({
      from: places.get(source) ?? 0,
      to: places.get(target) ?? 0,
      type: RELATION_TYPES.indexOf(type),
      confidence,
      ...(bidirectional && { mutual: true }),
    }),
  );
  const way = wayFound && numberedWay(wayFound, places, new Map(relations.map(({ id }, place) => [id, place])));
  const { total, truncated, unresolved, partial } = drawn;
  return {
    kinds: words.kinds,
    // The list tells of each node what it is.
    groups: words.kinds.map(({ id, name }) => ({ id, name: '', place: name })),
    types: RELATION_TYPES.map((id, place) => ({
      id,
      name: words.outgoing(id),
      reverse: words.incoming(id),
      isDirected: !WITHOUT_DIRECTION.includes(id),
      colour: place,
    })),
    nodes: ends.map((end) => nodeOf(end, words)),
    edges,
    hasWords: true,
    total,
    isReading: false,
    writable,
    view,
    truncated,
    unresolved,
    partial,
    ...(way && { way }),
  };
}

/** Relations of one thing, newest first, as it sees them. */
export async function relationDetails(
  part: Asked,
  uri: string,
  words: RelationWords,
  limit: number,
): Promise<{ relations: RelationDetail[]; more: boolean }> {
  const found = await part.find({ uri, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const others = shown.flatMap(({ source, target, evidence }) => [source, target, ...evidence]);
  const ends = await resolved(part, new Set(others));
  const detail = (each: string): RelationEndDetail => {
    const end = ends.get(each);
    return { id: each, label: end?.title ?? each, kind: end && kindOf(end, words) };
  };
  const relations = shown.map((relation): RelationDetail => {
    const isOutgoing = relation.source === uri;
    return {
      id: relation.id,
      word: isOutgoing ? words.outgoing(relation.type) : words.incoming(relation.type),
      isOutgoing,
      other: detail(isOutgoing ? relation.target : relation.source),
      mutual: relation.bidirectional || WITHOUT_DIRECTION.includes(relation.type),
      context: relation.context,
      confidence: relation.confidence,
      provenance: words.provenance(relation.created_by),
      evidence: relation.evidence.map(detail),
      author: relation.author,
      at: relation.created_at,
      isStated: relation.origin !== 'stored',
    };
  });
  return { relations, more: found.length > limit };
}

async function surroundings(part: Asked, view: RelationsView, signal: AbortSignal | undefined): Promise<Drawn> {
  const { start = '', depth, direction, minimum, expanded } = view;
  const asked = { direction, min_confidence: minimum, signal };
  const from = await part.traverse({ ...asked, from: [start], max_depth: depth });
  const drawn: Drawn = { ...emptyDrawn(), truncated: from.truncated, unresolved: from.unresolved };
  include(drawn, from.ends, from.relations);
  // One that is gone has no neighbours.
  const unfolded = [...(await resolved(part, new Set(expanded), signal)).keys()];
  if (unfolded.length > 0) {
    const more = await part.traverse({ ...asked, from: unfolded, max_depth: 1 });
    include(drawn, more.ends, more.relations);
    drawn.truncated ||= more.truncated;
    drawn.unresolved = Math.max(drawn.unresolved, more.unresolved);
  }
  drawn.total = drawn.ends.size;
  return drawn;
}

async function overview(part: Asked, { minimum }: RelationsView, signal: AbortSignal | undefined): Promise<Drawn> {
  const drawn = emptyDrawn();
  const weights = new Map<string, number>();
  const relations: Relation[] = [];
  let looked = 0;
  for await (const relation of part.stored(signal)) {
    if (looked === MOST_RELATIONS) {
      drawn.partial = true;
      break;
    }
    looked++;
    if (relation.confidence < minimum) continue;
    relations.push(relation);
    for (const uri of [relation.source, relation.target]) weights.set(uri, (weights.get(uri) ?? 0) + 1);
  }
  const byWeight = [...weights].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  const kept = new Set(byWeight.slice(0, MOST_NODES).map(([uri]) => uri));
  drawn.total = weights.size;
  include(
    drawn,
    (await resolved(part, kept, signal)).values(),
    relations.filter(({ source, target }) => kept.has(source) && kept.has(target)),
  );
  return drawn;
}

interface WayFound {
  from: string;
  to: string;
  path: Traversal['paths'][number] | undefined;
  ends: readonly End[];
  relations: readonly Relation[];
  truncated: boolean;
}

/** In either direction: a way is what both have to do with each other. */
async function wayBetween(
  part: Asked,
  { from, to }: NonNullable<RelationsView['way']>,
  minimum: number,
  signal: AbortSignal | undefined,
): Promise<WayFound> {
  try {
    // Step by step: what is near is found without looking at what is far.
    for (let depth = 1, size = 0; depth <= FARTHEST; depth++) {
      const found = await part.traverse({
        from: [from],
        direction: 'both',
        max_depth: depth,
        min_confidence: minimum,
        signal,
      });
      const path = found.paths.find(({ uris }) => uris.at(-1) === to);
      if (path) {
        const onWay = new Set(path.uris);
        const ends = found.ends.filter(({ uri }) => onWay.has(uri));
        return { from, to, path, ends, relations: path.relations, truncated: false };
      }
      const { truncated } = found;
      if (truncated || found.ends.length === size) {
        return { from, to, path: undefined, ends: [], relations: [], truncated };
      }
      size = found.ends.length;
    }
  } catch (error) {
    // Its beginning is gone: there is no way any more.
    if (!isKaizenError(error) || error.code !== 'unknown_end') throw error;
    return { from, to, path: undefined, ends: [], relations: [], truncated: false };
  }
  return { from, to, path: undefined, ends: [], relations: [], truncated: true };
}

function numberedWay(
  { from, to, path, truncated }: WayFound,
  places: ReadonlyMap<string, number>,
  edges: ReadonlyMap<string, number>,
): RelationsWay {
  if (!path) return { from, to, nodes: [], edges: [], confidence: 0, truncated };
  return {
    from,
    to,
    nodes: path.uris.flatMap((uri) => places.get(uri) ?? []),
    edges: path.relations.flatMap(({ id }) => edges.get(id) ?? []),
    confidence: path.confidence,
    truncated,
  };
}

function emptyDrawn(): Drawn {
  return { ends: new Map(), relations: new Map(), total: 0, truncated: false, unresolved: 0, partial: false };
}

function include(drawn: Drawn, ends: Iterable<End>, relations: Iterable<Relation>): void {
  for (const end of ends) if (!drawn.ends.has(end.uri)) drawn.ends.set(end.uri, end);
  for (const relation of relations) drawn.relations.set(relation.id, relation);
}

async function resolved(part: Asked, uris: ReadonlySet<string>, signal?: AbortSignal): Promise<Map<string, End>> {
  const turns = new Turns(signal);
  const ends = new Map<string, End>();
  for (const uri of uris) {
    const end = await part.resolve(uri, signal);
    if (end) ends.set(uri, end);
    await turns.pause();
  }
  return ends;
}

function nodeOf(end: End, words: RelationWords): GraphNode {
  const kind = kindOf(end, words);
  return { id: end.uri, label: end.title, detail: end.uri, missing: false, kind, group: kind };
}

function kindOf({ kind }: End, { kinds }: RelationWords): number | undefined {
  const place = kinds.findIndex(({ id }) => id === kind);
  return place < 0 ? undefined : place;
}
