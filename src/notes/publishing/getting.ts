import { describeError, isKaizenError, KaizenError } from '../../core/errors';
import { Turns } from '../../core/turns';
import { contentOf, parseNoteInTurns } from '../format';
import { type GetRequest, type GotNote, type NoteChange, type NoteFields, type Relationship, SPACES } from '../model';
import type { RegistryEntry } from '../registry/model';
import type { HandedOut } from '../writing';
import { type Downloading, notPublished } from './downloading';
import { type LocalSpaces, readLocal } from './local-note';
import { fileHash } from './same-text';
import type { SharedRegistry } from './shared-registry';

/**
 * Answers `get`: a space's note as its file is now, or the registry's. The registry is asked when the caller names it,
 * and then only for what the spaces do not have, or for the relationships that it holds.
 */
export class Getting {
  constructor(
    private readonly spaces: LocalSpaces,
    private readonly shared: SharedRegistry,
    private readonly downloading: Downloading,
    private readonly handedOut: HandedOut,
  ) {}

  /** See `NotesPart.get`. */
  async get(request: GetRequest, change: NoteChange): Promise<GotNote> {
    const asksRegistry = request.sources.includes('registry');
    checkRequest(request, asksRegistry);
    const local = request.sources.includes('local') ? await this.local(request, change, asksRegistry) : undefined;
    if (local) return local;
    const { zettel_id, version, include_relationships, include_backlinks } = request;
    const registry = await this.shared.open();
    // Both at once: one after the other a slow server could take twice the time that a call has.
    const [entry, relationships] = await Promise.all([
      registry.get(zettel_id, version, change.signal),
      include_relationships || include_backlinks ? registry.relationships(zettel_id, change.signal) : [],
    ]);
    if (!entry) throw notPublished(zettel_id, version);
    return this.fromRegistry(entry, relationships, request, change);
  }

  /** Undefined when the spaces do not have it and the registry may be asked. */
  private async local(request: GetRequest, change: NoteChange, asksRegistry: boolean): Promise<GotNote | undefined> {
    const { zettel_id, version, destination = [] } = request;
    const { signal } = change;
    const read = await readLocal(this.spaces, { zettel_id }, signal).catch((error) => {
      if (asksRegistry && isKaizenError(error) && error.code === 'unknown_note') return undefined;
      throw error;
    });
    if (!read || (version !== undefined && read.parsed.fields.version !== version)) return undefined;
    const { note, bytes, text, parsed } = read;
    this.handedOut.remember(change.author, note.space, note.zettel_id, fileHash(bytes));
    const known = this.spaces.relationships(note);
    const messages = [
      ...(SPACES.some((space) => space !== note.space && this.spaces.note(space, note.zettel_id))
        ? [`The ${note.space === 'project' ? 'user' : 'project'} space has a note of this id, too.`]
        : []),
      ...parsed.problems.filter(({ code }) => code === 'front_matter').map(({ message }) => String(message)),
      ...(destination.length > 0 ? [`It was found in the ${note.space} space: nothing was downloaded.`] : []),
    ];
    const wantsMore = request.include_relationships || request.include_backlinks;
    const published = asksRegistry && wantsMore ? await this.published(note.zettel_id, messages, signal) : [];
    return {
      ...fieldsOf(parsed.fields),
      zettel_id: note.zettel_id,
      content: contentOf(text, parsed.bodyStart),
      source_location: note.space,
      category: note.category,
      path: this.spaces.shownPath(note.space, note.file),
      content_hash: fileHash(bytes),
      ...relationshipsFor(request, [...known, ...published]),
      ...(messages.length > 0 ? { message: messages.join(' ') } : {}),
    };
  }

  /** What the registry knows beside the files; when it cannot be asked, the note is there all the same. */
  private async published(zettelId: string, messages: string[], signal?: AbortSignal): Promise<Relationship[]> {
    try {
      return await (await this.shared.open()).relationships(zettelId, signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      messages.push(`The registry's relationships are missing: ${describeError(error)}`);
      return [];
    }
  }

  private async fromRegistry(
    entry: RegistryEntry,
    relationships: readonly Relationship[],
    request: GetRequest,
    change: NoteChange,
  ): Promise<GotNote> {
    const { document, zettel_id } = entry;
    const { bodyStart } = await parseNoteInTurns(document, `${zettel_id}.md`, new Turns());
    const { destination = [] } = request;
    const downloads = destination.length > 0 ? await this.downloading.download(entry, destination, change) : undefined;
    const hash = fileHash(document);
    this.handedOut.remember(change.author, 'registry', zettel_id, hash);
    for (const { location, status } of downloads ?? []) {
      if (status === 'written') this.handedOut.remember(change.author, location, zettel_id, hash);
    }
    return {
      ...fieldsOf(entry),
      content: contentOf(document, bodyStart),
      source_location: 'registry',
      category: entry.category,
      content_hash: hash,
      ...relationshipsFor(request, relationships),
      ...(downloads ? { downloads } : {}),
    };
  }
}

/** Throws `invalid_argument`. */
function checkRequest({ sources, destination = [], version }: GetRequest, asksRegistry: boolean): void {
  const refuse = (message: string, hint: string) => {
    throw new KaizenError('invalid_argument', message, hint);
  };
  if (sources.length === 0) refuse('No source is named.', 'Name "local", "registry" or both.');
  if (asksRegistry) return;
  if (destination.length > 0) {
    refuse('Only what comes from the registry has a destination.', 'Name the source "registry".');
  }
  if (version !== undefined) refuse('Only the registry has versions.', 'Name the source "registry".');
}

function fieldsOf({ zettel_id, title, entry_type, tags, source_type, ...rest }: NoteFields): NoteFields {
  const { source_url, created_at, updated_at, version } = rest;
  return { zettel_id, title, entry_type, tags, source_type, source_url, created_at, updated_at, version };
}

/** Each once; what the spaces say comes first. */
function relationshipsFor(
  { include_relationships, include_backlinks }: GetRequest,
  all: readonly Relationship[],
): Pick<GotNote, 'relationships' | 'backlinks'> {
  const keyOf = ({ zettel_id, relationship_type, direction }: Relationship) =>
    `${direction} ${relationship_type} ${zettel_id}`;
  const unique = [...new Map(all.toReversed().map((each) => [keyOf(each), each])).values()].reverse();
  return {
    ...(include_relationships ? { relationships: unique.filter(({ direction }) => direction === 'outgoing') } : {}),
    ...(include_backlinks ? { backlinks: unique.filter(({ direction }) => direction === 'incoming') } : {}),
  };
}
