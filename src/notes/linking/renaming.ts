import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { type ChangeSet, type ChangeWriter, type FileChange, previewOf } from '../changes';
import { checkId, idKey } from '../format/ids';
import { whenIndexed } from '../indexed';
import type { Location, Note, NoteChange, NoteLink, NotePreview, WriteResult } from '../model';
import type { Performer, WriteOf } from '../performer';
import { spaceName } from '../space-names';
import type { LinkingFile, SpaceFiles } from '../spaces';
import { aboutLeft, type Following, followingChanges, untilNothingIsStale } from './following';
import type { TextEdit } from './retarget';

type Format = typeof import('../format');

interface RenamePlan {
  note: Note;
  set: ChangeSet;
  /** Whose links to the note stay as they are. */
  left: readonly LinkingFile[];
  stale: readonly LinkingFile[];
}

/**
 * Renames notes: the file, its `zettel_id`, and every link that leads to it, in the texts, the front matter and the
 * collections of both spaces. All of it is planned before the first file is written.
 */
export class Renaming implements Performer<WriteOf<'rename'>> {
  constructor(
    private readonly files: SpaceFiles,
    private readonly writer: ChangeWriter,
  ) {}

  async perform(write: WriteOf<'rename'>, change: NoteChange): Promise<WriteResult> {
    const { note, set, left } = await this.plan(write, change.signal);
    await this.writer.commit(set, change);
    const [own, ...others] = set.files;
    return {
      action: 'rename',
      zettel_id: write.new_zettel_id,
      location: note.space,
      path: this.files.shownPath(note.space, own!.file),
      content_hash: createHash('sha256').update(own!.after!).digest('hex'),
      also: others.map(({ space, file }) => this.files.shownPath(space, file)),
      ...messageOf(note, left),
    };
  }

  async preview(write: WriteOf<'rename'>, signal?: AbortSignal): Promise<NotePreview> {
    return previewOf((await this.plan(write, signal)).set.files);
  }

  private async plan(write: WriteOf<'rename'>, signal: AbortSignal | undefined): Promise<RenamePlan> {
    return untilNothingIsStale(this.files, async () => {
      await whenIndexed(this.files, signal);
      const note = this.noteFor(write);
      const { zettel_id, space } = note;
      const following = this.following(note, write.new_zettel_id, await import('../format'));
      const isOwn = (each: Following) => keyOf(each) === keyOf(note);
      const own = await this.ownChange(note, write.new_zettel_id, following.find(isOwn)!);
      const others = following.filter((each) => !isOwn(each));
      const { changes, stale, left } = await followingChanges(this.files, others, signal);
      const files = own === 'stale' ? changes : [own, ...changes];
      const set: ChangeSet = { space, zettel_id, action: 'rename', files };
      return { note, set, left, stale: own === 'stale' ? [...stale, note] : stale };
    });
  }

  /** The note, if it may have the new id. */
  private noteFor({ zettel_id, location, new_zettel_id }: WriteOf<'rename'>): Note {
    const note = this.files.resolve({ zettel_id, space: location });
    checkId(new_zettel_id, sentence('new zettel_id'));
    if (note.zettel_id === new_zettel_id) {
      throw new KaizenError('invalid_argument', sentence('The note is called "{0}" already.', new_zettel_id));
    }
    const holder = this.files.holderOf(note.space, new_zettel_id);
    if (holder && !('zettel_id' in holder && holder.file === note.file)) {
      throw new KaizenError(
        'conflict',
        sentence(
          'The {0} space has "{1}", which would be called the same.',
          spaceName(note.space),
          holder.file ?? new_zettel_id,
        ),
        sentence('Choose another id.'),
      );
    }
    return note;
  }

  /** Whose links are to change: those to the note, and those that would lead to it from now on without meaning it. */
  private following(note: Note, newId: string, { retarget }: Format): Following[] {
    const { space } = note;
    const other = space === 'project' ? 'user' : 'project';
    const byFile = new Map<string, Following>();
    const toItself = note.links.filter((link) => this.leadsTo(note, link, note));
    for (const file of [...this.files.linkingTo(note), { ...note, links: toItself }]) {
      // Its own space comes first for each file: there the new id may be another note's.
      const hides = file.space !== space && this.files.holderOf(file.space, newId) !== undefined;
      const edit = (link: NoteLink) => retarget(link, newId, hides && !link.location ? space : undefined);
      byFile.set(keyOf(file), { ...file, edit });
    }
    const hidden = this.files.holderOf(other, newId);
    if (hidden && 'zettel_id' in hidden) {
      for (const file of this.files.linkingTo(hidden)) {
        if (file.space !== space) continue;
        const links = file.links.filter((link) => !link.location && nameIn(link.target) === idKey(newId));
        if (links.length > 0) addTo(byFile, { ...file, links }, (link) => retarget(link, hidden.zettel_id, other));
      }
    }
    return [...byFile.values()];
  }

  private leadsTo(from: Note, link: NoteLink, note: Note): boolean {
    const target = this.files.resolveLink(from, link);
    return target.kind === 'note' && target.note.uri === note.uri;
  }

  private async ownChange(note: Note, newId: string, { links, edit }: Following): Promise<FileChange | 'stale'> {
    const { space, file, category } = note;
    const before = await this.files.bytes(space, file);
    if (!before || createHash('sha256').update(before).digest('hex') !== note.content_hash) return 'stale';
    if (!isUtf8(before)) throw notUtf8(file);
    const { applyEdits, editFrontMatter } = await import('../format');
    const text = applyEdits(before.toString('utf8'), links.map(edit));
    const after = note.isIdDeclared ? editFrontMatter(text, { zettel_id: newId }) : text;
    const moved = `${category === '' ? '' : `${category}/`}${newId}.md`;
    return { space, file: moved, before, after, movedFrom: file };
  }
}

/** One file may have links of both kinds. */
function addTo(byFile: Map<string, Following>, file: LinkingFile, edit: (link: NoteLink) => TextEdit): void {
  const known = byFile.get(keyOf(file));
  const added = new Set(file.links);
  byFile.set(keyOf(file), {
    ...file,
    links: [...(known?.links ?? []), ...file.links],
    edit: (link) => (added.has(link) || !known ? edit(link) : known.edit(link)),
  });
}

function keyOf({ space, file }: { space: Location; file: string }): string {
  return `${space}:${file}`;
}

function messageOf(note: Note, left: readonly LinkingFile[]): { message?: string } {
  const sentences = [
    ...(note.version === undefined
      ? []
      : [
          `The registry goes on having it as "${note.zettel_id}"; publishing it makes a new note there under the new id.`,
        ]),
    ...aboutLeft(left),
  ];
  return sentences.length === 0 ? {} : { message: sentences.join(' ') };
}

function notUtf8(file: string): KaizenError {
  return new KaizenError(
    'unreadable_note',
    sentence('"{0}" is not UTF-8, and writing it could spoil its letters.', file),
    sentence('Save the file as UTF-8, and try again.'),
  );
}

/** The last part of a link's target, as ids and file names are compared. */
function nameIn(target: string): string {
  return target
    .slice(Math.max(target.lastIndexOf('/'), target.lastIndexOf('\\')) + 1)
    .replace(/\.md$/i, '')
    .toLowerCase();
}
