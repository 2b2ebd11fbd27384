import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { EntryKey, KnowledgePart, Metaknowledge, Revision } from '../../knowledge';
import { documentUri, entryOf } from '../documents';
import { withoutLinks } from '../messages';
import type { KnowledgeNode } from '../views';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { CommandContext, CommandHandlers } from './command';
import { askInSteps } from './multi-step';
import { askCategory, askContent, askKeyword, askReason, askScope, type EntryAnswers } from './questions';

export function entryCommands({ knowledge }: CommandContext): CommandHandlers {
  return {
    'kaizen.storeKnowledge': (node?: KnowledgeNode) => storeKnowledge(knowledge, node),
    'kaizen.overwriteKnowledge': (node?: KnowledgeNode) => overwriteKnowledge(knowledge, node),
    'kaizen.deleteKnowledge': (node?: KnowledgeNode) => deleteKnowledge(knowledge, node),
    'kaizen.openEntry': (node?: KnowledgeNode) => openEntry(knowledge, node),
  };
}

/** Longer contents are cut in a dialog, which does not scroll. */
const SHOWN_CHARACTERS = 600;

async function storeKnowledge(window: WorkspaceKnowledge, node?: KnowledgeNode): Promise<void> {
  const change = window.change();
  const { knowledge } = await window.parts();
  requireScopes(knowledge.listScopes().length);
  const answers = await askInSteps<EntryAnswers>(
    'Store Knowledge',
    [
      askScope(knowledge, window.project, { existing: false }),
      askCategory(knowledge, { existing: false }),
      askKeyword(knowledge, { existing: false }),
      askContent(() => undefined),
      askReason,
    ],
    startingAt(node),
  );
  if (!answers) return;
  const input = entryInput(answers);
  const result = await knowledge.storeIfMissing(input, { ...change, reason: answers.reason });
  if (result.success) {
    await announce(window, keyOf(answers), 'Stored');
    return;
  }
  const choice = await vscode.window.showWarningMessage(
    `"${answers.keyword}" is stored already in ${answers.scope_id}, ${answers.category}.`,
    {
      modal: true,
      detail: `Stored:\n${shown(result.existing_content)}\n\nNew:\n${shown(answers.content)}\n\nThe old content stays in the history either way.`,
    },
    'Keep',
    'Replace',
  );
  if (choice !== 'Replace') return;
  await knowledge.storeOverwrite(input, { ...change, reason: answers.reason });
  await announce(window, keyOf(answers), 'Replaced');
}

async function overwriteKnowledge(window: WorkspaceKnowledge, node?: KnowledgeNode): Promise<void> {
  const change = window.change();
  const { knowledge } = await window.parts();
  requireScopes(knowledge.listScopes().length);
  const existing = (state: Partial<EntryAnswers>) =>
    state.scope_id && state.category && state.keyword ? knowledge.entry(keyOf(state as EntryAnswers)) : undefined;
  const answers = await askInSteps<EntryAnswers>(
    'Overwrite Knowledge',
    [
      askScope(knowledge, window.project, { existing: false }),
      askCategory(knowledge, { existing: false }),
      askKeyword(knowledge, { existing: false }),
      askContent((state) => existing(state)?.content),
      askReason,
    ],
    startingAt(node),
  );
  if (!answers) return;
  const previous = existing(answers);
  const { success: _, ...before } = await knowledge.storeOverwrite(entryInput(answers, previous?.metaknowledge), {
    ...change,
    reason: answers.reason,
  });
  await announce(window, keyOf(answers), before.previous_content === null ? 'Stored' : 'Overwrote');
}

async function deleteKnowledge(window: WorkspaceKnowledge, node?: KnowledgeNode): Promise<void> {
  const change = window.change();
  const { knowledge } = await window.parts();
  const key = await chooseEntry('Delete Knowledge', window, knowledge, node);
  if (!key) return;
  const entry = knowledge.entry(key);
  const choice = await vscode.window.showWarningMessage(
    `Delete "${key.keyword}" from ${key.scope_id}, ${key.category}?`,
    { modal: true, detail: `${entry ? `${shown(entry.content)}\n\n` : ''}It can be restored from its history.` },
    'Delete',
  );
  if (choice !== 'Delete') return;
  await knowledge.delete(key, change);
  const deleted = lastRevision(knowledge, key);
  const undo = await vscode.window.showInformationMessage(withoutLinks(`Deleted "${key.keyword}".`), 'Undo');
  if (undo) await undoChange(window, key, deleted);
}

/** Opens an entry as a document; without one, the person chooses. */
async function openEntry(window: WorkspaceKnowledge, node?: KnowledgeNode): Promise<void> {
  const { knowledge } = await window.parts();
  const key = await chooseEntry('Open Entry', window, knowledge, node);
  if (key) await vscode.window.showTextDocument(documentUri(key), { preview: true });
}

/** The entry of the tree's node, or the one that the person chooses; undefined when the person cancels. */
async function chooseEntry(
  title: string,
  window: WorkspaceKnowledge,
  knowledge: KnowledgePart,
  node: KnowledgeNode | undefined,
): Promise<EntryKey | undefined> {
  if (node?.kind === 'entry') return toKey(node.entry);
  requireEntries(knowledge);
  const steps = [
    askScope(knowledge, window.project, { existing: true }),
    askCategory(knowledge, { existing: true }),
    askKeyword(knowledge, { existing: true }),
  ];
  const answers = await askInSteps<EntryAnswers>(title, steps, startingAt(node));
  return answers && keyOf(answers);
}

async function announce(window: WorkspaceKnowledge, key: EntryKey, done: string): Promise<void> {
  const { knowledge } = await window.parts();
  const change = lastRevision(knowledge, key);
  const choice = await vscode.window.showInformationMessage(
    withoutLinks(`${done} "${key.keyword}" in ${key.scope_id}, ${key.category}.`),
    'Open',
    'Undo',
  );
  if (choice === 'Open') await vscode.window.showTextDocument(documentUri(key));
  if (choice === 'Undo') await undoChange(window, key, change);
}

/** Takes a change of an entry back, as a change of its own; refuses when it is no longer the last one. */
async function undoChange(window: WorkspaceKnowledge, key: EntryKey, undone: Revision | undefined): Promise<void> {
  const change = window.change();
  const { knowledge } = await window.parts();
  const last = lastRevision(knowledge, key);
  if (!last || last.number !== undone?.number) {
    throw new KaizenError('conflict', `"${key.keyword}" was changed again since; nothing was undone.`);
  }
  if (last.previous_content === null) await knowledge.delete(key, { ...change, reason: 'Undone.' });
  else await knowledge.restore(key, last.number - 1, { ...change, reason: 'Undone.' });
}

function lastRevision(knowledge: KnowledgePart, key: EntryKey): Revision | undefined {
  return knowledge.history(key).at(-1);
}

/** A step starts out with what the tree's node, or the open entry, says. */
function startingAt(node: KnowledgeNode | undefined): Partial<EntryAnswers> {
  switch (node?.kind) {
    case 'scope':
      return { scope_id: node.scope.scope_id };
    case 'category':
      return { scope_id: node.scope_id, category: node.category };
    case 'entry':
      return toKey(node.entry);
    default: {
      const open = vscode.window.activeTextEditor && entryOf(vscode.window.activeTextEditor.document.uri);
      return open ?? {};
    }
  }
}

function toKey({ scope_id, category, keyword }: EntryKey): EntryKey {
  return { scope_id, category, keyword };
}

function keyOf({ scope_id, category, keyword }: EntryAnswers): EntryKey {
  return { scope_id, category: category.trim(), keyword: keyword.trim() };
}

function entryInput(answers: EntryAnswers, metaknowledge: Metaknowledge = {}) {
  return {
    target_scope_id: answers.scope_id,
    category: answers.category,
    keyword: answers.keyword,
    content: answers.content,
    metaknowledge: answers.reason ? { ...metaknowledge, REASON: answers.reason } : metaknowledge,
  };
}

function shown(content: string): string {
  return content.length > SHOWN_CHARACTERS ? `${content.slice(0, SHOWN_CHARACTERS)}…` : content;
}

function requireScopes(count: number): void {
  if (count > 0) return;
  throw new KaizenError(
    'unknown_scope',
    'There is no scope to store in yet.',
    'Define one first: Kaizen: Define Scope.',
  );
}

function requireEntries(knowledge: KnowledgePart): void {
  if (knowledge.listScopes().some(({ entry_count }) => entry_count > 0)) return;
  throw new KaizenError('unknown_entry', 'Nothing is stored here yet.', 'Begin with Kaizen: Store Knowledge.');
}
