import { closesFence, type Fence, openingFence } from '../markdown';

/** Deeper quotations and lists are shown as they were typed. */
const DEEPEST = 5;

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Markdown as HTML for the report: paragraphs, lists, quotations, code, emphasis, links to the web and to mail. Everything
 * else, HTML and images among it, is shown as it was typed. No text gets out of the element that it stands in: whatever
 * was typed is escaped before it is written, and tags stand in pairs. Headings are bold lines, since the report's own
 * headings are its outline. Takes time in proportion to the text.
 */
export function renderMarkdown(markdown: string): string {
  return blocks(markdown.split('\n'), 0);
}

const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+(.*)|)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;

function blocks(lines: readonly string[], depth: number): string {
  if (depth > DEEPEST) return paragraph(lines);
  const out: string[] = [];
  let text: string[] = [];
  const flush = () => {
    if (text.length > 0) out.push(paragraph(text));
    text = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const first = line.search(/[^ \t]/);
    const fence = first >= 0 && first < 4 ? openingFence(line, first, line.length) : undefined;
    if (fence) {
      flush();
      const end = endOfCode(lines, at + 1, fence);
      out.push(code(lines.slice(at + 1, end)));
      at = end + 1;
    } else if (first < 0) {
      flush();
      at++;
    } else if (RULE.test(line)) {
      flush();
      out.push('<hr>');
      at++;
    } else if (HEADING.test(line)) {
      flush();
      out.push(`<p class="heading"><strong>${inline(HEADING.exec(line)?.[1] ?? '')}</strong></p>`);
      at++;
    } else if (QUOTE.test(line)) {
      flush();
      const end = lineAfter(lines, at, (each) => QUOTE.test(each));
      const inner = lines.slice(at, end).map((each) => QUOTE.exec(each)![1] ?? '');
      out.push(`<blockquote>${blocks(inner, depth + 1)}</blockquote>`);
      at = end;
    } else if (ITEM.test(line)) {
      flush();
      const end = endOfList(lines, at);
      out.push(list(lines.slice(at, end), depth));
      at = end;
    } else if (first >= 4 && text.length === 0) {
      const end = lineAfter(lines, at, (each) => /^(?: {4}|\t| *$)/.test(each));
      out.push(code(lines.slice(at, end).map((each) => each.replace(/^(?: {4}|\t)/, ''))));
      at = end;
    } else {
      text.push(line);
      at++;
    }
  }
  flush();
  return out.join('\n');
}

/** Rows of a table keep their columns under one another. */
function paragraph(lines: readonly string[]): string {
  if (lines.some((line) => /^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+\|?[ \t]*$/.test(line))) {
    return code(lines);
  }
  const rows = lines.map((line, index) => {
    const isBroken = index < lines.length - 1 && /(?: {2,}|\\)$/.test(line);
    return `${inline(line.trim().replace(/\\$/, ''))}${isBroken ? '<br>' : ''}`;
  });
  return `<p>${rows.join('\n')}</p>`;
}

function code(lines: readonly string[]): string {
  return `<pre><code>${escapeHtml(lines.join('\n').replace(/\n+$/, ''))}</code></pre>`;
}

function endOfCode(lines: readonly string[], from: number, fence: Fence): number {
  return lineAfter(lines, from, (line) => {
    const first = line.search(/[^ \t]/);
    return first < 0 || first > 3 || !closesFence(fence, line, first, line.length);
  });
}

/** The first line from `from` on that is not of the kind. */
function lineAfter(lines: readonly string[], from: number, isOfKind: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && isOfKind(lines[at]!)) at++;
  return at;
}

/** A list goes on with items of its kind, with lines that are indented, and with lines that go on with a paragraph. */
function endOfList(lines: readonly string[], from: number): number {
  const kind = kindOf(lines[from]!);
  let wasBlank = false;
  return lineAfter(lines, from, (line) => {
    const isBlank = line.trim() === '';
    const isIndented = /^(?: {2}|\t)/.test(line);
    const isItem = ITEM.test(line) && !RULE.test(line);
    const goesOn = isBlank || isIndented || (isItem ? kindOf(line) === kind : !wasBlank && !startsBlock(line));
    wasBlank = isBlank;
    return goesOn;
  });
}

/** What stands behind a number, or the bullet. */
function kindOf(line: string): string | undefined {
  return ITEM.exec(line)?.[2]?.slice(-1);
}

function startsBlock(line: string): boolean {
  return QUOTE.test(line) || HEADING.test(line) || RULE.test(line) || /^ {0,3}(?:`{3}|~{3})/.test(line);
}

function list(lines: readonly string[], depth: number): string {
  const items: string[][] = [];
  let marker = '';
  let indent = 0;
  for (const line of lines) {
    const item = ITEM.exec(line);
    const isDeeper = item && items.length > 0 && item[1]!.length >= indent;
    if (item && !isDeeper) {
      if (items.length === 0) marker = item[2]!;
      indent = item[1]!.length + 2;
      items.push([item[3] ?? '']);
    } else {
      items.at(-1)?.push(line.replace(/^(?: {1,4}|\t)/, ''));
    }
  }
  const number = Number.parseInt(marker, 10);
  const isOrdered = Number.isSafeInteger(number);
  const tag = isOrdered ? 'ol' : 'ul';
  const start = isOrdered && number !== 1 ? ` start="${number}"` : '';
  const inner = items.map((item) => `<li>${tight(blocks(item, depth + 1))}</li>`).join('\n');
  return `<${tag}${start}>\n${inner}\n</${tag}>`;
}

/** An item of one paragraph needs none around it. */
function tight(html: string): string {
  return html.startsWith('<p>') && html.indexOf('</p>') === html.length - 4 ? html.slice(3, -4) : html;
}

/** Bounds on what stands between two marks keep the search for the second one short. */
const INLINE =
  /(?<escaped>\\[!-/:-@[-`{-~])|(?<ticks>`+)|!?\[(?<label>[^[\]\n]{1,500})\]\((?<target>[^\s()<>]{1,2000})\)|<?(?<url>https?:\/\/[^\s<>"'`]{1,2000})>?|\*\*(?=\S)(?<strong>[^*\n]{1,2000})(?<=\S)\*\*|\*(?=\S)(?<em>[^*\n]{1,2000})(?<=\S)\*/gu;

function inline(text: string, depth = 0): string {
  if (depth > 2) return escapeHtml(text);
  let html = '';
  let done = 0;
  // Runs of backticks that nothing closes, so that they are not looked for again.
  const unclosed = new Set<number>();
  const pattern = new RegExp(INLINE);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { escaped, ticks, label, target, url, strong, em } = match.groups ?? {};
    let end = match.index + match[0].length;
    let piece: string | undefined;
    if (escaped) piece = escapeHtml(escaped.slice(1));
    else if (ticks) {
      const close = unclosed.has(ticks.length) ? -1 : closingTicks(text, end, ticks.length);
      if (close < 0) unclosed.add(ticks.length);
      else {
        piece = `<code>${escapeHtml(text.slice(end, close).replace(/^ (.*\S.*) $/s, '$1'))}</code>`;
        end = close + ticks.length;
      }
    } else if (target !== undefined) {
      const href = webAddress(target);
      // What it would lead to stays to be read where it is not followed.
      piece = href ? anchor(href, inline(label ?? '', depth + 1)) : escapeHtml(match[0]);
    } else if (url) {
      const bare = url.replace(/[.,;:!?)\]}]+$/, '');
      const href = webAddress(bare);
      if (!match[0].startsWith('<')) end = match.index + bare.length;
      piece = href ? anchor(href, escapeHtml(bare)) : undefined;
    } else if (strong) piece = `<strong>${inline(strong, depth + 1)}</strong>`;
    else if (em) piece = `<em>${inline(em, depth + 1)}</em>`;
    html += escapeHtml(text.slice(done, match.index)) + (piece ?? escapeHtml(text.slice(match.index, end)));
    done = end;
    pattern.lastIndex = end;
  }
  return html + escapeHtml(text.slice(done));
}

/** Where the next run of exactly so many backticks begins; -1 where none does. */
function closingTicks(text: string, from: number, length: number): number {
  for (let at = text.indexOf('`', from); at >= 0; ) {
    let end = at;
    while (text[end] === '`') end++;
    if (end - at === length) return at;
    at = text.indexOf('`', end);
  }
  return -1;
}

/** The address where it leads to the web or to mail; no other scheme is followed. */
function webAddress(target: string): string | undefined {
  if (!URL.canParse(target)) return undefined;
  const { protocol, href } = new URL(target);
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? href : undefined;
}

function anchor(href: string, html: string): string {
  return `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${html}</a>`;
}
