import { describeError, isKaizenError, KaizenError } from '../core/errors';
import type { KaizenParts } from '../kaizen';
import type { Collection, CollectionType, Location, NoteWrite, Relationship, RelationshipType, Source } from '../notes';
import { changeBy, writeOrHold } from './agent-writes';
import { amongNotes, indexed } from './first-indexing';
import { type ActionRule, checkAction } from './notes-arguments';
import { listOf } from './notes-finding';
import type { ToolCall } from './tool';

export interface LookUpArguments {
  action: 'get_relationships' | 'get_collection' | 'list_collections';
  zettel_id?: string | undefined;
  /** Id or name. */
  collection?: string | undefined;
  source?: Source | readonly Source[] | undefined;
}

export interface LinkArguments extends Omit<LookUpArguments, 'action'> {
  action: LookUpArguments['action'] | 'link' | 'unlink' | 'create_collection';
  from_zettel_id?: string | undefined;
  to_zettel_id?: string | undefined;
  relationship_type?: RelationshipType | undefined;
  location?: Location | undefined;
  to_location?: Location | undefined;
  name?: string | undefined;
  description?: string | undefined;
  zettel_ids?: string[] | undefined;
  collection_type?: CollectionType | undefined;
}

const LINKED = ['from_zettel_id', 'to_zettel_id', 'relationship_type'];
const LINK_EXAMPLE =
  '"from_zettel_id": "042-email-deliverability", "to_zettel_id": "043-spf-records", "relationship_type": "extends"})';

const RULES: Readonly<Record<LinkArguments['action'], ActionRule>> = {
  link: { needs: LINKED, may: ['location', 'to_location'], example: `link({"action": "link", ${LINK_EXAMPLE}` },
  unlink: { needs: LINKED, may: ['location', 'to_location'], example: `link({"action": "unlink", ${LINK_EXAMPLE}` },
  create_collection: {
    needs: ['name', 'zettel_ids', 'collection_type'],
    may: ['description', 'location'],
    example:
      'link({"action": "create_collection", "name": "Email Infrastructure", "description": "All about email", "zettel_ids": ["042-email-deliverability"], "collection_type": "topic"})',
  },
  get_relationships: {
    needs: ['zettel_id'],
    may: ['source'],
    example: 'link({"action": "get_relationships", "zettel_id": "042-email-deliverability"})',
  },
  get_collection: {
    needs: ['collection'],
    may: ['source'],
    example: 'link({"action": "get_collection", "collection": "Email Infrastructure"})',
  },
  list_collections: { needs: [], may: ['source'], example: 'link({"action": "list_collections"})' },
};

/** `link` of seed 004, with what looks up. */
export async function manageLinks(parts: KaizenParts, args: LinkArguments, call: ToolCall) {
  const { action } = args;
  if (action === 'get_relationships' || action === 'get_collection' || action === 'list_collections') {
    return lookUpLinks(parts, { ...args, action }, call);
  }
  checkAction('link', { ...args }, RULES);
  const input = writeOf({ ...args, action });
  const change = changeBy(call);
  return amongNotes(parts.notes, call.signal, async () => {
    const write = () => parts.notes.write(input, change);
    const result = await writeOrHold(parts, call, { operation: 'write_note', input }, change, write);
    if ('pending' in result) return { status: 'pending' as const, action, pending: result.pending };
    if (result.action === 'create_collection') {
      return { status: 'success' as const, action, collection: shown(result.collection), path: result.path };
    }
    if (result.action !== 'link' && result.action !== 'unlink') {
      throw new TypeError(`${action} was answered as ${result.action}`);
    }
    const { relationship, changed, path } = result;
    const message = action === 'link' ? 'It was there already.' : 'There was none.';
    return { status: 'success' as const, action, relationship, changed, path, ...(changed ? {} : { message }) };
  });
}

type Writing = LinkArguments & { action: 'link' | 'unlink' | 'create_collection' };

function writeOf(args: Writing): NoteWrite {
  const { action, location, to_location } = args;
  if (action === 'create_collection') {
    const { name = '', description = '', zettel_ids = [], collection_type = 'topic' } = args;
    return { action, location: location ?? 'project', input: { name, description, zettel_ids, collection_type } };
  }
  const { from_zettel_id = '', to_zettel_id = '', relationship_type = 'references' } = args;
  const ends = { ...(location ? { location } : {}), ...(to_location ? { to_location } : {}) };
  return { action, from_zettel_id, to_zettel_id, relationship_type, ...ends };
}

/** The actions of `link` that only read; the registry is asked where `source` names it. */
export async function lookUpLinks(parts: KaizenParts, args: LookUpArguments, { signal }: ToolCall) {
  checkAction('link', { ...args }, RULES);
  const { action, zettel_id = '', collection = '' } = args;
  const sources = listOf(args.source ?? 'local');
  if (sources.includes('local')) await indexed(parts.notes, signal);
  const done = { status: 'success' as const, action };
  switch (action) {
    case 'get_relationships':
      return {
        ...done,
        zettel_id,
        ...(await relationshipsOf(parts, zettel_id, sources, signal)),
        ...(await collectionsWith(parts, zettel_id, sources)),
      };
    case 'get_collection':
      return { ...done, collection: shown(await collectionNamed(parts, collection, sources, signal)) };
    case 'list_collections':
      return { ...done, ...(await allCollections(parts, sources, signal)) };
  }
}

/** The collections of the spaces that hold the note, where there are any. */
async function collectionsWith({ notes }: KaizenParts, zettel_id: string, sources: readonly Source[]) {
  const [holding = []] = sources.includes('local')
    ? await found('unknown_note', async () => notes.collectionsOf(notes.resolve({ zettel_id })))
    : [];
  const collections = holding.map(({ id, name, location }) => ({ id, name, location }));
  return collections.length > 0 ? { collections } : {};
}

/**
 * Of the spaces, then of the registry what the spaces do not say; `message` where the spaces have the note and the
 * registry cannot be asked. Throws `unknown_note` when none of them has the note.
 */
async function relationshipsOf(
  { notes }: KaizenParts,
  zettel_id: string,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<{ relationships: Relationship[]; message?: string }> {
  const [local, unknown] = sources.includes('local')
    ? await found('unknown_note', () =>
        amongNotes(notes, signal, () => notes.relationships(notes.resolve({ zettel_id }))),
      )
    : [];
  if (!sources.includes('registry')) {
    if (unknown) throw unknown;
    return { relationships: local ?? [] };
  }
  const asked = async () => {
    const registry = await notes.registry();
    const isKnown = local !== undefined || registry.get(zettel_id, undefined, signal).then((entry) => !!entry);
    const [shared, isThere] = await Promise.all([registry.relationships(zettel_id, signal), isKnown]);
    if (isThere || shared.length > 0) return shared;
    throw (
      unknown ?? new KaizenError('unknown_note', `The registry has no note "${zettel_id}".`, 'Look for it with search.')
    );
  };
  const { found: shared, message } = local ? await beside(asked, signal) : { found: await asked() };
  const all = new Map<string, Relationship>();
  for (const each of [...(local ?? []), ...shared]) {
    const key = JSON.stringify([each.zettel_id, each.relationship_type, each.direction]);
    if (!all.has(key)) all.set(key, each);
  }
  return { relationships: [...all.values()], ...(message === undefined ? {} : { message }) };
}

/** What the registry has beside what is local: where it cannot be asked, that is said, and what is local is told. */
async function beside<T>(
  ask: () => Promise<readonly T[]>,
  signal: AbortSignal,
): Promise<{ found: readonly T[]; message?: string }> {
  try {
    return { found: await ask() };
  } catch (error) {
    if (signal.aborted || !isKaizenError(error)) throw error;
    return { found: [], message: `What the registry has is missing: ${describeError(error)}` };
  }
}

async function collectionNamed(
  { notes }: KaizenParts,
  name: string,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<Collection> {
  const [local, unknown] = sources.includes('local')
    ? await found('unknown_collection', () => notes.collection(name))
    : [];
  if (local) return local;
  const shared = sources.includes('registry') ? await (await notes.registry()).collection(name, signal) : undefined;
  if (shared) return shared;
  throw (
    unknown ??
    new KaizenError(
      'unknown_collection',
      `The registry has no collection "${name}".`,
      'link({"action": "list_collections", "source": "registry"}) lists them.',
    )
  );
}

async function allCollections({ notes }: KaizenParts, sources: readonly Source[], signal: AbortSignal) {
  const local = sources.includes('local') ? notes.collections() : undefined;
  const asked = async () => (await notes.registry()).collections(signal);
  const { found: shared, message } = !sources.includes('registry')
    ? { found: [] }
    : local
      ? await beside(asked, signal)
      : { found: await asked() };
  const collections = [...(local ?? []), ...shared].map(shown);
  return { collections, ...(message === undefined ? {} : { message }) };
}

/** What was found, or the error that says that it is not there. */
async function found<T>(code: string, look: () => T | Promise<T>): Promise<[T, undefined] | [undefined, KaizenError]> {
  try {
    return [await look(), undefined];
  } catch (error) {
    if (isKaizenError(error) && error.code === code) return [undefined, error];
    throw error;
  }
}

function shown({ id, name, description, collection_type, zettel_ids, location }: Collection) {
  return { id, name, description, collection_type, zettel_ids: [...zettel_ids], location };
}
