import * as vscode from 'vscode';
import { entryUri, parseEntryUri } from '../../core/knowledge-uri';
import type { Found } from '../../discovery';
import type { KaizenParts } from '../../kaizen';
import type { EntryKey, Tier } from '../../knowledge';
import { withoutIcons } from '../messages';
import { levelsOf, riskIcon } from '../risk-signs';
import { nodeIcon, noteIcon } from '../views';
import { entryItems, nothingFound } from './entry-pick';
import { type HitAction, livePick, type PickItem } from './live-pick';
import type { RatedLines } from './rated-lines';

/** More than anybody reads: another word finds it sooner. */
const MOST_HITS = 100;

/** What the person chose: an entry, or a node or a note by its address. */
export type Piece = { entry: EntryKey } | { node: string } | { note: string };

export interface KnowledgePickOptions {
  title: string;
  value?: string | undefined;
  /** Only nodes of knowledge bases. */
  onlyNodes?: boolean;
  actions?: readonly HitAction<Piece>[] | undefined;
  /** Where the list shows results: how each served, and what the person says of it. What is chosen counts as used. */
  rated?: RatedLines | undefined;
}

/** The address of an entry, a node or a note. */
export function addressOfPiece(piece: Piece): string {
  if ('entry' in piece) return entryUri(piece.entry);
  return 'node' in piece ? piece.node : piece.note;
}

/**
 * Lets the person look for a piece of knowledge, with each key, over entries of all scopes, all nodes and notes. As long as
 * not everything is indexed that is said, and entries are looked for as they are stored.
 */
export async function pickKnowledge(parts: KaizenParts, options: KnowledgePickOptions): Promise<Piece | undefined> {
  const { rated, actions = [] } = options;
  const finding: Finding = { fits: new Map(), rated };
  const { fits } = finding;
  const chosen = await livePick<Piece>({
    ...options,
    actions: (hit) => {
      const address = addressOfPiece(hit);
      return [...actions, ...(rated?.actions<Piece>(address, fits.get(address)) ?? [])];
    },
    dress: rated && ((item, hit) => rated.dress(item, addressOfPiece(hit))),
    placeholder: vscode.l10n.t('Words, "exact phrases", in:folder, tag:name, type:guideline, -without'),
    search: async (query) =>
      options.onlyNodes
        ? [...indexingLine(parts), ...(await foundItems(parts, query, true, finding))]
        : knowledgeItems(parts, query, finding),
    onDidChange: (again) => onceReady(parts, again),
  });
  if (chosen && fits.has(addressOfPiece(chosen))) rated?.opened(addressOfPiece(chosen));
  return chosen;
}

/** What is known of what was found for the last text. */
interface Finding {
  /** How well each was found, by its address; of what was only listed nothing is known. */
  fits: Map<string, number>;
  rated?: RatedLines | undefined;
}

/** Entries, nodes and notes for what is typed, as lines of a list. */
export async function knowledgeItems(
  parts: KaizenParts,
  query: string,
  finding: Finding = { fits: new Map() },
): Promise<PickItem<Piece>[]> {
  if (query.trim() === '') return [...indexingLine(parts), ...storedItems(parts, '')];
  if (!parts.discovery.state.ready) return [...indexingLine(parts), ...storedItems(parts, query)];
  return foundItems(parts, query, false, finding);
}

async function foundItems(
  parts: KaizenParts,
  query: string,
  onlyNodes: boolean,
  { fits, rated }: Finding,
): Promise<PickItem<Piece>[]> {
  const all = (await parts.discovery.find(query, MOST_HITS)).filter(({ kind }) => !onlyNodes || kind === 'node');
  fits.clear();
  for (const { uri, score } of all) fits.set(uri, score);
  const found = rated ? rated.ranked(all, ({ uri, score }) => ({ artifact: uri, fit: score })) : all;
  if (found.length === 0) return query.trim() === '' ? [] : [nothingFound(query)];
  const tiers = new Map(parts.knowledge.listScopes().map(({ scope_id, tier }) => [scope_id, tier]));
  return found.flatMap((each) => itemOf(each, parts, tiers) ?? []);
}

function storedItems({ knowledge }: KaizenParts, query: string): PickItem<Piece>[] {
  return entryItems(knowledge, query).map(({ hit, ...item }) => {
    if (!hit) return item;
    const { scope_id, category, keyword } = hit;
    return { ...item, hit: { entry: { scope_id, category, keyword } } };
  });
}

function itemOf(
  { uri, kind, title, path, snippet }: Found,
  parts: KaizenParts,
  tiers: ReadonlyMap<string, Tier>,
): PickItem<Piece> | undefined {
  const line = { label: withoutIcons(title), detail: withoutIcons(marked(snippet)), alwaysShow: true };
  if (kind === 'entry') {
    const entry = parseEntryUri(uri);
    const stored = entry && parts.knowledge.entry(entry);
    if (!entry || !stored) return undefined;
    const levels = levelsOf(stored.risks).join(', ');
    const scope = `${entry.scope_id} (${tiers.get(entry.scope_id)})`;
    const place = [levels, scope, entry.category].filter(Boolean).join(' · ');
    return { ...line, description: withoutIcons(place), iconPath: riskIcon(stored.risks), hit: { entry } };
  }
  const note = kind === 'note' ? parts.notes.noteByUri(uri) : undefined;
  if (note)
    return { ...line, description: withoutIcons(path), iconPath: noteIcon(note.entry_type), hit: { note: uri } };
  const node = parts.bases.nodeByUri(uri);
  if (!node) return undefined;
  const status = node.status === 'active' ? '' : node.status;
  const place = [node.metadata.type ? node.type : '', status, path].filter(Boolean).join(' · ');
  return { ...line, description: withoutIcons(place), iconPath: nodeIcon(node), hit: { node: uri } };
}

/** The list draws no marks of ours, so the words that were found stand between signs. */
function marked({ text, marks }: Found['snippet']): string {
  let end = 0;
  const parts = marks.flatMap((mark) => {
    const before = text.slice(end, mark.start);
    end = mark.end;
    return [before, `«${text.slice(mark.start, mark.end)}»`];
  });
  return [...parts, text.slice(end)].join('');
}

function indexingLine({ discovery }: KaizenParts): PickItem<never>[] {
  if (discovery.state.ready || !vscode.workspace.isTrusted) return [];
  const label = vscode.l10n.t('still indexing: nodes of knowledge bases follow');
  return [{ label, kind: vscode.QuickPickItemKind.Separator }];
}

/** Once is enough: from then on what is indexed changes with the files, not under the hands of who is reading. */
function onceReady({ discovery }: KaizenParts, again: () => void): { dispose(): void } {
  let wasReady = discovery.state.ready;
  return discovery.onDidChange(() => {
    if (wasReady || !discovery.state.ready) return;
    wasReady = true;
    again();
  });
}
