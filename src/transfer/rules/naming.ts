import { plainText, titleOf } from '../../markdown';

/** Long enough to tell entries apart, short enough for a line of a list. */
const LONGEST_KEYWORD = 60;
const LONGEST_SEGMENT = 40;
/** A store takes no longer one. */
const LONGEST_NAME = 200;
/** Room for `_` and a number behind a name. */
const NUMBER = 10;
/** Of a rule that has no title. */
const FIRST_WORDS = 6;
/** Words that say nothing at a rule's beginning. */
const FILLERS = /^(?:a|an|the|you|your|are|is|please|der|die|das|ein|eine|bitte|sie)$/;

/**
 * A text as a name of an entry: lower case, letters and digits of every script, `_` between the words, cut at a word.
 * Empty where nothing is left.
 */
export function slug(text: string, longest = LONGEST_KEYWORD): string {
  const words = wordsOf(text);
  let result = '';
  for (const word of words) {
    const longer = result === '' ? word : `${result}_${word}`;
    if (longer.length > longest) break;
    result = longer;
  }
  return result || (words[0] ?? '').slice(0, longest).replace(/\p{Cs}$/u, '');
}

/** A part of a category's name. */
export function segment(text: string): string {
  return slug(text, LONGEST_SEGMENT);
}

/** A name from what a rule begins with. */
export function slugOfRule(text: string): string {
  const line = text.split('\n', 20).find((each) => wordsOf(each).length > 0) ?? '';
  const words = wordsOf(plainText(titleOf(line)));
  const telling = words.filter((word) => !FILLERS.test(word));
  return slug((telling.length > 0 ? telling : words).slice(0, FIRST_WORDS).join(' '));
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .slice(0, 1_000)
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** What a file is about, from its name: `testing.mdc`, `go.instructions.md`. Empty where the name says only whose it is. */
export function topicOf(path: string): string {
  const name = path.split('/').at(-1)!.replace(/^\.+/, '');
  const topic = name
    .replace(/\.(?:mdc|md|markdown|txt|jsonl?)$/i, '')
    .replace(/\.(?:instructions|local|override)$/i, '')
    .replace(/[-_.]?(?:cursor-?rules?)(?:-pro[a-z-]*)?$/i, '');
  if (
    /^(?:agents?|claude|gemini|copilot-instructions|clinerules|windsurfrules|rules?|instructions|memory)$/i.test(topic)
  ) {
    return '';
  }
  return segment(topic);
}

/** The beginning of a name, not within a character. */
function cut(name: string, longest: number): string {
  return name
    .slice(0, longest)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
}

/** Names that are there once each: whoever comes first keeps the name, others are told apart by what is around them. */
export class FreeNames {
  /** Who has it: the place of the text that took it. */
  private readonly taken = new Map<string, string>();
  /** The last number behind a name: of many that are called the same, each is found at once. */
  private readonly numbers = new Map<string, number>();

  /**
   * `name`, else `around_name`, else with a number behind it, cut to what a store takes. Takes it for the text at
   * `place`: its other parts, which `around` would not tell apart, are counted.
   */
  free(name: string, around: string, place: string): string {
    const isPart = this.taken.get(name.toLowerCase()) === place;
    const longer = isPart || around === '' || name.startsWith(`${around}_`) ? name : `${around}_${name}`;
    for (const each of [name, longer]) {
      const candidate = cut(each, LONGEST_NAME);
      if (this.take(candidate, place)) return candidate;
    }
    const counted = cut(longer, LONGEST_NAME - NUMBER);
    for (let number = (this.numbers.get(counted) ?? 1) + 1; ; number++) {
      if (!this.take(`${counted}_${number}`, place)) continue;
      this.numbers.set(counted, number);
      return `${counted}_${number}`;
    }
  }

  private take(name: string, place: string): boolean {
    // A keyword stands for one entry, whatever the letters' case is.
    const folded = name.toLowerCase();
    if (this.taken.has(folded)) return false;
    this.taken.set(folded, place);
    return true;
  }
}
