import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { editHead, type FrontMatterFault, faultSentence, type HeadChange, lineAt } from '../../frontmatter';
import type { EntryType, RelationshipType, SourceType } from '../vocabulary';

/** What the front matter of a note is to say; what is left out stays, `null` takes a field away. */
export interface FrontMatterChanges {
  zettel_id?: string | undefined;
  title?: string | undefined;
  entry_type?: EntryType | undefined;
  /** An empty list takes it away. */
  tags?: readonly string[] | null | undefined;
  source_type?: SourceType | null | undefined;
  source_url?: string | null | undefined;
  created_at?: string | null | undefined;
  updated_at?: string | null | undefined;
  version?: string | null | undefined;
  /** The list of each type that is named, as it is to be; an empty one takes it away. */
  relationships?: Partial<Record<RelationshipType, readonly string[]>> | undefined;
}

/** Seed 004's order, then what came to it. */
export const FIELD_ORDER = [
  'zettel_id',
  'title',
  'entry_type',
  'tags',
  'source_type',
  'source_url',
  'created_at',
  'updated_at',
  'version',
  'relationships',
] as const;

/**
 * The text with other values in its front matter, every other byte as it was. Missing fields are put where seed 004 has
 * them; a text without front matter gets some. Throws `unreadable_note`, with the line, where the front matter is none.
 */
export function editFrontMatter(text: string, changes: FrontMatterChanges): string {
  const { relationships = {}, ...fields } = changes;
  const edits: HeadChange[] = [];
  for (const key of FIELD_ORDER) {
    const value = key === 'relationships' ? undefined : fields[key];
    if (value === undefined) continue;
    edits.push({ key, value: value === null || (typeof value !== 'string' && value.length === 0) ? undefined : value });
  }
  for (const [type, list] of Object.entries(relationships)) {
    edits.push({ key: `relationships.${type}`, value: list.length === 0 ? undefined : list });
  }
  const edited = editHead(text, edits, FIELD_ORDER);
  if ('text' in edited) return edited.text;
  throw unreadable(text, edited.fault);
}

/** The text below the front matter as it is handed out: without blank lines around it, its lines ended by LF. */
export function contentOf(text: string, bodyStart: number): string {
  const [start, end] = coreOf(text, bodyStart);
  return withLf(text.slice(start, end));
}

/**
 * The file with another text below its front matter. Blank lines around it stay, and so do lines that are the same at its
 * beginning and end, with their line ends; others end as the file's first line does. The same content changes nothing.
 */
export function replaceContent(text: string, bodyStart: number, content: string): string {
  const [start, end] = coreOf(text, bodyStart);
  const old = linesOf(text.slice(start, end));
  const lines = linesOf(withLf(trimmed(content)));
  const same = (one: string | undefined, other: string | undefined) => withoutEnd(one) === withoutEnd(other);
  let above = 0;
  while (above < Math.min(old.length, lines.length) && same(old[above], lines[above])) above++;
  let below = 0;
  while (below < Math.min(old.length, lines.length) - above && same(old.at(-1 - below), lines.at(-1 - below))) below++;
  if (above + below === old.length && old.length === lines.length) return text;
  const lineEnd = lineEndOf(text);
  const middle = lines.slice(above, lines.length - below).map((line) => line.replace('\n', lineEnd));
  const kept = [old.slice(0, above), old.slice(old.length - below)] as const;
  if (old.length === 0) return begunContent(text, bodyStart, middle, lineEnd);
  const parts = [...kept[0], ...middle, ...kept[1]];
  // What was the last line has no end, and what is now has none either: the blank lines below have it.
  const joined = parts.map((line, index) => {
    const isLast = index === parts.length - 1;
    if (isLast) return line.replace(/[\r\n]+$/, '');
    // A line that ended in CR alone would become one with an empty line behind it.
    if (line.endsWith('\r') && parts[index + 1]?.startsWith('\n')) return `${line}\n`;
    return /[\r\n]$/.test(line) ? line : line + lineEnd;
  });
  return text.slice(0, start) + joined.join('') + text.slice(end);
}

/** The first content of a file that has only blank lines below its front matter: behind the first of them. */
function begunContent(text: string, bodyStart: number, lines: readonly string[], lineEnd: string): string {
  const above = text.slice(0, bodyStart);
  const [blank = ''] = /^[^\S\r\n]*(?:\r\n|\r|\n)/.exec(text.slice(bodyStart)) ?? [];
  const below = text.slice(bodyStart + blank.length);
  const isOpen = bodyStart > 1 && !/[\r\n]$/.test(above);
  return above + (isOpen ? lineEnd : '') + blank + lines.join('') + (/^[^\S\r\n]*[\r\n]/.test(below) ? below : lineEnd);
}

/** How the first line of a text ends; LF where there is only one. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
}

/** Without blank lines around it: what a note's content is compared and kept as. */
export function trimmed(content: string): string {
  const text = content.trimEnd();
  const blank = /^(?:[^\S\r\n]*(?:\r\n|\r|\n))+/.exec(text)?.[0].length ?? 0;
  return text.slice(blank);
}

/** Where the first line begins that is not blank, and the last one ends. */
function coreOf(text: string, bodyStart: number): [start: number, end: number] {
  const body = text.slice(bodyStart);
  const end = body.trimEnd().length;
  const start = end - trimmed(body).length;
  return [bodyStart + start, bodyStart + end];
}

function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

function withoutEnd(line: string | undefined): string | undefined {
  return line?.replace(/[\r\n]+$/, '');
}

function withLf(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function unreadable(text: string, fault: FrontMatterFault): KaizenError {
  const line = lineAt(text, fault.range.start + 1);
  return new KaizenError(
    'unreadable_note',
    sentence('The front matter cannot be edited, because of its line {0}: {1}', line, faultSentence(fault)),
    sentence('Correct it by hand, and try again. Nothing was changed.'),
  );
}
