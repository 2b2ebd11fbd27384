import { compareText } from '../core/text';
import type { Turns } from '../core/turns';
import type { KnownFile as ReadKnownFile } from '../files';
import type { BaseFile, BaseProblem, KnowledgeNode } from './model';

/** A file as it was read and parsed: its nodes have the ids that the file gives them. */
export interface KnownFile extends ReadKnownFile {
  nodes: readonly KnowledgeNode[];
  problems: readonly BaseProblem[];
  /** There was no room for its nodes. It is not kept for another run, where there may be. */
  isLeftOut?: true;
}

interface Published {
  file: BaseFile;
  /** What it was made of. */
  known: KnownFile;
  /** Where nodes have other ids than the file gives them: its id → the one it has in the base. */
  renamed: ReadonlyMap<string, string>;
}

/**
 * The files and nodes of one base. Ids are unique in it: of several files that give a node the same id the first by path
 * has it, and the others get `id~2`, `id~3`. Which have it changes with the files, so that `settle` ends each round: until
 * then everybody sees what there was before.
 */
export class Catalogue {
  private readonly known = new Map<string, KnownFile>();
  private readonly published = new Map<string, Published>();
  /** Which files give a node this id, sorted by path. */
  private readonly holders = new Map<string, string[]>();
  private readonly byId = new Map<string, KnowledgeNode>();
  /** Files to be published anew. */
  private readonly stale = new Set<string>();
  /** Ids that pass to other files: those from this place on. */
  private readonly staleIds = new Map<string, number>();
  private sorted: BaseFile[] | undefined;
  private problems = 0;
  private problemRounds = 0;
  private knownNodes = 0;

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

  /** Another number after any file's problems may be others. */
  get problemRevision(): number {
    return this.problemRounds;
  }

  read(file: string): KnownFile | undefined {
    return this.known.get(file);
  }

  reads(): Iterable<KnownFile> {
    return this.known.values();
  }

  /** How many nodes all other files have. */
  nodesBeside(file: string): number {
    return this.knownNodes - (this.known.get(file)?.nodes.length ?? 0);
  }

  /** Adds a file or replaces what was known of it. */
  set(known: KnownFile): void {
    this.letGo(known.file);
    this.known.set(known.file, known);
    this.knownNodes += known.nodes.length;
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

  /**
   * Gives out ids, in turns: one file that comes or goes may rename the nodes of all others. Answers with the files whose
   * nodes are others now, those that are gone included, sorted. Nothing may be set or removed meanwhile.
   */
  async settle(turns: Turns): Promise<string[]> {
    for (const [id, from] of this.staleIds) {
      for (const file of this.holders.get(id)?.slice(from) ?? []) this.stale.add(file);
    }
    const changed = [...this.stale].sort(compareText);
    const given = new Set<string>();
    const isTaken = (id: string) => {
      const holder = this.byId.get(id);
      return this.holders.has(id) || given.has(id) || (holder !== undefined && !this.stale.has(holder.file));
    };
    const coming: Published[] = [];
    for (const file of changed) {
      const known = this.known.get(file);
      if (known) coming.push(this.prepare(known, isTaken, given));
      await turns.pause();
    }
    this.stale.clear();
    this.staleIds.clear();
    this.replace(changed, coming);
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

  /** Of the content that the nodes of `file` were made of. */
  hashOf(file: string): string | undefined {
    return this.published.get(file)?.known.hash;
  }

  nodes(): Iterable<KnowledgeNode> {
    return this.byId.values();
  }

  node(id: string): KnowledgeNode | undefined {
    return this.byId.get(id);
  }

  /** The id that the file itself gives the node; also for one that had a number of its own before. */
  ownId(file: string, id: string): string {
    const published = this.published.get(file);
    const at = published?.file.nodes.findIndex((node) => node.id === id) ?? -1;
    const own = published?.known.nodes ?? [];
    return own[at]?.id ?? own.find((node) => node.id === id)?.id ?? id.replace(/(~\d+)+$/, '');
  }

  /** What an id means in a file: its own node before those of others. */
  nodeFrom(file: string, id: string): KnowledgeNode | undefined {
    return this.byId.get(this.published.get(file)?.renamed.get(id) ?? id);
  }

  private hold(id: string, file: string): void {
    const files = this.holders.get(id);
    if (!files) {
      this.holders.set(id, [file]);
      this.renumber(id);
      return;
    }
    const place = placeOf(file, files);
    files.splice(place, 0, file);
    this.passOn(id, place);
  }

  private letGo(file: string): void {
    const nodes = this.known.get(file)?.nodes ?? [];
    this.knownNodes -= nodes.length;
    for (const { id } of nodes) {
      const files = this.holders.get(id)!;
      const place = placeOf(file, files);
      files.splice(place, 1);
      this.passOn(id, place);
      if (files.length > 0) continue;
      this.holders.delete(id);
      this.renumber(id);
    }
  }

  private passOn(id: string, from: number): void {
    this.staleIds.set(id, Math.min(from, this.staleIds.get(id) ?? from));
  }

  /** Where somebody writes `x~2`, those who share `x` are called otherwise; and so are they when it goes. */
  private renumber(id: string): void {
    for (let at = id.lastIndexOf('~'); at > 0; at = id.lastIndexOf('~', at - 1)) {
      const shared = id.slice(0, at);
      if (this.holders.has(shared)) this.passOn(shared, 1);
    }
  }

  private prepare(known: KnownFile, isTaken: (id: string) => boolean, given: Set<string>): Published {
    const { base } = this;
    const { file, size } = known;
    const renamed = new Map<string, string>();
    const problems = [...known.problems];
    for (const { id, line } of known.nodes) {
      const files = this.holders.get(id)!;
      const place = placeOf(file, files);
      if (place === 0) continue;
      const free = freeId(id, place + 1, isTaken);
      given.add(free);
      renamed.set(id, free);
      const message = `The id "${id}" is taken by ${files[0]}; here the node is called "${free}".`;
      problems.push({ base, file, line, code: 'duplicate_id', message });
    }
    const nodes = renamed.size === 0 ? known.nodes : known.nodes.map((node) => rename(node, renamed));
    return { file: { base, file, size, nodes, problems }, known, renamed };
  }

  /** All go before the first comes: ids may pass from one file to another. */
  private replace(going: readonly string[], coming: readonly Published[]): void {
    const here = new Set(coming.map(({ file }) => file.file));
    for (const file of going) {
      const before = this.published.get(file)?.file;
      for (const { id } of before?.nodes ?? []) this.byId.delete(id);
      this.countProblems(before, -1);
      if (!here.has(file)) this.published.delete(file);
    }
    for (const published of coming) {
      const { file } = published;
      this.published.set(file.file, published);
      for (const node of file.nodes) this.byId.set(node.id, node);
      this.countProblems(file, 1);
    }
    if (going.length > 0) this.sorted = undefined;
  }

  private countProblems(file: BaseFile | undefined, sign: 1 | -1): void {
    const count = file?.problems.length ?? 0;
    this.problems += sign * count;
    if (count > 0) this.problemRounds++;
  }
}

/** Where the file stands among those sorted by path, or would. */
function placeOf(file: string, files: readonly string[]): number {
  let low = 0;
  for (let high = files.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (compareText(files[middle]!, file) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `~2` unless that is taken. */
function freeId(id: string, number: number, isTaken: (id: string) => boolean): string {
  let free = `${id}~${number}`;
  while (isTaken(free)) free = `${free}~${number}`;
  return free;
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
