import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../core/sha256';
import { appendToOwnFile, isLink, makeOwnFolder } from '../kept/own-files';
import type { GuardFinding, GuardRule } from '../model';
import { type Fields, isFields, textIn } from './fields';

/**
 * What the guard remembers of an agent's session: a file of lines below the guard's directory, each a thing that
 * happened. Hooks of one session run side by side, and a line that is appended takes nothing from another. Names of
 * rules and files only, no texts.
 */

/** A rule's revision, and the file that it spoke of (empty for the text of a command). */
export interface Occasion {
  rule: string;
  path: string;
  /** These as in `GuardFinding`. */
  guessed?: true | undefined;
  unsure?: GuardFinding['unsure'];
}

/** What could not be told before a tool was used. */
export interface Postponed {
  use_id: string | null;
  /** Of a command, as a hash: another call of it may come without an id. */
  line: string | null;
  occasions: Occasion[];
}

export type SessionEvent =
  /** With a hash of the last sessions' summaries, so that a new one shows. */
  | { kind: 'began'; at: string; sessions: string }
  /** A hash of the text, so that the same is not said again when the session is resumed. */
  | { kind: 'briefed'; hash: string }
  | { kind: 'told'; occasions: Occasion[] }
  | { kind: 'asked'; use_id: string | null; tool: string; occasions: Occasion[] }
  /** What was asked has been done, so that a person has confirmed it. */
  | { kind: 'consented'; use_id: string | null; occasions: Occasion[] }
  /** For when this call of the tool is done, and the client takes context. */
  | ({ kind: 'postponed' } & Postponed)
  | { kind: 'edited' }
  | { kind: 'summarised' }
  | { kind: 'reminded' }
  /** What was told before is no longer in front of the model. */
  | { kind: 'compacted' };

export interface SessionState {
  /** ISO 8601; undefined in a session that no hook has seen. */
  began: string | undefined;
  /** As in `began`. */
  sessions: string | undefined;
  brief: string | undefined;
  /** `occasionKey`s. */
  told: Set<string>;
  /** Of these, what was told before the last compaction. */
  toldBefore: Set<string>;
  consented: Set<string>;
  postponed: Postponed[];
  /** Questions that are not yet known to be answered. */
  asked: { use_id: string | null; tool: string; occasions: Occasion[] }[];
  edits: number;
  summarised: boolean;
  reminded: boolean;
}

/** Of one session's file; beyond it only its end is read. */
const MAX_BYTES = 1_000_000;
const MAX_SESSIONS = 200;
const MAX_AGE_MS = 30 * 24 * 3600_000;

export function emptyState(): SessionState {
  return {
    began: undefined,
    sessions: undefined,
    brief: undefined,
    told: new Set(),
    toldBefore: new Set(),
    consented: new Set(),
    postponed: [],
    asked: [],
    edits: 0,
    summarised: false,
    reminded: false,
  };
}

export function ruleKey({ scope_id, category, keyword, revision }: GuardRule): string {
  return JSON.stringify([scope_id, category, keyword, revision]);
}

export function occasionOf({ rule, path, guessed, unsure }: GuardFinding): Occasion {
  return { rule: ruleKey(rule), path: path ?? '', ...(guessed && { guessed }), ...(unsure && { unsure }) };
}

export function occasionKey({ rule, path }: Occasion): string {
  return `${rule}\n${path}`;
}

/** What is known of a session. Lines that cannot be read are passed over; a session without a file is a new one. */
export function readState(directory: string, sessionId: string): SessionState {
  const state = emptyState();
  for (const line of tail(fileOf(directory, sessionId)).split('\n')) {
    const event = eventIn(line);
    if (event) apply(state, event);
  }
  return state;
}

/** Adds what happened. Makes the directory, for this person only. Throws the system's error, and `store_io` where a link is in its place. */
export function remember(directory: string, sessionId: string, events: readonly SessionEvent[]): void {
  if (events.length === 0) return;
  const file = fileOf(directory, sessionId);
  makeOwnFolder(directory);
  makeOwnFolder(dirname(file));
  // A line that was torn by a crash ends before the next one begins.
  const text = events.map((event) => `\n${JSON.stringify(event)}\n`).join('');
  appendToOwnFile(file, text);
}

/** Takes away what is older than 30 days, and all but the newest 200. Throws nothing. */
export function tidySessions(directory: string, now: number): void {
  const folder = join(directory, 'sessions');
  try {
    // Nor is anything taken away through a link.
    if (isLink(directory) || isLink(folder)) return;
    const files = readdirSync(folder)
      .filter((name) => /^[0-9a-f]{32}\.jsonl$/.test(name))
      .map((name) => ({ name, changed: statSync(join(folder, name)).mtimeMs }))
      .sort((a, b) => b.changed - a.changed);
    for (const { name } of files.filter(({ changed }, at) => at >= MAX_SESSIONS || now - changed > MAX_AGE_MS)) {
      rmSync(join(folder, name), { force: true });
    }
  } catch {
    // Left for the next session.
  }
}

export function apply(state: SessionState, event: SessionEvent): void {
  switch (event.kind) {
    case 'began':
      state.began ??= event.at;
      state.sessions ??= event.sessions;
      break;
    case 'briefed':
      state.brief = event.hash;
      break;
    case 'told':
      for (const each of event.occasions) state.told.add(occasionKey(each));
      state.postponed = without(state.postponed, event.occasions);
      break;
    case 'postponed':
      state.postponed.push(event);
      break;
    case 'asked':
      state.asked.push(event);
      break;
    case 'consented':
      state.asked = state.asked.filter((each) => !isAnswered(each, event));
      for (const each of event.occasions) if (!each.guessed) state.consented.add(occasionKey(each));
      break;
    case 'edited':
      state.edits++;
      break;
    case 'summarised':
      state.summarised = true;
      break;
    case 'reminded':
      state.reminded = true;
      break;
    case 'compacted':
      state.toldBefore = new Set([...state.toldBefore, ...state.told]);
      state.told = new Set();
      break;
  }
}

function without(postponed: readonly Postponed[], told: readonly Occasion[]): Postponed[] {
  const keys = new Set(told.map(occasionKey));
  return postponed.flatMap((each) => {
    const occasions = each.occasions.filter((occasion) => !keys.has(occasionKey(occasion)));
    return occasions.length === 0 ? [] : [{ ...each, occasions }];
  });
}

/** Without an id it is known by what it was about. */
function isAnswered(
  question: SessionState['asked'][number],
  { use_id, occasions }: { use_id: string | null; occasions: Occasion[] },
): boolean {
  if (use_id !== null) return question.use_id === use_id;
  return question.use_id === null && JSON.stringify(question.occasions) === JSON.stringify(occasions);
}

/** Undefined for a line that is no event. */
function eventIn(line: string): SessionEvent | undefined {
  if (line === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isFields(value)) return undefined;
  const occasions = occasionsIn(value);
  const use_id = textIn(value, 'use_id') ?? null;
  switch (value.kind) {
    case 'began':
      return { kind: 'began', at: textIn(value, 'at') ?? '', sessions: textIn(value, 'sessions') ?? '' };
    case 'briefed':
      return { kind: 'briefed', hash: textIn(value, 'hash') ?? '' };
    case 'told':
      return { kind: value.kind, occasions };
    case 'postponed':
      return { kind: value.kind, use_id, line: textIn(value, 'line') ?? null, occasions };
    case 'asked':
      return { kind: 'asked', use_id, tool: textIn(value, 'tool') ?? '', occasions };
    case 'consented':
      return { kind: 'consented', use_id, occasions };
    case 'edited':
    case 'summarised':
    case 'reminded':
    case 'compacted':
      return { kind: value.kind };
    default:
      return undefined;
  }
}

function occasionsIn({ occasions }: Fields): Occasion[] {
  if (!Array.isArray(occasions)) return [];
  return occasions.flatMap((each) => {
    if (!isFields(each)) return [];
    const { rule, path, guessed, unsure } = each;
    if (typeof rule !== 'string' || typeof path !== 'string') return [];
    const isUnsure = unsure === 'unreadable' || unsure === 'unsearched';
    return [{ rule, path, ...(guessed === true && { guessed }), ...(isUnsure && { unsure }) }];
  });
}

function fileOf(directory: string, sessionId: string): string {
  const hash = sha256(sessionId).slice(0, 32);
  return join(directory, 'sessions', `${hash}.jsonl`);
}

/** The end of a file; empty where there is none, or it cannot be read. */
function tail(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES));
    const length = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, length);
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
