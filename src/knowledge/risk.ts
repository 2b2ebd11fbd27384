import type { Risk, RiskLevel } from './model';

/** An indicator at a word's start: `DANGER:` but not `dangers:`, `FOREWARNING:` or `pre-WARNING:`. */
const INDICATOR = /(?<![\p{L}\p{N}_]|[\p{L}\p{N}_]-)(WARNING|DANGER|LAST TIME):/gu;

/** Where an indicator's text ends at the latest: a blank line, or the start of a list item, heading, quote or fence. */
const BLOCK_BREAK = /\n[ \t]*(?=\n|[-*+][ \t]|\d+[.)][ \t]|#{1,6}[ \t]|>|`{3,}|~{3,}|$)/u;

/**
 * The risk indicators in an entry's content, in order (seed 000, "Risk Indicator Conventions").
 * What stands in code spans and fenced code is an example and no risk. A text runs to the next indicator or to the end
 * of its paragraph.
 */
export function parseRisks(content: string): Risk[] {
  if (!/WARNING:|DANGER:|LAST TIME:/.test(content)) return [];
  const prose = withoutCode(content);
  const found = [...prose.matchAll(INDICATOR)];
  return found.map((match, index) => {
    const start = match.index;
    const textStart = start + match[0].length;
    const limit = found[index + 1]?.index ?? content.length;
    const paragraph = prose.slice(textStart, limit);
    const length = BLOCK_BREAK.exec(paragraph)?.index ?? paragraph.length;
    const raw = content.slice(textStart, textStart + length);
    // Emphasis around the indicator (`**DANGER:** …`) leaves its marks on both sides of the text.
    const text = raw.replace(/^[\s*_]+/u, '').replace(/[\s*_>#-]+$/u, '');
    const end = text === '' ? textStart : textStart + raw.indexOf(text) + text.length;
    return { level: match[1] as RiskLevel, text: text.replace(/\s+/gu, ' '), range: { start, end } };
  });
}

/** The content with everything inside code replaced by spaces, so that offsets stay. */
function withoutCode(content: string): string {
  return blankSpans(blankFences(content));
}

/** CommonMark 0.31, 4.5: a fence is closed by one at least as long of the same character, or by the end. */
function blankFences(content: string): string {
  let fence: { mark: string; length: number } | undefined;
  return content
    .split('\n')
    .map((line) => {
      const match = /^[ \t>]*(`{3,}|~{3,})(.*)$/u.exec(line);
      if (fence) {
        const marks = match?.[1];
        if (marks?.[0] === fence.mark && marks.length >= fence.length && match?.[2]?.trim() === '') fence = undefined;
        return ' '.repeat(line.length);
      }
      if (match && !(match[1]!.startsWith('`') && match[2]!.includes('`'))) {
        fence = { mark: match[1]![0]!, length: match[1]!.length };
        return ' '.repeat(line.length);
      }
      return line;
    })
    .join('\n');
}

/** CommonMark 0.31, 6.1: a run of backticks is closed by the next run of the same length in the same paragraph. */
function blankSpans(content: string): string {
  let result = '';
  let at = 0;
  const runs = /`+/gu;
  for (let open = runs.exec(content); open; open = runs.exec(content)) {
    const from = open.index;
    const ticks = open[0].length;
    const paragraphEnd = content.slice(from).search(/\n[ \t]*\n/u);
    const limit = paragraphEnd < 0 ? content.length : from + paragraphEnd;
    let close = runs.exec(content);
    while (close && close.index < limit && close[0].length !== ticks) close = runs.exec(content);
    if (close && close.index < limit) {
      const end = close.index + ticks;
      result += content.slice(at, from) + content.slice(from, end).replace(/[^\n]/gu, ' ');
      at = end;
      runs.lastIndex = end;
    } else {
      runs.lastIndex = from + ticks;
    }
  }
  return result + content.slice(at);
}
