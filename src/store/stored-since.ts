import { closeSync, fstatSync, openSync } from 'node:fs';
import { readFrom, StoreFiles } from './files';
import { decodeFrame, judgeTail, parseHeader, parseRecord } from './journal';
import { generationsOf, type StoreStamp } from './stamps';

/** Bytes of journals that are looked through; a store makes a checkpoint long before. */
const MAX_BYTES = 8 * 1024 * 1024;
/** A header has some 500. */
const HEADER_BYTES = 16 * 1024;

/** What transactions touched since a stamp was taken, and where the store stands now. */
export interface StoredSince {
  topics: ReadonlySet<string>;
  now: StoreStamp;
}

/**
 * What was stored since `stamp` was taken. Undefined when that cannot be told: the store is another one, its tables were
 * brought forward, or too much was stored. Changes nothing. Throws what the system says where files may not be read.
 */
export function storedSince(directory: string, stamp: StoreStamp): StoredSince | undefined {
  // A checkpoint may come between the listing and the reading.
  for (let attempt = 0; attempt < 3; attempt++) {
    const found = look(directory, stamp);
    if (found !== 'moved on') return found;
  }
  return undefined;
}

function look(directory: string, stamp: StoreStamp): StoredSince | undefined | 'moved on' {
  const generations = generationsOf(directory);
  const newest = generations[0];
  if (newest === undefined) return stamp.generation === 0 ? { topics: new Set(), now: stamp } : undefined;
  if (stamp.generation === 0 || newest < stamp.generation) return undefined;
  const files = new StoreFiles(directory);
  const topics = new Set<string>();
  let now = stamp;
  let budget = MAX_BYTES;
  let isSealed = false;
  for (const generation of generations.filter((each) => each >= stamp.generation).reverse()) {
    const read = readJournal(files.journal(generation), generation === stamp.generation ? stamp.journal : 0, budget);
    if (read === undefined) return 'moved on';
    if (read === 'unreadable' || read.lineage !== stamp.lineage || read.baseSequence > now.sequence) return undefined;
    budget -= read.tail.length;
    const walked = walk(read.tail, now.sequence, topics);
    if (walked === undefined) return undefined;
    now = { generation, journal: read.from + walked.end, sequence: walked.sequence, lineage: stamp.lineage };
    isSealed = walked.isSealed;
  }
  return isSealed ? 'moved on' : { topics, now };
}

/** The journal's header and its bytes from `from` on; undefined when it is gone. */
function readJournal(
  path: string,
  from: number,
  budget: number,
): { lineage: string; baseSequence: number; from: number; tail: Buffer } | 'unreadable' | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    const frame = decodeFrame(readFrom(file, 0, Math.min(size, HEADER_BYTES)), 0);
    const header = frame && parseHeader(frame);
    const start = Math.max(from, frame?.end ?? 0);
    if (!header || size < start || size - start > budget) return 'unreadable';
    const { lineage, baseSequence } = header;
    const tail = size === start ? Buffer.alloc(0) : readFrom(file, start, size - start);
    return { lineage, baseSequence, from: start, tail };
  } finally {
    closeSync(file);
  }
}

/** Adds what the transactions behind number `sequence` touched. Undefined where something whole cannot be read. */
function walk(
  bytes: Buffer,
  sequence: number,
  topics: Set<string>,
): { sequence: number; end: number; isSealed: boolean } | undefined {
  let last = sequence;
  let at = 0;
  for (let frame = decodeFrame(bytes, at); frame; frame = decodeFrame(bytes, at)) {
    const isNew = frame.sequence > last;
    if (isNew || frame.sequence === 0) {
      const record = parseRecord(frame);
      if ('sealedBy' in record) return { sequence: last, end: at, isSealed: true };
      if (frame.sequence !== last + 1) return undefined;
      for (const topic of record.topics) topics.add(topic);
      last = frame.sequence;
    }
    at = frame.end;
  }
  // Somebody's write that is under way, or was cut off, was not answered yet: it is no part of what is stored.
  return at === bytes.length || judgeTail(bytes, at) === 'torn'
    ? { sequence: last, end: at, isSealed: false }
    : undefined;
}
