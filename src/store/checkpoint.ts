import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { Database, loadSqlite } from './database';
import { writeDurably } from './files';
import { decodeFrame } from './journal';
import { exportSnapshot, replay, type SnapshotState } from './loading';

/** All that is needed to make a snapshot from files alone, in a thread or here. */
export interface CheckpointTask {
  snapshot: string;
  journal: string;
  /** The journal is read up to this byte; everything before it never changes any more. */
  end: number;
  /** What the database includes before and after the replay. */
  baseSequence: number;
  state: SnapshotState;
  target: string;
}

export interface CheckpointResult {
  size: number;
  crc32: number;
}

/** Writes the snapshot to `target`, durably. Only reads the store's files, so it needs no lock. */
export async function makeSnapshot(task: CheckpointTask): Promise<CheckpointResult> {
  const database = new Database(await loadSqlite(), readFileSync(task.snapshot));
  try {
    const journal = readFileSync(task.journal).subarray(0, task.end);
    const position = { database, sequence: task.baseSequence };
    replay(position, journal, decodeFrame(journal, 0)?.end ?? journal.length);
    if (position.sequence !== task.state.sequence) {
      throw new Error(`The journal ends at transaction ${position.sequence}, not ${task.state.sequence}.`);
    }
    const bytes = exportSnapshot(database, task.state);
    writeDurably(task.target, [bytes]);
    return { size: bytes.length, crc32: crc32(bytes) };
  } finally {
    database.close();
  }
}

/** Exporting 100 MB takes half a second, so it runs in a thread of its own where the product is bundled. */
export function makeSnapshotAside(task: CheckpointTask): Promise<CheckpointResult> {
  const script = path.join(__dirname, 'checkpoint-worker.js');
  if (!existsSync(script)) return makeSnapshot(task);
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The checkpoint ended with code ${code}.`)));
  });
}
