import { isUtf8 } from 'node:buffer';
import type { Clock } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { checkText } from '../../core/text';
import { createFile, moveFile, removeFile, replaceFile } from '../../files';
import type { Store } from '../../store';
import type { ChangeSet, ChangeWriter, FileChange } from '../changes';
import type { NoteChange, NoteRevision, Space } from '../model';
import {
  addRevision,
  dropRevision,
  packFiles,
  type RevisedFile,
  readRevision,
  type StoredRevision,
  shownRevision,
} from '../revisions';
import type { SpaceFiles } from '../spaces';
import { type HandedOut, hashOf } from './handed-out';

/** One step of a change, as the disk is to take it; `back` is the same the other way round. */
interface Step {
  root: string;
  file: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
  movedFrom: string | undefined;
}

/**
 * Writes the files of a change, and keeps what was there before: whole files, one after another, while no other process
 * of this workspace writes. Whoever writes past us is noticed: a file that is not what it was when the change was
 * planned is left alone.
 */
export class Writer implements ChangeWriter {
  constructor(
    private readonly spaces: SpaceFiles,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly handedOut: HandedOut,
  ) {}

  /** See `ChangeWriter`. Undefined when the files are what they are to be already. */
  async commit(set: ChangeSet, change: NoteChange): Promise<NoteRevision | undefined> {
    const author = checkText(change.author, { name: 'author', max: 200, singleLine: true });
    const reason = change.reason === undefined ? undefined : checkText(change.reason, { name: 'reason', max: 2_000 });
    const files = set.files.filter(isChange);
    if (files.length === 0) return undefined;
    const steps = await this.stepsOf(files);
    const revised = await packFiles(files.map(revisedFile));
    const revision = await this.store.holding(async (commit) => {
      for (const { space, file, movedFrom, before } of files) await this.requireSame(space, movedFrom ?? file, before);
      change.signal?.throwIfAborted();
      const { space, zettel_id, action } = set;
      const by_agent = change.by_agent === true;
      const at = this.clock.now();
      const kept = commit((transaction) =>
        addRevision(transaction, { space, zettel_id, action, author, by_agent, reason, at, files: revised }),
      );
      try {
        await writeAll(steps);
      } catch (error) {
        // What could not be put back stays on record, so that a person can.
        if (!(error instanceof HalfDone)) commit((transaction) => dropRevision(transaction, kept.id));
        throw error instanceof HalfDone ? error.told(kept.id) : error;
      }
      return kept;
    }, change.signal);
    for (const { before, after } of steps) {
      if (before && after) this.handedOut.wrote(author, hashOf(before), hashOf(after));
    }
    await this.reindex(files);
    return shownRevision(revision);
  }

  /**
   * Puts back what was there before a change, as a change of its own. Throws `unknown_revision`, and `conflict` when a
   * file is not as the change left it.
   */
  async undo(revisionId: number, change: NoteChange): Promise<NoteRevision> {
    const revision = readRevision(this.store.read(), revisionId);
    const files: FileChange[] = [];
    for (const revised of revision.files) {
      const undone = await this.undoneFile(revision, revised);
      if (undone) files.push(undone);
    }
    const { space, zettel_id } = revision;
    const undone = await this.commit({ space, zettel_id, action: 'undo', files }, change);
    if (!undone) throw alreadySo(revision);
    return undone;
  }

  /** A file as it was before; what is there now has to be what the change left. Undefined where it never got so far. */
  private async undoneFile(revision: StoredRevision, revised: RevisedFile): Promise<FileChange | undefined> {
    const { space, file, before, after, moved_from } = revised;
    const now = await this.spaces.bytes(space, file);
    const text = now === undefined ? null : isUtf8(now) ? now.toString('utf8') : undefined;
    // A change that was cut off may have moved a file, and not written it yet.
    if (text !== after && (moved_from === undefined || text !== before)) {
      const old = moved_from === undefined ? now : await this.spaces.bytes(space, moved_from);
      const isOld = (old === undefined ? null : old.toString('utf8')) === before;
      if (isOld) return undefined;
      throw new KaizenError(
        'conflict',
        `"${file}" is not as change ${revision.id} left it: it was changed since.`,
        'Compare the two, and take over by hand what is to be undone.',
      );
    }
    if (moved_from !== undefined && before !== null) {
      return { space, file: moved_from, movedFrom: file, before: now, after: before };
    }
    return { space, file, before: now, after: before ?? undefined };
  }

  private async stepsOf(files: readonly FileChange[]): Promise<Step[]> {
    const roots = new Map<Space, string>();
    const steps: Step[] = [];
    for (const { space, file, before, after, movedFrom } of files) {
      const root = roots.get(space) ?? (await this.spaces.writableRoot(space));
      roots.set(space, root);
      if (before && !isUtf8(before)) throw notUtf8(file);
      const bytes = after === undefined ? undefined : Buffer.from(after);
      steps.push({ root, file, before, after: bytes, movedFrom: movedFrom === file ? undefined : movedFrom });
    }
    return steps;
  }

  private async requireSame(space: Space, file: string, before: Buffer | undefined): Promise<void> {
    const now = await this.spaces.bytes(space, file);
    if (now === undefined ? before === undefined : before?.equals(now)) return;
    if (before === undefined) {
      throw new KaizenError('conflict', `There is something called "${file}" already.`, 'Choose another name.');
    }
    const what = now === undefined ? 'deleted' : 'changed';
    throw new KaizenError('conflict', `"${file}" was ${what} just now by somebody else.`, 'Look at it and try again.');
  }

  private async reindex(files: readonly FileChange[]): Promise<void> {
    const bySpace = new Map<Space, Set<string>>();
    for (const { space, file, movedFrom } of files) {
      const names = bySpace.get(space) ?? new Set();
      bySpace.set(space, names.add(file).add(movedFrom ?? file));
    }
    for (const [space, names] of bySpace) await this.spaces.reindex(space, [...names]);
  }
}

/** Some files were written, and one of them could not be put back. */
class HalfDone extends Error {
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
      `Not all files could be written, and "${this.file}" could not be put back.${why}`,
      `What the files said before is kept as change ${revision} of the notes.`,
      { cause: this.cause },
    );
  }
}

/** One after another; when one cannot be written, those before it are put back. */
async function writeAll(steps: readonly Step[]): Promise<void> {
  const done: Step[] = [];
  for (const step of steps) {
    try {
      await writeStep(step);
      done.push(step);
    } catch (error) {
      for (const each of done.reverse()) {
        const { root, file, before, after, movedFrom } = each;
        const back = { root, file: movedFrom ?? file, movedFrom: movedFrom && file, before: after, after: before };
        await writeStep(back).catch(() => {
          throw new HalfDone(file, error);
        });
      }
      throw error;
    }
  }
}

async function writeStep({ root, file, before, after, movedFrom }: Step): Promise<void> {
  if (movedFrom !== undefined && before && after) {
    await moveFile(root, movedFrom, file, before);
    if (!before.equals(after)) {
      await replaceFile(root, file, before, after).catch(async (error) => {
        await moveFile(root, file, movedFrom, before).catch(() => {});
        throw error;
      });
    }
  } else if (!before && after) await createFile(root, file, after);
  else if (before && after) await replaceFile(root, file, before, after);
  else if (before) await removeFile(root, file, before);
}

function isChange({ file, before, after, movedFrom }: FileChange): boolean {
  if (movedFrom !== undefined && movedFrom !== file) return true;
  return after === undefined ? before !== undefined : !before?.equals(Buffer.from(after));
}

function revisedFile({ space, file, before, after, movedFrom }: FileChange): RevisedFile {
  const isMoved = movedFrom !== undefined && movedFrom !== file;
  return {
    space,
    file,
    before: before?.toString('utf8') ?? null,
    after: after ?? null,
    ...(isMoved ? { moved_from: movedFrom } : {}),
  };
}

function alreadySo({ id }: StoredRevision): KaizenError {
  return new KaizenError(
    'conflict',
    `There is nothing of change ${id} to undo: the files are as they were before it.`,
    'It was undone already, or never finished.',
  );
}

function notUtf8(file: string): KaizenError {
  return new KaizenError(
    'invalid_argument',
    `"${file}" is not UTF-8, and writing it could spoil its letters.`,
    'Save the file as UTF-8 first.',
  );
}
