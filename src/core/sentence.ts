/**
 * A sentence for a person: English, with places for values (`{0}`). Whoever shows it in another language looks up `text`
 * and puts `values` in; in a template and in JSON it is the English sentence.
 */
export class Sentence {
  constructor(
    readonly text: string,
    readonly values: readonly (string | number | Sentence)[],
  ) {}

  toString(): string {
    return this.text.replace(/\{(\d+)\}/g, (place, index: string) => String(this.values[Number(index)] ?? place));
  }

  toJSON(): string {
    return this.toString();
  }
}

/** Told by what it has and not by class, because each bundle carries a class of its own. */
export function isSentence(value: unknown): value is Sentence {
  return typeof value === 'object' && value !== null && 'text' in value && 'values' in value;
}

/** What came out of another thread, as it was said there: a message between threads keeps what an object has, not its class. */
export function saidElsewhere(said: Sentence | string): Sentence | string {
  if (!isSentence(said)) return said;
  return new Sentence(
    said.text,
    said.values.map((value) => (typeof value === 'number' ? value : saidElsewhere(value))),
  );
}

/** @param text a literal, which `tools/l10n.mjs` collects for translation */
export function sentence(text: string, ...values: Sentence['values']): Sentence {
  return new Sentence(text, values);
}

/** One after the other, as in a paragraph. At least one. */
export function inOneLine(parts: readonly (string | Sentence)[]): string | Sentence {
  return parts.reduce((all, part) => sentence('{0} {1}', all, part));
}

/** `a and b and c`. At least one. */
export function allOf(parts: readonly (string | Sentence)[]): string | Sentence {
  return parts.reduce((all, part) => sentence('{0} and {1}', all, part));
}

/** `a or b`. At least one. */
export function anyOf(parts: readonly (string | Sentence)[]): string | Sentence {
  return parts.reduce((all, part) => sentence('{0} or {1}', all, part));
}
