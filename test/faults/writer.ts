// Writes to a store until it is killed, and says of each write that it is stored once that was promised:
//   node writer.js DIRECTORY NAME SEED
import { writeSync } from 'node:fs';
import { Store } from '../../src/store';
import { prng } from './prng';

export const SCHEMA = {
  part: 'faults',
  migrations: ['CREATE TABLE done (writer TEXT NOT NULL, n INTEGER NOT NULL) STRICT;'],
};
/** Small, so that checkpoints are under way most of the time. */
export const CHECKPOINT_BYTES = 60_000;

/** Straight to the pipe: what was said stands even when the process is gone in the next instant. */
function say(value: { n: number } | { report: string } | { error: string }): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

async function main(directory: string, name: string, seed: number): Promise<void> {
  const random = prng(seed);
  const store = await Store.open(directory, {
    schemas: [SCHEMA],
    checkpointBytes: CHECKPOINT_BYTES,
    onReport: (report) => say({ report }),
  });
  store.onDidChange(() => {});
  for (let n = 1; ; n++) {
    // Ballast goes through the journal only. A long record is what a kill can cut in two.
    const ballast = 'x'.repeat(random() < 0.15 ? 1_000_000 : 2_000);
    await store.write((transaction) => {
      transaction.run('INSERT INTO done SELECT ?, ? WHERE length(?) > 0', [name, n, ballast]);
      transaction.touch('done');
    });
    say({ n });
  }
}

const [directory, name, seed] = process.argv.slice(2);
if (require.main === module && directory && name)
  main(directory, name, Number(seed)).catch((error) => say({ error: String(error) }));
