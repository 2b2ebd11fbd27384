import type { Numbering, NumberLabel } from './numbering';
import { levelOf, type NumberProperties, type Styles } from './styles';
import { attributeOf, mainPrefix, type Tag, tagsOf } from './xml';

/** Style of the runs that numbers become. */
export const NUMBER_STYLE = 'KaizenNumber';

/** The lists that paragraphs are put into: what they are called in `PLAIN_NUMBERING`. */
const LISTS = { item: '1', bullet: '2' } as const;
const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** Two lists, one with numbers and one with bullets: all that is left to tell once the numbers stand in the text. */
export const PLAIN_NUMBERING = `<w:numbering xmlns:w="${NAMESPACE}">${Object.entries(LISTS)
  .map(([kind, id]) => {
    const format = kind === 'item' ? 'decimal' : 'bullet';
    const levels = LEVELS.map((at) => `<w:lvl w:ilvl="${at}"><w:numFmt w:val="${format}"/></w:lvl>`).join('');
    return `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum><w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`;
  })
  .join('')}</w:numbering>`;

/** A paragraph of this length, or one that ends like a sentence, is text, whatever its style says. */
const LONGEST_HEADING = 200;
/** Levels of HTML. */
const DEEPEST_HEADING = 6;

interface Edit {
  start: number;
  end: number;
  text: string;
}

interface Paragraph extends NumberProperties {
  style?: string | undefined;
  /** Of `<w:pPr>`, as far as there is one; `end` is where what is in the paragraph begins. */
  start: number;
  end: number;
  hasProperties: boolean;
  styleTag?: Tag | undefined;
  numbers: Edit[];
  isDeleted: boolean;
  /** In characters, with the last that is no blank. */
  length: number;
  last: string;
  hasContent: boolean;
}

/**
 * A document's own part with the numbers that Word shows in front of its paragraphs as runs of their own, and its paragraphs
 * in the lists of `PLAIN_NUMBERING`. Clauses are in none: their number says all. What has a level of an outline and is short
 * becomes a heading; a heading that is a whole paragraph becomes one.
 */
export function withNumbers(xml: string, numbering: Numbering, styles: Styles): string {
  const prefix = mainPrefix(xml);
  const edits: Edit[] = [];
  const open: Paragraph[] = [];
  /** Within what other programs or readers do without. */
  let choices = 0;
  let text: { paragraph: Paragraph; start: number } | undefined;
  const finish = (paragraph: Paragraph) => {
    if (paragraph.isDeleted) return;
    for (const edit of editsOf(paragraph, numbering, styles, prefix)) edits.push(edit);
  };
  const tags = tagsOf(xml);
  for (const tag of tags) {
    if (tag.name === 'mc:Choice' && !tag.isEmpty) choices += tag.isEnd ? -1 : 1;
    if (choices > 0) continue;
    const paragraph = open.at(-1);
    if (tag.name === 'w:p') {
      if (tag.isEnd) {
        if (paragraph) finish(open.pop()!);
      } else if (tag.isEmpty) continue;
      else open.push({ ...EMPTY, start: tag.end, end: tag.end, numbers: [] });
    } else if (!paragraph) {
    } else if (tag.name === 'w:pPr' && !tag.isEnd && !paragraph.hasProperties && paragraph.end === tag.start) {
      paragraph.hasProperties = true;
      if (tag.isEmpty) {
        // Its place is taken: of two, the second says nothing.
        Object.assign(paragraph, { hasProperties: false, start: tag.start, end: tag.end });
      } else readProperties(xml, tag, tags, paragraph);
    } else if (tag.name === 'w:t') {
      if (!tag.isEnd && !tag.isEmpty) text = { paragraph, start: tag.end };
      else if (text) {
        addText(text.paragraph, xml.slice(text.start, tag.start));
        text = undefined;
      }
    } else if (/^w:(?:sym|drawing|pict|object|footnoteReference|endnoteReference)$|^m:t$/.test(tag.name)) {
      paragraph.hasContent = true;
    }
  }
  return applied(xml, edits);
}

const EMPTY = { hasProperties: false, isDeleted: false, length: 0, last: '', hasContent: false };

function addText(paragraph: Paragraph, text: string): void {
  const said = text.trimEnd();
  paragraph.length += text.length;
  if (said === '') return;
  paragraph.last = said.at(-1)!;
  paragraph.hasContent = true;
}

/** Up to the end of the properties; what they were before a tracked change does not count. */
function readProperties(xml: string, from: Tag, tags: Iterator<Tag>, paragraph: Paragraph): void {
  let depth = 1;
  let before = 0;
  let marks = 0;
  paragraph.start = from.end;
  for (let next = tags.next(); !next.done; next = tags.next()) {
    const tag = next.value;
    if (tag.name === 'w:pPr') {
      depth += tag.isEmpty ? 0 : tag.isEnd ? -1 : 1;
      if (depth === 0) {
        paragraph.end = tag.end;
        return;
      }
    }
    if (tag.name === 'w:pPrChange') before += tag.isEmpty ? 0 : tag.isEnd ? -1 : 1;
    if (before > 0) continue;
    if (tag.name === 'w:rPr') marks += tag.isEmpty ? 0 : tag.isEnd ? -1 : 1;
    if (tag.name === 'w:numPr') {
      if (tag.isEnd) paragraph.numbers.at(-1)!.end = tag.end;
      else paragraph.numbers.push({ start: tag.start, end: tag.end, text: '' });
    }
    if (tag.isEnd) continue;
    const value = () => attributeOf(xml, tag, 'val');
    if (tag.name === 'w:pStyle') {
      paragraph.style = value();
      paragraph.styleTag = tag;
    } else if (tag.name === 'w:numId') paragraph.numId = value();
    else if (tag.name === 'w:ilvl') paragraph.level = levelOf(value());
    else if (tag.name === 'w:outlineLvl') paragraph.outline = levelOf(value());
    else if (marks > 0 && (tag.name === 'w:del' || tag.name === 'w:moveFrom')) paragraph.isDeleted = true;
  }
}

function editsOf(paragraph: Paragraph, numbering: Numbering, styles: Styles, prefix: string): Edit[] {
  // What is empty is counted as well: Word shows its number.
  const number = numbering.next(paragraph.style, paragraph);
  const outline = paragraph.outline ?? styles.propertiesOf(paragraph.style).outline ?? 9;
  const isNamed = isHeadingStyle(paragraph.style, styles.nameOf(paragraph.style));
  const isShort = paragraph.length <= LONGEST_HEADING && !/[.;:,]/.test(paragraph.last);
  const isHeading = isNamed ? paragraph.length <= LONGEST_HEADING || number === undefined : outline < 9 && isShort;
  const edits: Edit[] = paragraph.numbers.map((edit) => ({ ...edit }));
  const inList = !isHeading && number !== undefined && number.kind !== 'clause' && paragraph.hasContent;
  const properties = [
    ...(inList ? [listProperties(number, prefix)] : []),
    ...(isHeading && !isNamed && paragraph.hasContent
      ? [styleProperty(`Heading${headingLevel(outline)}`, prefix)]
      : []),
  ];
  const isRestyled = properties.length > (inList ? 1 : 0) || (isNamed && !isHeading);
  if (isRestyled && paragraph.styleTag) {
    edits.push({ start: paragraph.styleTag.start, end: paragraph.styleTag.end, text: '' });
  }
  const label = number && number.text !== '' && paragraph.hasContent ? numberRun(number.text, prefix) : '';
  if (paragraph.hasProperties) {
    if (properties.length > 0) edits.push({ start: paragraph.start, end: paragraph.start, text: properties.join('') });
    if (label !== '') edits.push({ start: paragraph.end, end: paragraph.end, text: label });
  } else if (properties.length > 0 || label !== '') {
    const own = properties.length > 0 ? `<${prefix}pPr>${properties.join('')}</${prefix}pPr>` : '';
    edits.push({ start: paragraph.start, end: paragraph.end, text: own + label });
  }
  return edits;
}

function isHeadingStyle(id: string | undefined, name: string): boolean {
  return /^heading(?: ?[1-9])?$|^title$/i.test(name) || /^Heading[1-6]?$/.test(id ?? '');
}

function headingLevel(outline: number): number {
  return Math.min(DEEPEST_HEADING, outline + 1);
}

function listProperties({ kind, depth }: NumberLabel, prefix: string): string {
  const id = kind === 'bullet' ? LISTS.bullet : LISTS.item;
  const value = (name: string, of: string | number) => `<${prefix}${name} ${attributeName(prefix)}="${of}"/>`;
  return `<${prefix}numPr>${value('ilvl', depth)}${value('numId', id)}</${prefix}numPr>`;
}

function styleProperty(style: string, prefix: string): string {
  return `<${prefix}pStyle ${attributeName(prefix)}="${style}"/>`;
}

function numberRun(text: string, prefix: string): string {
  const style = `<${prefix}rStyle ${attributeName(prefix)}="${NUMBER_STYLE}"/>`;
  return `<${prefix}r><${prefix}rPr>${style}</${prefix}rPr><${prefix}t>${text.replaceAll('>', '&gt;')}</${prefix}t></${prefix}r>`;
}

/** Attributes have a namespace by their prefix only. */
function attributeName(prefix: string): string {
  return `${prefix === '' ? 'w:' : prefix}val`;
}

function applied(xml: string, edits: Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  // A text box is finished before the paragraph that it stands in.
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) continue;
    parts.push(xml.slice(at, start), text);
    at = end;
  }
  parts.push(xml.slice(at));
  return parts.join('');
}
