import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { RegistryEntry, RegistryHit } from '../../notes';
import { withoutIcons } from '../messages';
import { entryTypeName, noteIcon } from '../views';
import type { CommandContext } from './command';
import { nothingFound } from './entry-pick';
import { type HitAction, livePick, type PickItem } from './live-pick';
import { withProgress } from './long-work';

/** It is a call over the network: who types is not interrupted by each key. */
const PAUSE_MS = 300;
const MOST_HITS = 50;

export interface RegistryPickOptions {
  title: string;
  value?: string | undefined;
  actions?: readonly HitAction<RegistryHit>[] | undefined;
}

/** Undefined when the person cancels. Throws what the registry throws, before anything is asked. */
export async function pickFromRegistry(
  context: CommandContext,
  { notes }: KaizenParts,
  options: RegistryPickOptions,
): Promise<RegistryHit | undefined> {
  const registry = await notes.registry();
  // What is wrong with the connection is said at once, and not as a line below each word.
  await withProgress(vscode.l10n.t('Asking the registry'), ({ signal }) => registry.status(signal));
  let running = new AbortController();
  return livePick<RegistryHit>({
    ...options,
    placeholder: vscode.l10n.t('Words of a note in {0}', context.knowledge.registry.server ?? ''),
    pause: PAUSE_MS,
    search: async (query) => {
      running.abort();
      running = new AbortController();
      const { hits } = await registry.search({ query: query.trim(), limit: MOST_HITS }, running.signal);
      return hits.length > 0 || query.trim() === '' ? hits.map(itemOf) : [nothingFound(query)];
    },
  });
}

/** A version of a note, the latest unless told; undefined where the registry does not have it. */
export function entryOf(
  { notes }: KaizenParts,
  zettelId: string,
  version?: string,
): Promise<RegistryEntry | undefined> {
  return withProgress(vscode.l10n.t('Asking the registry'), async ({ signal }) =>
    (await notes.registry()).get(zettelId, version, signal),
  );
}

/** The document of a version, as it was published; it cannot be changed. */
export function registryDocument(
  { texts }: CommandContext,
  { zettel_id, version, document }: RegistryEntry,
): vscode.Uri {
  return texts.add(`registry/${zettel_id}@${version}.md`, document);
}

function itemOf(hit: RegistryHit): PickItem<RegistryHit> {
  const { title, zettel_id, version, entry_type, category, snippet } = hit;
  const type = entry_type && entryTypeName(entry_type);
  return {
    label: withoutIcons(title),
    description: withoutIcons([zettel_id, version, type, category].filter(Boolean).join(' · ')),
    ...(snippet ? { detail: withoutIcons(snippet) } : {}),
    iconPath: noteIcon(entry_type),
    alwaysShow: true,
    hit,
  };
}
