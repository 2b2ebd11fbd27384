import { isKaizenError, KaizenError } from '../core/errors';
import type { AgentSurroundings, FileChange } from './model';
import { changeSetUpFile, readSetUpFile } from './set-up-file';

/**
 * Writes what was planned, and shown to the person who agreed. Every file is looked at before the first is written:
 * where one is not byte for byte what the preview showed, `conflict` is thrown and nothing has changed. Where a disk
 * fails in between, the error says which files were written. Throws what `src/files/writing.ts` throws.
 */
export async function apply(changes: readonly FileChange[], around: AgentSurroundings): Promise<void> {
  for (const { file, before } of changes) {
    const now = await readSetUpFile(file, around);
    if ('unreadable' in now) throw new KaizenError('invalid_argument', `${file} cannot be changed. ${now.unreadable}`);
    if (now.text !== before || now.file !== file) throw changed(file);
  }
  const written: string[] = [];
  for (const { file, before, after } of changes) {
    try {
      await changeSetUpFile(file, before, after, around);
    } catch (error) {
      throw told(error, file, written);
    }
    written.push(file);
  }
}

function changed(file: string): KaizenError {
  const hint = 'Nothing was written. Look at what would change once more, and agree to that.';
  return new KaizenError('conflict', `${file} is not what was shown any more.`, hint);
}

/** What was written before the failure stays: each file is whole, and setting up once more does the rest. */
function told(error: unknown, file: string, written: readonly string[]): unknown {
  if (!isKaizenError(error)) return error;
  const others = written.length === 0 ? 'Nothing was written.' : `Written before it: ${written.join(', ')}.`;
  const message = error.message.includes(file) ? error.message : `${file}: ${error.message}`;
  return new KaizenError(error.code, message, [others, error.hint].filter(Boolean).join(' '), { cause: error });
}
