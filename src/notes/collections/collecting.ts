import { isUtf8 } from 'node:buffer';
import { type Clock, isoTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { checkText, checkTrimmed } from '../../core/text';
import { type ChangeSet, type ChangeWriter, previewOf } from '../changes';
import { checkId, idKey } from '../format/ids';
import { LIMITS } from '../format/limits';
import { whenIndexed } from '../indexed';
import {
  COLLECTION_TYPES,
  type Collection,
  type CollectionInput,
  type Note,
  type NoteChange,
  type NotePreview,
  type Space,
  type WriteResult,
} from '../model';
import type { Performer, WriteOf } from '../performer';
import type { Registry } from '../registry/model';
import { safeName } from '../safe-names';
import { spaceName } from '../space-names';
import type { SpaceFiles } from '../spaces';

type CollectionWrite = WriteOf<'create_collection' | 'update_collection' | 'delete_collection'>;

/** The folder of a space that its collections lie in. */
const FOLDER = 'collections';
/** Notes of a collection: more are no list that somebody goes through. */
const MAX_MEMBERS = 1_000;

interface Plan {
  collection: Collection;
  set: ChangeSet;
}

/** Creates, changes and deletes collections: a file each in a space, rows in the registry. */
export class Collecting implements Performer<CollectionWrite> {
  constructor(
    private readonly files: SpaceFiles,
    private readonly writer: ChangeWriter,
    private readonly registry: () => Promise<Registry>,
    private readonly clock: Clock,
  ) {}

  /** Throws `invalid_argument`, `unknown_note` for members, `unknown_collection`, `conflict` for a name that is taken. */
  async perform(write: CollectionWrite, change: NoteChange): Promise<WriteResult> {
    const { action } = write;
    if (action === 'create_collection' && write.location === 'registry') {
      const input = checkInput(write.input);
      const registry = await this.registry();
      return { action, collection: await registry.createCollection(input, change.author, change.signal) };
    }
    const { collection, set } = await this.plan(write, change.signal);
    await this.writer.commit(set, change);
    return { action, collection, path: this.files.shownPath(set.space, collection.file!) };
  }

  async preview(write: CollectionWrite, signal?: AbortSignal): Promise<NotePreview> {
    if (write.action === 'create_collection' && write.location === 'registry') {
      checkInput(write.input);
      return { files: [] };
    }
    return previewOf((await this.plan(write, signal)).set.files);
  }

  /** By its id, else by its name, without regard to case; project before user unless told. Throws `unknown_collection`. */
  find(idOrName: string, space?: Space): Collection {
    const all = this.files.collections(space);
    const key = idKey(idOrName.trim());
    const found = all.find(({ id }) => idKey(id) === key) ?? all.find(({ name }) => idKey(name) === key);
    if (found) return found;
    const names = all.slice(0, 5).map(({ id }) => `"${id}"`);
    throw new KaizenError(
      'unknown_collection',
      space
        ? sentence('There is no collection "{0}" in the {1} space.', idOrName.slice(0, 80), spaceName(space))
        : sentence('There is no collection "{0}".', idOrName.slice(0, 80)),
      names.length === 0 ? sentence('Create it first.') : thereAre(names, all.length),
    );
  }

  private async plan(write: CollectionWrite, signal: AbortSignal | undefined): Promise<Plan> {
    await whenIndexed(this.files, signal);
    return write.action === 'create_collection' ? this.planCreate(write) : this.planChange(write);
  }

  private async planCreate(write: WriteOf<'create_collection'>): Promise<Plan> {
    const space: Space = write.location === 'user' ? 'user' : 'project';
    const input = checkInput(write.input);
    const id = idFor(input.name);
    const holder =
      this.files.holderOf(space, id) ??
      this.files.collections(space).find(({ name }) => idKey(name) === idKey(input.name));
    if (holder) {
      throw new KaizenError(
        'conflict',
        sentence(
          'The {0} space has "{1}", which is called the same.',
          spaceName(space),
          this.files.shownPath(space, holder.file ?? id),
        ),
        sentence('Give the collection another name.'),
      );
    }
    const members = eachOnce(input.zettel_ids.map((target) => this.member(target, space)));
    const { formatCollection } = await import('../format');
    const after = formatCollection(input, members, isoTime(this.clock.now()).replace(/\.\d+Z$/, 'Z'));
    const file = `${FOLDER}/${id}.md`;
    const zettel_ids = members.map(({ target }) => target);
    return {
      collection: { ...input, id, zettel_ids, location: space, file },
      set: { space, zettel_id: id, action: 'collection', files: [{ space, file, before: undefined, after }] },
    };
  }

  private async planChange(write: WriteOf<'update_collection' | 'delete_collection'>): Promise<Plan> {
    const found = this.find(write.id, write.location);
    const { id, file = '' } = found;
    const space = found.location as Space;
    const before = await this.files.bytes(space, file);
    if (!before) {
      throw new KaizenError(
        'unknown_collection',
        sentence('"{0}" is not there any more.', file),
        sentence('It was moved or deleted.'),
      );
    }
    const set = (after: string | undefined): ChangeSet => ({
      space,
      zettel_id: id,
      action: 'collection',
      files: [{ space, file, before, after }],
    });
    if (write.action === 'delete_collection') return { collection: found, set: set(undefined) };
    if (!isUtf8(before)) {
      throw new KaizenError(
        'unreadable_note',
        sentence('"{0}" is not UTF-8.', file),
        sentence('Save it as UTF-8, and try again.'),
      );
    }
    const { zettel_ids, ...patch } = checkPatch(write.patch);
    const { editCollection, parseCollection, replaceMembers } = await import('../format');
    let after = before.toString('utf8');
    if (zettel_ids) {
      // Who is a member already need not be there: its line stays as it is.
      const known = new Set(parseCollection(after, file).zettel_ids);
      const members = zettel_ids.map((target) =>
        known.has(target) ? { target, title: '' } : this.member(target, space),
      );
      after = replaceMembers(after, eachOnce(members));
    }
    if (Object.keys(patch).length > 0) after = editCollection(after, patch);
    const { name, description, collection_type, zettel_ids: members } = parseCollection(after, file);
    return { collection: { ...found, name, description, collection_type, zettel_ids: members }, set: set(after) };
  }

  /** Throws `unknown_note`; where the location of a note is named, it need not be there. */
  private member(target: string, space: Space): { target: string; title: string } {
    const [, location, named] = /^(project|user|registry):\s*(.*)$/s.exec(target) ?? [];
    if (location !== undefined) {
      const id = checkId(named ?? '', 'zettel_id');
      const note = location === 'registry' ? undefined : this.files.note(location as Space, id);
      return { target: `${location}:${id}`, title: note?.title ?? '' };
    }
    const id = checkId(target, 'zettel_id');
    const other = space === 'project' ? 'user' : 'project';
    const note: Note =
      this.files.note(space, id) ?? this.files.note(other, id) ?? this.files.resolve({ zettel_id: id });
    return { target: note.zettel_id, title: note.title };
  }
}

/** Two spellings of an id are one note. */
function eachOnce(members: readonly { target: string; title: string }[]): { target: string; title: string }[] {
  return [...new Map(members.toReversed().map((member) => [member.target, member])).values()].reverse();
}

function checkInput({ name, description, collection_type, zettel_ids }: CollectionInput): CollectionInput {
  return {
    name: checkName(name),
    description: checkDescription(description),
    collection_type: checkType(collection_type),
    zettel_ids: checkMembers(zettel_ids),
  };
}

function checkPatch({
  name,
  description,
  collection_type,
  zettel_ids,
}: Partial<CollectionInput>): Partial<CollectionInput> {
  const patch = {
    ...(name === undefined ? {} : { name: checkName(name) }),
    ...(description === undefined ? {} : { description: checkDescription(description) }),
    ...(collection_type === undefined ? {} : { collection_type: checkType(collection_type) }),
    ...(zettel_ids === undefined ? {} : { zettel_ids: checkMembers(zettel_ids) }),
  };
  if (Object.keys(patch).length > 0) return patch;
  throw new KaizenError(
    'invalid_argument',
    sentence('There is nothing to update.'),
    sentence('Give at least one of name, description, collection_type and zettel_ids.'),
  );
}

function thereAre(names: readonly string[], all: number): Sentence {
  const listed = names.join(', ');
  if (all === 1) return sentence('There is {0}.', listed);
  return all > names.length ? sentence('There are {0} and others.', listed) : sentence('There are {0}.', listed);
}

function checkName(name: string): string {
  return checkTrimmed(name, { name: sentence('name'), min: 1, max: LIMITS.title, singleLine: true });
}

function checkDescription(description: string): string {
  const text = description.replace(/\s+/g, ' ');
  return checkText(text.trim(), { name: sentence('description'), max: LIMITS.description, singleLine: true });
}

function checkType(type: CollectionInput['collection_type']): CollectionInput['collection_type'] {
  if (COLLECTION_TYPES.includes(type)) return type;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" is no collection_type.', String(type).slice(0, 80)),
    sentence('Use one of {0}.', COLLECTION_TYPES.join(', ')),
  );
}

/** Each once, in their order. */
function checkMembers(ids: readonly string[]): string[] {
  const members = [...new Set(ids.map((id) => id.trim()))];
  if (members.length <= MAX_MEMBERS) return members;
  throw new KaizenError(
    'invalid_argument',
    sentence('A collection has at most {0} notes.', MAX_MEMBERS),
    sentence('Make several.'),
  );
}

/** The id that a name makes. Throws `invalid_argument` when nothing of it can be one. */
function idFor(name: string): string {
  const id = [...safeName(name.toLowerCase())]
    .slice(0, 100)
    .join('')
    .replace(/[-.]+$/, '');
  return checkId(id === '' ? name : id, 'name');
}
