import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { Database, loadSqlite } from './database';
import { writeDurably } from './files';
import { decodeFrame, type JournalHeader } from './journal';
import { exportSnapshot, isSound, replay, type SnapshotState } from './loading';

/** All that is needed to make a snapshot from files alone, in a thread or here. */
export interface CheckpointTask {
  snapshot: string;
  journal: string;
  /** The journal is read up to this byte; everything before it never changes any more. */
  end: number;
  /** What the journal says of the snapshot. */
  base: Pick<JournalHeader, 'baseSequence' | 'snapshot'>;
  /** What the database includes after the replay. */
  state: SnapshotState;
  target: string;
}

/** The new snapshot, or the file that was found damaged: what has gone bad on the disk must not be carried on. */
export type CheckpointResult = { size: number; crc32: number } | { damaged: string };

/** Writes the snapshot to `target`, durably. Only reads the store's files, so it needs no lock. */
export async function makeSnapshot(task: CheckpointTask): Promise<CheckpointResult> {
  const sqlite = await loadSqlite();
  const snapshot = readFileSync(task.snapshot);
  if (!isSound(snapshot, task.base.snapshot)) return { damaged: task.snapshot };
  const database = new Database(sqlite, snapshot);
  try {
    const journal = readFileSync(task.journal).subarray(0, task.end);
    const position = { database, sequence: task.base.baseSequence };
    replay(position, journal, decodeFrame(journal, 0)?.end ?? journal.length);
    if (position.sequence !== task.state.sequence) return { damaged: task.journal };
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
