import { isUtf8 } from 'node:buffer';
import type { Clock } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkText } from '../../core/text';
import { Turns } from '../../core/turns';
import { inParallel } from '../../files';
import type { Store, Turnstile } from '../../store';
import type { ChangeSet, ChangeWriter, FileChange } from '../changes';
import type { NoteChange, NoteRevision, Space } from '../model';
import {
  dropRevision,
  keepRevision,
  packFiles,
  type RevisedFile,
  readRevision,
  type StoredRevision,
} from '../revisions';
import type { SpaceFiles } from '../spaces';
import { type HandedOut, hashOf } from './handed-out';
import { HalfDone, type Step, writeAll } from './steps';

/** Files that are read at once. */
const AT_ONCE = 16;

/**
 * Writes the files of a change whole, and keeps what was there before, while no other process of this workspace writes
 * notes. Whoever writes past us is noticed: a file that is not what it was when the change was planned is left alone.
 */
export class Writer implements ChangeWriter {
  /** Not the store's own lock: what else is stored need not wait for files. */
  private readonly turnstile: Turnstile;

  constructor(
    private readonly spaces: SpaceFiles,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly handedOut: HandedOut,
  ) {
    this.turnstile = store.turnstile('notes');
  }

  /** See `ChangeWriter`. Undefined when the files are what they are to be already. */
  async commit(set: ChangeSet, change: NoteChange): Promise<NoteRevision | undefined> {
    const author = checkText(change.author, { name: sentence('author'), max: 200, singleLine: true });
    const reason =
      change.reason === undefined ? undefined : checkText(change.reason, { name: sentence('reason'), max: 2_000 });
    const turns = new Turns(change.signal);
    const files: FileChange[] = [];
    for (const file of set.files) {
      if (isChange(file)) files.push(file);
      await turns.pause();
    }
    if (files.length === 0) return undefined;
    const steps = await this.stepsOf(files, turns);
    const packed = await packFiles(files.map(revisedFile), turns);
    const { space, zettel_id, action } = set;
    const revision = await this.turnstile.run(async () => {
      await inParallel(files, AT_ONCE, async (file) => {
        await turns.pause();
        await this.requireSame(file);
      });
      const by_agent = change.by_agent === true;
      const at = this.clock.now();
      const added = { space, zettel_id, action, author, by_agent, reason, at, files: packed };
      const kept = await keepRevision(this.store, added, change.signal);
      try {
        await writeAll(steps);
      } catch (error) {
        // What could not be put back stays on record, so that a person can.
        if (error instanceof HalfDone) throw error.told(kept.id);
        await this.store.write((transaction) => dropRevision(transaction, kept.id));
        throw error;
      }
      return kept;
    }, change.signal);
    await this.noteWritten(author, steps);
    await this.reindex(files);
    return revision;
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await this.turnstile.close();
  }

  /**
   * Puts back what was there before a change, as a change of its own. Throws `unknown_revision`, and `conflict` when a
   * file is not as the change left it.
   */
  async undo(revisionId: number, change: NoteChange): Promise<NoteRevision> {
    const revision = readRevision(this.store.read(), revisionId);
    const turns = new Turns(change.signal);
    const undoneFiles = await inParallel(revision.files, AT_ONCE, async (revised) => {
      await turns.pause();
      return this.undoneFile(revision, revised);
    });
    const files = undoneFiles.filter((file) => file !== undefined);
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
        sentence('"{0}" is not as change {1} left it: it was changed since.', file, revision.id),
        sentence('Compare the two, and take over by hand what is to be undone.'),
      );
    }
    if (moved_from !== undefined && before !== null) {
      // Cut off when it had both names.
      const old = await this.spaces.bytes(space, moved_from);
      if (old && now?.equals(old) && text === before) return { space, file, before: now, after: undefined };
      return { space, file: moved_from, movedFrom: file, before: now, after: before };
    }
    return { space, file, before: now, after: before ?? undefined };
  }

  private async stepsOf(files: readonly FileChange[], turns: Turns): Promise<Step[]> {
    const roots = new Map<Space, string>();
    const steps: Step[] = [];
    for (const { space, file, before, after, movedFrom } of files) {
      const root = roots.get(space) ?? (await this.spaces.writableRoot(space));
      roots.set(space, root);
      if (before && !isUtf8(before)) throw notUtf8(file);
      if (before === undefined || movedFrom !== undefined) this.spaces.requirePlace(space, file);
      const bytes = after === undefined ? undefined : Buffer.from(after);
      steps.push({ root, file, before, after: bytes, movedFrom: movedFrom === file ? undefined : movedFrom });
      await turns.pause();
    }
    return steps;
  }

  private async requireSame({ space, file: to, movedFrom, before }: FileChange): Promise<void> {
    const file = movedFrom ?? to;
    const now = await this.spaces.bytes(space, file);
    if (now === undefined ? before === undefined : before?.equals(now)) return;
    if (before === undefined) {
      throw new KaizenError(
        'conflict',
        sentence('There is something called "{0}" already.', file),
        sentence('Choose another name.'),
      );
    }
    const message =
      now === undefined
        ? sentence('"{0}" was deleted just now by somebody else.', file)
        : sentence('"{0}" was changed just now by somebody else.', file);
    throw new KaizenError('conflict', message, sentence('Look at it and try again.'));
  }

  private async noteWritten(author: string, steps: readonly Step[]): Promise<void> {
    const turns = new Turns();
    const written = new Map<string, string>();
    for (const { before, after } of steps) {
      if (before && after) written.set(hashOf(before), hashOf(after));
      await turns.pause();
    }
    this.handedOut.wrote(author, written);
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
    sentence('There is nothing of change {0} to undo: the files are as they were before it.', id),
    sentence('It was undone already, or never finished.'),
  );
}

function notUtf8(file: string): KaizenError {
  return new KaizenError(
    'invalid_argument',
    sentence('"{0}" is not UTF-8, and writing it could spoil its letters.', file),
    sentence('Save the file as UTF-8 first.'),
  );
}
