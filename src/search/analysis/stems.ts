import { stemmer } from '@orama/stemmers/english';

const PLAIN = /^[a-z]{3,}$/;
/** `status`, `virus`: the stemmer would take the s for a plural's, and part them from `statuses` and `viruses`. */
const NO_PLURAL = /[^o]us$/;
const MAX_KEPT = 20_000;
let kept = new Map<string, string>();

/** The Snowball stem of an English word; anything but plain letters is its own stem. */
export function stemOf(word: string): string {
  const known = kept.get(word);
  if (known !== undefined) return known;
  const stem = PLAIN.test(word) && !NO_PLURAL.test(word) ? stemmer(word) : word;
  if (kept.size >= MAX_KEPT) kept = new Map();
  kept.set(word, stem);
  return stem;
}
