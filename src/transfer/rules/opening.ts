import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { KaizenError } from '../../core/errors';
import { compilePatterns, FOLDER_LIMITS, readInside, scan } from '../../files';
import { type FileNote, MARKDOWN } from '../markdown-format';
import { importedPath, importsOf } from './claude-imports';
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
/** As far as Claude Code follows imports. */
const IMPORT_DEPTH = 5;
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
  let others = 0;
  const notes: FileNote[] = [];
  const { files: names, problems } = await scan({
    noun: 'folder',
    realRoot: root,
    patterns: compilePatterns(wanted, PASSED_OVER),
    limits: { ...FOLDER_LIMITS, fileSize: LONGEST_LINES },
    onOther: (file, isLeftover) => {
      if (!isLeftover && MARKDOWN.test(file)) others++;
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
  if (reader.files.length === 0 && from === undefined) return undefined;
  if (others > 0) {
    const message = `${others === 1 ? 'Another Markdown file' : `${others} other Markdown files`} in it were not looked at: they are no rules of a tool's.`;
    notes.push({ path: '.', message });
  }
  return { kind: 'rules', name: path.basename(root), files: reader.files, notes };
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
  const [first] = reader.files;
  if (!first && named === undefined) return undefined;
  if (!first) throw new KaizenError('invalid_argument', `${name}: ${notes[0]?.message ?? 'It cannot be read.'}`);
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

  constructor(
    private readonly root: string,
    private readonly notes: FileNote[],
  ) {}

  async take(file: string, kind: RuleKind, shown = file): Promise<void> {
    const text = await this.read(file, kind);
    if (text === undefined) return;
    // `memory.json` is a name that others use as well.
    const isMemory = kind === 'memory' && !looksLikeMemory(text);
    if (isMemory) this.notes.push({ path: shown, message: 'It is no file of the memory server, and was left out.' });
    if (isMemory) return;
    this.files.push({ path: shown, kind, text, folder: folderOf(shown, kind) });
    if (kind === 'claude') await this.takeImports(file, text, 1);
  }

  private async takeImports(path: string, text: string, depth: number): Promise<void> {
    for (const { written, line } of importsOf(text, 0, 0)) {
      const place = importedPath(path, written);
      const leave = (message: string) => this.notes.push({ path, message: `Line ${line}: @${written} ${message}` });
      if (place === undefined) leave('leads out of the folder, and was not read.');
      else if (depth > IMPORT_DEPTH) leave('is imported too deep, and was not read.');
      else if (!this.seen.has(place)) await this.takeImported(place, depth, leave);
    }
  }

  /** A word behind an at sign may be anything; only one that has an ending is missed. */
  private async takeImported(place: string, depth: number, leave: (message: string) => void): Promise<void> {
    const before = this.notes.length;
    const text = await this.read(place, 'claude').catch(() => undefined);
    if (text === undefined) {
      const isTold = this.notes.length > before;
      this.notes.length = before;
      if (isTold || /\.(?:md|markdown|mdc|txt)$/i.test(place)) leave('cannot be read.');
      return;
    }
    const kind = kindOf(place) ?? 'claude';
    this.files.push({ path: place, kind, text, folder: folderOf(place, kind) });
    if (MARKDOWN.test(place)) await this.takeImports(place, text, depth + 1);
  }

  private async read(file: string, kind: RuleKind): Promise<string | undefined> {
    if (this.seen.has(file)) return undefined;
    this.seen.add(file);
    const most = kind === 'memory' || kind === 'lines' ? LONGEST_LINES : LONGEST;
    try {
      const { text, fault } = await readInside(this.root, file, most);
      if (fault === 'too_large') this.notes.push({ path: file, message: 'It is too large, and was left out.' });
      if (fault === 'not_utf8') {
        this.notes.push({ path: file, message: 'It is not UTF-8 text, and was left out.' });
        return undefined;
      }
      return fault === undefined ? text : undefined;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw error;
      this.notes.push({ path: file, message: `It cannot be read (${code}), and was left out.` });
      return undefined;
    }
  }
}
