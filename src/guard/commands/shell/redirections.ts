/** What `<` or `>` begins, by its signs alone; `length` is how many of them it has. */
export type RedirectionSign =
  /** `<<<`: the next word is a text that is given line by line. */
  | { kind: 'text'; length: number }
  /** `<<`: the next word ends such a text. */
  | { kind: 'document'; length: number; isIndented: boolean }
  /** `<(…)`: behind these signs its line begins. */
  | { kind: 'substitution'; length: number }
  /** `2>&1`: one descriptor becomes another, which is no file. */
  | { kind: 'descriptor'; length: number }
  | { kind: 'file'; length: number; writes: boolean };

/** One of the two stands there. */
export function redirectionAt(line: string, at: number): RedirectionSign {
  const rest = line.slice(at, at + 3);
  if (rest === '<<<') return { kind: 'text', length: 3 };
  if (rest.startsWith('<<')) {
    const isIndented = rest === '<<-';
    return { kind: 'document', length: isIndented ? 3 : 2, isIndented };
  }
  if (/^[<>]\(/.test(rest)) return { kind: 'substitution', length: 2 };
  if (/^[<>]&(\d|-)/.test(rest)) return { kind: 'descriptor', length: 3 };
  const [operator] = /^(<>|>>|>\||>&|<|>)/.exec(rest)!;
  return { kind: 'file', length: operator.length, writes: operator !== '<' };
}
