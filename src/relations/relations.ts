import type { Clock } from '../core/clock';
import type { Disposable } from '../core/disposable';
import { KaizenError } from '../core/errors';
import { KNOWLEDGE_SCHEME, LIBRARY_AUTHORITY } from '../core/knowledge-uri';
import { sentence } from '../core/sentence';
import { Turns } from '../core/turns';
import type { Store } from '../store';
import {
  checkAuthor,
  checkCount,
  checkInput,
  checkMinimum,
  checkReference,
  checkStored,
  isAddress,
  requireOneOf,
} from './checks';
import { type EdgeFilter, Edges } from './edges';
import { Following } from './following';
import type {
  Added,
  Area,
  End,
  Relation,
  RelationChange,
  RelationEnds,
  RelationInput,
  RelationQuery,
  RelationsImport,
  RelationsImported,
  RelationsPart,
  Traversal,
  TraversalRequest,
} from './model';
import { RELATIONS_TOPIC } from './model';
import { walk } from './traversing';
import { DIRECTIONS, PROVENANCES, RELATION_TYPES } from './vocabulary';
import { Writing } from './writing';

export interface RelationsOptions {
  /** May be one and the same. */
  stores: { workspace: Store; shared: Store };
  ends: RelationEnds;
  clock: Clock;
  /** Whether stored relations follow what they lead to; without it they are left as they are. True unless told. */
  follows?: boolean | undefined;
  log?: ((message: string) => void) | undefined;
}

const MAX_FOUND = 1_000;
const DEFAULT_FOUND = 100;
const MAX_DEPTH = 10;
const DEFAULT_DEPTH = 3;
const MAX_BEGINNINGS = 50;
/** What addresses of the library begin with. */
const LIBRARY = `${KNOWLEDGE_SCHEME}://${LIBRARY_AUTHORITY}/`;

/** See `RelationsPart`. */
export class Relations implements RelationsPart {
  private readonly stores: readonly Store[];
  private readonly ends: RelationEnds;
  private readonly edges: Edges;
  private readonly writing: Writing;
  private readonly following: Following;
  private readonly listeners = new Set<() => void>();
  private readonly listening: Disposable[] = [];

  constructor({ stores, ends, clock, follows = true, log = () => {} }: RelationsOptions) {
    this.stores = [...new Set([stores.workspace, stores.shared])];
    this.ends = ends;
    this.edges = new Edges(this.stores, ends.sources);
    this.writing = new Writing(stores.workspace, stores.shared, ends, clock);
    this.following = new Following(this.stores, ends, this.writing, clock, log);
    for (const store of this.stores) {
      this.listening.push(
        store.onDidChange((topics) => {
          if (topics.has(RELATIONS_TOPIC) || topics.has('*')) this.changed();
        }),
      );
    }
    this.listening.push(
      ends.onDidChange((change) => {
        if (follows) this.following.noted(change);
        this.changed();
      }),
    );
  }

  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  async add(input: RelationInput, change: RelationChange): Promise<Added> {
    checkAuthor(change.author);
    const checked = checkInput(input);
    const { signal } = change;
    const source = (await this.locate(checked.source, signal)).uri;
    const target = (await this.locate(checked.target, signal)).uri;
    if (source === target) throw ofItself(source);
    const evidence = checked.evidence && (await this.locateAll(checked.evidence, signal));
    const stated = (await this.edges.stated(source, signal)).find(
      (relation) => relation.source === source && relation.target === target && relation.type === checked.type,
    );
    if (stated) return { relation: stated, status: 'unchanged' };
    return this.writing.add({ ...checked, source, target, evidence }, change);
  }

  async remove(id: string, change: RelationChange): Promise<Relation> {
    const wanted = checkReference(id);
    const place = /^(.+)\|(\w+)\|(.+)$/.exec(wanted);
    if (place) {
      const stated = (await this.edges.stated(place[1], change.signal)).find((relation) => relation.id === wanted);
      if (stated) throw statedBy(stated);
    }
    return this.writing.remove(wanted, change);
  }

  async restore(relation: Relation, change: RelationChange): Promise<void> {
    if (relation.origin !== 'stored') throw statedBy(relation);
    await this.locateAll([relation.source, relation.target], change.signal);
    await this.writing.restore(relation, change);
  }

  async find(query: RelationQuery): Promise<Relation[]> {
    const { direction = 'both', signal } = query;
    const limit = checkCount(query.limit, 'limit', DEFAULT_FOUND, MAX_FOUND);
    requireOneOf(DIRECTIONS, direction, 'direction');
    const asked = checkFilter(query);
    // What is not there has no relations: no error, as of any other address.
    const uri = query.uri === undefined ? undefined : await this.addressOf(query.uri, signal);
    const other = query.other === undefined ? undefined : await this.addressOf(query.other, signal);
    if (uri === undefined && other !== undefined) throw new KaizenError('invalid_argument', 'other goes with uri.');
    const found: Relation[] = [];
    const known = new Map<string, Promise<boolean>>();
    const turns = new Turns(signal);
    for await (const relation of this.edges.newest(uri, direction, { ...asked, other }, signal)) {
      const whole = await this.withEnds(relation, known, signal);
      if (whole) found.push(whole);
      if (found.length >= limit) break;
      await turns.pause();
    }
    return found;
  }

  async traverse(request: TraversalRequest): Promise<Traversal> {
    const { from: references, direction = 'both', signal } = request;
    const maxDepth = checkCount(request.max_depth, 'depth', DEFAULT_DEPTH, MAX_DEPTH);
    requireOneOf(DIRECTIONS, direction, 'direction');
    const filter = checkFilter(request);
    checkCount(references.length, 'number of beginnings', 1, MAX_BEGINNINGS);
    const from = new Map<string, End>();
    for (const reference of references) {
      const end = await this.locate(reference, signal);
      from.set(end.uri, end);
    }
    const resolve = this.ends.resolve.bind(this.ends);
    const walked = await walk(this.edges, resolve, { from: [...from.values()], direction, maxDepth, filter, signal });
    const known = new Map<string, Promise<boolean>>();
    const relations = await this.withEvidence(walked.relations, known, signal);
    const byId = new Map(relations.map((relation) => [relation.id, relation]));
    const paths = walked.paths.map((path) => ({ ...path, relations: path.relations.map(({ id }) => byId.get(id)!) }));
    return { ...walked, relations, paths };
  }

  async resolve(uri: string, signal?: AbortSignal): Promise<End | undefined> {
    const end = await this.ends.resolve(uri, signal);
    return typeof end === 'string' ? undefined : end;
  }

  async locate(reference: string, signal?: AbortSignal): Promise<End> {
    const wanted = checkReference(reference);
    const uri = isAddress(wanted) ? wanted : await this.ends.locate(wanted, signal);
    const end = uri === undefined ? 'gone' : await this.ends.resolve(uri, signal);
    if (typeof end !== 'string') return end;
    throw end === 'gone' ? nothingAt(wanted) : cannotTell(wanted);
  }

  async *stored(signal?: AbortSignal): AsyncGenerator<Relation> {
    const known = new Map<string, Promise<boolean>>();
    for await (const relation of this.edges.newest(undefined, 'both', {}, signal)) {
      if (relation.origin !== 'stored') continue;
      const whole = await this.withEnds(relation, known, signal);
      if (whole) yield whole;
    }
  }

  async import(
    relations: readonly Relation[],
    { overwrite = false, arriving }: RelationsImport,
    change: RelationChange,
  ): Promise<RelationsImported> {
    checkAuthor(change.author);
    for (const relation of relations) checkStored(relation);
    const turns = new Turns(change.signal);
    const known = new Map<string, Promise<boolean>>();
    const here: Relation[] = [];
    for (const relation of relations) {
      const whole = await this.withEnds(relation, known, change.signal, arriving);
      if (whole) here.push({ ...whole, origin: 'stored' });
      await turns.pause();
    }
    const imported = await this.writing.import(here, overwrite, change);
    return { ...imported, left_out: relations.length - here.length };
  }

  async moved(from: string, to: string, change: RelationChange): Promise<void> {
    await this.writing.moved(checkReference(from), checkReference(to), change);
  }

  async forget(uris: readonly string[], change: RelationChange): Promise<number> {
    const areas = uris.flatMap((uri): Area[] => [{ uri }, { uri: `${uri}#`, below: true }]);
    return this.writing.forget(areas, change);
  }

  async tidy(change: RelationChange): Promise<number> {
    checkAuthor(change.author);
    // Another library than the one that relations lead to may be configured: what is not in it is not gone.
    if (!change.rehearse) await this.following.judge([{ uri: `${KNOWLEDGE_SCHEME}://`, below: true }], LIBRARY);
    return this.writing.deleteAside(LIBRARY, change);
  }

  async close(): Promise<void> {
    // Stores tell of a change once the call that made it is over.
    await new Promise((resolve) => setImmediate(resolve));
    for (const each of this.listening.splice(0)) each.dispose();
    this.listeners.clear();
    await this.following.settled();
  }

  /** Undefined where an end is not there, or that cannot be told. */
  private async withEnds(
    relation: Relation,
    known: Map<string, Promise<boolean>>,
    signal: AbortSignal | undefined,
    arriving?: ReadonlySet<string>,
  ): Promise<Relation | undefined> {
    for (const uri of [relation.source, relation.target]) {
      if (arriving?.has(uri)) continue;
      if (typeof (await this.ends.resolve(uri, signal)) === 'string') return undefined;
    }
    return (await this.withEvidence([relation], known, signal))[0];
  }

  /** Without evidence that is gone; what cannot be told stays, as it is only named. */
  private async withEvidence(
    relations: readonly Relation[],
    known: Map<string, Promise<boolean>>,
    signal: AbortSignal | undefined,
  ): Promise<Relation[]> {
    const found: Relation[] = [];
    for (const relation of relations) {
      const evidence: string[] = [];
      for (const uri of relation.evidence) {
        const isThere = known.get(uri) ?? this.ends.resolve(uri, signal).then((end) => end !== 'gone');
        known.set(uri, isThere);
        if (await isThere) evidence.push(uri);
      }
      found.push(evidence.length === relation.evidence.length ? relation : { ...relation, evidence });
    }
    return found;
  }

  private async addressOf(reference: string, signal: AbortSignal | undefined): Promise<string> {
    const wanted = checkReference(reference);
    const uri = isAddress(wanted) ? wanted : await this.ends.locate(wanted, signal);
    if (uri === undefined) throw nothingAt(wanted);
    const end = await this.ends.resolve(uri, signal);
    return typeof end === 'string' ? uri : end.uri;
  }

  private async locateAll(references: readonly string[], signal: AbortSignal | undefined): Promise<string[]> {
    const uris: string[] = [];
    for (const reference of references) uris.push((await this.locate(reference, signal)).uri);
    return uris;
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Throws `invalid_argument`. */
function checkFilter({ types, min_confidence, created_by }: EdgeFilter): EdgeFilter {
  for (const type of types ?? []) requireOneOf(RELATION_TYPES, type, 'type');
  if (created_by !== undefined) requireOneOf(PROVENANCES, created_by, 'provenance');
  checkMinimum(min_confidence);
  // Without a type there is nothing to find; whoever names none means all.
  return { types: types && types.length > 0 ? types : undefined, min_confidence, created_by };
}

function ofItself(uri: string): KaizenError {
  return new KaizenError(
    'invalid_relation',
    sentence('A relation leads from one thing to another.'),
    sentence('Both ends are {0}.', shown(uri)),
  );
}

function nothingAt(reference: string): KaizenError {
  return new KaizenError(
    'unknown_end',
    sentence('There is nothing at "{0}".', shown(reference)),
    sentence(
      'Name it by its address (knowledge://…), as searches answer it, or by the id of a captured record or a passage of the library.',
    ),
  );
}

function cannotTell(reference: string): KaizenError {
  return new KaizenError(
    'unknown_end',
    sentence('What is at "{0}" cannot be told now.', shown(reference)),
    sentence(
      'The library cannot be reached, or the knowledge base or the notes are still being read or not configured here: try again later.',
    ),
  );
}

function statedBy({ author }: Relation): KaizenError {
  return new KaizenError(
    'derived_relation',
    sentence('The file "{0}" says so, and only there it can be changed.', shown(author)),
    sentence('Take the link or the relationship out of the file.'),
  );
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
