import { isAbsolute, relative, win32 } from 'node:path';
import type { BasesPart, KnowledgeNode } from '../bases';
import { type AppliesTo, appliesTo, filePath, parseAppliesTo } from '../core/globs';
import type { Subject } from './subject';

/** Front matter that names files: of Cursor's rules, GitHub's instructions, Claude's rules. */
const GLOB_KEYS = ['globs', 'applyTo', 'paths'];
/** Words of paths that say where software keeps things, not what they are about. */
const COMMON = new Set(
  'src lib app apps packages package test tests spec docs doc index main mod init readme common core internal md mdc ts tsx js jsx mjs cjs py go rs java kt rb php cs c h cpp hpp json yaml yml'.split(
    ' ',
  ),
);
/** A path that nobody has: a glob that matches it names everything. */
const NOBODYS = filePath('qqqqqqqq/wwwwwwww/eeeeeeee.rrrrrrrr');

/** How near something is to the file at work: not at all, by its place or words (up to 1), or its globs name the file. */
export interface Nearness {
  share: number;
  isNamed: boolean;
}

/** The file that somebody works on. */
export class CurrentFile {
  /** Relative to the workspace folder where it lies in it, `/` between its parts. */
  readonly path: string;
  private readonly folder: string;
  private readonly words: Set<string>;

  constructor(path: string, workspace?: string) {
    this.path = relativePath(path, workspace);
    this.folder = folderOf(this.path);
    this.words = wordsOf(this.path);
  }

  /** From 0, no word in common, to 1: it lies in a folder above the file, or two words are the same. */
  share(subject: Subject): number {
    if (subject.kind === 'entry') return this.shareOfWords(`${subject.entry.category} ${subject.entry.keyword}`);
    if (subject.kind === 'note') {
      const { category, zettel_id, title } = subject.note;
      return this.shareOfWords(`${category} ${zettel_id} ${title}`);
    }
    const { file, title } = subject.node;
    const folder = folderOf(file);
    if (folder !== '' && `${this.folder}/`.startsWith(`${folder}/`)) return 1;
    return this.shareOfWords(`${file} ${title}`);
  }

  private shareOfWords(text: string): number {
    let shared = 0;
    for (const word of wordsOf(text)) if (this.words.has(word)) shared++;
    return Math.min(1, shared / 2);
  }
}

/** Files of knowledge bases whose front matter names the source files that they are about. */
export class NamedFiles {
  private rules: { root: KnowledgeNode; globs: AppliesTo }[] | undefined;
  private readonly listening;

  constructor(private readonly bases: BasesPart) {
    const forget = () => {
      this.rules = undefined;
    };
    this.listening = [bases.onDidChange(forget), bases.onDidChangeState(forget)];
  }

  /** Root nodes of the files that name it; those that name everything are left out. */
  naming(path: string): KnowledgeNode[] {
    const names = filePath(path);
    this.rules ??= this.read();
    return this.rules.filter(({ globs }) => appliesTo(globs, names)).map(({ root }) => root);
  }

  dispose(): void {
    for (const each of this.listening) each.dispose();
  }

  private read() {
    return this.bases.files().flatMap(({ nodes: [root] }) => {
      if (!root) return [];
      // As one text: commas within braces separate no globs.
      const written = GLOB_KEYS.flatMap((key) => root.metadata[key] ?? []).join('\n');
      if (written.trim() === '') return [];
      const globs = parseAppliesTo(written);
      return appliesTo(globs, NOBODYS) ? [] : [{ root, globs }];
    });
  }
}

function relativePath(path: string, workspace: string | undefined): string {
  const isForeign = !isAbsolute(path) && win32.isAbsolute(path);
  if (workspace !== undefined && isAbsolute(path) && !isForeign) {
    const inside = relative(workspace, path);
    if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) return inside.replaceAll('\\', '/');
  }
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** Words of names and paths, in the singular: `src/refundPolicies.ts` is about `refund` and `policie`. */
function wordsOf(text: string): Set<string> {
  const words = text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
  return new Set(words.filter((word) => word.length > 1 && !COMMON.has(word)));
}
