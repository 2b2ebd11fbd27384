import * as vscode from 'vscode';
import { entryUri, learningUri, libraryUri } from '../../core/knowledge-uri';
import type { KaizenParts } from '../../kaizen';
import { LEARNED_KINDS } from '../../learning';
import type { LibraryPart } from '../../library';
import { cut, withoutIcons } from '../messages';
import { allSources, END_KINDS, endKindIcon, endKindName } from '../views';
import type { CommandContext } from './command';
import { nothingFound } from './entry-pick';
import { knowledgeItems, type Piece } from './knowledge-pick';
import { sourceItem } from './library-given';
import { passageItems } from './library-search';
import { livePick, type PickItem } from './live-pick';

/** Of each sort: who finds none among these types another word. */
const MOST_HITS = 25;
const MOST_SOURCES = 8;
const DETAIL_CHARACTERS = 160;
/** A question costs more here than where one thing is searched. */
const PAUSE_MS = 150;

export interface ArtifactPick {
  title: string;
  placeholder: string;
  /** The address of what is not to be offered. */
  without?: string | undefined;
  /** A line before all others, as long as nothing is typed. */
  first?: PickItem<string> | undefined;
}

/**
 * Lets the person look for anything that has an address, with each key: entries, nodes and notes, captured records,
 * sources and passages of the library. Answers its address; undefined on cancel.
 */
export async function pickArtifact(
  context: CommandContext,
  parts: KaizenParts,
  { without, first, ...options }: ArtifactPick,
): Promise<string | undefined> {
  // Without a library there is nothing to find in it, and what is wrong with it is told where it is searched.
  const library = await context.library.start().catch(() => undefined);
  let running = new AbortController();
  try {
    return await livePick<string>({
      ...options,
      pause: PAUSE_MS,
      search: async (query) => {
        running.abort();
        running = new AbortController();
        const items = await itemsFor(parts, library, query.trim(), running.signal);
        const offered = items.filter(({ hit }) => hit === undefined || hit !== without);
        return first && query.trim() === '' ? [first, ...offered] : offered;
      },
    });
  } finally {
    running.abort();
  }
}

async function itemsFor(
  parts: KaizenParts,
  library: LibraryPart | undefined,
  query: string,
  signal: AbortSignal,
): Promise<PickItem<string>[]> {
  const [knowledge, captured, sources, passages] = await Promise.all([
    knowledgeItems(parts, query),
    capturedItems(parts, query, signal),
    library ? sourcesNamed(library, query) : [],
    library && query !== '' ? passageItems(library, query, signal) : [],
  ]);
  const groups = [
    group(
      vscode.l10n.t('Entries, nodes and notes'),
      knowledge.map(({ hit, ...item }) => (hit ? { ...item, hit: addressOf(hit) } : item)),
    ),
    group(vscode.l10n.t('Captured'), captured),
    group(vscode.l10n.t('Library'), [
      ...sources,
      ...passages.map(({ hit, ...item }) => ({ ...item, hit: hit && libraryUri(hit.chunk.document_id, hit.chunk.id) })),
    ]),
  ].flat();
  if (groups.length > 0 || query === '') return groups;
  return [nothingFound(query)];
}

/** With a heading; what only says that there is nothing is left out. */
function group(label: string, items: readonly { hit?: string | undefined; label: string }[]): PickItem<string>[] {
  const found = items.flatMap(({ hit, ...item }) => (hit === undefined ? [] : [{ ...item, hit, alwaysShow: true }]));
  if (found.length === 0) return [];
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...found.slice(0, MOST_HITS)];
}

function addressOf(piece: Piece): string {
  if ('entry' in piece) return entryUri(piece.entry);
  return 'node' in piece ? piece.node : piece.note;
}

async function capturedItems(
  { learning }: KaizenParts,
  query: string,
  signal: AbortSignal,
): Promise<PickItem<string>[]> {
  const found =
    query === ''
      ? LEARNED_KINDS.flatMap((kind) =>
          learning
            .list(kind)
            .slice(0, MOST_SOURCES)
            .map((record) => ({ kind, uri: learningUri(kind, record.id), record })),
        )
      : await learning.search({ query, limit: MOST_HITS, signal });
  return found.map(({ kind, uri, record }) => {
    const name = END_KINDS.find((each) => each === kind);
    const text = learning.markdown(uri) ?? '';
    return {
      label: withoutIcons('title' in record ? record.title : record.name),
      description: name && withoutIcons(endKindName(name)),
      detail: withoutIcons(cut(text.replace(/^#.*$/gm, '').trim(), DETAIL_CHARACTERS)),
      iconPath: endKindIcon(kind),
      hit: uri,
    } as PickItem<string>;
  });
}

/** Sources whose titles hold all words. */
async function sourcesNamed(library: LibraryPart, query: string): Promise<PickItem<string>[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const sources = await allSources(library);
  return sources
    .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
    .slice(0, MOST_SOURCES)
    .map((source) => {
      const { source: _, ...item } = sourceItem(source);
      return { ...item, hit: libraryUri(source.document_id) };
    });
}
