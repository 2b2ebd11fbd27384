import type { Sentence } from '../core/sentence';

/** The words of markdown knowledge bases (seed 002). */

/** A folder with markdown files, under a name of its own. */
export interface BaseDefinition {
  /** Letters, digits, `.`, `_`, `-`; unique. It is the authority of the nodes' URIs. */
  name: string;
  /** Absolute. Need not exist (yet). */
  root: string;
  /** Globs relative to the root; every `.md` file unless told. */
  include?: readonly string[] | undefined;
  /** Globs of what is left out; `node_modules` and `.git` unless told. */
  exclude?: readonly string[] | undefined;
}

/** A value in a node's metadata: a text, or a list in brackets. */
export type MetadataValue = string | string[];

/**
 * A node of a file: a heading with what stands below it, up to the next heading. Seed 002's IndexEntry without its vector.
 */
export interface KnowledgeNode {
  /** From the metadata, or from path and heading: `guidelines.security.authentication`. Unique within its base. */
  id: string;
  base: string;
  /** `knowledge://<base>/<file>#<anchor>`, without a fragment for the file's root node. */
  uri: string;
  /** Relative to the base's root, `/` between its parts. */
  file: string;
  /** Dotted slugs of the headings, the root's left out: `services.api`. Empty for the root node. */
  anchor: string;
  /** `file`, and `#anchor` where there is one. */
  path: string;
  title: string;
  /** 1 to 6; 0 for a file that has text but no single top heading. */
  level: number;
  /**
   * As the metadata or the front matter says, of the node or the next one above it in the file; else as the names of the
   * file and its folders tell; else `context`.
   */
  type: string;
  /** Likewise; else `active`. `owner` and `last_checked` hold for what is below, too. */
  status: string;
  owner?: string;
  last_checked?: string;
  estimate?: string;
  /** Everything that the metadata (and for the root node the front matter) says, those above included. */
  metadata: Record<string, MetadataValue>;
  keywords: string[];
  parent_id: string | null;
  children_ids: string[];
  /** Ids as written; they need not exist. */
  blocked_by: string[];
  /** Estimated tokens of its content, without children. */
  token_count: number;
  /** SHA-256, hex, over heading, metadata and content, without children. */
  content_hash: string;
  /** Of the heading, from 0. */
  line: number;
  /** The line after the last one of its own content, from 0. */
  end_line: number;
}

export interface NodeWithContent {
  node: KnowledgeNode;
  /** Its own text below heading and metadata, without children. */
  content: string;
}

export type ProblemCode =
  | 'missing_root'
  | 'unreadable'
  | 'too_large'
  | 'too_many_nodes'
  | 'too_many_files'
  | 'too_deep'
  | 'front_matter'
  | 'metadata'
  | 'duplicate_id'
  | 'outside_root'
  | 'bad_pattern'
  | 'not_utf8';

/** Something that a person should know about a base or one of its files. */
export interface BaseProblem {
  base: string;
  /** Absent when it is about the base as a whole. */
  file?: string;
  /** From 0. */
  line?: number;
  code: ProblemCode;
  message: Sentence | string;
}

export interface BaseFile {
  base: string;
  file: string;
  /** Bytes. */
  size: number;
  /** Nodes in the order of the file, root first. */
  nodes: readonly KnowledgeNode[];
  problems: readonly BaseProblem[];
}

export type BaseState = 'indexing' | 'ready' | 'missing';

export interface BaseStatus {
  definition: Required<BaseDefinition>;
  state: BaseState;
  files: number;
  nodes: number;
  problems: number;
  /** Files that the last look at all of them found added, changed or gone; absent before the first. */
  changes?: number;
}

export type Direction = 'upstream' | 'downstream' | 'both';

/** A node that is reached over `blocked_by`. */
export interface Dependency {
  id: string;
  title: string;
  type: string;
  status: string;
  /** 1 is a neighbour. */
  depth: number;
  /** Ids from the asked node to this one, both included. */
  path: string[];
}

export interface Dependencies {
  node: { id: string; title: string; type: string; status: string };
  /** What it waits for, nearest first, then by id. Ids that name no node have the status `missing`. */
  upstream: Dependency[];
  /** What waits for it. */
  downstream: Dependency[];
  /** Said when there are more than 1,000 of either. */
  message?: string;
}

/** New content of a node, as an agent proposes it. */
export interface NodeUpdate {
  /** The base's name and the node's id in it. */
  base: string;
  node_id: string;
  file: string;
  /** Replaces the node's own text below its heading and metadata; children stay. */
  content: string;
  /** `content_hash` of the node when it was proposed. */
  content_hash: string;
}

/** Files that were added, changed or removed since the last word. */
export interface BaseChange {
  base: string;
  files: readonly string[];
}

/**
 * The markdown knowledge bases. Files are the truth: they are only ever read here, but for `update`. What is known is
 * kept in memory, cached on the disk, and follows the files. Reading never leaves a base's root.
 */
export interface BasesPart {
  /** Replaces the definitions; bases that stay as they were keep what they know. Throws `invalid_argument`. */
  define(definitions: readonly BaseDefinition[]): void;
  /** Begins to index and to follow; called again it does nothing. Nothing is read before. */
  start(): void;
  statuses(): BaseStatus[];
  /** Resolves when every base was indexed once, or when the time is over. True when all are ready. */
  ready(ms: number, signal?: AbortSignal): Promise<boolean>;
  /** Looks at every file again; resolves when all that changed is known. */
  rescan(signal?: AbortSignal): Promise<void>;
  /** A hint from whoever watches: the file or folder at this absolute path may have changed. Cheap. */
  touched(absolutePath: string): void;

  /** Sorted by path. */
  files(base?: string): BaseFile[];
  file(base: string, file: string): BaseFile | undefined;
  /** All nodes of all bases. */
  nodes(): Iterable<KnowledgeNode>;
  /** Number of nodes of all bases. */
  readonly size: number;
  nodeByUri(uri: string): KnowledgeNode | undefined;
  /**
   * By id (`security.auth`), id with its base (`docs:security.auth`), path (`SECURITY.md#authentication`, also with its
   * base: `docs/SECURITY.md#authentication`), or URI.
   * Throws `unknown_node`, naming near ones, and `ambiguous_node`, naming the bases, when several have it.
   */
  node(reference: string): KnowledgeNode;
  /** The id alone where no other base has it, else with its base: what tools answer and `node` takes. */
  publicId(node: KnowledgeNode): string;
  problems(): BaseProblem[];

  /** The file's nodes with their content, as the file is now. Empty when it is gone. */
  contents(base: string, file: string): Promise<NodeWithContent[]>;
  /** The node's own text, as the file is now. Throws `unknown_node` when it is gone. */
  content(node: KnowledgeNode): Promise<string>;
  /** The whole file as it is now. Throws `unknown_node`. */
  fileText(base: string, file: string): Promise<string>;
  /** Absolute path of a file that is part of a base. Throws `outside_root` when it leads out of it. */
  locate(base: string, file: string): Promise<string>;
  dependencies(reference: string, options: { direction: Direction; depth: number }): Promise<Dependencies>;

  /** The node with this content, checked: its size, that it stays one node. Throws `unknown_node`, `invalid_argument`. */
  prepareUpdate(reference: string, content: string): Promise<NodeUpdate>;
  /** The file now and as it would be; undefined when the node is gone. */
  previewUpdate(update: NodeUpdate): Promise<{ before: string; after: string } | undefined>;
  /**
   * Writes the file: atomically, with its line ends, byte order mark and everything else as it was. Throws `conflict`
   * when the node's hash is another one, unless `confirmed`; `unknown_node` when it is gone.
   */
  update(update: NodeUpdate, options: { confirmed: boolean }): Promise<void>;

  /** Called after files were indexed anew, in batches. */
  onDidChange(listener: (change: BaseChange) => void): { dispose(): void };
  /** Called when a base's state or its problems have changed. */
  onDidChangeState(listener: () => void): { dispose(): void };
  close(): Promise<void>;
}
