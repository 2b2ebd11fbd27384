import { isUtf8 } from 'node:buffer';
import { lstat, readFile } from 'node:fs/promises';
import { KaizenError } from '../core/errors';
import { writeWhole } from '../transfer';
import { findSection, withSection } from './marked-section';

/** Far beyond what an agent reads. */
const MOST_BYTES = 10_000_000;

/**
 * Puts exported knowledge into a file that agents read (AGENTS.md) as a marked section of its own, `<!-- kaizen:knowledge:begin -->`
 * to its end: a new file, a new section at the end of somebody's, or in the place of the section that is there. What stands
 * outside of the marks stays byte for byte. Throws `invalid_argument`, with the file as it was, for what is no plain file of
 * UTF-8 text, or where the marks are damaged.
 */
export async function writeKnowledgeSection(file: string, body: string): Promise<'created' | 'changed' | 'unchanged'> {
  const stat = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stat && !stat.isFile()) throw refusal(file, stat.isSymbolicLink() ? 'It is a link' : 'It is no file');
  if (stat && stat.size > MOST_BYTES) throw refusal(file, 'It is larger than 10 MB');
  const bytes = stat && (await readFile(file));
  if (bytes && !isUtf8(bytes)) throw refusal(file, 'It is not UTF-8 text');
  const text = bytes?.toString('utf8');
  const found = text === undefined ? undefined : findSection(text, 'kaizen:knowledge');
  if (found && 'unreadable' in found) throw new KaizenError('invalid_argument', `${file}: ${found.unreadable}`);
  const next = withSection(text, body.trimEnd(), 'kaizen:knowledge');
  if (next === text) return 'unchanged';
  await writeWhole(file, next);
  return stat ? 'changed' : 'created';
}

function refusal(file: string, why: string): KaizenError {
  return new KaizenError('invalid_argument', `${file}: ${why}: no section was put into it.`, 'Name another file.');
}
