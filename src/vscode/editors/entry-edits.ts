import type { Row } from '../../../webview-ui/protocol/entry';
import {
  applySplices,
  lineBreakOf,
  offsetIn,
  type Splice,
  spliceBetween,
  withLineFeeds,
} from '../../../webview-ui/protocol/text-splices';
import { type EntryText, formatEntryText, parseEntryText } from '../../frontmatter';

/** What the form says; what it leaves out stays as the document has it. Line breaks are `\n`. */
export interface FormValues {
  content?: string | undefined;
  /** Every key stands once. */
  rows?: Row[] | undefined;
}

/** The document's values as the form shows them: line breaks are `\n`. */
export function formValues({ metaknowledge, content }: Pick<EntryText, 'metaknowledge' | 'content'>): {
  content: string;
  rows: Row[];
} {
  const rows = Object.entries(metaknowledge).map(([key, value]) => ({ key, value: withLineFeeds(value) }));
  return { content: withLineFeeds(content), rows };
}

/**
 * The smallest changes that make a document say what the form says, in order, not overlapping: an edit of the content
 * leaves the front matter as it is byte for byte, and the other way round. Where the front matter cannot be read, only
 * the content is changed.
 */
export function editsFor(text: string, values: FormValues): Splice[] {
  const before = parseEntryText(text);
  const lineBreak = lineBreakOf(text);
  const inContent = contentSplice(before, values.content, lineBreak);
  if (before.faults.length > 0) return inContent;
  const wanted = wantedMetaknowledge(before.metaknowledge, values.rows);
  const content = values.content ?? withLineFeeds(before.content);
  const candidate = joined(frontMatterSplice(text, before, wanted, lineBreak), inContent);
  const after = parseEntryText(applySplices(text, candidate));
  const isSaid =
    after.faults.length === 0 && withLineFeeds(after.content) === content && isSame(after.metaknowledge, wanted);
  if (isSaid) return candidate;
  // Such as content that begins like front matter: the document is written anew around it.
  const newContent = applySplices(text, inContent).slice(before.contentStart);
  const whole = spliceBetween(text, headOf(wanted, newContent, lineBreak) + newContent);
  return whole ? [whole] : [];
}

function contentSplice({ content, contentStart }: EntryText, wanted: string | undefined, lineBreak: string): Splice[] {
  if (wanted === undefined) return [];
  const splice = spliceBetween(withLineFeeds(content), wanted);
  if (!splice) return [];
  return [
    {
      start: contentStart + offsetIn(content, splice.start),
      end: contentStart + offsetIn(content, splice.end),
      text: splice.text.replaceAll('\n', lineBreak),
    },
  ];
}

/** A value that the form has not changed stays as it is, line breaks and all. */
function wantedMetaknowledge(before: Record<string, string>, rows: FormValues['rows']): Record<string, string> {
  if (!rows) return before;
  const kept = ({ key, value }: Row) =>
    Object.hasOwn(before, key) && withLineFeeds(before[key]!) === value ? before[key]! : value;
  return Object.fromEntries(rows.map((row) => [row.key, kept(row)]));
}

function frontMatterSplice(
  text: string,
  { metaknowledge, content, contentStart }: EntryText,
  wanted: Record<string, string>,
  lineBreak: string,
): Splice[] {
  if (isSame(metaknowledge, wanted)) return [];
  const splice = spliceBetween(text.slice(0, contentStart), headOf(wanted, content, lineBreak));
  return splice ? [splice] : [];
}

/** The front matter of an entry, up to where its content begins. */
function headOf(metaknowledge: Record<string, string>, content: string, lineBreak: string): string {
  const text = formatEntryText({ metaknowledge, content });
  return withLineFeeds(text.slice(0, text.length - content.length)).replaceAll('\n', lineBreak);
}

function isSame(a: Record<string, string>, b: Record<string, string>): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && withLineFeeds(a[key]!) === withLineFeeds(b[key]!))
  );
}

/** Two changes that meet become one, so that no order between them matters. */
function joined(first: readonly Splice[], second: readonly Splice[]): Splice[] {
  const [last, next] = [first.at(-1), second[0]];
  if (!last || !next || last.end < next.start) return [...first, ...second];
  return [...first.slice(0, -1), { start: last.start, end: next.end, text: last.text + next.text }];
}
