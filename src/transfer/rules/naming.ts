import { plainText, titleOf } from '../../markdown';

/** Long enough to tell entries apart, short enough for a line of a list. */
const LONGEST_KEYWORD = 60;
const LONGEST_SEGMENT = 40;
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

/** Names that are there once each: whoever comes first keeps the name, others are told apart by what is around them. */
export class FreeNames {
  private readonly taken = new Set<string>();
  /** The last number behind a name: of many that are called the same, each is found at once. */
  private readonly numbers = new Map<string, number>();

  /** `name`, else `around_name`, else with a number behind it. Takes it. */
  free(name: string, around: string): string {
    const candidates = [name, around === '' || name.startsWith(`${around}_`) ? name : `${around}_${name}`];
    for (const candidate of candidates) if (this.take(candidate)) return candidate;
    const last = candidates.at(-1)!;
    for (let number = (this.numbers.get(last) ?? 1) + 1; ; number++) {
      if (!this.take(`${last}_${number}`)) continue;
      this.numbers.set(last, number);
      return `${last}_${number}`;
    }
  }

  private take(name: string): boolean {
    // A keyword stands for one entry, whatever the letters' case is.
    const folded = name.toLowerCase();
    if (this.taken.has(folded)) return false;
    this.taken.add(folded);
    return true;
  }
}
