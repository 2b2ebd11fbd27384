import { KaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import { findSecrets, withoutSecrets } from './find-secrets';
import type { SecretFinding, SecretPlace, WriteSafetyOptions } from './model';
import type { Piece } from './redaction';
import { withoutRests } from './rests';
import { agentWriting } from './writer';

/** What is named in one error; more are counted. */
const MOST_NAMED = 5;
/** So deep is nothing that is written; what is deeper was made to be. */
const DEEPEST = 32;

/** What a field is called to a person, where that is something else. */
export type Tell = (field: string) => string;

/** A write's argument, looked at: as it was, or without secrets. */
export interface Checked<T> {
  value: T;
  /** Of a person who stored it all the same: what goes into the history. */
  note?: string | undefined;
  /** What was taken out of which field, by places in that field as it was. */
  taken?: ReadonlyMap<string, readonly SecretFinding[]> | undefined;
}

/** Looks at what is to be written, before anything of it is. */
export class WriteCheck {
  constructor(private readonly options: WriteSafetyOptions = {}) {}

  /**
   * Looks at every text in a value: plain objects, their keys, and lists. Throws `secret_found`, which names the places;
   * with the policy `redact` answers a copy without them.
   * @param name what the value itself is called, where it is a text
   * @param tell what a field is called to who reads of it
   */
  async checked<T>(value: T, name = '', signal?: AbortSignal, tell?: Tell): Promise<Checked<T>> {
    const texts = textsOf(value, name, []);
    const found = await search(texts, signal);
    if (found.size === 0) return { value };
    const places = placesOf(texts, found, tell);
    const agent = agentWriting();
    if (this.options.policy === 'redact') {
      if (agent) for (const each of places) agent.redacted.push(each);
      else this.options.onRedacted?.(places);
      const taken = new Map([...found].map(([{ field }, findings]) => [field, findings]));
      return { value: clean(value, texts, found), taken };
    }
    if (!agent && (await this.options.onFound?.(places)) === true) {
      return { value, note: `Stored although it looks as if it held a secret: ${described(places)}` };
    }
    throw secretFound(places, agent === undefined);
  }

  /**
   * For what is taken whole or not at all, because it has to stay as it is, byte for byte. Throws `secret_found`, unless
   * a person wants it all the same.
   */
  async refuse(text: string, name: string, signal?: AbortSignal): Promise<void> {
    const places = await this.places({ [name]: text }, signal);
    if (places.length === 0) return;
    const agent = agentWriting();
    if (!agent && (await this.options.onFound?.(places)) === true) return;
    throw secretFound(places, agent === undefined);
  }

  /** Where secrets are in a value, whatever the policy. */
  async places(value: unknown, signal?: AbortSignal, tell?: Tell): Promise<SecretPlace[]> {
    const texts = textsOf(value, '', []);
    return placesOf(texts, await search(texts, signal), tell);
  }

  /**
   * Where secrets are in pieces of a text, looked at one by one, by places in the text: what stands between others there
   * can be told by itself.
   */
  async foundIn(text: string, pieces: readonly Piece[], signal?: AbortSignal): Promise<SecretFinding[]> {
    const texts = pieces.map(({ start, end }) => ({ text: text.slice(start, end), field: '', start }));
    const found = await search(texts, signal);
    return texts.flatMap((each) =>
      (found.get(each) ?? []).map((one) => ({ ...one, start: one.start + each.start, end: one.end + each.start })),
    );
  }

  /**
   * As `checked` with the policy `redact`, for what says again, in parts, what was looked at and told before. A secret of
   * the whole that was cut in two is taken out of both parts, neither of which looks like one.
   */
  async redacted<T>(value: T, whole: string, signal?: AbortSignal): Promise<T> {
    const texts = textsOf(value, '', []);
    const found = await search(texts, signal);
    const left = withoutRests(whole, await findSecrets(whole, signal));
    return replaced(value, texts.map((each) => left(withoutSecrets(each.text, found.get(each) ?? []))).values()) as T;
  }
}

function placesOf(
  texts: readonly Text[],
  found: ReadonlyMap<Text, SecretFinding[]>,
  tell: Tell = (field) => field,
): SecretPlace[] {
  if (found.size === 0) return [];
  const names = texts.filter((each) => found.has(each)).map(({ text }) => text.slice(0, 60));
  const secrets = [...found].flatMap(([{ text }, all]) => all.map(({ start, end }) => text.slice(start, end)));
  // A name that is a secret itself, or holds one, is not said.
  const hasSecret = holding([...names, ...secrets]);
  return [...found].flatMap(([each, findings]) => {
    const told = tell(each.field);
    const field = hasSecret(told) ? '…' : told;
    return findings.map(({ kind, line, column }) => ({ field, kind, line, column }));
  });
}

/** Whether a short text holds one of others: in time that grows with the text, however many the others are. */
function holding(others: readonly string[]): (text: string) => boolean {
  const byLength = new Map<number, Set<string>>();
  for (const each of others) {
    const same = byLength.get(each.length);
    if (same) same.add(each);
    else byLength.set(each.length, new Set([each]));
  }
  return (text) => {
    for (const [length, same] of byLength) {
      for (let at = 0; at + length <= text.length; at++) if (same.has(text.slice(at, at + length))) return true;
    }
    return false;
  };
}

function clean<T>(value: T, texts: readonly Text[], found: ReadonlyMap<Text, SecretFinding[]>): T {
  const clean = texts.map((each) => withoutSecrets(each.text, found.get(each) ?? []));
  return replaced(value, clean.values()) as T;
}

/** The places in words: `content, line 3, column 12: GitHub token`. */
export function described(places: readonly SecretPlace[]): Sentence | string {
  const named = places.slice(0, MOST_NAMED).map(({ field, line, column, kind }) => {
    return field
      ? sentence('{0}, line {1}, column {2}: {3}', field, line, column, kind)
      : sentence('line {0}, column {1}: {2}', line, column, kind);
  });
  const more = places.length - named.length;
  if (more > 0) named.push(sentence('and {0} more', more));
  return named.length === 0 ? '' : named.reduce((all, each) => sentence('{0}; {1}', all, each));
}

/** @param byPerson a person has a way to store it all the same */
export function secretFound(places: readonly SecretPlace[], byPerson = false): KaizenError {
  return new KaizenError(
    'secret_found',
    sentence('This looks as if it held a secret, and nothing was stored ({0}).', described(places)),
    byPerson
      ? sentence(
          'Say where the secret is kept in place of it. If it is none, it can be stored all the same: with --allow-secret in the terminal, in the editor when it asks.',
        )
      : 'Say where the secret is kept in place of it, and try again. If it is none, only a person can store it.',
  );
}

/** Between texts that are searched as one: within it nothing is found, and across it nothing either. */
const SEPARATOR = '\n\0\n';

interface Text {
  text: string;
  field: string;
}

/** Finds the secrets of all texts at once, which costs a tenth of one by one. */
async function search(texts: readonly Text[], signal: AbortSignal | undefined): Promise<Map<Text, SecretFinding[]>> {
  const found = new Map<Text, SecretFinding[]>();
  const all = await findSecrets(texts.map(({ text }) => text).join(SEPARATOR), signal);
  if (all.length === 0) return found;
  let next = 0;
  let from = 0;
  for (const each of texts) {
    const end = from + each.text.length;
    const first = next;
    while (next < all.length && all[next]!.start < end) next++;
    if (next > first) found.set(each, within(each.text, all.slice(first, next), from));
    from = end + SEPARATOR.length;
  }
  return found;
}

/**
 * What was found of a text that stands in another from there on, where a line begins, by its places in itself.
 * @param findings in their order: lines are counted once, to the first of them
 */
function within(text: string, findings: readonly SecretFinding[], from: number): SecretFinding[] {
  const [first] = findings;
  const above = first ? first.line - text.slice(0, first.start - from).split('\n').length : 0;
  return findings.map((finding) => ({
    ...finding,
    start: finding.start - from,
    end: Math.min(text.length, finding.end - from),
    line: finding.line - above,
  }));
}

/** All texts of a value: plain objects, their keys, and lists. */
function textsOf(value: unknown, field: string, texts: Text[], depth = 0): Text[] {
  if (typeof value === 'string') texts.push({ text: value, field });
  else if (depth > DEEPEST) return texts;
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) textsOf(item, `${field}[${index}]`, texts, depth + 1);
  } else if (isPlain(value)) {
    for (const [key, item] of Object.entries(value)) {
      texts.push({ text: key, field: field ? `${field}, a name` : 'a name' });
      textsOf(item, field ? `${field}.${key.slice(0, 60)}` : key.slice(0, 60), texts, depth + 1);
    }
  }
  return texts;
}

/** The same value with the texts that take the place of its own, in the order in which `textsOf` has them. */
function replaced(value: unknown, texts: Iterator<string>, depth = 0): unknown {
  if (typeof value === 'string') return texts.next().value;
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, texts, depth + 1));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([, item]) => [String(texts.next().value), replaced(item, texts, depth + 1)]),
  );
}

/** Signals, bytes and the like have no texts of anybody's. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** What somebody says who changes something. */
interface Authored {
  author: string;
}

/** The methods of a part that are told who makes the change: all that keep a text of somebody's. */
type WriteOf<Part> = {
  [Method in keyof Part]: Part[Method] extends (...args: infer Args) => Promise<unknown>
    ? Extract<Args[number], Authored> extends never
      ? never
      : Method
    : never;
}[keyof Part];

/**
 * What arguments are called where they are texts; null for one that only says which of what is kept already is meant; for
 * one whose fields are called something else to a person, how.
 */
type ArgumentNames = readonly (string | null | Tell)[];

/**
 * Methods of a part that write, with their arguments. None that is told an author can be left out: the compiler asks for
 * it.
 */
export type WriteMethods<Part> = { readonly [Method in WriteOf<Part>]: ArgumentNames } & {
  readonly [Method in keyof Part]?: ArgumentNames;
};

/**
 * The same part, whose writing methods have what they are given looked at before they begin. Who works with it cannot
 * write past that; the part itself, which calls its own methods, is left as it is.
 */
export function checkedWrites<Part extends object>(part: Part, methods: WriteMethods<Part>, check: WriteCheck): Part {
  const doors = new Map<unknown, unknown>();
  for (const [method, names] of Object.entries<ArgumentNames>(methods)) {
    const write = (part as Record<string, (...args: unknown[]) => unknown>)[method]?.bind(part);
    doors.set(method, async (...args: unknown[]) => write?.(...(await checkedArguments(args, names, check))));
  }
  return new Proxy(part, {
    get(target, name) {
      if (doors.has(name)) return doors.get(name);
      const value = Reflect.get(target, name);
      // It keeps its state in fields: it is to work on itself.
      return typeof value === 'function' ? value.bind(target) : value;
    },
    // Another door put in the place of one is the one that everybody goes through.
    set: (target, name, value) =>
      doors.has(name) ? Boolean(doors.set(name, value)) : Reflect.set(target, name, value),
  });
}

async function checkedArguments(args: readonly unknown[], names: ArgumentNames, check: WriteCheck) {
  const clean: unknown[] = [];
  const notes: string[] = [];
  for (const [index, arg] of args.entries()) {
    const name = names[index];
    const [called, tell] = typeof name === 'function' ? ['', name] : [name];
    const { value, note } =
      called === null ? { value: arg } : await check.checked(arg, called, signalIn(args), tell).catch(cancelled);
    clean.push(value);
    if (note) notes.push(note);
  }
  return notes[0] === undefined ? clean : withReason(clean, notes[0]);
}

/** Whoever has gone meanwhile is told so as by the store. */
function cancelled(error: unknown): never {
  if ((error as Error).name !== 'AbortError') throw error;
  throw new KaizenError('cancelled', sentence('The change was cancelled before it was made.'), undefined, {
    cause: error,
  });
}

function signalIn(args: readonly unknown[]): AbortSignal | undefined {
  const last = args.at(-1);
  const signal = typeof last === 'object' && last !== null && 'signal' in last ? last.signal : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}

/** The change, which is the last argument where there is one, with one reason more. */
function withReason(args: readonly unknown[], reason: string): unknown[] {
  const last = args.at(-1);
  if (typeof last !== 'object' || last === null || !('author' in last)) return [...args];
  const before = 'reason' in last && typeof last.reason === 'string' ? `${last.reason}. ` : '';
  return [...args.slice(0, -1), { ...last, reason: `${before}${reason}`.slice(0, 2_000) }];
}
