import type { SuggestedRisk } from './model';
import { MOST_CONTENT } from './storable';

/** GitHub's and Obsidian's callouts. A caution is GitHub's word for what has consequences: no more is made of it. */
const CALLOUT = /^([ \t>]*(?:[-*+][ \t]+)?)\[!(WARNING|CAUTION|DANGER)\]([+-]?)[ \t]*(.*)$/im;
const CALLOUT_ALONE = /^([ \t]*>[ \t]*\[!(?:WARNING|CAUTION|DANGER)\][+-]?)[ \t]*(?:\r\n|\r|\n)[ \t]*>[ \t]*(?=\S)/gim;
/** `⚠️ text`, `**Warning:** text`, `DANGER - text` at the beginning of a block. */
const SIGN = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(⚠\uFE0F?|🚨|☠\uFE0F?)[ \t]*/u;
const WORD =
  /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(\*\*|__)?(WARNING|DANGER|CAUTION)(\*\*|__)?[ \t]*(?::|!|[-–—](?=\s))[ \t]*(\*\*|__)?[ \t]*/i;
/** What stores already tell from other text. */
const INDICATED = /(?<![\p{L}\p{N}_-])(?:WARNING|DANGER):/u;
const LINE_END = /(\r\n|\r|\n)/;
const TITLE = /^(?:⚠\uFE0F?|🚨|☠\uFE0F?|(?:DANGER|WARNING)\b)|^(?:[dD]anger(?: [zZ]one)?|[wW]arnings?)$/u;

/**
 * An entry's text with `WARNING:` or `DANGER:` before what its file marks as one: a callout, a warning sign, the word at
 * the beginning of a block or as its heading. Words such as NEVER or IMPORTANT are no risk. Text that says it the way
 * stores read it stays as it is, and so does a list of so many warnings that there is no room for the words. Nothing is
 * taken away but the marks of a callout.
 */
export function withRisk(content: string, title: string): { content: string; risk?: SuggestedRisk } {
  const worded = withWords(content, title);
  return worded.content.length > MOST_CONTENT ? { content } : worded;
}

function withWords(content: string, title: string): { content: string; risk?: SuggestedRisk } {
  let risk: SuggestedRisk | undefined;
  const found = (level: SuggestedRisk['level'], because: string) => {
    if (risk?.level !== 'DANGER') risk = { level, because };
  };
  let fenced = false;
  let begins = true;
  // A callout's first line is its mark alone: what it says begins on the next.
  const joined = content.replace(CALLOUT_ALONE, '$1 ');
  const lines = joined.split(LINE_END).map((line, index) => {
    // Every other one is what ends a line.
    if (index % 2 === 1) return line;
    if (/^[ \t>]*(?:```|~~~)/.test(line)) fenced = !fenced;
    const isBlank = line.replace(/[ \t>]/g, '') === '';
    const atBeginning = begins || /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line);
    begins = isBlank;
    if (fenced || isBlank || !atBeginning || INDICATED.test(line)) return line;
    return marked(line, found);
  });
  const text = lines.join('');
  if (risk) return { content: text, risk };
  if (!TITLE.test(title.trim()) || INDICATED.test(content)) return { content };
  const level = /danger|☠/iu.test(title) ? 'DANGER' : 'WARNING';
  const [, marks = '', rest = ''] = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)([\s\S]*)$/.exec(content) ?? [];
  const lineEnd = LINE_END.exec(content)?.[0] ?? '\n';
  // Code, or a table, at its beginning is no sentence that could follow the word.
  if (/^(?:```|~~~|\|)/.test(rest))
    return { content: `${level}: ${title}${lineEnd}${lineEnd}${content}`, risk: { level, because: title } };
  return { content: `${marks}${level}: ${rest}`, risk: { level, because: title } };
}

function marked(line: string, found: (level: SuggestedRisk['level'], because: string) => void): string {
  const callout = CALLOUT.exec(line);
  if (callout) {
    const [, marks = '', word = '', , rest = ''] = callout;
    const level = levelOf(word);
    found(level, `[!${word}]`);
    return `${marks}${level}:${rest === '' ? '' : ` ${rest}`}`;
  }
  const word = WORD.exec(line);
  if (word) {
    const [all, marks = '', opening = '', name = '', closing = '', after = ''] = word;
    const rest = line.slice(all.length);
    const level = levelOf(name);
    found(level, name);
    // Emphasis that goes on behind the word is left open for it.
    const emphasis = opening !== '' && closing === '' && after === '' ? opening : '';
    const spoken = /caution/i.test(name) ? `${name}: ` : '';
    return `${marks}${level}: ${emphasis}${spoken}${rest}`;
  }
  const sign = SIGN.exec(line);
  if (!sign) return line;
  const [all, marks = '', mark = ''] = sign;
  const behind = line.slice(all.length);
  const spoken = WORD.exec(behind);
  if (spoken?.[1] === '') return `${marks}${mark} ${marked(behind, found)}`;
  const level = mark.startsWith('☠') ? 'DANGER' : 'WARNING';
  found(level, mark);
  return `${marks}${mark} ${level}: ${behind}`;
}

function levelOf(word: string): SuggestedRisk['level'] {
  return /danger/i.test(word) ? 'DANGER' : 'WARNING';
}
