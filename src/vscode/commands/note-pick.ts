import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { Note, Space } from '../../notes';
import { withoutIcons } from '../messages';
import { entryTypeName, locationName, noteIcon } from '../views';
import { nothingFound } from './entry-pick';
import { type HitAction, livePick, type PickItem } from './live-pick';
import type { RatedLines } from './rated-lines';

/** More than anybody reads: another word finds it sooner. */
const MOST_HITS = 50;
/** What is offered before anything is typed. */
const RECENT = 30;

export interface NotePickOptions {
  title: string;
  placeholder?: string | undefined;
  value?: string | undefined;
  /** Not offered. */
  without?: readonly Note[] | undefined;
  actions?: readonly HitAction<Note>[] | undefined;
  /** Where the list shows results: how each served, and what the person says of it. What is chosen counts as used. */
  rated?: RatedLines | undefined;
}

/** Lets the person look for a note of the spaces, with each key; undefined when the person cancels. */
export async function pickNote(parts: KaizenParts, options: NotePickOptions): Promise<Note | undefined> {
  const { rated, actions = [] } = options;
  /** How well each was found, by its address; of what was only listed nothing is known. */
  const fits = new Map<string, number>();
  const without = new Set(options.without?.map(({ uri }) => uri));
  const isOffered = ({ uri }: Note) => !without.has(uri);
  const chosen = await livePick<Note>({
    ...options,
    actions: (hit) => [...actions, ...(rated?.actions<Note>(hit.uri, fits.get(hit.uri)) ?? [])],
    dress: rated && ((item, { uri }) => rated.dress(item, uri)),
    placeholder: options.placeholder ?? vscode.l10n.t('Words of a note'),
    search: async (query) =>
      query.trim() === '' ? recentItems(parts, isOffered) : foundItems(parts, query, isOffered, { fits, rated }),
    onDidChange: (again) => onceReady(parts, again),
  });
  if (chosen && fits.has(chosen.uri)) rated?.opened(chosen.uri);
  return chosen;
}

async function foundItems(
  { discovery, notes }: KaizenParts,
  query: string,
  isOffered: (note: Note) => boolean,
  { fits, rated }: { fits: Map<string, number>; rated: RatedLines | undefined },
): Promise<PickItem<Note>[]> {
  const found = await discovery.searchNotes({ query, sources: ['local'], limit: MOST_HITS });
  const hits = found.results.flatMap(({ zettel_id, source_location, snippet, relevance_score: fit }) => {
    const note = source_location === 'registry' ? undefined : notes.note(source_location as Space, zettel_id);
    return note && isOffered(note) ? [{ note, snippet, fit }] : [];
  });
  fits.clear();
  for (const { note, fit } of hits) fits.set(note.uri, fit);
  const ranked = rated ? rated.ranked(hits, ({ note, fit }) => ({ artifact: note.uri, fit })) : hits;
  const items = ranked.map(({ note, snippet }) => itemOf(note, snippet));
  // Who knows the id types it: it comes first, whatever the words around it say.
  const wanted = query.trim().toLowerCase();
  const named = notes.notes().filter((note) => note.zettel_id.toLowerCase().startsWith(wanted) && isOffered(note));
  const known = new Set(named.slice(0, MOST_HITS).map(({ uri }) => uri));
  const all = [
    ...named.slice(0, MOST_HITS).map((note) => itemOf(note)),
    ...items.filter(({ hit }) => hit && !known.has(hit.uri)),
  ];
  return all.length > 0 ? all : [nothingFound(query)];
}

function recentItems({ notes }: KaizenParts, isOffered: (note: Note) => boolean): PickItem<Note>[] {
  const when = ({ updated_at, created_at }: Note) => updated_at ?? created_at ?? '';
  const recent = notes
    .notes()
    .filter(isOffered)
    .sort((a, b) => (when(a) < when(b) ? 1 : -1))
    .slice(0, RECENT);
  if (recent.length === 0) return [{ label: vscode.l10n.t('There are no notes yet.'), alwaysShow: true }];
  const head = { label: vscode.l10n.t('recently changed'), kind: vscode.QuickPickItemKind.Separator };
  return [head, ...recent.map((note) => itemOf(note))];
}

function itemOf(note: Note, snippet = ''): PickItem<Note> {
  const { title, zettel_id, space, category, entry_type } = note;
  const type = entry_type && entryTypeName(entry_type);
  const place = [zettel_id, type, locationName(space), category].filter(Boolean).join(' · ');
  return {
    label: withoutIcons(title),
    description: withoutIcons(place),
    ...(snippet ? { detail: withoutIcons(snippet) } : {}),
    iconPath: noteIcon(entry_type),
    // It was found by us, in more than what the line shows.
    alwaysShow: true,
    hit: note,
  };
}

/** Once is enough: from then on what is indexed changes with the files, not under the hands of who is reading. */
function onceReady({ notes }: KaizenParts, again: () => void): { dispose(): void } {
  const isReady = () => notes.spaces().every(({ state }) => state !== 'indexing');
  let wasReady = isReady();
  return notes.onDidChangeState(() => {
    if (wasReady || !isReady()) return;
    wasReady = true;
    again();
  });
}
