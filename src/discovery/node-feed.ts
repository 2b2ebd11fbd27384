import type { BaseFile, BasesPart } from '../bases';
import type { Turns } from '../core/turns';
import type { Passage, Passages } from '../search';
import { headingsOf, nodeFingerprint, nodePassage } from './node-passages';
import { nodesSource } from './sources';

/** Keeps the passages of nodes as the bases have them: only nodes whose hash has changed are read and indexed again. */
export class NodeFeed {
  /** By base and file, the nodes that are indexed of it. */
  private readonly files = new Map<string, Map<string, readonly string[]>>();
  /** Bases of which everything was looked at since they were ready: nothing is indexed of them that is gone. */
  private readonly settled = new Set<string>();

  constructor(
    private readonly bases: BasesPart,
    private readonly passages: Passages,
  ) {}

  names(): string[] {
    return this.bases.statuses().map(({ definition }) => definition.name);
  }

  /** Bases that are new, gone, or have become ready since they were looked at. */
  unsettled(): string[] {
    const statuses = this.bases.statuses();
    const now = new Set(statuses.map(({ definition }) => definition.name));
    for (const { definition, state } of statuses) if (state === 'indexing') this.settled.delete(definition.name);
    const gone = [...this.files.keys()].filter((base) => !now.has(base));
    const open = statuses.filter(
      ({ definition: { name }, state }) => !this.settled.has(name) && (state !== 'indexing' || !this.files.has(name)),
    );
    return [...gone, ...open.map(({ definition }) => definition.name)];
  }

  /** All files of a base. */
  async syncBase(base: string, turns: Turns): Promise<void> {
    const source = nodesSource(base);
    if (!this.names().includes(base)) {
      this.files.delete(base);
      this.settled.delete(base);
      await this.passages.drop(source);
      return;
    }
    await this.passages.restore(source);
    const needsAll = this.passages.needsTexts(source);
    this.files.set(base, new Map());
    const wasReady = this.isReady(base);
    const uris = new Set<string>();
    for (const file of this.bases.files(base)) {
      await this.sync(file, turns, needsAll);
      for (const { uri } of file.nodes) uris.add(uri);
      await turns.pause();
    }
    // What is not ready yet may be about to tell of the rest: what was restored of it stays until then.
    if (wasReady) {
      await this.passages.keepOnly(source, uris, turns);
      if (needsAll) this.passages.gaveTexts(source);
      this.settled.add(base);
    }
  }

  /** Files that were added, changed or removed. */
  async syncFiles(base: string, files: Iterable<string>, turns: Turns): Promise<void> {
    await this.passages.restore(nodesSource(base));
    for (const name of files) {
      const file = this.bases.file(base, name);
      if (file) await this.sync(file, turns, this.passages.needsTexts(nodesSource(base)));
      else this.forget(base, name, new Set());
      await turns.pause();
    }
  }

  private async sync(file: BaseFile, turns: Turns, needsAll: boolean): Promise<void> {
    const { base } = file;
    const source = nodesSource(base);
    const segment = this.passages.segment(source);
    const headings = headingsOf(file);
    const changed = new Set<string>();
    for (const node of file.nodes) {
      const fingerprint = nodeFingerprint(node, headings.get(node.id) ?? []);
      if (needsAll || segment.fingerprint(node.uri) !== fingerprint) changed.add(node.uri);
    }
    if (changed.size > 0) {
      const passages: Passage[] = [];
      for (const { node, content } of await this.bases.contents(base, file.file)) {
        if (changed.has(node.uri)) passages.push(nodePassage(node, headings.get(node.id) ?? [], content));
      }
      await this.passages.set(source, passages, turns);
    }
    this.forget(base, file.file, new Set(file.nodes.map(({ uri }) => uri)));
  }

  /** Forgets what was indexed of the file, but for the nodes that it has now. */
  private forget(base: string, file: string, now: ReadonlySet<string>): void {
    const files = this.files.get(base) ?? new Map<string, readonly string[]>();
    this.files.set(base, files);
    const gone = (files.get(file) ?? []).filter((uri) => !now.has(uri));
    if (gone.length > 0) this.passages.remove(nodesSource(base), gone);
    if (now.size > 0) files.set(file, [...now]);
    else files.delete(file);
  }

  private isReady(base: string): boolean {
    return this.bases.statuses().some(({ definition, state }) => definition.name === base && state !== 'indexing');
  }
}
