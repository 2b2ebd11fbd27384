import type { Clock } from '../core/clock';
import type { Disposable } from '../core/disposable';
import { describeError, isKaizenError, KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { tidyCaches, unlessAborted, untilSettled } from '../files';
import { Base, type BaseSurroundings, CACHE_KIND } from './base';
import { ContentCache } from './content-cache';
import { checkDefinitions, isSameDefinition } from './definitions';
import { dependenciesOf } from './dependencies';
import { DependencyIndex } from './dependency-index';
import type {
  BaseChange,
  BaseDefinition,
  BaseFile,
  BaseProblem,
  BaseStatus,
  BasesPart,
  Dependencies,
  Direction,
  KnowledgeNode,
  NodeUpdate,
  NodeWithContent,
} from './model';
import { References } from './references';
import { readEdit, type UpdateTarget, writeUpdate } from './update';

export interface BasesOptions {
  definitions: readonly BaseDefinition[];
  /** Where what is known is kept between runs; made when missing. Without one, nothing is. */
  cacheDirectory: string | undefined;
  /** Follow the files by `fs.watch` and a rescan now and then; otherwise somebody calls `touched`. */
  watch: boolean;
  /** Milliseconds between two looks at all files where they are followed; 30,000 unless told. */
  rescanInterval?: number | undefined;
  clock: Clock;
  log?: (message: string) => void;
}

const RESCAN_INTERVAL = 30_000;
/** How long a proposal waits for the bases to be known. */
const UPDATE_WAIT = 20_000;

export class Bases implements BasesPart {
  /** By their names in lower case, in the order of the definitions. */
  private readonly bases = new Map<string, Base>();
  private readonly references = new References(this.bases);
  private readonly edges = new DependencyIndex(this.bases);
  private readonly changeListeners = new Set<(change: BaseChange) => void>();
  private readonly stateListeners = new Set<() => void>();
  private readonly leaving = new Set<Promise<void>>();
  private readonly surroundings: BaseSurroundings;
  private isStarted = false;
  private isClosed = false;

  constructor(private readonly options: BasesOptions) {
    const { cacheDirectory, watch, rescanInterval = RESCAN_INTERVAL, clock, log = () => {} } = options;
    this.surroundings = {
      cacheDirectory,
      watch,
      rescanInterval,
      now: () => clock.now(),
      log,
      contents: new ContentCache(),
      changed: (base, files) => this.tellOfChange({ base, files }),
      stateChanged: () => this.tellOfState(),
    };
    this.define(options.definitions);
  }

  define(definitions: readonly BaseDefinition[]): void {
    if (this.isClosed) return;
    const wanted = checkDefinitions(definitions);
    const before = new Map(this.bases);
    this.bases.clear();
    for (const definition of wanted) {
      const key = definition.name.toLowerCase();
      const known = before.get(key);
      const stays = known !== undefined && isSameDefinition(known.definition, definition);
      this.bases.set(key, stays ? known : new Base(definition, this.surroundings));
      if (stays) before.delete(key);
    }
    this.edges.forget();
    for (const base of before.values()) {
      const leaving = base.close().finally(() => this.leaving.delete(leaving));
      this.leaving.add(leaving);
      const files = base.catalogue.files().map(({ file }) => file);
      if (files.length > 0) this.tellOfChange({ base: base.definition.name, files });
    }
    if (this.isStarted) for (const base of this.bases.values()) base.start();
    this.tellOfState();
  }

  start(): void {
    if (this.isStarted || this.isClosed) return;
    this.isStarted = true;
    for (const base of this.bases.values()) base.start();
    const { cacheDirectory, clock } = this.options;
    if (cacheDirectory !== undefined) void tidyCaches(cacheDirectory, CACHE_KIND, clock.now());
  }

  statuses(): BaseStatus[] {
    return this.all().map(({ status }) => status);
  }

  async ready(ms: number, signal?: AbortSignal): Promise<boolean> {
    const isSettled = () => this.all().every((base) => base.isSettled);
    // Of what is closed nothing comes any more.
    if (this.isClosed) return isSettled();
    const onDidChange = (listener: () => void) => this.onDidChangeState(listener);
    return untilSettled({ isSettled: () => isSettled() || this.isClosed, onDidChange }, ms, signal).then(isSettled);
  }

  async rescan(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await unlessAborted(
      Promise.all(this.all().map((base) => base.rescan())).then(() => undefined),
      signal,
    );
  }

  touched(absolutePath: string): void {
    for (const base of this.bases.values()) base.touched(absolutePath);
  }

  files(base?: string): BaseFile[] {
    const bases = base === undefined ? this.all() : [this.base(base)];
    return bases.flatMap(({ catalogue }) => catalogue.files());
  }

  file(base: string, file: string): BaseFile | undefined {
    return this.bases.get(base.toLowerCase())?.catalogue.file(file);
  }

  *nodes(): Iterable<KnowledgeNode> {
    for (const { catalogue } of this.bases.values()) yield* catalogue.nodes();
  }

  get size(): number {
    return this.all().reduce((sum, { catalogue }) => sum + catalogue.nodeCount, 0);
  }

  nodeByUri(uri: string): KnowledgeNode | undefined {
    return this.references.byUri(uri);
  }

  node(reference: string): KnowledgeNode {
    return this.references.node(reference);
  }

  publicId(node: KnowledgeNode): string {
    return this.references.publicId(node);
  }

  problems(): BaseProblem[] {
    return this.all().flatMap((base) => base.problems());
  }

  async contents(base: string, file: string): Promise<NodeWithContent[]> {
    return this.base(base).access.nodes(file);
  }

  async content(node: KnowledgeNode): Promise<string> {
    const found = (await this.contents(node.base, node.file)).find((each) => each.node.id === node.id);
    if (found) return found.content;
    throw this.gone(node);
  }

  async fileText(base: string, file: string): Promise<string> {
    return this.base(base).access.text(file);
  }

  async locate(base: string, file: string): Promise<string> {
    return this.base(base).access.locate(file);
  }

  async dependencies(reference: string, options: { direction: Direction; depth: number }): Promise<Dependencies> {
    return dependenciesOf(this.node(reference), options, {
      blockers: (node) => this.edges.blockers(node),
      blocked: (node) => this.edges.blocked(node),
      publicId: (node) => this.publicId(node),
    });
  }

  async prepareUpdate(reference: string, content: string): Promise<NodeUpdate> {
    await this.settled();
    const node = this.node(reference);
    const { base, file, id: node_id } = node;
    const edit = await readEdit(await this.base(base).access.updateTarget(file, node_id), content);
    if (!edit) throw this.gone(node);
    return { base, node_id, file, content: edit.content, content_hash: edit.node.content_hash };
  }

  async previewUpdate(update: NodeUpdate): Promise<{ before: string; after: string } | undefined> {
    const target = await this.targetOf(update).catch((error) => {
      if (isKaizenError(error) && error.code === 'unknown_node') return undefined;
      throw error;
    });
    const edit = target && (await readEdit(target, update.content));
    return edit && { before: edit.before, after: edit.after };
  }

  async update(update: NodeUpdate, options: { confirmed: boolean }): Promise<void> {
    const isWritten = await writeUpdate(await this.targetOf(update), update, options);
    if (isWritten) await this.base(update.base).reindex(update.file);
  }

  onDidChange(listener: (change: BaseChange) => void): Disposable {
    this.changeListeners.add(listener);
    return { dispose: () => void this.changeListeners.delete(listener) };
  }

  onDidChangeState(listener: () => void): Disposable {
    this.stateListeners.add(listener);
    return { dispose: () => void this.stateListeners.delete(listener) };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.changeListeners.clear();
    // Whoever waits to be ready waits no longer.
    this.tellOfState();
    this.stateListeners.clear();
    await Promise.all([...this.all().map((base) => base.close()), ...this.leaving]);
  }

  private all(): Base[] {
    return [...this.bases.values()];
  }

  /** Throws `unknown_base`, `unknown_node` and `outside_root`. */
  private async targetOf({ base, file, node_id }: NodeUpdate): Promise<UpdateTarget> {
    const found = this.base(base);
    await this.settled();
    return found.access.updateTarget(file, node_id);
  }

  /** Proposals are also decided where nobody has asked for the bases yet. */
  private async settled(): Promise<void> {
    this.start();
    await this.ready(UPDATE_WAIT);
  }

  private gone(node: KnowledgeNode): KaizenError {
    const message = sentence('The node "{0}" is no longer there.', this.publicId(node));
    return new KaizenError('unknown_node', message, sentence('search_knowledge finds what has taken its place.'));
  }

  /** Throws `unknown_base`. */
  private base(name: string): Base {
    const base = this.bases.get(name.toLowerCase());
    if (base) return base;
    const names = this.all().map(({ definition }) => definition.name);
    const shown = name.slice(0, 120);
    const hint =
      names.length > 0 ? sentence('There are {0}.', names.join(', ')) : sentence('No knowledge base is configured.');
    throw new KaizenError('unknown_base', sentence('There is no knowledge base "{0}".', shown), hint);
  }

  private tellOfChange(change: BaseChange): void {
    this.edges.forget();
    for (const listener of this.changeListeners) this.protect(() => listener(change));
  }

  private tellOfState(): void {
    for (const listener of this.stateListeners) this.protect(listener);
  }

  /** A listener that fails must not end the work that it is told of. */
  private protect(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.surroundings.log(`A listener to knowledge bases failed: ${describeError(error)}`);
    }
  }
}
