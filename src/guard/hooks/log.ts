import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appendToOwnFile, makeOwnFolder } from '../kept/own-files';
import { type GuardRecord, HOOK_EVENTS } from '../model';
import { isFields } from './fields';

/** The guard's log: `decisions.jsonl` below its directory, a line a decision, for a person to look at later. */

const MAX_BYTES = 1_000_000;
const FILE = 'decisions.jsonl';
const OLDER = 'decisions.old.jsonl';
/** Nobody takes so long to give a file another name. */
const MOVING_MS = 10_000;

/**
 * Adds a line; beyond 1 MB the file becomes the old one, of which one is kept. Hooks write side by side: one of them sets
 * the file aside, and none loses its line by that. Throws the system's error, and `store_io` where a link is
 * in the place of the directory or the file.
 */
export function appendRecord(directory: string, record: GuardRecord): void {
  makeOwnFolder(directory);
  const file = join(directory, FILE);
  const line = `${JSON.stringify(record)}\n`;
  if (isFull(file, line)) setAside(directory, line);
  appendToOwnFile(file, line);
}

function isFull(file: string, line: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size > 0 && size + Buffer.byteLength(line) > MAX_BYTES;
}

/** Whoever comes second would set the new file aside in the place of the full one. A log that is too long is better than one with gaps. */
function setAside(directory: string, line: string): void {
  const [file, mark] = [join(directory, FILE), join(directory, `${FILE}.moving`)];
  try {
    const since = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
    // Of a process that ended in between.
    if (since !== undefined && Math.abs(Date.now() - since) > MOVING_MS) rmSync(mark, { force: true });
    closeSync(openSync(mark, 'wx', 0o600));
  } catch {
    return;
  }
  try {
    if (isFull(file, line)) renameSync(file, join(directory, OLDER));
  } catch {
    // Somebody has it open on Windows, or there is something else of this name: the next call tries again.
  } finally {
    rmSync(mark, { force: true });
  }
}

/** The newest records first, at most `limit`. Lines that are no records are passed over; none where there is no log. */
export function readRecords(directory: string, limit: number): GuardRecord[] {
  const records: GuardRecord[] = [];
  for (const name of [FILE, OLDER]) {
    if (records.length >= limit) break;
    records.push(...recordsIn(join(directory, name)).reverse());
  }
  return records.slice(0, limit);
}

function recordsIn(file: string): GuardRecord[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** What a reader relies on; the file is written by this module only. */
function isRecord(value: unknown): value is GuardRecord {
  return (
    isFields(value) &&
    typeof value.at === 'string' &&
    HOOK_EVENTS.includes(value.event as GuardRecord['event']) &&
    typeof value.outcome === 'string' &&
    Array.isArray(value.rules) &&
    Array.isArray(value.paths)
  );
}
