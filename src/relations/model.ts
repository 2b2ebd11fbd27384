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
  /** Who said so; the file's name where a file does. */
  author: string;
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
  /** One end, by the direction seen from it; both unless told. */
  uri?: string | undefined;
  direction?: Direction | undefined;
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
  /** A limit cut it off: there is more. */
  truncated: boolean;
}

/** Tells what relations other parts know from their own files. */
export interface RelationSource {
  /** All of which `uri` is an end; of all there are without it. */
  relationsOf(uri: string | undefined, signal?: AbortSignal): Promise<readonly Relation[]>;
}

/** What is at an address; undefined when nothing is (any more). */
export type Resolve = (uri: string, signal?: AbortSignal) => Promise<End | undefined>;

/**
 * One graph of typed edges between knowledge URIs: those stored here, and those that notes and Markdown nodes state
 * themselves. What leads nowhere (any more) is not answered, and is removed with the change that took its end away.
 */
export interface RelationsPart {
  onDidChange(listener: () => void): Disposable;
  /**
   * Says it once: what is there already between these ends with this type is answered, with what the input says of it
   * taken over. Throws `unknown_end` where nothing is at an address, `invalid_relation` for one of a thing to itself.
   */
  add(
    input: RelationInput,
    change: RelationChange,
  ): Promise<{ relation: Relation; status: 'added' | 'updated' | 'unchanged' }>;
  /** Answers what was removed, so that it can be added again. Throws `unknown_relation`, `derived_relation`. */
  remove(id: string, change: RelationChange): Promise<Relation>;
  /** Puts back what `remove` answered, with its id. */
  restore(relation: Relation, change: RelationChange): Promise<void>;
  /** Those between the same ends in the order of their types; otherwise the newest first. */
  find(query: RelationQuery): Promise<Relation[]>;
  /** Breadth first; cycles end where they begin. */
  traverse(request: TraversalRequest): Promise<Traversal>;
  /** What is at an address; undefined when nothing is. */
  resolve(uri: string, signal?: AbortSignal): Promise<End | undefined>;
  /** Follows an address that changed (`from` undefined: nothing). */
  moved(from: string, to: string, change: RelationChange): Promise<void>;
  /** Removes all stored relations of which one of these is an end; a document's address stands for its chunks as well. */
  forget(uris: readonly string[], change: RelationChange): Promise<number>;
  /** Removes what leads nowhere. */
  tidy(change: RelationChange): Promise<number>;
}
