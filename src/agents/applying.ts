import { isKaizenError, KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
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
    if ('unreadable' in now)
      throw new KaizenError('invalid_argument', sentence('{0} cannot be changed. {1}', file, now.unreadable));
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
  const hint = sentence('Nothing was written. Look at what would change once more, and agree to that.');
  return new KaizenError('conflict', sentence('{0} is not what was shown any more.', file), hint);
}

/** What was written before the failure stays: each file is whole, and setting up once more does the rest. */
function told(error: unknown, file: string, written: readonly string[]): unknown {
  if (!isKaizenError(error)) return error;
  const [said = error.message, hint] = error.said;
  const others =
    written.length === 0 ? sentence('Nothing was written.') : sentence('Written before it: {0}.', written.join(', '));
  const message = error.message.includes(file) ? said : sentence('{0}: {1}', file, said);
  return new KaizenError(error.code, message, hint ? sentence('{0} {1}', others, hint) : others, { cause: error });
}
