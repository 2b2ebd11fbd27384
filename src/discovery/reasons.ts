import type { Field, MatchedWord } from '../search';
import type { Boost } from './boosts';

const MAX_LENGTH = 160;
const MAX_WORDS = 5;
const MAX_HEADINGS = 2;
const MAX_NAME = 50;

/** The argument of `retrieve_knowledge` that gives what is below as well. */
const WHOLE = 'include_children';

/** Where a word was found, most telling first. */
const PLACES: readonly (readonly [name: string, fields: readonly Field[]])[] = [
  ['title', ['title']],
  ['headings', ['headings']],
  ['keywords', ['keywords']],
  ['text', ['body']],
];

export interface Because {
  matched: readonly MatchedWord[];
  /** Whether it was found by meaning. */
  byMeaning?: boolean | undefined;
  /** Titles above it. */
  headings: readonly string[];
  boosts?: readonly Boost[];
  /** Titles of the sections that were found and that it stands for. */
  sections?: readonly string[];
  /** Whether it is given for what is below it as well: then it is only got whole with `include_children`. */
  isWhole?: boolean;
}

/**
 * Why something is given, in one sentence of at most 160 characters: the words and where they stand, its headings, its
 * boosts. What has no place is left out from the end.
 */
export function reasonFor({ matched, byMeaning, headings, boosts = [], sections = [], isWhole }: Because): string {
  const [first = '', ...others] = [
    wordsPart(matched),
    byMeaning ? 'close in meaning' : '',
    ...boosts.map(({ says }) => says),
    headings.length > 0 ? `under ${headings.slice(-MAX_HEADINGS).map(short).join(' › ')}` : '',
  ].filter(Boolean);
  // How all of it is got must have its place, whatever else there is to say.
  let reason = cut(first, MAX_LENGTH - 1 - (isWhole ? WHOLE.length + 2 : 0));
  if (isWhole) {
    const below = sections.length > 0 ? `${WHOLE} for ${listed(sections.map(quoted), 2)}` : WHOLE;
    others.unshift(reason.length + below.length + 3 <= MAX_LENGTH ? below : WHOLE);
  }
  for (const part of others) if (reason.length + part.length + 3 <= MAX_LENGTH) reason += `; ${part}`;
  return `${cut(capitalised(reason), MAX_LENGTH - 1)}.`;
}

function wordsPart(matched: readonly MatchedWord[]): string {
  if (matched.length === 0) return '';
  const words = matched.slice(0, MAX_WORDS);
  const places = PLACES.map(([place, fields]) => {
    const here = words.filter((word) => fields.includes(bestField(word)));
    return here.length > 0 ? `${listed(here.map(shownWord), MAX_WORDS)} in its ${place}` : '';
  }).filter(Boolean);
  return `has ${places.join(', ')}`;
}

function bestField({ fields }: MatchedWord): Field {
  return PLACES.flatMap(([, names]) => names).find((field) => fields.includes(field)) ?? 'body';
}

function shownWord({ word, corrected }: MatchedWord): string {
  return corrected === undefined ? quoted(word) : `${quoted(corrected)} (for ${quoted(word)})`;
}

function listed(texts: readonly string[], most: number): string {
  const shown = texts.slice(0, most).join(', ');
  return texts.length > most ? `${shown} and ${texts.length - most} more` : shown;
}

function quoted(text: string): string {
  return `"${short(text)}"`;
}

function short(text: string): string {
  return cut(text.replace(/\s+/gu, ' '), MAX_NAME);
}

/** Never half of a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
