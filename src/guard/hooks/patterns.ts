/**
 * What saves searching: a text that every match of a regular expression holds. Read roughly; where it is not certain,
 * there is none.
 */

const MIN_LENGTH = 2;

/** The longest text, in lower case, without which the expression (RE2) cannot match; null where none is known. */
export function literalOf(pattern: string): string | null {
  // Escapes that stand for characters by number or class of Unicode, and quoting: not worth reading.
  if (/\\[QEpPxX0-9CkgA-Z]/.test(pattern.replace(/\\[\\DWSBAZ]/g, ''))) return null;
  const texts = new Sequence(pattern).literals();
  if (!texts) return null;
  const longest = texts.reduce((best, each) => (each.length > best.length ? each : best), '');
  return longest.length >= MIN_LENGTH ? longest.toLowerCase() : null;
}

/** The text as it is searched for a literal: lower case, and the two signs that RE2 takes for ASCII letters are those. */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll('\u017F', 's').replaceAll('\u212A', 'k');
}

class Sequence {
  private at = 0;

  constructor(private readonly pattern: string) {}

  /** Undefined where the expression is not understood. */
  literals(depth = 0): string[] | undefined {
    const found: string[] = [];
    let isChoice = false;
    let current = '';
    const end = () => {
      if (current !== '') found.push(current);
      current = '';
    };
    while (this.at < this.pattern.length) {
      const character = this.pattern[this.at]!;
      if (character === ')') {
        if (depth === 0) return undefined;
        break;
      }
      if (character === '|') {
        isChoice = true;
        this.at++;
        end();
        continue;
      }
      if (character === '(') {
        end();
        const inner = this.group(depth);
        if (!inner) return undefined;
        if (this.quantifier() !== 'perhaps not at all') found.push(...inner);
        continue;
      }
      const literal = this.one(character);
      if (literal === undefined) return undefined;
      const times = this.quantifier();
      // What may be missing is none of it; what may come again ends it, with itself at its end.
      if (literal === null || times === 'perhaps not at all') end();
      else current += literal;
      if (times !== 'once') end();
    }
    end();
    return isChoice ? [] : found;
  }

  /** The literals of a group that begins here. */
  private group(depth: number): string[] | undefined {
    if (depth > 50) return undefined;
    this.at++;
    const flags = /^\?(?:P?<\w+>|[a-zA-Z-]*:)/.exec(this.pattern.slice(this.at));
    // `(?i)` stands for nothing by itself; the others are not RE2's.
    const alone = flags ? null : /^\?[a-zA-Z-]*\)/.exec(this.pattern.slice(this.at));
    if (alone) {
      this.at += alone[0].length;
      return [];
    }
    if (!flags && this.pattern[this.at] === '?') return undefined;
    this.at += flags?.[0].length ?? 0;
    const inner = this.literals(depth + 1);
    if (!inner || this.pattern[this.at] !== ')') return undefined;
    this.at++;
    return inner;
  }

  /** The character that stands here for itself; null for one of several, or none; undefined when it is not understood. */
  private one(character: string): string | null | undefined {
    this.at++;
    if (character === '[') return this.set() ? null : undefined;
    if ('.^$'.includes(character)) return null;
    if ('*+?'.includes(character)) return undefined;
    if (character !== '\\') return this.ascii(character);
    const escaped = this.pattern[this.at++];
    if (escaped === undefined) return undefined;
    // Letters stand for classes, places and control characters.
    return /[A-Za-z]/.test(escaped) ? null : this.ascii(escaped);
  }

  /** Letters beyond ASCII have spellings of their own in the other case: they end a literal. */
  private ascii(character: string): string | null {
    return character >= ' ' && character <= '~' ? character : null;
  }

  private set(): boolean {
    if (this.pattern[this.at] === '^') this.at++;
    // A bracket that stands first is one of the characters.
    if (this.pattern[this.at] === ']') this.at++;
    while (this.at < this.pattern.length) {
      const named = /^\[:\^?\w+:\]/.exec(this.pattern.slice(this.at, this.at + 20));
      if (named) this.at += named[0].length;
      else if (this.pattern[this.at] === '\\') this.at += 2;
      else if (this.pattern[this.at++] === ']') return true;
    }
    return false;
  }

  private quantifier(): 'once' | 'at least once' | 'perhaps not at all' {
    const match = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})/.exec(this.pattern.slice(this.at, this.at + 30));
    if (!match) return 'once';
    this.at += match[0].length;
    if (this.pattern[this.at] === '?') this.at++;
    const least = match[1] === undefined ? (match[0] === '+' ? 1 : 0) : Number(match[1]);
    return least > 0 ? 'at least once' : 'perhaps not at all';
  }
}
