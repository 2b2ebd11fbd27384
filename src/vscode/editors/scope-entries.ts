import * as vscode from 'vscode';
import type { EntryKey, KnowledgePart, StoredEntry } from '../../knowledge';
import { withoutLinks } from '../messages';
import { levelsOf } from '../risk-signs';

/** A longer list is searched and not read. */
const MOST = 1_000;

type Line = vscode.QuickPickItem & { entry?: EntryKey };

/** Lets the person pick one of a scope's own entries; undefined when they do not. */
export async function pickOwnEntry(knowledge: KnowledgePart, scopeId: string): Promise<EntryKey | undefined> {
  const { id, name } = knowledge.scope(scopeId);
  const entries = ownEntries(knowledge, id);
  if (entries.length === 0) {
    const store = vscode.l10n.t('Store Knowledge');
    const choice = await vscode.window.showInformationMessage(
      withoutLinks(vscode.l10n.t('"{0}" holds no entries yet.', name)),
      store,
    );
    if (choice === store) await vscode.commands.executeCommand('kaizen.storeKnowledge');
    return undefined;
  }
  const find: Line = { label: `$(search) ${vscode.l10n.t('Find Knowledge…')}`, alwaysShow: true };
  const lines: Line[] = entries.map(lineOf);
  const picked = await vscode.window.showQuickPick(entries.length < MOST ? lines : [...lines, find], {
    title: vscode.l10n.t('Entries of "{0}"', name),
    placeHolder: vscode.l10n.t('Entry to open'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === find) await vscode.commands.executeCommand('kaizen.findKnowledge');
  return picked?.entry;
}

function ownEntries(knowledge: KnowledgePart, scopeId: string): StoredEntry[] {
  const found: StoredEntry[] = [];
  for (const { category } of knowledge.ownCategories(scopeId)) {
    if (found.length >= MOST) break;
    found.push(...knowledge.ownEntries(scopeId, category));
  }
  return found.slice(0, MOST);
}

function lineOf({ scope_id, category, keyword, content, risks }: StoredEntry): Line {
  const [firstLine = ''] = content.trim().split('\n');
  return {
    label: keyword,
    description: [category, ...levelsOf(risks)].join(' · '),
    detail: firstLine.slice(0, 160),
    entry: { scope_id, category, keyword },
  };
}
