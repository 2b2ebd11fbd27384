import { compareText } from '../core/text';
import type { BaseFile, BaseProblem, KnowledgeNode } from './model';

/** A file as it was read and parsed: its nodes have the ids that the file gives them. */
export interface KnownFile {
  file: string;
  /** Bytes. */
  size: number;
  stamp: string;
  hash: string;
  nodes: readonly KnowledgeNode[];
  problems: readonly BaseProblem[];
}

interface Published {
  file: BaseFile;
  /** Where nodes have other ids than the file gives them: its id → the one it has in the base. */
  renamed: ReadonlyMap<string, string>;
}

/**
 * The files and nodes of one base. Ids are unique in it: of several files that give a node the same id the first by path
 * has it, and the others get `id~2`, `id~3`. Which have it changes with the files, so that `settle` ends each round.
 */
export class Catalogue {
  private readonly known = new Map<string, KnownFile>();
  private readonly published = new Map<string, Published>();
  /** Which files give a node this id. */
  private readonly holders = new Map<string, Set<string>>();
  private readonly byId = new Map<string, KnowledgeNode>();
  /** Files to be published anew, and ids that may pass to other files. */
  private readonly stale = new Set<string>();
  private readonly staleIds = new Set<string>();
  private sorted: BaseFile[] | undefined;
  private problems = 0;

  constructor(private readonly base: string) {}

  get fileCount(): number {
    return this.published.size;
  }

  get nodeCount(): number {
    return this.byId.size;
  }

  get problemCount(): number {
    return this.problems;
  }

  read(file: string): KnownFile | undefined {
    return this.known.get(file);
  }

  reads(): Iterable<KnownFile> {
    return this.known.values();
  }

  /** Adds a file or replaces what was known of it. */
  set(known: KnownFile): void {
    this.letGo(known.file);
    this.known.set(known.file, known);
    for (const { id } of known.nodes) this.hold(id, known.file);
    this.stale.add(known.file);
  }

  /** The same content was read again. */
  restamp(file: string, stamp: string): void {
    const known = this.known.get(file);
    if (known) this.known.set(file, { ...known, stamp });
  }

  remove(file: string): void {
    this.letGo(file);
    this.known.delete(file);
    this.stale.add(file);
  }

  /** Gives out ids. Answers with the files whose nodes are others now, those that are gone included, sorted. */
  settle(): string[] {
    if (this.stale.size === 0) return [];
    for (const id of this.staleIds) for (const file of this.holders.get(id) ?? []) this.stale.add(file);
    const changed = [...this.stale].sort(compareText);
    this.stale.clear();
    this.staleIds.clear();
    // All go before the first comes: ids may pass from one file to another.
    for (const file of changed) {
      for (const { id } of this.published.get(file)?.file.nodes ?? []) this.byId.delete(id);
    }
    const order = new HolderOrder(this.holders);
    for (const file of changed) this.publish(file, order);
    this.sorted = undefined;
    return changed;
  }

  /** Sorted by path. */
  files(): readonly BaseFile[] {
    this.sorted ??= [...this.published.values()].map(({ file }) => file).sort((a, b) => compareText(a.file, b.file));
    return this.sorted;
  }

  file(file: string): BaseFile | undefined {
    return this.published.get(file)?.file;
  }

  nodes(): Iterable<KnowledgeNode> {
    return this.byId.values();
  }

  node(id: string): KnowledgeNode | undefined {
    return this.byId.get(id);
  }

  /** The id that the file itself gives the node; also for one that had a number of its own before. */
  ownId(file: string, id: string): string {
    const at = this.published.get(file)?.file.nodes.findIndex((node) => node.id === id) ?? -1;
    const own = this.known.get(file)?.nodes ?? [];
    return own[at]?.id ?? own.find((node) => node.id === id)?.id ?? id.replace(/(~\d+)+$/, '');
  }

  /** What an id means in a file: its own node before those of others. */
  nodeFrom(file: string, id: string): KnowledgeNode | undefined {
    return this.byId.get(this.published.get(file)?.renamed.get(id) ?? id);
  }

  private hold(id: string, file: string): void {
    const files = this.holders.get(id);
    if (files) files.add(file);
    else this.holders.set(id, new Set([file]));
    if (files) this.staleIds.add(id);
  }

  private letGo(file: string): void {
    for (const { id } of this.known.get(file)?.nodes ?? []) {
      const files = this.holders.get(id);
      files?.delete(file);
      if (files?.size === 0) this.holders.delete(id);
      else this.staleIds.add(id);
    }
  }

  private publish(file: string, order: HolderOrder): void {
    this.problems -= this.published.get(file)?.file.problems.length ?? 0;
    const known = this.known.get(file);
    if (!known) {
      this.published.delete(file);
      return;
    }
    const { base } = this;
    const renamed = new Map<string, string>();
    const problems = [...known.problems];
    for (const { id, line } of known.nodes) {
      const { place, first } = order.of(id, file);
      if (place === 0) continue;
      const free = this.freeId(id, place + 1);
      renamed.set(id, free);
      const message = `The id "${id}" is taken by ${first}; here the node is called "${free}".`;
      problems.push({ base, file, line, code: 'duplicate_id', message });
    }
    this.problems += problems.length;
    const nodes = renamed.size === 0 ? known.nodes : known.nodes.map((node) => rename(node, renamed));
    this.published.set(file, { file: { base, file, size: known.size, nodes, problems }, renamed });
    for (const node of nodes) this.byId.set(node.id, node);
  }

  /** `~2` unless some file gives a node just that id. */
  private freeId(id: string, number: number): string {
    const free = `${id}~${number}`;
    return this.holders.has(free) || this.byId.has(free) ? this.freeId(free, number) : free;
  }
}

/** The files that give a node the same id, by path: sorted once for all of them. */
class HolderOrder {
  private readonly places = new Map<string, { first: string; place: Map<string, number> }>();

  constructor(private readonly holders: ReadonlyMap<string, ReadonlySet<string>>) {}

  of(id: string, file: string): { place: number; first: string } {
    const files = this.holders.get(id);
    if (files === undefined || files.size === 1) return { place: 0, first: file };
    let order = this.places.get(id);
    if (!order) {
      const sorted = [...files].sort(compareText);
      order = { first: sorted[0]!, place: new Map(sorted.map((each, at) => [each, at])) };
      this.places.set(id, order);
    }
    return { place: order.place.get(file)!, first: order.first };
  }
}

function rename(node: KnowledgeNode, renamed: ReadonlyMap<string, string>): KnowledgeNode {
  const named = (id: string) => renamed.get(id) ?? id;
  return {
    ...node,
    id: named(node.id),
    parent_id: node.parent_id === null ? null : named(node.parent_id),
    children_ids: node.children_ids.map(named),
  };
}
