import { sentence } from '../../core/sentence';
import { faultSentence, lineAt, parseEntryText } from '../../frontmatter';
import { lineStartingAt } from '../../markdown';
import { lossOf, MARKDOWN } from '../markdown-format';
import { withoutMarked } from './marks';
import type { FileReading, RuleDraft, RuleFile } from './model';
import { withRisk } from './risks';
import { categoryOf } from './rule-file';
import { cutToFit, storable } from './storable';

const LONGEST_KEYWORD = 180;

/**
 * Reads a note: one entry, its category the folders, its keyword the file's name, its metaknowledge the front matter,
 * which is YAML. A note that stands in no folder gets the category that is given.
 */
export function* readNoteFile({ path, text: whole }: RuleFile, category = 'notes'): Generator<void, FileReading> {
  const { text, leftovers } = withoutMarked(storable(whole), path);
  const { content, metaknowledge, faults } = parseEntryText(text);
  const reading: FileReading = { drafts: [], leftovers, notes: [] };
  const unreadable = faults.find(({ lossy }) => !lossy);
  if (unreadable) {
    return {
      ...reading,
      reason: sentence('Line {0}: {1}', lineAt(text, unreadable.range.start), faultSentence(unreadable)),
    };
  }
  if (content.trim() === '') return { ...reading, reason: sentence('It has no text.') };
  for (const fault of faults) reading.notes.push({ path, message: lossOf(fault) });
  const folders = path.replace(MARKDOWN, '').split('/');
  const keyword = folders.pop()!.slice(0, LONGEST_KEYWORD);
  let line = lineStartingAt(text, text.length - content.length) + 1;
  const parts = cutToFit(content);
  for (const [index, part] of parts.entries()) {
    const draft: RuleDraft = {
      category: categoryOf(folders) || category,
      keyword: index === 0 ? keyword : `${keyword}_${index + 1}`,
      ...withRisk(part, ''),
      metaknowledge: { SOURCE: path, ...metaknowledge },
      path,
      line,
      ...(parts.length > 1 ? { partOf: path } : {}),
    };
    reading.drafts.push(draft);
    yield;
    line += part.split('\n').length - 1;
  }
  return reading;
}
