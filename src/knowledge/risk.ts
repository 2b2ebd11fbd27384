import { blankCode } from './markdown-code';
import type { Risk, RiskLevel } from './model';

/**
 * An indicator at a word's start: `DANGER:` but not `dangers:`, `FOREWARNING:`, `MY_WARNING:` or `pre-WARNING:`.
 * Underscores that no word stands before are emphasis. What stands before is looked at last: only where it matters.
 */
const INDICATOR =
  /(WARNING|DANGER|LAST TIME):(?<![\p{L}\p{M}\p{N}]_*(?:WARNING|DANGER|LAST TIME):|[\p{L}\p{M}\p{N}_]-(?:WARNING|DANGER|LAST TIME):)/gu;

/** What a line begins with that starts a new block: a list item, a heading, a fence, a rule, or nothing at all. */
const BLOCK_START =
  '(?:\\r?\\n|[-*+][ \\t]|\\d{1,9}[.)][ \\t]|#{1,6}[ \\t]|`{3}|~{3}|(?:-{3,}|={3,}|\\*{3,}|_{3,})[ \\t]*(?:\\r?\\n|$)|$)';
/** The end of a paragraph's last line. A quote that begins ends it too, unless the paragraph is in a quote itself. */
const PARAGRAPH_END = new RegExp(`\\r?\\n[ \\t]*(?=>|${BLOCK_START})`, 'u');
const QUOTED_PARAGRAPH_END = new RegExp(`\\r?\\n[ \\t>]*(?=${BLOCK_START})`, 'u');

/**
 * The risk indicators in an entry's content, in order (seed 000, "Risk Indicator Conventions").
 * What stands in code spans and fenced code is an example and no risk. A text runs to the next indicator or to the end
 * of its paragraph, its lines joined by spaces.
 */
export function parseRisks(content: string): Risk[] {
  if (!/WARNING:|DANGER:|LAST TIME:/.test(content)) return [];
  const prose = blankCode(content);
  const found = [...prose.matchAll(INDICATOR)];
  let lineStart = 0;
  return found.map((match, index) => {
    const start = match.index;
    // Only what is new since the last indicator is looked through, however long a line is.
    const since = found[index - 1]?.index ?? 0;
    const lineBreak = prose.slice(since, start).lastIndexOf('\n');
    if (lineBreak >= 0) lineStart = since + lineBreak + 1;
    const afterIndicator = start + match[0].length;
    const limit = found[index + 1]?.index ?? content.length;
    const isQuoted = /^[ \t]*>/u.test(prose.slice(lineStart, start));
    const rest = prose.slice(afterIndicator, limit);
    const length = (isQuoted ? QUOTED_PARAGRAPH_END : PARAGRAPH_END).exec(rest)?.index ?? rest.length;
    const isEmphasised = '*_'.includes(content[start - 1] ?? ' ');
    const [from, to] = textWithin(content, afterIndicator, afterIndicator + length, isEmphasised);
    const lines = content.slice(from, to);
    const text = (isQuoted ? lines.replace(/\n[ \t]*>/gu, '\n') : lines).replace(/\s+/gu, ' ');
    return { level: match[1] as RiskLevel, text, range: { start, end: from < to ? to : afterIndicator } };
  });
}

const GRAVITY: readonly RiskLevel[] = ['DANGER', 'WARNING', 'LAST TIME'];

/** The levels of risk in an entry's content, each once, the gravest first. */
export function riskLevels(content: string): RiskLevel[] {
  const found = new Set(parseRisks(content).map(({ level }) => level));
  return GRAVITY.filter((level) => found.has(level));
}

/** How grave the gravest of them is: 0 for DANGER, more for what is less grave, Infinity where there is none. */
export function gravity(risks: readonly Pick<Risk, 'level'>[]): number {
  return Math.min(...risks.map(({ level }) => GRAVITY.indexOf(level)));
}

/**
 * The text without what is around it: white space, the marks that close the indicator's emphasis (`**DANGER:** …`,
 * `**DANGER: …**`), and marks that open the emphasis of the next indicator.
 */
function textWithin(content: string, start: number, end: number, isEmphasised: boolean): [from: number, to: number] {
  let from = start;
  let to = end;
  const is = (characters: string, at: number) => at >= start && at < end && characters.includes(content[at]!);
  const isSpace = (at: number) => at >= start && at < end && content[at]!.trim() === '';
  while (is('*_', from)) from++;
  const closesAtOnce = from > start && (from === end || isSpace(from));
  if (!closesAtOnce) from = start;
  while (isSpace(from)) from++;
  for (;;) {
    while (to > from && isSpace(to - 1)) to--;
    let marks = to;
    while (marks > from && is('*_>#-', marks - 1)) marks--;
    if (marks === to || !(marks === from || isSpace(marks - 1))) break;
    to = marks;
  }
  if (isEmphasised && !closesAtOnce) while (to > from && is('*_', to - 1)) to--;
  return [from, to];
}
