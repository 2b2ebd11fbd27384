import { isoTime, parseTime } from '../core/clock';

/**
 * Takes the fields of one JSON object one by one, noting what is wrong with them and which were taken. Plain checks
 * and no schema library: whoever opens a store reads this room too, and must not pay for one.
 */
export class Fields {
  private readonly taken = new Set<string>(['type']);

  constructor(
    private readonly object: Readonly<Record<string, unknown>>,
    private readonly problems: string[],
    /** Where the object stands in its line: `revisions[0].`, empty for the line itself. */
    private readonly path = '',
  ) {}

  text(name: string, fallback?: string): string {
    const value = this.take(name) ?? fallback;
    if (typeof value === 'string') return value;
    this.refuse(name, value === undefined ? 'is missing' : 'must be a string');
    return '';
  }

  optionalText(name: string): string | null {
    const value = this.take(name) ?? null;
    if (value === null || typeof value === 'string') return value;
    this.refuse(name, 'must be a string');
    return null;
  }

  /** Unlike `optionalText`, it has to be there, if only as null. */
  nullableText(name: string): string | null {
    const value = this.take(name);
    if (value === null || typeof value === 'string') return value;
    this.refuse(name, value === undefined ? 'is missing' : 'must be a string or null');
    return null;
  }

  texts(name: string): string[] {
    const value = this.take(name) ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.refuse(name, 'must be a list of strings');
    return [];
  }

  count(name: string): number | null {
    const value = this.take(name) ?? null;
    if (value === null || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)) return value;
    this.refuse(name, 'must be a whole number from 0');
    return null;
  }

  oneOf<T extends string>(name: string, known: readonly T[], fallback?: T): T {
    const value = this.take(name) ?? fallback;
    const found = known.find((each) => each === value);
    if (found !== undefined) return found;
    this.refuse(name, value === undefined ? 'is missing' : `must be one of ${known.join(', ')}`);
    return known[0] as T;
  }

  /** Any ISO 8601 date, or date and time with an offset; given back in UTC as `isoTime` writes it. */
  time(name: string, fallback?: string): string {
    const value = this.take(name) ?? fallback;
    const at = typeof value === 'string' ? parseTime(value) : undefined;
    if (at !== undefined) return isoTime(at);
    this.refuse(
      name,
      value === undefined ? 'is missing' : 'must be a date (2026-01-31) or a time (2026-01-31T09:30:00Z)',
    );
    return '';
  }

  /** Left out, it is false. */
  flag(name: string): boolean {
    const value = this.take(name) ?? false;
    if (typeof value === 'boolean') return value;
    this.refuse(name, 'must be true or false');
    return false;
  }

  labels(name: string): Record<string, string> {
    const value = this.take(name) ?? {};
    if (isObject(value) && Object.values(value).every((label) => typeof label === 'string')) {
      return value as Record<string, string>;
    }
    this.refuse(name, 'must be an object whose values are strings');
    return {};
  }

  /** Reads each object of a list with fields of its own. */
  list<T>(name: string, read: (fields: Fields, index: number) => T): T[] {
    const value = this.take(name) ?? [];
    if (!Array.isArray(value) || !value.every(isObject)) {
      this.refuse(name, 'must be a list of objects');
      return [];
    }
    return value.map((item, index) => {
      const fields = new Fields(item, this.problems, `${this.path}${name}[${index}].`);
      const result = read(fields, index);
      fields.end();
      return result;
    });
  }

  refuse(name: string, why: string): void {
    this.problems.push(`"${this.path}${name}" ${why}`);
  }

  /** Whatever was not asked for is a misspelt field, and would be lost without a word. */
  end(): void {
    for (const name of Object.keys(this.object)) {
      if (!this.taken.has(name)) this.problems.push(`unknown field "${this.path}${name}"`);
    }
  }

  private take(name: string): unknown {
    this.taken.add(name);
    return Object.hasOwn(this.object, name) ? this.object[name] : undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
