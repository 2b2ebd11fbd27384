import { Turns } from '../../core/turns';
import type { RuleDraft } from './model';

/** An entry that is stored already, where the drafts are to go or in a scope that they inherit from. */
export interface StoredText {
  scope_id: string;
  category: string;
  keyword: string;
  content: string;
  metaknowledge: Readonly<Record<string, string>>;
}

/** How a draft stands to what is stored: at its own place, and elsewhere. */
export const STANDINGS = ['new', 'same', 'differs', 'duplicate'] as const;
export type Standing = (typeof STANDINGS)[number];

/** What looks alike: a stored entry, or an earlier draft, which has no scope. */
export interface Likeness {
  scope_id?: string;
  category: string;
  keyword: string;
  /** From 0.9 to 1, where the texts are the same but for case, marks and white space. */
  similarity: number;
}

export interface ComparedDraft {
  draft: RuleDraft;
  /** `duplicate`: nothing is stored at its place, but the same text, or nearly the same, under another name. */
  standing: Standing;
  /** What stands at its place; there when it differs. */
  stored?: StoredText;
  like?: Likeness;
  /** An entry with the same keyword in another category, or inherited: of the two, agents are given one. */
  hides?: { scope_id: string; category: string };
}

const ALIKE = 0.9;
/** Words in a row that are compared. */
const SHINGLE = 3;
/** Of shorter texts every word counts, and one that differs says something else. */
const FEWEST_WORDS = 8;

/**
 * Compares drafts with each other and with what is stored: the share of all runs of three words that both have (Jaccard),
 * counted exactly. Takes time in proportion to the texts and to what they have in common; yields to the event loop.
 */
export async function compareDrafts(
  drafts: readonly RuleDraft[],
  stored: readonly StoredText[],
  scopeId: string,
  signal?: AbortSignal,
): Promise<ComparedDraft[]> {
  const turns = new Turns(signal);
  const corpus = new Corpus<StoredText | RuleDraft>();
  const places = new Map<string, StoredText>();
  const keywords = new Map<string, StoredText>();
  for (const entry of stored) {
    await turns.pause();
    corpus.add(entry, entry.content);
    if (entry.scope_id === scopeId) places.set(placeOf(entry), entry);
    if (!keywords.has(entry.keyword)) keywords.set(entry.keyword, entry);
  }
  const compared: ComparedDraft[] = [];
  for (const draft of drafts) {
    await turns.pause();
    const there = places.get(placeOf(draft));
    if (there) {
      const isSame = there.content === draft.content && sameLabels(there.metaknowledge, draft.metaknowledge);
      compared.push(isSame ? { draft, standing: 'same' } : { draft, standing: 'differs', stored: there });
    } else {
      const alike = corpus.mostLike(draft.content);
      const hidden = keywords.get(draft.keyword);
      compared.push({
        draft,
        standing: alike ? 'duplicate' : 'new',
        ...(alike ? { like: likeness(alike) } : {}),
        ...(hidden && !alike ? { hides: { scope_id: hidden.scope_id, category: hidden.category } } : {}),
      });
    }
    corpus.add(draft, draft.content);
  }
  return compared;
}

function placeOf({ category, keyword }: { category: string; keyword: string }): string {
  return `${category}\0${keyword}`;
}

function likeness({ of, similarity }: { of: StoredText | RuleDraft; similarity: number }): Likeness {
  const { category, keyword } = of;
  return { ...('scope_id' in of ? { scope_id: of.scope_id } : {}), category, keyword, similarity };
}

function sameLabels(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Texts by the runs of words that they hold. */
class Corpus<T> {
  private readonly texts: { of: T; size: number }[] = [];
  private readonly byShingle = new Map<string, number[]>();
  /** Texts with the same words, in their order: the first of them stands for all. */
  private readonly whole = new Map<string, T>();

  add(of: T, text: string): void {
    const words = wordsOf(text);
    const joined = words.join(' ');
    if (this.whole.has(joined)) return;
    this.whole.set(joined, of);
    const shingles = shinglesOf(words);
    const index = this.texts.push({ of, size: shingles.size }) - 1;
    for (const shingle of shingles) {
      const list = this.byShingle.get(shingle);
      if (list) list.push(index);
      else this.byShingle.set(shingle, [index]);
    }
  }

  /** The text with the greatest similarity that counts as the same; the first of several. */
  mostLike(text: string): { of: T; similarity: number } | undefined {
    const words = wordsOf(text);
    const same = this.whole.get(words.join(' '));
    if (same) return { of: same, similarity: 1 };
    const shingles = shinglesOf(words);
    const common = new Map<number, number>();
    for (const shingle of shingles) {
      for (const index of this.byShingle.get(shingle) ?? []) common.set(index, (common.get(index) ?? 0) + 1);
    }
    let best: { of: T; similarity: number } | undefined;
    for (const [index, count] of common) {
      const { of, size } = this.texts[index]!;
      const similarity = count / (size + shingles.size - count);
      if (similarity >= ALIKE && similarity > (best?.similarity ?? 0)) best = { of, similarity };
    }
    return best;
  }
}

/** A text without a word is its own. */
function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words ?? [text.trim()];
}

function shinglesOf(words: readonly string[]): Set<string> {
  if (words.length < FEWEST_WORDS) return new Set([words.join(' ')]);
  const shingles = new Set<string>();
  for (let at = 0; at + SHINGLE <= words.length; at++) shingles.add(words.slice(at, at + SHINGLE).join(' '));
  return shingles;
}
