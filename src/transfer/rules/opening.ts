import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import { compilePatterns, FOLDER_LIMITS, readInside, scan } from '../../files';
import { type FileNote, MARKDOWN } from '../markdown-format';
import { importedPath, importsOf } from './claude-imports';
import { looksLikeDecision } from './decision-file';
import { looksLikeForeignLines } from './foreign-lines';
import { looksLikeMemory } from './memory-file';
import type { RuleFile, RuleKind, RulesSource } from './model';
import { folderOf, kindOf, PASSED_OVER, PATTERNS } from './recognising';

export interface OpeningOptions {
  /** Whose files they are, where their names do not say it. */
  from?: RuleKind | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Rules are read by agents on every request: what is longer is something else. Lines and graphs may be long. */
const LONGEST = 1_000_000;
const LONGEST_LINES = 64_000_000;
/** What one file of a kind may have, in bytes. */
export function mostBytesOf(kind: RuleKind): number {
  return kind === 'memory' || kind === 'lines' ? LONGEST_LINES : LONGEST;
}

/** As far as Claude Code follows imports. */
const IMPORT_DEPTH = 5;
/** More than an entry may name: then it holds everywhere, and that is told. */
const MOST_FOLDERS = 100;
const TEXTS: readonly string[] = ['**/*.md', '**/*.mdc', '**/*.txt'];
const DATA: readonly string[] = ['**/*.json', '**/*.jsonl'];

/**
 * The files of other tools in a folder, or one of them: by their names, or all texts in the folder where `from` says
 * whose they are. Undefined where there are none. Nothing outside of the folder is read, whatever a link or an import
 * says. Throws the system's error where the folder cannot be read.
 */
export async function openRules(target: string, options: OpeningOptions = {}): Promise<RulesSource | undefined> {
  const found = await stat(target);
  return found.isDirectory() ? openFolder(target, options) : openFile(target, options);
}

async function openFolder(
  target: string,
  { from, signal = new AbortController().signal, onProgress }: OpeningOptions,
): Promise<RulesSource | undefined> {
  const root = await realpath(target);
  // The folder's own name may say what it is: docs/adr, .cursor/rules.
  const outer = root.split(path.sep).slice(-2).join('/');
  const isOne = (name: string) => from ?? kindOf(name) ?? kindOf(`${outer}/${name}`);
  const isData = from === 'memory' || from === 'lines';
  const isNamed = from !== undefined || kindOf(`${outer}/0001-x.md`) !== undefined;
  const wanted = [...PATTERNS, ...(isNamed ? [...TEXTS, ...(isData ? DATA : [])] : [])];
  const others = new Set<string>();
  const notes: FileNote[] = [];
  const { files: names, problems } = await scan({
    realRoot: root,
    patterns: compilePatterns(wanted, PASSED_OVER),
    limits: { ...FOLDER_LIMITS, fileSize: LONGEST_LINES },
    onOther: (file, isLeftover) => {
      if (!isLeftover && MARKDOWN.test(file)) others.add(file);
    },
    signal,
  });
  for (const { file, message } of problems) notes.push({ path: file ?? '.', message });
  const reader = new Reader(root, notes);
  for (const [index, { file }] of names.entries()) {
    signal.throwIfAborted();
    onProgress?.(index, names.length);
    const kind = isOne(file);
    if (kind) await reader.take(file, kind);
  }
  await reader.settle(signal);
  if (reader.files.length === 0 && from === undefined) return undefined;
  // What another file imports is read all the same.
  for (const { path } of reader.files) others.delete(path);
  if (others.size > 0) notes.push({ path: '.', message: leftAlone(others.size) });
  return { kind: 'rules', name: path.basename(root), files: reader.files, notes };
}

function leftAlone(count: number): Sentence {
  return count === 1
    ? sentence("Another Markdown file in it was not looked at: it is no rules of a tool's.")
    : sentence("{0} other Markdown files in it were not looked at: they are no rules of a tool's.", count);
}

async function openFile(target: string, { from }: OpeningOptions): Promise<RulesSource | undefined> {
  const file = await realpath(target);
  const name = path.basename(path.resolve(target));
  const outer = path.resolve(target).split(path.sep).slice(-3).join('/');
  const named = from ?? kindOf(outer);
  const notes: FileNote[] = [];
  // What it imports is looked for in its folder; a link's own name counts, but what it leads to is read.
  const reader = new Reader(path.dirname(file), notes);
  if (named !== undefined) await reader.take(path.basename(file), named, name);
  // Its folder may be called anything.
  else if (MARKDOWN.test(name))
    await reader.take(path.basename(file), 'adr', name, (text) => looksLikeDecision(name, text));
  await reader.settle();
  const [first] = reader.files;
  if (!first && named === undefined) return undefined;
  if (!first)
    throw new KaizenError(
      'invalid_argument',
      sentence('{0}: {1}', name, notes[0]?.message ?? sentence('It cannot be read.')),
    );
  return { kind: 'rules', name, files: reader.files, notes };
}

/** What a text is, where its name does not say it: JSON of another tool. Undefined for Kaizen's own, and for no JSON. */
export function dataKind(text: string): RuleKind | undefined {
  if (looksLikeMemory(text)) return 'memory';
  return looksLikeForeignLines(text) ? 'lines' : undefined;
}

class Reader {
  readonly files: RuleFile[] = [];
  private readonly seen = new Set<string>();
  /** What holds where others hold, because they import it. */
  private readonly imported = new Map<string, RuleFile>();
  private readonly imports: { by: RuleFile; place: string }[] = [];

  constructor(
    private readonly root: string,
    private readonly notes: FileNote[],
  ) {}

  /** @param isOne whether its text is what it is taken for; where it is not, nobody is told */
  async take(file: string, kind: RuleKind, shown = file, isOne: (text: string) => boolean = () => true): Promise<void> {
    const text = await this.read(file, kind);
    if (text === undefined || !isOne(text)) return;
    // `memory.json` is a name that others use as well.
    const isMemory = kind === 'memory' && !looksLikeMemory(text);
    if (isMemory)
      this.notes.push({ path: shown, message: sentence('It is no file of the memory server, and was left out.') });
    if (isMemory) return;
    const folder = folderOf(shown, kind);
    const taken: RuleFile = { path: shown, kind, text, folders: [folder] };
    this.files.push(taken);
    if (kind === 'claude') await this.takeImports(taken, file, 1);
  }

  /** What is imported holds where all files hold that import it, as if it stood in them; it may import others itself. */
  async settle(signal?: AbortSignal): Promise<void> {
    const turns = new Turns(signal);
    for (let isSettled = false; !isSettled; ) {
      isSettled = true;
      for (const { by, place } of this.imports) {
        await turns.pause();
        const file = this.imported.get(place);
        for (const folder of file ? by.folders : []) if (widen(file!, folder)) isSettled = false;
        if (!file || file.folders.length <= MOST_FOLDERS) continue;
        file.folders = [''];
        const message = sentence('Files in more than {0} folders import it: it holds everywhere.', MOST_FOLDERS);
        this.notes.push({ path: file.path, message });
      }
    }
  }

  /** @param path where the file lies, which may be shown under a link's name */
  private async takeImports(by: RuleFile, path: string, depth: number): Promise<void> {
    for (const { written, line } of importsOf(by.text, 0, 0)) {
      const place = importedPath(path, written);
      const leave = (why: Sentence) =>
        this.notes.push({ path, message: sentence('Line {0}: @{1} {2}', line, written, why) });
      if (place === undefined) leave(sentence('leads out of the folder, and was not read.'));
      else if (depth > IMPORT_DEPTH) leave(sentence('is imported too deep, and was not read.'));
      else {
        this.imports.push({ by, place });
        if (!this.seen.has(place)) await this.takeImported(place, by.folders, depth, leave);
      }
    }
  }

  /** A word behind an at sign may be anything; only one that has an ending is missed. */
  private async takeImported(
    place: string,
    importing: readonly string[],
    depth: number,
    leave: (why: Sentence) => void,
  ): Promise<void> {
    const before = this.notes.length;
    const text = await this.read(place, 'claude').catch(() => undefined);
    if (text === undefined) {
      const isTold = this.notes.length > before;
      this.notes.length = before;
      if (isTold || /\.(?:md|markdown|mdc|txt)$/i.test(place)) leave(sentence('cannot be read.'));
      return;
    }
    const known = kindOf(place);
    const folders = known === undefined ? importing : [folderOf(place, known)];
    const file: RuleFile = { path: place, kind: known ?? 'claude', text, folders };
    this.files.push(file);
    if (known === undefined) this.imported.set(place, file);
    if (MARKDOWN.test(place)) await this.takeImports(file, place, depth + 1);
  }

  private async read(file: string, kind: RuleKind): Promise<string | undefined> {
    if (this.seen.has(file)) return undefined;
    this.seen.add(file);
    try {
      const { text, fault, size } = await readInside(this.root, file, mostBytesOf(kind));
      // UTF-16 with its byte order mark: no other text has so many bytes.
      if (fault === 'not_utf8' && size === 2 * (text.length + 1) && !text.includes('\uFFFD')) return text;
      if (fault === 'too_large')
        this.notes.push({ path: file, message: sentence('It is too large, and was left out.') });
      if (fault === 'not_utf8') {
        this.notes.push({ path: file, message: sentence('It is not UTF-8 text, and was left out.') });
        return undefined;
      }
      return fault === undefined ? text : undefined;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw error;
      this.notes.push({ path: file, message: sentence('It cannot be read ({0}), and was left out.', code) });
      return undefined;
    }
  }
}

/** Whether the file holds for more than before. */
function widen(file: RuleFile, folder: string): boolean {
  if (file.folders.some((each) => isWithin(folder, each))) return false;
  const others = file.folders.filter((each) => !isWithin(each, folder));
  file.folders = [...others, folder];
  return true;
}

function isWithin(folder: string, outer: string): boolean {
  return outer === '' || folder === outer || folder.startsWith(`${outer}/`);
}
