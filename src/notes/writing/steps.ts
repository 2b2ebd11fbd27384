import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { createFile, inParallel, moveFile, removeFile, replaceFile, UnsyncedFolders } from '../../files';

/** One step of a change, as the disk is to take it. */
export interface Step {
  /** Real path. */
  root: string;
  file: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
  movedFrom: string | undefined;
}

/** Files that are written at once. */
const AT_ONCE = 16;

/** Some files were written, and one of them could not be put back. */
export class HalfDone extends Error {
  constructor(
    private readonly file: string,
    override readonly cause: unknown,
  ) {
    super(`"${file}" could not be put back.`);
  }

  told(revision: number): KaizenError {
    const why = this.cause instanceof Error ? ` ${this.cause.message}` : '';
    return new KaizenError(
      'store_io',
      sentence('Not all files could be written, and "{0}" could not be put back.{1}', this.file, why),
      sentence('What the files said before is kept as change {0} of the notes.', revision),
      { cause: this.cause },
    );
  }
}

/**
 * Writes files that do not depend on each other, several at once; all are on the disk when it resolves. When one cannot
 * be written, those that were are put back; throws `HalfDone` where that fails.
 */
export async function writeAll(steps: readonly Step[]): Promise<void> {
  const folders = new UnsyncedFolders();
  const done: Step[] = [];
  try {
    // What moves into another space is there before it goes.
    const gone = steps.filter(({ after }) => after === undefined);
    const others = steps.filter(({ after }) => after !== undefined);
    for (const some of [others, gone]) {
      await inParallel(some, AT_ONCE, async (step) => {
        await writeStep(step, folders);
        done.push(step);
      });
      if (gone.length > 0) await folders.sync();
    }
  } catch (error) {
    const failed: Step[] = [];
    await inParallel(done, AT_ONCE, (step) => writeStep(backwards(step), folders).catch(() => void failed.push(step)));
    await folders.sync();
    throw failed.length === 0 ? error : new HalfDone(failed[0]!.file, error);
  }
  await folders.sync();
}

function backwards({ root, file, before, after, movedFrom }: Step): Step {
  return { root, file: movedFrom ?? file, movedFrom: movedFrom && file, before: after, after: before };
}

async function writeStep({ root, file, before, after, movedFrom }: Step, { later }: UnsyncedFolders): Promise<void> {
  if (movedFrom !== undefined && before && after) {
    await moveFile(root, movedFrom, file, before, later);
    if (!before.equals(after)) {
      await replaceFile(root, file, before, after, later).catch(async (error) => {
        await moveFile(root, file, movedFrom, before, later).catch(() => {});
        throw error;
      });
    }
  } else if (!before && after) await createFile(root, file, after, later);
  else if (before && after) await replaceFile(root, file, before, after, later);
  else if (before) await removeFile(root, file, before, later);
}
