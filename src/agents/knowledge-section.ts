import { isUtf8 } from 'node:buffer';
import { lstat, readFile } from 'node:fs/promises';
import { KaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import { writeWhole } from '../transfer';
import { INSTRUCTION_WRITERS } from './instructions';
import { findSection, hasMark, withoutSection, withSection } from './marked-section';
import type { AgentSurroundings, FileChange } from './model';
import type { PieceReading, PieceWriter } from './piece';
import { readSetUpFile } from './set-up-file';

const NAME = 'kaizen:knowledge';

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
  const found = text === undefined ? undefined : findSection(text, NAME);
  if (found && 'unreadable' in found) throw new KaizenError('invalid_argument', `${file}: ${found.unreadable}`);
  const next = withSection(text, body.trimEnd(), NAME);
  if (next === text) return 'unchanged';
  await writeWhole(file, next);
  return stat ? 'changed' : 'created';
}

/**
 * What would become of a file by the same, to be shown to a person and then written by `apply`; undefined where the file
 * holds it already. Writes nothing. Throws `invalid_argument` for what `readSetUpFile` cannot read, and where the marks are
 * damaged.
 */
export async function planKnowledgeSection(
  file: string,
  body: string,
  around: AgentSurroundings,
): Promise<FileChange | undefined> {
  const found = await readSetUpFile(file, around);
  if ('unreadable' in found) throw unchangeable(file, found.unreadable);
  const section = found.text === undefined ? undefined : findSection(found.text, NAME);
  if (section && 'unreadable' in section) throw unchangeable(file, section.unreadable);
  const after = withSection(found.text, body.trimEnd(), NAME);
  return after === found.text ? undefined : { file: found.file, before: found.text, after, pieces: [] };
}

function unchangeable(file: string, why: Sentence): KaizenError {
  return new KaizenError('invalid_argument', sentence('{0} cannot be changed. {1}', file, why));
}

/** The section in each of the files that instructions go into: seen where it is there, taken away, never written. */
export const KNOWLEDGE_WRITERS: readonly PieceWriter[] = INSTRUCTION_WRITERS.map((instructions) => ({
  id: instructions.id.replace('instructions:', 'knowledge:'),
  kind: 'knowledge',
  client: undefined,
  isOnlyTaken: true,
  title: instructions.title,
  place(around) {
    const at = instructions.place(around);
    return at && { ...at, traces: [] };
  },
  read: readingOf,
  write: (text) => text ?? '',
  remove: (text) => withoutSection(text, NAME),
  notes: () => [
    { sentence: sentence('Put there by an export; exporting again brings it up to date.'), isCovered: false },
  ],
}));

function readingOf(text: string | undefined): PieceReading {
  const section = text !== undefined && hasMark(text, NAME) ? findSection(text, NAME) : undefined;
  if (section === undefined) return 'absent';
  return 'unreadable' in section ? section : 'current';
}

function refusal(file: string, why: string): KaizenError {
  return new KaizenError('invalid_argument', `${file}: ${why}: no section was put into it.`, 'Name another file.');
}
