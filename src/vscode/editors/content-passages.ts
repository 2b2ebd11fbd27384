import type { Passage, Risk } from '../../../webview-ui/protocol/entry';
import { blankCode, parseRisks } from '../../knowledge';

/** How a content will be read: its risks in the order found, and all of it as passages, one behind the other. */
export function readContent(content: string): { risks: Risk[]; passages: Passage[] } {
  const risks = parseRisks(content);
  const code = codeRanges(content);
  const passages: Passage[] = [];
  let at = 0;
  let next = 0;
  const add = (kind: Passage['kind'], to: number) => {
    if (at < to) passages.push({ kind, text: content.slice(at, to) });
    at = Math.max(at, to);
  };
  const addUntil = (to: number) => {
    for (let range = code[next]; range && range.start < to; range = code[++next]) {
      add('text', range.start);
      add('code', Math.min(range.end, to));
      if (range.end > to) return;
    }
    add('text', to);
  };
  for (const { level, range } of risks) {
    addUntil(range.start);
    add(level, range.end);
  }
  addUntil(content.length);
  return { risks: risks.map(({ level, text }) => ({ level, text })), passages };
}

/** Where code stands. What was blanked tells; white space, which looks the same blanked, belongs to the code around it. */
function codeRanges(content: string): { start: number; end: number }[] {
  const prose = blankCode(content);
  const ranges: { start: number; end: number }[] = [];
  if (prose === content) return ranges;
  let open: { start: number; end: number } | undefined;
  for (let at = 0; at < content.length; at++) {
    if (content[at] === prose[at]) {
      if (content[at]!.trim() !== '') open = undefined;
      continue;
    }
    if (!open) {
      open = { start: at, end: at };
      ranges.push(open);
    }
    open.end = at + 1;
  }
  return ranges;
}
