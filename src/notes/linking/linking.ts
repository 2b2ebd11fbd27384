import { isUtf8 } from 'node:buffer';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { type ChangeSet, type ChangeWriter, previewOf } from '../changes';
import { checkId } from '../format/ids';
import { LIMITS } from '../format/limits';
import { whenIndexed } from '../indexed';
import type {
  LinkTarget,
  LinkWrite,
  Location,
  Note,
  NoteChange,
  NoteLink,
  NotePreview,
  Space,
  WriteResult,
} from '../model';
import type { Performer } from '../performer';
import type { Registry } from '../registry/model';
import { spaceName } from '../space-names';
import type { SpaceFiles } from '../spaces';

/** A link of the front matter as it is to be written. */
interface LocalPlan {
  note: Note;
  /** Undefined when there is nothing to do. */
  set: ChangeSet | undefined;
}

/**
 * Links between notes that are no words of a text: below `relationships` in the front matter of the note that they start
 * from, or rows of the registry.
 */
export class Linking implements Performer<LinkWrite> {
  constructor(
    private readonly files: SpaceFiles,
    private readonly writer: ChangeWriter,
    private readonly registry: () => Promise<Registry>,
  ) {}

  async perform(write: LinkWrite, change: NoteChange): Promise<WriteResult> {
    const { action, ...relationship } = write;
    if (write.location === 'registry') {
      return { action, relationship, changed: await this.performInRegistry(write, change) };
    }
    const { note, set } = await this.plan(write, change.signal);
    if (set) await this.writer.commit(set, change);
    return {
      action,
      relationship,
      changed: set !== undefined,
      path: this.files.shownPath(note.space, note.file),
    };
  }

  async preview(write: LinkWrite, signal?: AbortSignal): Promise<NotePreview> {
    if (write.location === 'registry') {
      this.checkInRegistry(write);
      return { files: [] };
    }
    return previewOf((await this.plan(write, signal)).set?.files ?? []);
  }

  private async performInRegistry(write: LinkWrite, { author, signal }: NoteChange): Promise<boolean> {
    this.checkInRegistry(write);
    const { action, from_zettel_id: from, to_zettel_id: to, relationship_type: type } = write;
    const registry = await this.registry();
    return action === 'link' ? registry.link(from, to, type, author, signal) : registry.unlink(from, to, type, signal);
  }

  private checkInRegistry({ from_zettel_id, to_zettel_id, to_location }: LinkWrite): void {
    checkId(from_zettel_id, 'from_zettel_id');
    checkId(to_zettel_id, 'to_zettel_id');
    if (from_zettel_id === to_zettel_id) throw linksToItself(from_zettel_id);
    if (to_location === undefined || to_location === 'registry') return;
    throw new KaizenError(
      'invalid_argument',
      sentence(
        'A note of the registry cannot be linked to one of the {0} space, which others do not have.',
        spaceName(to_location),
      ),
      sentence('Publish "{0}" first, or link from a note of a space.', to_zettel_id),
    );
  }

  private async plan(write: LinkWrite, signal: AbortSignal | undefined): Promise<LocalPlan> {
    await whenIndexed(this.files, signal);
    const { action, from_zettel_id, to_zettel_id, to_location, relationship_type: type } = write;
    const note = this.files.resolve({ zettel_id: from_zettel_id, space: spaceOf(write.location) });
    const end = this.endOf(note, to_zettel_id, to_location, action);
    if (end.kind === 'note' && end.note.uri === note.uri) throw linksToItself(from_zettel_id);
    const { space, file, zettel_id } = note;
    const before = await this.files.bytes(space, file);
    if (!before)
      throw new KaizenError(
        'unknown_note',
        sentence('"{0}" is not there any more.', file),
        sentence('It was moved or deleted.'),
      );
    if (!isUtf8(before)) {
      throw new KaizenError(
        'unreadable_note',
        sentence('"{0}" is not UTF-8.', file),
        sentence('Save it as UTF-8, and try again.'),
      );
    }
    const text = before.toString('utf8');
    // As the file is now, whatever is known of it.
    const links = this.files.parse(text, space, file).links.filter((link) => link.type === type && !link.isEmbed);
    const isIt = (link: NoteLink) => isSame(end, this.files.resolveLink(note, link), link, to_zettel_id, to_location);
    const found = links.filter(isIt);
    if (action === 'link' ? found.length > 0 : found.length === 0) return { note, set: undefined };
    if (action === 'unlink') requireNoWikilink(found, note, to_zettel_id);
    const { editFrontMatter, relationshipListWithout } = await import('../format');
    const list = relationshipListWithout(text, type, found);
    if (action === 'link') list.push(this.targetFor(note, end, to_zettel_id));
    if (list.length > LIMITS.relationships) {
      throw new KaizenError(
        'invalid_argument',
        sentence('"{0}" has {1} relationships of type {2} already.', zettel_id, LIMITS.relationships, type),
        sentence('Make a collection of them.'),
      );
    }
    const after = editFrontMatter(text, { relationships: { [type]: list } });
    return { note, set: { space, zettel_id, action, files: [{ space, file, before, after }] } };
  }

  /** Throws `unknown_note` when a link is to lead to what is not there; one that leads nowhere can be taken away. */
  private endOf(note: Note, target: string, location: Location | undefined, action: LinkWrite['action']): LinkTarget {
    checkId(target, 'to_zettel_id');
    if (location === 'registry') return { kind: 'registry', zettel_id: target };
    const found = location
      ? this.files.note(location, target)
      : (this.files.note(note.space, target) ?? this.files.note(otherThan(note.space), target));
    if (found) return { kind: 'note', note: found };
    if (action === 'unlink') return { kind: 'broken' };
    // Names near ones.
    return { kind: 'note', note: this.files.resolve({ zettel_id: target, space: spaceOf(location) }) };
  }

  /** The id alone where it leads there from the note, else with its location. */
  private targetFor(note: Note, end: LinkTarget, target: string): string {
    if (end.kind !== 'note') return `registry:${target}`;
    const { space, zettel_id, uri } = end.note;
    const plain = this.files.resolveLink(note, { target: zettel_id });
    return plain.kind === 'note' && plain.note.uri === uri ? zettel_id : `${space}:${zettel_id}`;
  }
}

/** Whether a link of the note is the one that is meant. One that leads nowhere is told by what is written. */
function isSame(
  end: LinkTarget,
  now: LinkTarget,
  link: NoteLink,
  target: string,
  location: Location | undefined,
): boolean {
  if (end.kind === 'note') return now.kind === 'note' && now.note.uri === end.note.uri;
  if (end.kind === 'registry') return link.location === 'registry' && link.target === target;
  return now.kind === 'broken' && link.target === target && link.location === location;
}

function requireNoWikilink(found: readonly NoteLink[], { zettel_id, file }: Note, target: string): void {
  const wikilink = found.find(({ origin }) => origin === 'wikilink');
  if (!wikilink) return;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" refers to "{1}" in its text, in line {2} of "{3}".', zettel_id, target, wikilink.line + 1, file),
    sentence('Take [[{0}]] out of the text; then it is not linked any more.', wikilink.target),
  );
}

function linksToItself(zettelId: string): KaizenError {
  return new KaizenError('invalid_argument', sentence('"{0}" cannot be linked to itself.', zettelId));
}

function spaceOf(location: Location | undefined): Space | undefined {
  return location === 'registry' ? undefined : location;
}

function otherThan(space: Space): Space {
  return space === 'project' ? 'user' : 'project';
}
