import { parseTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { checkText } from '../../core/text';

/** Reads a value of a file: it is what it has to be, or `invalid_argument` says where it is not. */
export type Shape<T> = (value: unknown, where: string) => T;

/** One for every field, so that none is forgotten. */
export type Fields<T> = { readonly [K in keyof T]-?: Shape<T[K]> };

/** What is not named is left out: it is of a version that knows more. */
export function object<T>(fields: Fields<T>): Shape<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return (value, where) => {
    const given = asObject(value, where);
    const read = names.map((name) => [name, fields[name](given[name], `${where}.${name}`)] as const);
    return Object.fromEntries(read.filter(([, each]) => each !== undefined)) as T;
  };
}

/** Undefined, or null: it is not there. */
export function maybe<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, where) => (value === undefined || value === null ? undefined : shape(value, where));
}

export function list<T>(shape: Shape<T>, max: number): Shape<T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) throw wrong(where, sentence('is no list'));
    if (value.length > max) throw wrong(where, sentence('has {0} items; the limit is {1}', value.length, max));
    return value.map((item, at) => shape(item, `${where}[${at}]`));
  };
}

export function text(max: number, { min = 0, singleLine = false } = {}): Shape<string> {
  return (value, where) => {
    if (typeof value !== 'string') throw wrong(where, sentence('is no text'));
    return checkText(value, { name: where, min, max, singleLine });
  };
}

export function number(max: number, min = 0): Shape<number> {
  return (value, where) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(where, sentence('is no number'));
    if (value < min || value > max) throw wrong(where, sentence('is {0}; it can be {1} to {2}', value, min, max));
    return value;
  };
}

export const flag: Shape<boolean> = (value, where) => {
  if (typeof value !== 'boolean') throw wrong(where, sentence('is neither true nor false'));
  return value;
};

export function oneOf<T extends string>(allowed: readonly T[]): Shape<T> {
  return (value, where) => {
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw wrong(where, sentence('is none of {0}', allowed.join(', ')));
    return found;
  };
}

/** ISO 8601, a date or a time with its offset. */
export const time: Shape<string> = (value, where) => {
  if (typeof value !== 'string' || parseTime(value) === undefined) throw wrong(where, sentence('is no time'));
  return value;
};

/** Safe in a path. */
export const id: Shape<string> = (value, where) => {
  if (typeof value !== 'string' || !/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,199}$/u.test(value)) {
    throw wrong(where, sentence('is no id'));
  }
  return value;
};

/** An object with whatever JSON can hold. */
export function free(max: number): Shape<Record<string, unknown>> {
  return (value, where) => {
    const given = asObject(value, where);
    checkText(JSON.stringify(given), { name: where, max });
    return given;
  };
}

export function wrong(where: Sentence | string, why: Sentence): KaizenError {
  return new KaizenError('invalid_argument', sentence('{0} {1}.', where, why), sentence('Nothing was imported.'));
}

function asObject(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(where, sentence('is no object'));
  return value as Record<string, unknown>;
}
