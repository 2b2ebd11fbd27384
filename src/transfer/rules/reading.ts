import { Turns } from '../../core/turns';
import { importsOf } from './claude-imports';
import { readDecisionFile } from './decision-file';
import { readForeignLines } from './foreign-lines';
import { readMemoryFile } from './memory-file';
import type { FileReading, RuleDraft, RuleFile, RuleKind, RulesReading, RulesSource } from './model';
import { FreeNames, segment, topicOf } from './naming';
import { readRuleFile } from './rule-file';
import { storable } from './storable';

const READERS: Record<RuleKind, (file: RuleFile) => FileReading> = {
  agents: readRuleFile,
  claude: readClaudeFile,
  copilot: readRuleFile,
  cursor: readRuleFile,
  cline: readRuleFile,
  windsurf: readRuleFile,
  adr: readDecisionFile,
  memory: readMemoryFile,
  lines: readForeignLines,
};

/**
 * The entries that a source would become, in its order, each keyword once: a later one that is called the same is told
 * apart by its category's last part, or by a number. The same files always give the same names. Every file is either in
 * `files` with its entries, there with a reason, or in `notes`. Yields to the event loop.
 */
export async function readRules(source: RulesSource, signal?: AbortSignal): Promise<RulesReading> {
  const reading: RulesReading = { drafts: [], files: [], leftovers: [], notes: [...source.notes] };
  const names = new FreeNames();
  const turns = new Turns(signal);
  for (const file of source.files) {
    await turns.pause();
    const { drafts, leftovers, notes, reason } = READERS[file.kind](file);
    for (const draft of drafts) {
      const around =
        draft.category.split('.').slice(1).at(-1) ?? (topicOf(file.path) || segment(file.path.split('/').at(-2) ?? ''));
      reading.drafts.push(keepable({ ...draft, keyword: names.free(draft.keyword, around) }));
    }
    reading.leftovers.push(...leftovers);
    reading.notes.push(...notes);
    const { path, kind } = file;
    reading.files.push({ path, kind, entries: drafts.length, ...(reason === undefined ? {} : { reason }) });
  }
  return reading;
}

/** Without what no store keeps, wherever a text was cut or what its file held. */
function keepable(draft: RuleDraft): RuleDraft {
  const metaknowledge: Record<string, string> = {};
  for (const [key, value] of Object.entries(draft.metaknowledge)) {
    if (key.trim() !== '') metaknowledge[storable(key)] = storable(value);
  }
  return { ...draft, keyword: storable(draft.keyword), content: storable(draft.content), metaknowledge };
}

/** Lines that only name a file to be read with it say nothing by themselves. */
function readClaudeFile(file: RuleFile): FileReading {
  const alone = importsOf(file.text, 0, 0).filter(({ isAlone }) => isAlone);
  if (alone.length === 0) return readRuleFile(file);
  const lines = new Set(alone.map(({ line }) => line));
  const parts = file.text.split(/(\r\n|\r|\n)/);
  const text = parts.map((part, at) => (at % 2 === 0 && lines.has(at / 2 + 1) ? '' : part)).join('');
  const reading = readRuleFile({ ...file, text });
  const leftovers = alone.map(({ line, written }) => ({
    path: file.path,
    line,
    endLine: line,
    why: `It names a file: ${written}.`,
  }));
  const reason = reading.reason === undefined ? {} : { reason: 'It only names other files.' };
  return { ...reading, leftovers: [...reading.leftovers, ...leftovers], ...reason };
}
