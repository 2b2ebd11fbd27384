import { existsSync } from 'node:fs';
import { isKaizenError } from '../core/errors';
import {
  entryUri,
  KNOWLEDGE_SCHEME,
  LEARNING_AUTHORITY,
  LIBRARY_AUTHORITY,
  libraryUri,
  NOTES_AUTHORITY,
  parseEntryUri,
  parseLibraryUri,
  parseNoteUri,
  SCOPES_AUTHORITY,
} from '../core/knowledge-uri';
import type { Resolved } from '../relations';
import type { FirstLook } from './first-look';
import type { KnownParts } from './model';

const PROPOSALS_AUTHORITY = 'proposals';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Says what is at an address, by asking the part that it belongs to. */
export class Resolving {
  constructor(
    private readonly parts: KnownParts,
    private readonly looks: { bases: FirstLook; notes: FirstLook },
  ) {}

  async resolve(uri: string): Promise<Resolved> {
    const authority = authorityOf(uri);
    switch (authority) {
      case undefined:
      case PROPOSALS_AUTHORITY:
        return 'gone';
      case SCOPES_AUTHORITY:
        return this.entry(uri);
      case NOTES_AUTHORITY:
        return this.note(uri);
      case LIBRARY_AUTHORITY:
        return this.ofLibrary(uri);
      case LEARNING_AUTHORITY:
        return this.record(uri);
      default:
        return this.node(uri, authority);
    }
  }

  /** The address of a captured record, or of a chunk of the library, by its id alone. */
  async locate(id: string): Promise<string | undefined> {
    const record = this.parts.learning.find(id);
    if (record) return record.uri;
    if (!UUID.test(id) || !this.isLibraryThere()) return undefined;
    const document = await this.parts.library.documentOf(id).catch(() => undefined);
    return document === undefined ? undefined : libraryUri(document, id);
  }

  /** Whether the address means something in this workspace alone. */
  isOfWorkspace(uri: string): boolean {
    const authority = authorityOf(uri);
    if (authority === NOTES_AUTHORITY) return parseNoteUri(uri)?.space === 'project';
    if (authority === LIBRARY_AUTHORITY || authority === LEARNING_AUTHORITY) return false;
    if (authority !== SCOPES_AUTHORITY) return true;
    const scope = parseEntryUri(uri)?.scope_id;
    return this.parts.knowledge.listScopes().some(({ scope_id, tier }) => scope_id === scope && tier === 'PROJECT');
  }

  private entry(uri: string): Resolved {
    const key = parseEntryUri(uri);
    if (!key) return 'gone';
    try {
      const entry = this.parts.knowledge.entry(key);
      return entry ? { uri: entryUri(entry), title: entry.keyword, kind: 'entry' } : 'gone';
    } catch (error) {
      // No scope of that name, or a name that none can have.
      if (isKaizenError(error) && (error.code === 'unknown_scope' || error.code === 'invalid_argument')) return 'gone';
      throw error;
    }
  }

  private async note(uri: string): Promise<Resolved> {
    const { notes } = this.parts;
    const address = parseNoteUri(uri);
    if (!address) return 'gone';
    const isComplete = await this.looks.notes.done();
    const note = notes.noteByUri(uri);
    if (note) return { uri: note.uri, title: note.title, kind: 'note' };
    const status = notes.spaces().find(({ space }) => space === address.space);
    return isComplete && status?.state === 'ready' ? 'gone' : 'unknown';
  }

  private async node(uri: string, authority: string): Promise<Resolved> {
    const { bases } = this.parts;
    const isComplete = await this.looks.bases.done();
    const node = bases.nodeByUri(uri);
    if (node) return { uri: node.uri, title: node.title, kind: 'node' };
    const status = bases.statuses().find(({ definition }) => definition.name.toLowerCase() === authority.toLowerCase());
    return isComplete && status?.state === 'ready' ? 'gone' : 'unknown';
  }

  private record(address: string): Resolved {
    const found = this.parts.learning.find(address);
    // What is another person's own is there, and is not told.
    if (!found) return this.parts.learning.isHidden(address) ? 'unknown' : 'gone';
    const { record, kind, uri } = found;
    return { uri, title: 'title' in record ? record.title : record.name, kind };
  }

  private async ofLibrary(uri: string): Promise<Resolved> {
    const { library } = this.parts;
    const address = parseLibraryUri(uri);
    if (!address) return 'gone';
    if (!this.isLibraryThere()) return 'unknown';
    const { document_id, chunk: id } = address;
    try {
      if (id === undefined) {
        const { title } = await library.source(document_id);
        return { uri: libraryUri(document_id), title, kind: 'document' };
      }
      const { document_title, section_title } = await library.chunk(libraryUri(document_id, id));
      const title = section_title === '' ? document_title : `${document_title}: ${section_title}`;
      return { uri: libraryUri(document_id, id), title, kind: 'chunk' };
    } catch (error) {
      return isKaizenError(error) && error.code === 'unknown_document' ? 'gone' : 'unknown';
    }
  }

  /** A directory that is not there may be on a drive that is not: then it would only look empty. */
  private isLibraryThere(): boolean {
    const { kind, place } = this.parts.library.state;
    return kind !== 'directory' || existsSync(place);
  }
}

function authorityOf(uri: string): string | undefined {
  return new RegExp(`^${KNOWLEDGE_SCHEME}://([^/?#]+)/`).exec(uri)?.[1];
}
