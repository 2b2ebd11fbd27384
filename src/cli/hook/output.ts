import { writeSync } from 'node:fs';

const STDOUT = 1;

/**
 * Writes the answer to standard output, as JSON in ASCII: shells on Windows hand on what is beyond in a code page of
 * their own. Resolves when it is on its way. Never rejects: whoever does not listen is not told.
 */
export async function writeAnswer(answer: object): Promise<void> {
  const json = JSON.stringify(answer).replace(
    /[^\0-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const bytes = Buffer.from(`${json}\n`, 'latin1');
  let written = 0;
  try {
    // A stream costs more than the writing.
    while (written < bytes.length) written += writeSync(STDOUT, bytes, written);
  } catch (error) {
    // A pipe that is full, and that nobody may wait for here.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') await writeStream(bytes.subarray(written));
  }
}

function writeStream(bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve());
    process.stdout.write(bytes, () => resolve());
  });
}
