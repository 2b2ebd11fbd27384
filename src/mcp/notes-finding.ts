import { KaizenError } from '../core/errors';
import { noteUri } from '../core/knowledge-uri';
import type { NoteSearchAnswer, NoteSearchRequest } from '../discovery';
import type { KaizenParts } from '../kaizen';
import type { GetRequest, GotNote, NoteWrite, Source, Space } from '../notes';
import { changeBy, writeOrHold } from './agent-writes';
import { amongNotes } from './first-indexing';
import { type Origin, originOfNote } from './origins';
import type { ToolCall } from './tool';

/** One of them or several, as the seed has it. */
type OneOrMore<T> = T | readonly T[];

export function listOf<T extends string>(value: OneOrMore<T>): T[] {
  return [...new Set(typeof value === 'string' ? [value] : value)];
}

export interface SearchArguments extends Omit<NoteSearchRequest, 'sources'> {
  source: OneOrMore<Source>;
}

/** `search` of seed 004. */
export async function searchNotes(
  { discovery, notes }: KaizenParts,
  { source, ...request }: SearchArguments,
  call: ToolCall,
) {
  const { results, message } = await discovery.searchNotes({ ...request, sources: listOf(source) }, call.signal);
  return {
    query: request.query,
    source: typeof source === 'string' ? source : [...source],
    results_count: results.length,
    results: results.map((row) => {
      const space = row.source_location;
      return { ...row, tags: [...row.tags], ...originOf(notes, { space, zettel_id: row.zettel_id }) };
    }) satisfies NoteSearchAnswer['results'],
    ...(message === undefined ? {} : { message }),
  };
}

export interface GetArguments extends Omit<GetRequest, 'sources' | 'destination'> {
  source: OneOrMore<Source>;
  destination?: OneOrMore<Space> | undefined;
}

/**
 * `get` of seed 004. Downloading writes files: where agents' writes are reviewed, what was found is answered and the
 * download waits for a person.
 */
export async function getNote(parts: KaizenParts, args: GetArguments, call: ToolCall) {
  const { source, destination, ...request } = args;
  const sources = listOf(source);
  const wanted = destination === undefined ? undefined : listOf(destination);
  if (wanted && !sources.includes('registry')) {
    throw new KaizenError(
      'invalid_argument',
      'destination downloads from the registry, which source does not name.',
      `Example: get({"zettel_id": "${request.zettel_id}", "source": "registry", "destination": "user"})`,
    );
  }
  const change = changeBy(call);
  const get = (downloading: Space[] | undefined) => {
    const asked: GetRequest = { ...request, sources, ...(downloading ? { destination: downloading } : {}) };
    if (!sources.includes('local')) return parts.notes.get(asked, change);
    return amongNotes(parts.notes, call.signal, () => parts.notes.get(asked, change));
  };
  const note = await get(call.agentWrites === 'review' ? undefined : wanted);
  const { source_location: place } = note;
  if (place !== 'registry') parts.learning.noteUse('retrieved', [noteUri(place, note.zettel_id)]);
  const origin = originOf(parts.notes, { space: place, zettel_id: note.zettel_id });
  if (!wanted || call.agentWrites !== 'review' || place !== 'registry') return { ...shown(note), ...origin };
  const { version } = note;
  const { zettel_id } = request;
  const input: NoteWrite = { action: 'download', zettel_id, destination: wanted, ...(version ? { version } : {}) };
  // Held in any case, by what was asked above.
  const held = await writeOrHold(parts, call, { operation: 'write_note', input }, change, async () => undefined);
  return { ...shown(note), ...origin, ...(held ? { pending: held.pending } : {}) };
}

function originOf(notes: KaizenParts['notes'], note: { space: string; zettel_id: string }): { origin?: Origin } {
  const origin = originOfNote(notes, note);
  return origin ? { origin } : {};
}

/** Lists of the domain are not to be changed; results are JSON. */
function shown({ tags, relationships, backlinks, downloads, ...note }: GotNote) {
  return {
    ...note,
    tags: [...tags],
    ...(relationships ? { relationships: [...relationships] } : {}),
    ...(backlinks ? { backlinks: [...backlinks] } : {}),
    ...(downloads ? { downloads: [...downloads] } : {}),
  };
}
