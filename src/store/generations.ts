import { renameSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { discard, readEnd, type StoreFiles, syncDirectory, writeDurably } from './files';
import { ioError } from './io-errors';
import { encodeFrame, endsWithSeal, JOURNAL_FORMAT, type JournalHeader } from './journal';
import { exportSnapshot, type Loaded } from './loading';

/** What a new generation's header says beside what every header says. */
export type GenerationHeader = Omit<JournalHeader, 'kind' | 'format' | 'generation'>;

/** Writes the whole database as the next generation, and moves `state` there. Needs the lock. */
export function writeGeneration(
  files: StoreFiles,
  state: Loaded,
  origin: Pick<JournalHeader, 'migratedFrom'> = {},
): void {
  const generation = files.highest() + 1;
  const temporary = files.temporary('snapshot');
  try {
    const bytes = exportSnapshot(state.database, state);
    writeDurably(temporary, [bytes]);
    const snapshot = { size: bytes.length, crc32: crc32(bytes) };
    const { lineage, sequence, schema } = state;
    const header = { ...origin, lineage, baseSequence: sequence, snapshot, schema };
    state.offset = switchTo(files, generation, temporary, header, Buffer.alloc(0));
    state.generation = generation;
  } catch (error) {
    throw ioError(error, files.directory);
  } finally {
    discard(temporary);
  }
}

/**
 * Makes the snapshot, and a journal that begins with `tail`, the new generation, both or none. Needs the lock.
 * Returns the journal's size.
 */
export function switchTo(
  files: StoreFiles,
  generation: number,
  snapshot: string,
  header: GenerationHeader,
  tail: Buffer,
): number {
  const frame = encodeFrame(0, { kind: 'kaizen-journal', format: JOURNAL_FORMAT, generation, ...header });
  const temporary = files.temporary('journal');
  try {
    writeDurably(temporary, [frame, tail]);
    renameSync(snapshot, files.snapshot(generation));
    // The generation exists once this file does.
    renameSync(temporary, files.journal(generation));
  } finally {
    discard(temporary);
  }
  syncDirectory(files.directory);
  return frame.length + tail.length;
}

/**
 * Puts the seal on the journals of older generations where it is missing, so that peers which only read there notice:
 * a checkpoint does it last of all and may be cut off before. Needs the lock. Returns whether all have theirs now.
 */
export function sealOlder(files: StoreFiles, generation: number): boolean {
  try {
    for (const older of files.generations()) {
      const journal = files.journal(older);
      if (older < generation && !endsWithSeal(readEnd(journal, 128))) {
        writeFileSync(journal, encodeFrame(0, { sealedBy: generation }), { flag: 'a' });
      }
    }
    return true;
  } catch {
    // Nothing that was stored depends on it, and the next write tries again.
    return false;
  }
}
