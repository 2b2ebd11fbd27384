import { isKaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { inTurns, Turns } from '../../core/turns';
import type { EntryRecord } from '../records';
import { importsOf } from './claude-imports';
import { readDecisionFile } from './decision-file';
import { readForeignLines } from './foreign-lines';
import { withKnownLineEnds } from './line-ends';
import { readMemoryFile } from './memory-file';
import type { FileReading, Leftover, RuleDraft, RuleFile, RuleKind, RulesReading, RulesSource } from './model';
import { FreeNames, segment, topicOf } from './naming';
import { readNoteFile } from './note-file';
import { entryRecordOf } from './records';
import { readRuleFile } from './rule-file';
import { storable } from './storable';

const READERS: Record<RuleKind, (file: RuleFile, category?: string) => Generator<void, FileReading>> = {
  agents: readRuleFile,
  claude: readClaudeFile,
  copilot: readRuleFile,
  cursor: readRuleFile,
  cline: readRuleFile,
  windsurf: readRuleFile,
  adr: readDecisionFile,
  memory: readMemoryFile,
  lines: readForeignLines,
  markdown: readNoteFile,
};

/**
 * The entries that a source would become, in its order, each keyword once: a later one that is called the same is told
 * apart by its category's last part, or by a number. The same files always give the same names. Every file is either in
 * `files` with its entries, there with a reason, or in `notes`. What breaks a limit of the stores is no draft but told,
 * so that all drafts can be stored. Yields to the event loop.
 * @param check throws a KaizenError for a record that no store takes
 */
export async function readRules(
  source: RulesSource,
  check: (record: EntryRecord) => void,
  signal?: AbortSignal,
): Promise<RulesReading> {
  const reading: RulesReading = { drafts: [], files: [], leftovers: [], notes: [...source.notes] };
  const names = new FreeNames();
  const turns = new Turns(signal);
  for (const each of source.files) {
    await turns.pause();
    const file = { ...each, text: withKnownLineEnds(each.text) };
    const { drafts, leftovers, notes, reason } = await inTurns(READERS[file.kind](file, source.category), turns);
    const refused: Leftover[] = [];
    for (const each of drafts) {
      await turns.pause();
      const draft = keepable(each);
      const keyword = names.free(draft.keyword, aroundOf(draft, file), placeOf(draft));
      const why = faultOf({ ...draft, keyword }, check);
      if (why === undefined) reading.drafts.push({ ...draft, keyword });
      else refused.push({ path: draft.path, line: draft.line, endLine: endLineOf(draft, file), why });
    }
    const entries = drafts.length - refused.length;
    const said = reason ?? (entries === 0 ? refused[0]?.why : undefined);
    for (const each of leftovers) reading.leftovers.push(each);
    if (entries > 0) for (const each of refused) reading.leftovers.push(each);
    for (const each of notes) reading.notes.push(each);
    const { path, kind } = file;
    reading.files.push({ path, kind, entries, ...(said === undefined ? {} : { reason: said }) });
  }
  return reading;
}

/** Where it goes, when and by whom break no limit of their own: any will do. */
const ANYWHERE = { scope: 'import', author: '', at: '', project: '' };

/** Why no store takes it. */
function faultOf(draft: RuleDraft, check: (record: EntryRecord) => void): Sentence | string | undefined {
  try {
    check(entryRecordOf(draft, ANYWHERE));
    return undefined;
  } catch (error) {
    if (isKaizenError(error)) return error.said[0];
    throw error;
  }
}

/** Where its text ends: of JSON, an object stands on one line. */
function endLineOf({ line, content }: RuleDraft, { kind }: RuleFile): number {
  if (kind === 'memory' || kind === 'lines') return line;
  return line + content.trimEnd().split('\n').length - 1;
}

/** What tells a draft from another of the same name. */
function aroundOf({ category }: RuleDraft, { path, kind }: RuleFile): string {
  const segments = category.split('.');
  // Those of notes are folders, of any length; the others begin with what they are.
  const innermost = kind === 'markdown' ? segment(segments.at(-1)!) : segments.slice(1).at(-1);
  return innermost ?? (topicOf(path) || segment(path.split('/').at(-2) ?? ''));
}

/** Parts of one section have the same. */
function placeOf({ path, category, metaknowledge }: RuleDraft): string {
  return [path, category, metaknowledge.SOURCE].join('\0');
}

type Texts = [category: string, keyword: string, content: string];

/** Without what no store keeps, wherever a text was cut or what its file held. */
function keepable(draft: RuleDraft): RuleDraft {
  const metaknowledge: Record<string, string> = {};
  for (const [key, value] of Object.entries(draft.metaknowledge)) {
    if (key.trim() !== '') metaknowledge[storable(key)] = storable(value);
  }
  const [category, keyword, content] = [draft.category, draft.keyword, draft.content].map(storable) as Texts;
  // As a store trims it: what is told apart by white space alone would be the same entry.
  return { ...draft, category: category.trim(), keyword: keyword.trim(), content, metaknowledge };
}

/** Lines that only name a file to be read with it say nothing by themselves. */
function* readClaudeFile(file: RuleFile): Generator<void, FileReading> {
  const alone = importsOf(file.text, 0, 0).filter(({ isAlone }) => isAlone);
  if (alone.length === 0) return yield* readRuleFile(file);
  const lines = new Set(alone.map(({ line }) => line));
  const parts = file.text.split(/(\r\n|\r|\n)/);
  const text = parts.map((part, at) => (at % 2 === 0 && lines.has(at / 2 + 1) ? '' : part)).join('');
  const reading = yield* readRuleFile({ ...file, text });
  const leftovers = alone.map(({ line, written }) => ({
    path: file.path,
    line,
    endLine: line,
    why: sentence('It names a file: {0}.', written),
  }));
  const reason = reading.reason === undefined ? {} : { reason: sentence('It only names other files.') };
  return { ...reading, leftovers: [...reading.leftovers, ...leftovers], ...reason };
}
