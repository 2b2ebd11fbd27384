// Its build for browsers: the other one brings a second DOM along.
import TurndownService from 'turndown/lib/turndown.browser.cjs.js';
import { READING_LIMITS } from '../limits';
import { written } from '../numbers';
import { escapeLine, tidy } from '../plain-lines';
import type { DomDocument, DomElement, DomNode } from './dom';
import { isElement } from './dom';
import { columnCount, placeCells, spanOf, spread } from './spans';

/** Marks a table that is one of data; others only arrange what stands in them. */
const DATA_TABLE = 'data-kaizen-table';
/** Who takes a page apart may change its headings. */
const HEADING_LEVEL = 'data-kaizen-level';
/** Marks an item that says its number in its text. */
export const ITEM_LABEL = 'data-kaizen-label';
const ITEM_NUMBER = 'data-kaizen-number';
/** What a page itself says by these is to be taken away: it would be marked, or read, as it likes. */
export const OWN_ATTRIBUTES = [DATA_TABLE, HEADING_LEVEL, ITEM_LABEL, ITEM_NUMBER] as const;
const MOST_COLUMNS = 100;
const ADMONITION = /^(note|tip|warning|caution|important)$/i;

/**
 * Turns what stands in an element into Markdown: headings with hashes, lists with dashes, tables and code as GFM has them.
 * Changes the element. Links that lead nowhere (`javascript:`, `data:`) and pictures leave their text.
 */
export function toMarkdown(root: DomElement, document: DomDocument): string {
  markTables(root, document);
  numberItems(root, document);
  keepCode(root);
  unwrapHeadings(root, document);
  // Where a text begins tells what has to be escaped.
  root.normalize();
  return tidy(converter().turndown(root));
}

function converter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  service.escape = (text) => text.split('\n').map(escapeLine).join('\n');
  service.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'canvas', 'svg', 'button', 'select']);
  service.addRule('picture', {
    filter: ['img', 'picture', 'video', 'audio'],
    replacement: (_content, node) => node.getAttribute('alt')?.replace(/\s+/g, ' ').trim() ?? '',
  });
  service.addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, node) => heading(content, node),
  });
  service.addRule('strikethrough', { filter: ['del', 's'], replacement: (content) => `~~${content}~~` });
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A',
    replacement: (content, node) => linked(content, node),
  });
  service.addRule('code', {
    filter: (node) => node.nodeName === 'PRE',
    replacement: (_content, node) => fenced(node),
  });
  service.addRule('item', { filter: 'li', replacement: item });
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content, node) => (isData(node) ? cell(content, node) : `\n\n${content}\n\n`),
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => (isData(node) ? row(content, node) : content),
  });
  service.addRule('table', {
    filter: ['table', 'thead', 'tbody', 'tfoot'],
    replacement: (content, node) => (node.nodeName === 'TABLE' ? `\n\n${content.trim()}\n\n` : content),
  });
  service.addRule('term', { filter: 'dt', replacement: (content) => `\n\n**${content.trim()}**\n\n` });
  service.addRule('caption', {
    filter: ['caption', 'figcaption'],
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  });
  return service;
}

function heading(content: string, node: DomElement): string {
  const level = Number(node.getAttribute(HEADING_LEVEL) ?? node.nodeName.slice(1));
  const line = content.replace(/\s+/g, ' ').trim();
  return line === '' ? '' : `\n\n${'#'.repeat(level)} ${line}\n\n`;
}

function linked(content: string, element: DomElement): string {
  const target = element.getAttribute('href')?.trim() ?? '';
  const text = content.replace(/\s+/g, ' ').trim();
  if (text === '' || !/^(https?:|mailto:)/i.test(target)) return text === '' ? '' : content;
  return `[${text.replace(/[[\]]/g, '\\$&')}](${target.replace(/[\s()<>]/g, encodeURIComponent).replace(/[()]/g, (mark) => (mark === '(' ? '%28' : '%29'))})`;
}

function fenced(element: DomElement): string {
  const code = element.textContent.replace(/^\n/, '').trimEnd();
  if (code.trim() === '') return '';
  const inner = element.querySelector('code');
  const classes = `${element.getAttribute('class') ?? ''} ${inner?.getAttribute('class') ?? ''} ${element.getAttribute('data-lang') ?? ''}`;
  const language = /\b(?:language|lang|highlight-source|brush:?)[-\s]([\w+#-]{1,30})/i.exec(classes)?.[1] ?? '';
  let fence = '```';
  while (code.includes(fence)) fence += '`';
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

function item(content: string, node: DomElement): string {
  const number = node.getAttribute(ITEM_NUMBER);
  const mark = number === null ? '- ' : `${number}. `;
  const lines = content.replace(/^\n+|\n+$/g, '').replace(/\n/g, `\n${' '.repeat(mark.length)}`);
  return `${mark}${lines}${node.nextSibling ? '\n' : ''}`;
}

/** Items are cited by their numbers: those that are letters, which Markdown has not, go into the text. */
function numberItems(root: DomElement, document: DomDocument): void {
  for (const list of [...root.querySelectorAll('ol')]) {
    const items = [...list.children].filter((each) => each.nodeName === 'LI');
    const step = list.hasAttribute('reversed') ? -1 : 1;
    let next = wholeNumber(list.getAttribute('start')) ?? (step < 0 ? items.length : 1);
    const type = list.getAttribute('type');
    const format = type && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    for (const each of items) {
      if (each.hasAttribute(ITEM_LABEL)) continue;
      const number = wholeNumber(each.getAttribute('value')) ?? next;
      next = number + step;
      if (format) each.insertBefore(document.createTextNode(`${written(number, format)}. `), each.firstChild);
      else if (number >= 0) each.setAttribute(ITEM_NUMBER, String(number));
    }
  }
}

/** Of an `ol` (HTML, 4.4.5), by Word's names. */
const TYPES: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** Markdown has at most nine digits. */
function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

function cell(content: string, element: DomElement): string {
  const line = content
    .trim()
    .replace(/\s*\n+\s*/g, '<br>')
    .replace(/\|/g, '\\|');
  const span = spanOf(element, 'colspan');
  return ` ${line} |${'  |'.repeat(span - 1)}`;
}

/** The first row is the head: GFM knows no table without one. */
function row(content: string, element: DomElement): string {
  const line = `|${content.replace(/\n+/g, ' ')}`;
  if (!element.hasAttribute(DATA_TABLE)) return `\n${line}`;
  const columns = Number(element.getAttribute(DATA_TABLE));
  const missing = Math.max(0, columns - (line.match(/(?<!\\)\|/g)!.length - 1));
  return `\n${line}${'  |'.repeat(missing)}\n|${' --- |'.repeat(columns)}`;
}

function isData(element: DomElement): boolean {
  for (let node: DomNode | null = element; node && isElement(node); node = node.parentNode) {
    if (node.nodeName === 'TABLE') return node.hasAttribute(DATA_TABLE);
  }
  return false;
}

/** Tables of data have two columns or more, and in their cells nothing that a line cannot hold. */
function markTables(root: DomElement, document: DomDocument): void {
  let cells: number = READING_LIMITS.html.tableCells;
  for (const table of [...root.querySelectorAll('table')]) {
    if (table.getAttribute('role') === 'presentation' || table.querySelector('table, pre, h1, h2, h3, h4')) continue;
    const rows = [...table.querySelectorAll('tr')];
    const places = rows.length < 2 ? undefined : placeCells(rows, { columns: MOST_COLUMNS, cells });
    const columns = places ? columnCount(places) : 0;
    if (!places || columns < 2) continue;
    for (const row of places) cells -= row.length;
    spread(rows, places, document);
    table.setAttribute(DATA_TABLE, '');
    rows[0]!.setAttribute(DATA_TABLE, String(columns));
  }
}

/** Notes the level of each heading, for `toMarkdown` to write whatever becomes of them meanwhile. */
export function keepHeadingLevels(document: DomDocument): void {
  for (const each of [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]) {
    each.setAttribute(HEADING_LEVEL, each.nodeName.slice(1));
  }
}

/** What is set apart as code without `pre` keeps its lines as well. */
function keepCode(root: DomElement): void {
  for (const line of [...root.querySelectorAll('pre br')]) line.replaceWith('\n');
  // Numbers of lines, and the buttons that copy.
  for (const extra of [...root.querySelectorAll('pre .lineno, pre .linenos, td.linenos, td.gutter, pre button')])
    extra.remove();
}

/** The marks beside headings that link to them are no part of their text. */
function unwrapHeadings(root: DomElement, document: DomDocument): void {
  for (const heading of [...root.querySelectorAll('h1, h2, h3, h4, h5, h6')]) {
    for (const anchor of [...heading.querySelectorAll('a')]) {
      const text = anchor.textContent.trim();
      if (/^(#|¶|§|🔗|permalink|link|\u{E157})?$/iu.test(text)) anchor.remove();
      else anchor.replaceWith(...anchor.childNodes);
    }
    if (ADMONITION.test(heading.textContent.trim()) && heading.parentNode?.nodeName === 'BLOCKQUOTE') {
      const strong = document.createElement('strong');
      strong.textContent = heading.textContent;
      heading.replaceWith(strong);
    }
  }
}
