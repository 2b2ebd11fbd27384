import type { Disposable } from '../core/disposable';
import type { Direction, Provenance, RelationType } from './vocabulary';

export * from './vocabulary';

/** A typed edge between two knowledge URIs (seed 003, 4.2.1). Times are ISO 8601. */
export interface Relation {
  /** A UUID; of a derived one, `<source>|<type>|<target>`. */
  id: string;
  source: string;
  target: string;
  type: RelationType;
  /** 0 to 1; below 1 what was inferred. */
  confidence: number;
  bidirectional: boolean;
  /** Why it holds. */
  context: string;
  created_by: Provenance;
  /** Knowledge URIs of what shows that it holds. */
  evidence: readonly string[];
  /** Who said so, or changed last what is said of it; the file's name where a file does. */
  author: string;
  /** Empty where a file says it that does not tell when. */
  created_at: string;
  /** `stored` here, or read from what a note or a Markdown node says of itself, where alone it can be changed. */
  origin: 'stored' | 'note' | 'node';
}

export interface RelationInput {
  source: string;
  target: string;
  type: RelationType;
  /** 1 unless told. */
  confidence?: number | undefined;
  bidirectional?: boolean | undefined;
  context?: string | undefined;
  /** `manual` unless told. */
  created_by?: Provenance | undefined;
  evidence?: readonly string[] | undefined;
}

/** Who changes something. */
export interface RelationChange {
  author: string;
  /** Checks everything as writing it would, but changes nothing. */
  rehearse?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface RelationQuery {
  /** One end, by the direction seen from it; both unless told. What is bidirectional is found from either end. */
  uri?: string | undefined;
  direction?: Direction | undefined;
  /** The end at the other side; goes with `uri`. */
  other?: string | undefined;
  types?: readonly RelationType[] | undefined;
  min_confidence?: number | undefined;
  created_by?: Provenance | undefined;
  /** 1 to 1,000; 100 unless told. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface TraversalRequest {
  /** Where it begins; at most 50. */
  from: readonly string[];
  /** `both` unless told. What is bidirectional is followed either way. */
  direction?: Direction | undefined;
  /** Edges; 1 to 10, 3 unless told. */
  max_depth?: number | undefined;
  types?: readonly RelationType[] | undefined;
  min_confidence?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** What is at a knowledge URI. */
export interface End {
  uri: string;
  title: string;
  /** `entry`, `node`, `note`, `document`, `chunk`, `project`, `template`, `pattern`, `decision`, `lesson`. */
  kind: string;
}

export interface ReachedEnd extends End {
  /** Edges from where it began, by the shortest way; 0 for the beginning. */
  depth: number;
}

export interface RelationPath {
  /** From the beginning to its end; one more than relations. */
  uris: readonly string[];
  relations: readonly Relation[];
  /** The product of the relations' confidences. */
  confidence: number;
}

export interface Traversal {
  /** Nearest first, then by URI. */
  ends: readonly ReachedEnd[];
  /** Each once. */
  relations: readonly Relation[];
  /** The shortest way to each end but the beginnings, in the order of `ends`; among equally short ones the surest. */
  paths: readonly RelationPath[];
  /** It ends at 1,000 ends, or where 50,000 relations were looked at: there is more within the depth. */
  truncated: boolean;
  /** Ends that were left out because it cannot be told now whether they are there: the library cannot be reached. */
  unresolved: number;
}

/** Tells what relations other parts know from their own files. */
export interface RelationSource {
  /** All of which `uri` is an end; of all there are without it. */
  relationsOf(uri: string | undefined, signal?: AbortSignal): Promise<readonly Relation[]>;
}

/**
 * What is at an address: its `uri` is the address in its usual form. `gone` when nothing is (any more), `unknown` where
 * that cannot be told now: the library cannot be reached, the folder is not there, the knowledge base is not configured.
 */
export type Resolved = End | 'gone' | 'unknown';
export type Resolve = (uri: string, signal?: AbortSignal) => Promise<Resolved>;

/** An address, and with `below` all that begin with it (it then ends in `/` or `#`). */
export interface Area {
  uri: string;
  below?: boolean | undefined;
}

/** What may not be any more what it was. */
export interface EndsChange {
  /** In order. */
  moved?: readonly { from: string; to: string }[] | undefined;
  /** What came, went or changed; addresses in their usual form. */
  touched?: readonly Area[] | undefined;
}

/** What relations lead to, all parts together. */
export interface RelationEnds {
  resolve: Resolve;
  /** The address that a bare id means (a captured record's, a chunk's); undefined when nothing has it. */
  locate(id: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Whether the address means something in this workspace alone: such relations are kept with the workspace. */
  isOfWorkspace(uri: string): boolean;
  sources: readonly RelationSource[];
  /** By this process or another. */
  onDidChange(listener: (change: EndsChange) => void): Disposable;
}

export interface Added {
  relation: Relation;
  status: 'added' | 'updated' | 'unchanged';
  /** What it was before it was updated: `restore` puts it back. */
  previous?: Relation | undefined;
}

export interface RelationsImport {
  overwrite?: boolean | undefined;
  /** Ends that are to come with the same file: of a rehearsal, before which they do not come. */
  arriving?: ReadonlySet<string> | undefined;
}

/** What taking in relations of a file came to. */
export interface RelationsImported {
  added: number;
  updated: number;
  unchanged: number;
  /** Those that are said otherwise here, which stayed. */
  kept: number;
  /** Those of which an end is not here, or that cannot be told. */
  left_out: number;
}

/**
 * One graph of typed edges between knowledge URIs: those stored here, and those that notes and Markdown nodes state
 * themselves. What leads nowhere (any more) is not answered. The change that took an end away puts it aside, and it is
 * deleted after 30 days: a checkout of another branch, or undoing a deletion, brings it back with its end.
 */
export interface RelationsPart {
  onDidChange(listener: () => void): Disposable;
  /**
   * Says it once: what is there already between these ends with this type is answered, with what the input says of it
   * taken over and its evidence added. Ends and evidence are addresses, or ids as `locate` takes them. Throws
   * `unknown_end` where nothing is at an address, or that cannot be told; `invalid_relation` for one of a thing to itself.
   * What a file says already is answered as it is: there alone it can be changed. `relations_full` beyond 200,000.
   */
  add(input: RelationInput, change: RelationChange): Promise<Added>;
  /** Answers what was removed, so that it can be added again. Throws `unknown_relation`, `derived_relation`. */
  remove(id: string, change: RelationChange): Promise<Relation>;
  /**
   * Puts back what `remove` answered, or `add` as `previous`, with its id. Does nothing where somebody has said the same
   * since. Throws `unknown_end`, `derived_relation`.
   */
  restore(relation: Relation, change: RelationChange): Promise<void>;
  /** Newest first; those of one moment by id. */
  find(query: RelationQuery): Promise<Relation[]>;
  /** Breadth first; cycles end where they begin. Throws `unknown_end` for a beginning that is not there. */
  traverse(request: TraversalRequest): Promise<Traversal>;
  /** What is at an address; undefined when nothing is, or that cannot be told. */
  resolve(uri: string, signal?: AbortSignal): Promise<End | undefined>;
  /**
   * What is meant: an address, the id of a captured record, or the id of a chunk of the library. Throws `unknown_end`,
   * which says whether nothing is there or that cannot be told now.
   */
  locate(reference: string, signal?: AbortSignal): Promise<End>;
  /** All that are stored and whose ends are there, for an export; in no order. */
  stored(signal?: AbortSignal): AsyncIterable<Relation>;
  /**
   * Takes in what `stored` gave, with ids, authors and times; what is said here already between the same ends stays,
   * unless it is to be overwritten. All of them are checked before the first is stored; those of each store in short
   * turns. Throws `invalid_argument`, and `relations_full` before the first is stored.
   */
  import(relations: readonly Relation[], options: RelationsImport, change: RelationChange): Promise<RelationsImported>;
  /** Follows an address that changed. Says it of stored ones; files follow by themselves. */
  moved(from: string, to: string, change: RelationChange): Promise<void>;
  /** Removes all stored relations of which one of these is an end; a document's address stands for its chunks as well. */
  forget(uris: readonly string[], change: RelationChange): Promise<number>;
  /**
   * Deletes what leads nowhere: what was put aside, and what turns out to. What cannot be told stays, and so does what
   * leads to a passage of a library: another library may be configured. That is deleted 30 days after it was put aside.
   */
  tidy(change: RelationChange): Promise<number>;
  /** Waits for what follows the last changes. */
  close(): Promise<void>;
}

/** Touched by every change of stored relations, in the store that has them. */
export const RELATIONS_TOPIC = 'relations';
