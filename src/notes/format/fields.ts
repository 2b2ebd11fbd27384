import { parseTime } from '../../core/clock';
import type { ForeignHead, ForeignPlace, ForeignValue } from '../../frontmatter';
import {
  COLLECTION_TYPES,
  ENTRY_TYPES,
  type NoteFields,
  type NoteProblemCode,
  type Range,
  SOURCE_TYPES,
} from '../vocabulary';
import { idFault } from './ids';
import { LIMITS } from './limits';

/** A problem of a field, before it has a line. */
export interface FieldFault {
  code: NoteProblemCode;
  message: string;
  detail: string;
  range: Range;
}

/** Reads the front matter of one file field by field, and notes what is wrong with each. */
export class FieldReader {
  readonly faults: FieldFault[] = [];
  /** What is known here, and what has been read. */
  private readonly taken = new Set<string>();

  constructor(
    private readonly head: ForeignHead | undefined,
    /** Where a field would stand that is missing. */
    private readonly beginning: Range,
  ) {}

  /** A text on one line; undefined, with a fault where there is something else, unless there is one. */
  text(key: string, max: number): string | undefined {
    const value = this.take(key);
    if (value === undefined) return undefined;
    const text = typeof value === 'string' ? value.trim() : undefined;
    if (text === '') return undefined;
    if (text === undefined) this.bad(key, 'is a list; it is one text');
    else if (/[\r\n]/.test(text)) this.bad(key, 'has more than one line');
    else if (text.length > max) this.bad(key, `has more than ${max} characters`);
    else return text;
    return undefined;
  }

  required(key: string, max: number): string | undefined {
    const known = this.faults.length;
    const text = this.text(key, max);
    if (text === undefined && this.faults.length === known) this.missing(key);
    return text;
  }

  /** Of a note; the name of the file stands in for one that cannot be used. */
  id(): string | undefined {
    const id = this.required('zettel_id', LIMITS.id);
    const fault = id === undefined ? undefined : idFault(id);
    if (fault === undefined) return id;
    this.faults.push({
      code: 'bad_id',
      message: `The zettel_id "${id}" ${fault}.`,
      detail: id ?? '',
      range: this.valueOf('zettel_id'),
    });
    return undefined;
  }

  oneOf<Value extends string>(key: string, allowed: readonly Value[], isRequired: boolean): Value | undefined {
    const text = isRequired ? this.required(key, LIMITS.title) : this.text(key, LIMITS.title);
    if (text === undefined) return undefined;
    const found = allowed.find((each) => each === text);
    if (found === undefined) this.bad(key, `is none of ${allowed.join(', ')}`, text);
    return found;
  }

  /** A text with commas is taken for a list; it is what many write. */
  tags(): string[] {
    const value = this.take('tags');
    if (value === undefined) return [];
    const items = typeof value === 'string' ? value.split(',') : value;
    const tags = [...new Set(items.map((item) => item.trim().replace(/^#+/, '')).filter((item) => item !== ''))];
    const isLong = tags.some((tag) => tag.length > LIMITS.tag || /[\r\n]/.test(tag));
    if (tags.length > LIMITS.tags) this.bad('tags', `are more than ${LIMITS.tags}`);
    else if (isLong) this.bad('tags', `have one of more than ${LIMITS.tag} characters`);
    return tags.filter((tag) => tag.length <= LIMITS.tag && !/[\r\n]/.test(tag)).slice(0, LIMITS.tags);
  }

  url(key: string): string | undefined {
    const text = this.text(key, LIMITS.url);
    if (text === undefined || isWebAddress(text)) return text;
    this.bad(key, 'is no address that begins with http:// or https://', text);
    return undefined;
  }

  time(key: string): string | undefined {
    const text = this.text(key, LIMITS.title);
    if (text === undefined || parseTime(text) !== undefined) return text;
    this.bad(key, 'is no time as ISO 8601 has it, such as 2025-01-15T10:00:00Z', text);
    return undefined;
  }

  /** What stands below keys with a dot, as `relationships.extends`. */
  below(prefix: string): [key: string, value: ForeignValue, place: ForeignPlace][] {
    const found: [string, ForeignValue, ForeignPlace][] = [];
    for (const [key, value] of this.head?.values ?? []) {
      if (!key.startsWith(`${prefix}.`)) continue;
      this.taken.add(key);
      found.push([key.slice(prefix.length + 1), value, this.head!.places.get(key)!]);
    }
    return found;
  }

  /** What was not asked for. */
  others(): Record<string, string | string[]> {
    return Object.fromEntries([...(this.head?.values ?? [])].filter(([key]) => !this.taken.has(key)));
  }

  take(key: string): ForeignValue | undefined {
    this.taken.add(key);
    return this.head?.values.get(key);
  }

  bad(key: string, why: string, value = ''): void {
    const said = value === '' ? '' : ` "${value.length > 80 ? `${value.slice(0, 79)}…` : value}"`;
    this.faults.push({
      code: 'bad_value',
      message: `The value${said} of ${key} ${why}.`,
      detail: key,
      range: this.valueOf(key),
    });
  }

  missing(key: string): void {
    const range = this.head?.places.get(key)?.key ?? this.beginning;
    this.faults.push({ code: 'missing_field', message: `The front matter has no ${key}.`, detail: key, range });
  }

  private valueOf(key: string): Range {
    const place = this.head?.places.get(key);
    if (!place) return this.beginning;
    return place.value.end > place.value.start ? place.value : place.key;
  }
}

/** What the front matter of a note says, but for its relationships. */
export function readFields(reader: FieldReader): Omit<NoteFields, 'zettel_id' | 'title'> & {
  zettel_id: string | undefined;
  title: string | undefined;
} {
  return {
    zettel_id: reader.id(),
    title: reader.required('title', LIMITS.title),
    entry_type: reader.oneOf('entry_type', ENTRY_TYPES, true),
    tags: reader.tags(),
    source_type: reader.oneOf('source_type', SOURCE_TYPES, false),
    source_url: reader.url('source_url'),
    created_at: reader.time('created_at'),
    updated_at: reader.time('updated_at'),
    version: reader.text('version', LIMITS.version),
  };
}

/** What the front matter of a collection says. */
export function readCollectionFields(reader: FieldReader) {
  return {
    name: reader.required('name', LIMITS.title),
    description: reader.text('description', LIMITS.description) ?? '',
    collection_type: reader.oneOf('collection_type', COLLECTION_TYPES, true),
    created_at: reader.time('created_at'),
  };
}

/** Whether a text is an address on the web that may be followed. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{C}]+$/iu.test(text) && URL.canParse(text);
}
