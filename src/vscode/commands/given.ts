import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME, parseEntryPath, SCOPES_AUTHORITY } from '../../core/knowledge-uri';
import type { EntryKey, Metaknowledge } from '../../knowledge';
import { entryOf } from '../documents';

/** What a keybinding passes to mean what is in focus or selected in the view. */
export const SELECTION = 'selection';

/** Whether an entry is stored. */
export type Exists = (key: EntryKey) => boolean;

/**
 * What a command was called with. The views pass a node and what is selected with it, keybindings the word `selection`,
 * all others one thing, which may be nothing.
 * @param inView gives what a key in the view acts on
 */
export async function givenValues(
  first: unknown,
  others: unknown,
  inView: () => Promise<readonly unknown[]>,
): Promise<readonly unknown[]> {
  if (first === SELECTION) return inView();
  return Array.isArray(others) && others.length > 0 ? others : [first];
}

/** The entries among nodes of the views, URIs, keys and addresses, each once: whatever else is there means none. */
export function givenEntries(values: readonly unknown[], exists: Exists): EntryKey[] {
  const keys = values.flatMap((value) => keyIn(value, exists) ?? []);
  return keys.filter((key, index) => keys.findIndex((other) => sameKey(key, other)) === index);
}

/** What an entry command starts out with: parts of an entry, each a text where it is there at all. */
export interface GivenEntry {
  scope_id?: string;
  category?: string;
  keyword?: string;
  content?: string;
  metaknowledge?: Metaknowledge;
}

/** The same for what may be less than an entry: a scope, a category, or a content to store. */
export function givenParts(value: unknown, exists: Exists): GivenEntry {
  if (!isRecord(value) || value instanceof vscode.Uri || value.kind === 'entry') return keyIn(value, exists) ?? {};
  if (value.kind === 'scope') return texts(value.scope, ['scope_id']);
  if (value.kind === 'category') return texts(value, ['scope_id', 'category']);
  const given: GivenEntry = texts(value, ['scope_id', 'category', 'keyword', 'content']);
  const { metaknowledge } = value;
  if (isRecord(metaknowledge)) given.metaknowledge = texts(metaknowledge, Object.keys(metaknowledge)) as Metaknowledge;
  return given;
}

export function sameKey(a: EntryKey, b: EntryKey): boolean {
  return a.scope_id === b.scope_id && a.category === b.category && a.keyword === b.keyword;
}

/** The entry whose document or form is in front. */
export function openEntry(): EntryKey | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isDocument = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  return isDocument ? entryOf(input.uri) : undefined;
}

function keyIn(value: unknown, exists: Exists): EntryKey | undefined {
  if (typeof value === 'string') return keyAt(value, exists);
  if (value instanceof vscode.Uri) return entryOf(value);
  if (!isRecord(value)) return undefined;
  const entry = texts(value.kind === 'entry' ? value.entry : value, ['scope_id', 'category', 'keyword']);
  const { scope_id, category, keyword } = entry;
  return scope_id && category && keyword ? { scope_id, category, keyword } : undefined;
}

/** An agent names an entry without the ending that its document has. */
function keyAt(address: string, exists: Exists): EntryKey | undefined {
  const prefix = `${KNOWLEDGE_SCHEME}://${SCOPES_AUTHORITY}/`;
  if (!address.startsWith(prefix)) return undefined;
  const named = parseEntryPath(address.slice(prefix.length));
  return named && exists(named) ? named : (entryOf(vscode.Uri.parse(address)) ?? named);
}

/** Those members of an object that are texts. */
function texts<K extends string>(value: unknown, names: readonly K[]): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  if (!isRecord(value)) return found;
  for (const name of names) {
    const text = value[name];
    if (typeof text === 'string') found[name] = text;
  }
  return found;
}

/** Whether something that came from outside has members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
