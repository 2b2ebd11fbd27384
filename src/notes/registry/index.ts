import { inspect } from 'node:util';
import { sentence } from '../../core/sentence';
import { type Address, AskAgain, Connections, readAddress } from '../../postgres';
import { checkId } from '../format/ids';
import type { Collection, CollectionInput, Relationship, RelationshipType } from '../vocabulary';
import { addCollection, findCollection, listCollections } from './collections';
import { addRelationship, listRelationships, removeRelationship } from './links';
import type {
  PublishOutcome,
  PublishRequest,
  Registry,
  RegistryEntry,
  RegistryHit,
  RegistryOptions,
  RegistrySearchRequest,
  RegistryStatus,
  RegistryVersion,
} from './model';
import { findEntry, isTakenMeanwhile, listVersions, publishEntry } from './publishing';
import { REGISTRY } from './schema';
import { searchEntries } from './searching';
import { describe, setUp } from './setting-up';

export { difference } from './difference';
export { REGISTRY_ROLES } from './roles';
export { FIRST_VERSION, nextVersion } from './versions';

/** Connects to nothing yet. Throws `invalid_argument` for what is no connection string. */
export function openRegistry(options: RegistryOptions): Registry {
  return new PostgresRegistry(readAddress(options, REGISTRY));
}

/** See `Registry`. Its fields are private to the engine, so that nothing that prints objects prints a password. */
class PostgresRegistry implements Registry {
  readonly #connections: Connections;
  readonly #tls: Address['tls'];

  constructor(address: Address) {
    this.#connections = new Connections(address, REGISTRY);
    this.#tls = address.tls;
  }

  status(signal?: AbortSignal): Promise<RegistryStatus> {
    return describe(this.#connections, this.#tls, signal);
  }

  init(signal?: AbortSignal): Promise<{ from: number; to: number }> {
    return setUp(this.#connections, signal);
  }

  search(request: RegistrySearchRequest, signal?: AbortSignal): Promise<{ hits: RegistryHit[]; total: number }> {
    return this.#connections.call((session) => searchEntries(session, request), { signal, reads: true });
  }

  get(zettelId: string, version?: string, signal?: AbortSignal): Promise<RegistryEntry | undefined> {
    if (!isStorable(zettelId, version)) return Promise.resolve(undefined);
    return this.#connections.call((session) => findEntry(session, zettelId, version), { signal, reads: true });
  }

  versions(zettelId: string, signal?: AbortSignal): Promise<RegistryVersion[]> {
    if (!isStorable(zettelId)) return Promise.resolve([]);
    return this.#connections.call((session) => listVersions(session, zettelId), { signal, reads: true });
  }

  async publish(request: PublishRequest, signal?: AbortSignal): Promise<PublishOutcome> {
    checkId(request.fields.zettel_id);
    // Two first versions of a note at once: the second sees the first when it asks again.
    for (let tries = 2; ; tries--) {
      try {
        return await this.#connections.call(
          (session) =>
            publishEntry(session, request).catch((error) => {
              throw tries > 1 && isTakenMeanwhile(error) ? new AskAgain() : error;
            }),
          { signal },
        );
      } catch (error) {
        if (!(error instanceof AskAgain)) throw error;
      }
    }
  }

  remove(zettelId: string, signal?: AbortSignal): Promise<boolean> {
    checkId(zettelId);
    return this.#connections.call(
      async (session) =>
        (await session.change('DELETE FROM kaizen.knowledge_entries WHERE zettel_id = $1', [zettelId])) > 0,
      { signal },
    );
  }

  relationships(zettelId: string, signal?: AbortSignal): Promise<Relationship[]> {
    if (!isStorable(zettelId)) return Promise.resolve([]);
    return this.#connections.call((session) => listRelationships(session, zettelId), { signal, reads: true });
  }

  link(from: string, to: string, type: RelationshipType, author: string, signal?: AbortSignal): Promise<boolean> {
    checkId(from, 'from_zettel_id');
    checkId(to, 'to_zettel_id');
    return this.#connections.call((session) => addRelationship(session, [from, to, type], author), { signal });
  }

  unlink(from: string, to: string, type: RelationshipType, signal?: AbortSignal): Promise<boolean> {
    checkId(from, 'from_zettel_id');
    checkId(to, 'to_zettel_id');
    return this.#connections.call((session) => removeRelationship(session, [from, to, type]), { signal });
  }

  collections(signal?: AbortSignal): Promise<Collection[]> {
    return this.#connections.call(listCollections, { signal, reads: true });
  }

  collection(idOrName: string, signal?: AbortSignal): Promise<Collection | undefined> {
    if (!isStorable(idOrName)) return Promise.resolve(undefined);
    return this.#connections.call((session) => findCollection(session, idOrName), { signal, reads: true });
  }

  createCollection(input: CollectionInput, author: string, signal?: AbortSignal): Promise<Collection> {
    for (const id of input.zettel_ids) checkId(id);
    const id = collectionId(input.name);
    return this.#connections.call((session) => addCollection(session, id, input, author), { signal });
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  [inspect.custom](): string {
    return `Registry ${this.#connections.label}`;
  }
}

/** Nothing is called by a name that PostgreSQL cannot store. */
function isStorable(...names: readonly (string | undefined)[]): boolean {
  return names.every((name) => !name?.includes('\0'));
}

const LONGEST_ID = 80;

/** A safe file name made of a collection's name. Throws `invalid_argument` for a name without a letter or a digit. */
function collectionId(name: string): string {
  const words =
    name
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return checkId(
    [...words.join('-')].slice(0, LONGEST_ID).join('').replace(/-+$/, ''),
    sentence('id of the collection'),
  );
}
