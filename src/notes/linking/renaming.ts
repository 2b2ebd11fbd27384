import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { KaizenError } from '../../core/errors';
import { Turns } from '../../core/turns';
import { inParallel } from '../../files';
import { type ChangeSet, type ChangeWriter, type FileChange, previewOf } from '../changes';
import { checkId, idKey } from '../format/ids';
import { whenIndexed } from '../indexed';
import type { Location, Note, NoteChange, NoteLink, NotePreview, WriteResult } from '../model';
import type { Performer, WriteOf } from '../performer';
import type { LinkingFile, SpaceFiles } from '../spaces';
import { applyEdits, nameIn, retarget, type TextEdit } from './retarget';

/** Files that are read at once. */
const AT_ONCE = 16;
/** How often a rename is planned anew when files change meanwhile. */
const ATTEMPTS = 3;

interface RenamePlan {
  note: Note;
  set: ChangeSet;
  /** Whose links to the note stay as they are. */
  left: readonly LinkingFile[];
}

/** A file, its links, and what each is to say. */
interface Following extends LinkingFile {
  edit(link: NoteLink): TextEdit;
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
    for (let attempt = 1; ; attempt++) {
      await whenIndexed(this.files, signal);
      const note = this.noteFor(write);
      const following = this.following(note, write.new_zettel_id);
      const { changes, stale, left } = await this.changesOf(note, write.new_zettel_id, following, signal);
      if (stale.length === 0) {
        const set: ChangeSet = { space: note.space, zettel_id: note.zettel_id, action: 'rename', files: changes };
        return { note, set, left };
      }
      if (attempt === ATTEMPTS) {
        throw new KaizenError('conflict', `"${stale[0]!.file}" was changed just now by somebody else.`, 'Try again.');
      }
      for (const { space, file } of stale) await this.files.reindex(space, [file]);
    }
  }

  /** The note, if it may have the new id. */
  private noteFor({ zettel_id, location, new_zettel_id }: WriteOf<'rename'>): Note {
    const note = this.files.resolve({ zettel_id, space: location });
    checkId(new_zettel_id, 'new zettel_id');
    if (note.zettel_id === new_zettel_id) {
      throw new KaizenError('invalid_argument', `The note is called "${new_zettel_id}" already.`);
    }
    const holder = this.files.holderOf(note.space, new_zettel_id);
    if (holder && !('zettel_id' in holder && holder.file === note.file)) {
      throw new KaizenError(
        'conflict',
        `The ${note.space} space has "${holder.file ?? new_zettel_id}", which would be called the same.`,
        'Choose another id.',
      );
    }
    return note;
  }

  /** Whose links are to change: those to the note, and those that would lead to it from now on without meaning it. */
  private following(note: Note, newId: string): Following[] {
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

  /** The note's file first. Those that are not as they were indexed are `stale`, those that cannot be edited are `left`. */
  private async changesOf(note: Note, newId: string, following: readonly Following[], signal?: AbortSignal) {
    const changes: FileChange[] = [];
    const stale: LinkingFile[] = [];
    const left: LinkingFile[] = [];
    const turns = new Turns(signal);
    const { editFrontMatter } = await import('../format');
    await inParallel(following, AT_ONCE, async (each) => {
      const { space, file, content_hash, links, edit } = each;
      await turns.pause();
      const isOwn = space === note.space && file === note.file;
      const before = await this.files.bytes(space, file);
      if (!before || createHash('sha256').update(before).digest('hex') !== content_hash) {
        stale.push(each);
        return;
      }
      if (!isUtf8(before)) {
        if (isOwn) throw notUtf8(file);
        left.push(each);
        return;
      }
      const after = applyEdits(before.toString('utf8'), links.map(edit));
      if (!isOwn) {
        changes.push({ space, file, before, after });
        return;
      }
      const moved = `${note.category === '' ? '' : `${note.category}/`}${newId}.md`;
      const text = note.isIdDeclared ? editFrontMatter(after, { zettel_id: newId }) : after;
      changes.unshift({ space, file: moved, before, after: text, movedFrom: file });
    });
    const [own, ...others] = changes;
    others.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    return { changes: own ? [own, ...others] : [], stale, left };
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
    ...left.map(({ file }) => `"${file}" is not UTF-8, and its links stay as they were.`),
  ];
  return sentences.length === 0 ? {} : { message: sentences.join(' ') };
}

function notUtf8(file: string): KaizenError {
  return new KaizenError(
    'unreadable_note',
    `"${file}" is not UTF-8, and writing it could spoil its letters.`,
    'Save the file as UTF-8, and try again.',
  );
}
