import { isUtf8 } from 'node:buffer';
import type { Clock } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { type ChangeSet, type ChangeWriter, type FileChange, previewOf } from '../changes';
import { idKey } from '../format/ids';
import { aboutLeft, moveLinks, untilNothingIsStale } from '../linking';
import type { Collection, Note, NoteChange, NotePatch, NotePreview, Space, WriteResult } from '../model';
import type { Performer, WriteOf } from '../performer';
import { spaceName } from '../space-names';
import type { LinkingFile, SpaceFiles } from '../spaces';
import { checkInput, checkPatch } from './checks';
import { type HandedOut, hashOf } from './handed-out';

type LocalWrite = WriteOf<'create' | 'update' | 'delete'>;

interface Plan extends ChangeSet {
  /** Where the note's own file lies afterwards; it is the first of the files. */
  file: string;
  /** Files whose links to a note that is moved stay as they are. */
  left: readonly LinkingFile[];
  stale: readonly LinkingFile[];
}

const NOTHING_FOLLOWS = { left: [], stale: [] };

/** How long a write waits for its space to be indexed the first time. */
const READY_MS = 30_000;

/** Creates, updates and deletes notes of the two spaces. */
export class LocalWriting implements Performer<LocalWrite> {
  constructor(
    private readonly spaces: SpaceFiles,
    private readonly writer: ChangeWriter,
    private readonly handedOut: HandedOut,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws `invalid_argument`, `unknown_note`, `unreadable_note`, `conflict` (the id is taken; the note is not as the
   * caller knows it), and as the functions of `src/files` do.
   */
  async perform(write: LocalWrite, change: NoteChange): Promise<WriteResult> {
    const plan = await this.plan(write, change);
    await this.writer.commit(plan, change);
    const { space, zettel_id, file, left } = plan;
    const result = { action: write.action, zettel_id, location: space, path: this.spaces.shownPath(space, file) };
    if (write.action === 'delete') return result;
    const [own, ...others] = plan.files;
    const content_hash = hashOf(own!.after ?? own!.before!);
    this.handedOut.remember(change.author, space, zettel_id, content_hash);
    return {
      ...result,
      content_hash,
      ...(others.length > 0 ? { also: others.map((each) => this.spaces.shownPath(each.space, each.file)) } : {}),
      ...(left.length > 0 ? { message: aboutLeft(left).join(' ') } : {}),
    };
  }

  async preview(write: LocalWrite, signal?: AbortSignal, agent?: string): Promise<NotePreview> {
    const { files } = await this.plan(write, { author: agent ?? '', by_agent: agent !== undefined, signal });
    return previewOf(files);
  }

  private async plan(write: LocalWrite, change: NoteChange): Promise<Plan> {
    if (!(await this.spaces.ready(READY_MS, change.signal))) {
      throw new KaizenError(
        'store_io',
        sentence('The notes are still being looked through.'),
        sentence('Try again in a moment.'),
      );
    }
    if (write.action === 'create') return this.planCreate(write);
    return untilNothingIsStale(this.spaces, () => this.planChange(write, change));
  }

  private async planChange(write: WriteOf<'update' | 'delete'>, change: NoteChange): Promise<Plan> {
    const note = await this.resolve(write.zettel_id, spaceOf(write.location));
    const before = await this.read(note);
    this.requireKnown(note, before, write, change);
    if (write.action === 'update') return this.planUpdate(note, before, write.patch, change.signal);
    const { space, zettel_id, file } = note;
    const files = [{ space, file, before, after: undefined }];
    return { space, zettel_id, action: 'delete', file, files, ...NOTHING_FOLLOWS };
  }

  private async planCreate({ location, input }: WriteOf<'create'>): Promise<Plan> {
    const space = spaceOf(location) ?? 'project';
    const { category, ...note } = checkInput(input);
    const { zettel_id } = note;
    await this.requireFree(space, zettel_id, sentence('Update that one, or choose another zettel_id.'));
    const file = this.place(space, category, `${zettel_id}.md`);
    const { formatNote } = await import('../format');
    const after = formatNote(note, { now: this.clock.now() });
    const files = [{ space, file, before: undefined, after }];
    return { space, zettel_id, action: 'create', file, files, ...NOTHING_FOLLOWS };
  }

  private async planUpdate(note: Note, before: Buffer, patch: NotePatch, signal?: AbortSignal): Promise<Plan> {
    const { editFrontMatter, noteTime, parseNote, replaceContent } = await import('../format');
    const { content, category = note.category, space = note.space, ...fields } = checkPatch(patch);
    const { zettel_id } = note;
    if (!isUtf8(before)) {
      throw new KaizenError(
        'invalid_argument',
        sentence(
          '"{0}" is not UTF-8, and writing it could spoil its letters.',
          this.spaces.shownPath(note.space, note.file),
        ),
        sentence('Save the file as UTF-8 first.'),
      );
    }
    const isOut = space !== note.space;
    if (isOut) await this.requireFree(space, zettel_id, sentence('Rename one of the two first.'));
    const name = note.file.slice(note.file.lastIndexOf('/') + 1);
    const file = !isOut && category === note.category ? note.file : this.place(space, category, name);
    const isMoved = !isOut && file !== note.file;
    const isStale = isMoved && hashOf(before) !== note.content_hash;
    const moved = isMoved && !isStale ? await moveLinks(this.spaces, note, file, signal) : undefined;
    const old = before.toString('utf8');
    // What is given is written as it is meant in the new place.
    const placed = moved && content === undefined ? moved.own(old) : old;
    const { bodyStart } = parseNote(placed, note.file);
    let text = content === undefined ? placed : replaceContent(placed, bodyStart, content);
    if (Object.keys(fields).length > 0) text = editFrontMatter(text, fields);
    const hasHead = bodyStart > 1 || Object.keys(fields).length > 0;
    // A file of Markdown alone does not get front matter for the sake of a time.
    if (text !== old && hasHead) text = editFrontMatter(text, { updated_at: noteTime(this.clock.now()) });
    const plan = { space, zettel_id, action: 'update' as const, file, ...NOTHING_FOLLOWS };
    if (isOut) {
      const gone: FileChange = { space: note.space, file: note.file, before, after: undefined };
      return { ...plan, files: [{ space, file, before: undefined, after: text }, gone] };
    }
    const change: FileChange = { space, file, before, after: text };
    if (!isMoved) return { ...plan, files: [change] };
    const files = [{ ...change, movedFrom: note.file }, ...(moved?.changes ?? [])];
    return { ...plan, files, left: moved?.left ?? [], stale: moved?.stale ?? [note] };
  }

  /** As its file is now, whoever follows the files. */
  private async resolve(zettel_id: string, space: Space | undefined): Promise<Note> {
    const known = this.spaces.resolve({ zettel_id, space });
    await this.spaces.reindex(known.space, [known.file]);
    return this.spaces.resolve({ zettel_id, space });
  }

  private async requireFree(space: Space, zettelId: string, hint: Sentence): Promise<void> {
    const holder = await this.holderOf(space, zettelId);
    if (!holder) return;
    throw new KaizenError(
      'conflict',
      sentence(
        'The {0} space has "{1}" already: {2}.',
        spaceName(space),
        zettelId,
        this.spaces.shownPath(space, holder.file ?? zettelId),
      ),
      hint,
    );
  }

  private async holderOf(space: Space, zettelId: string): Promise<Note | Collection | undefined> {
    const known = this.spaces.holderOf(space, zettelId);
    if (known?.file === undefined) return known;
    await this.spaces.reindex(space, [known.file]);
    return this.spaces.holderOf(space, zettelId);
  }

  private async read({ space, file, zettel_id }: Note): Promise<Buffer> {
    const bytes = await this.spaces.bytes(space, file);
    if (bytes) return bytes;
    throw new KaizenError(
      'unknown_note',
      sentence('The file of "{0}" is not there any more: {1}.', zettel_id, this.spaces.shownPath(space, file)),
      sentence('It was deleted, renamed or moved: search for it.'),
    );
  }

  /** What somebody else wrote since is never written over blindly. */
  private requireKnown(
    { space, zettel_id }: Note,
    bytes: Buffer,
    write: WriteOf<'update' | 'delete'>,
    { author, by_agent }: NoteChange,
  ): void {
    const isWhole = write.action === 'delete' || write.patch.content !== undefined;
    const seen = by_agent && isWhole ? this.handedOut.hashOf(author, space, zettel_id) : undefined;
    const known = write.content_hash ?? seen;
    if (known === undefined || known === hashOf(bytes)) return;
    throw new KaizenError(
      'conflict',
      sentence('"{0}" was changed since you got it.', zettel_id),
      sentence('Get it again, and decide on what it says now.'),
    );
  }

  /** Throws `invalid_argument` for a folder that the space does not have. */
  private place(space: Space, category: string, name: string): string {
    const file = this.fileIn(space, category, name);
    this.spaces.requirePlace(space, file);
    return file;
  }

  /** Folders that differ in case alone are one: on many disks they are. */
  private fileIn(space: Space, category: string, name: string): string {
    if (category === '') return name;
    const parts = category.split('/');
    const existing = new Map<string, string>();
    for (const { category: known } of this.spaces.notes(space)) {
      for (let end = known.length; end > 0; end = known.lastIndexOf('/', end - 1)) {
        existing.set(idKey(known.slice(0, end)), known.slice(0, end));
      }
    }
    for (let depth = parts.length; depth > 0; depth--) {
      const folder = existing.get(idKey(parts.slice(0, depth).join('/')));
      if (folder !== undefined) return [folder, ...parts.slice(depth), name].join('/');
    }
    return `${category}/${name}`;
  }
}

function spaceOf(location: LocalWrite['location']): Space | undefined {
  if (location !== 'registry') return location;
  throw new KaizenError(
    'invalid_argument',
    sentence('What is in the registry is not a file.'),
    sentence('Publish a note instead.'),
  );
}
