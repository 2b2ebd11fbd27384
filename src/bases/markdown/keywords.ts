import { closesFence, type Fence, Lines, openingFence } from '../../markdown';
import type { MetadataValue } from '../model';

const MAX_KEYWORDS = 40;
const MAX_KEYWORD = 60;
/** So much of a node's text is looked through. */
const LOOKED_AT = 20_000;

/** A code span of a word or two, and what is printed bold. Bounded, so that each start is looked at once. */
const TERM = /`([^`\r\n]{2,60})`|(\*\*|__)(?=[^\s*_])([^*_\r\n]{2,60})\2/g;

/**
 * Words that a node is about: those that its metadata names (`keywords`, `tags`), then identifiers in code spans and
 * terms in bold in the order of its text. Without doubles, whatever their case; not from blocks of code.
 */
export function keywordsOf(metadata: ReadonlyMap<string, MetadataValue>, content: string): string[] {
  const keywords = new Map<string, string>();
  const add = (word: string) => {
    const trimmed = word.replace(/\s+/g, ' ').trim();
    if (trimmed.length < 2 || trimmed.length > MAX_KEYWORD || keywords.size >= MAX_KEYWORDS) return;
    const key = trimmed.toLowerCase();
    if (!keywords.has(key)) keywords.set(key, trimmed);
  };
  for (const name of ['keywords', 'tags']) for (const word of wordsOf(metadata.get(name))) add(word);
  for (const term of termsOf(content.slice(0, LOOKED_AT))) add(term);
  return [...keywords.values()];
}

/** `a, b`, `#a #b` or a list of them. */
function wordsOf(value: MetadataValue | undefined): string[] {
  const texts = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return texts
    .flatMap((text) => text.split(text.trimStart().startsWith('#') ? /[\s,]+/ : ','))
    .map((word) => word.trim().replace(/^#+/, ''));
}

function* termsOf(content: string): Generator<string> {
  const lines = new Lines(content);
  let fence: Fence | undefined;
  while (lines.advance()) {
    const { first, end, start } = lines;
    if (fence) {
      if (closesFence(fence, content, first, end)) fence = undefined;
      continue;
    }
    fence = openingFence(content, first, end);
    if (fence) continue;
    for (const [, code, , bold] of content.slice(start, end).matchAll(TERM)) {
      if (code !== undefined) yield code;
      // `**Note:**` introduces a sentence.
      else if (bold !== undefined && !/[:.!?]\s*$/.test(bold)) yield bold;
    }
  }
}
