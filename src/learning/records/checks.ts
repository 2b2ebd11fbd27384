import { parseTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { checkText, checkTrimmed } from '../../core/text';
import type { ProjectItem } from '../records-model';
import { VISIBILITIES, type Visibility } from '../vocabulary';

const NAME = 200;
const LINE = 500;
const TEXT = 16_384;
const ITEM = 4_000;
const MOST_ITEMS = 200;
/** Of what a person adds freely, as JSON. */
const MOST_FREE = 8_192;
/** Of a record as a whole, as JSON. */
const MOST_RECORD = 512 * 1024;
const MOST_DAYS = 36_500;
const MOST_HOURS = 1_000_000;

export function checkName(text: string, name: Sentence): string {
  return checkTrimmed(text, { name, min: 1, max: NAME, singleLine: true });
}

/** Undefined for none, and for white space. */
export function checkLine(text: string | undefined, name: Sentence): string | undefined {
  return text === undefined ? undefined : checkTrimmed(text, { name, max: LINE, singleLine: true }) || undefined;
}

/** Empty for none. */
export function checkLong(text: string | undefined, name: Sentence): string {
  return text === undefined ? '' : checkTrimmed(text, { name, max: TEXT });
}

export function checkGiven(text: string, name: Sentence): string {
  return checkTrimmed(text, { name, min: 1, max: TEXT });
}

/** Items are trimmed; the empty ones and those that are there already are left out. */
export function checkTexts(items: readonly string[] | undefined, name: Sentence, max = ITEM): string[] {
  checkCount(items ?? [], name);
  return [...new Set((items ?? []).map((item) => checkTrimmed(item, { name, max })).filter(Boolean))];
}

export function checkTags(tags: readonly string[] | undefined): string[] {
  checkCount(tags ?? [], sentence('tags'), 50);
  return [
    ...new Set((tags ?? []).map((tag) => checkTrimmed(tag, { name: sentence('tag'), max: 100, singleLine: true }))),
  ].filter(Boolean);
}

export function checkCount(items: readonly unknown[], name: Sentence | string, max = MOST_ITEMS): void {
  if (items.length > max) {
    throw new KaizenError(
      'invalid_argument',
      sentence('There are {0} {1}; the limit is {2}.', items.length, name, max),
    );
  }
}

/** Addresses of knowledge or of the web. */
export function checkAddresses(uris: readonly string[] | undefined, name: Sentence): string[] {
  const checked = checkTexts(uris, name, 2_048);
  const wrong = checked.find((uri) => !/^[a-z][a-z0-9+.-]*:\S+$/i.test(uri));
  if (wrong === undefined) return checked;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" is no address.', wrong),
    sentence('In {0}, use knowledge URIs.', name),
  );
}

export function checkOneOf<T extends string>(value: T, allowed: readonly T[], name: Sentence): T {
  if (allowed.includes(value)) return value;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" is no {1}.', value, name),
    sentence('Use one of {0}.', allowed.join(', ')),
  );
}

export function checkVisibility(visibility: Visibility): Visibility {
  return checkOneOf(visibility, VISIBILITIES, sentence('visibility'));
}

export function checkDays(days: number | undefined, name: Sentence): number | undefined {
  return checkNumber(days, name, MOST_DAYS);
}

export function checkHours(hours: number | undefined, name: Sentence): number | undefined {
  return checkNumber(hours, name, MOST_HOURS);
}

export function checkRating(rating: number | undefined, name: Sentence): number | undefined {
  return checkNumber(rating, name, 1);
}

/** ISO 8601. */
export function checkDate(date: string, name: Sentence): string {
  if (parseTime(date) !== undefined) return date;
  throw new KaizenError(
    'invalid_argument',
    sentence('The {0} "{1}" is no date.', name, date),
    sentence('Write it as 2026-01-31.'),
  );
}

/** A sentence, or an object that says more than its `description`, as JSON keeps it. */
export function checkItems(items: readonly unknown[] | undefined, name: Sentence): ProjectItem[] {
  checkCount(items ?? [], name);
  return (items ?? []).map((item) => {
    if (typeof item === 'string') return { description: checkTrimmed(item, { name, min: 1, max: ITEM }) };
    const free = checkFree(item, name);
    const { description, name: named, title } = free;
    const said = [description, named, title].find((text) => typeof text === 'string' && text.trim() !== '');
    if (typeof said !== 'string') {
      throw new KaizenError(
        'invalid_argument',
        sentence('One of the {0} has no description.', name),
        sentence('Give each as a sentence, or as an object with "description".'),
      );
    }
    return { ...free, description: checkTrimmed(said, { name, max: ITEM }) };
  });
}

/** An object as JSON keeps it. */
export function checkFree(value: unknown, name: Sentence): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new KaizenError('invalid_argument', sentence('Something in {0} is no object.', name));
  }
  const json = checkText(JSON.stringify(value), { name, max: MOST_FREE });
  return JSON.parse(json) as Record<string, unknown>;
}

/** What is kept of a record. Limits of its parts do not add up to a limit of the whole. */
export function checkRecordJson(json: string): string {
  if (json.length <= MOST_RECORD) return json;
  throw new KaizenError(
    'invalid_argument',
    sentence(
      'This would be {0} kB of JSON; the limit for one record is {1} kB.',
      Math.ceil(json.length / 1024),
      MOST_RECORD / 1024,
    ),
    sentence('Shorten its texts, or divide it.'),
  );
}

function checkNumber(value: number | undefined, name: Sentence, max: number): number | undefined {
  if (value === undefined) return undefined;
  if (Number.isFinite(value) && value >= 0 && value <= max) return value;
  throw new KaizenError('invalid_argument', sentence('The {0} is {1}; it can be 0 to {2}.', name, value, max));
}
