import * as vscode from 'vscode';
import type { EntryInput, EntryKey, KnowledgePart, Metaknowledge } from '../../knowledge';
import { withoutLinks } from '../messages';
import type { CommandContext, CommandHandlers } from './command';
import { announce, lastRevision, noEntry, oneByOne, requireEntries, requireScopes, shown } from './entry-changes';
import { pickEntry } from './entry-pick';
import { type GivenEntry, givenEntries, givenParts, givenValues, isRecord, openEntry } from './given';
import { moveEntries } from './move-entries';
import { askInSteps } from './multi-step';
import { askCategory, askContent, askKeyword, askReason, askScope, type EntryAnswers } from './questions';

/** Each takes what `givenEntries` and `givenParts` read: nodes of the views, keys, addresses, or nothing. */
export function entryCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.storeKnowledge': (given?: unknown) => storeKnowledge(context, given),
    'kaizen.overwriteKnowledge': (given?: unknown) => overwriteKnowledge(context, given),
    'kaizen.deleteKnowledge': (first?: unknown, others?: unknown) => deleteKnowledge(context, first, others),
    'kaizen.moveEntry': (first?: unknown, others?: unknown, target?: unknown) =>
      moveKnowledge(context, first, others, target),
    'kaizen.openEntry': (first?: unknown) => openKnowledge(context, first),
  };
}

async function storeKnowledge(context: CommandContext, given: unknown): Promise<void> {
  const change = context.knowledge.change();
  const { knowledge } = await context.knowledge.parts();
  requireScopes(knowledge);
  const { metaknowledge, ...initial } = startingAt(knowledge, given);
  const answers = await askInSteps<EntryAnswers>(
    vscode.l10n.t('Store Knowledge'),
    [...askKey(context, knowledge), askContent(() => undefined), askReason],
    initial,
  );
  if (!answers) return;
  const { scope_id, category, keyword } = keyOf(answers);
  const input = entryInput(answers, metaknowledge);
  const result = await knowledge.storeIfMissing(input, { ...change, reason: answers.reason });
  if (result.success) {
    const stored = vscode.l10n.t('Stored "{0}" in {1}, {2}.', keyword, scope_id, category);
    return announce(context, keyOf(answers), stored);
  }
  const replace = vscode.l10n.t('Replace');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('"{0}" is stored already in {1}, {2}.', keyword, scope_id, category),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Stored:\n{0}\n\nNew:\n{1}\n\nThe old content stays in the history either way.',
        shown(result.existing_content),
        shown(answers.content),
      ),
    },
    vscode.l10n.t('Keep'),
    replace,
  );
  if (choice !== replace) return;
  // Only the content was compared; what the old one was stored for says nothing of the new one.
  const { REASON: _, ...labels } = result.existing_metaknowledge;
  const kept = entryInput(answers, { ...labels, ...metaknowledge });
  await knowledge.storeOverwrite(kept, { ...change, reason: answers.reason });
  const replaced = vscode.l10n.t('Replaced "{0}" in {1}, {2}.', keyword, scope_id, category);
  await announce(context, keyOf(answers), replaced);
}

async function overwriteKnowledge(context: CommandContext, given: unknown): Promise<void> {
  const change = context.knowledge.change();
  const { knowledge } = await context.knowledge.parts();
  requireScopes(knowledge);
  const stored = (state: Partial<EntryAnswers>) =>
    state.scope_id && state.category && state.keyword ? knowledge.entry(keyOf(state as EntryAnswers)) : undefined;
  const { metaknowledge, ...initial } = startingAt(knowledge, given);
  const ask = [...askKey(context, knowledge), askContent((state) => stored(state)?.content)];
  const answers = await askInSteps<EntryAnswers>(
    vscode.l10n.t('Overwrite Knowledge'),
    // In the editor, the reason stands beside the content.
    (state) => (state.edit ? ask : [...ask, askReason]),
    initial,
  );
  if (!answers) return;
  if (answers.edit) return context.editors.openEntry(keyOf(answers), { preview: false });
  const { scope_id, category, keyword } = keyOf(answers);
  const input = entryInput(answers, { ...stored(answers)?.metaknowledge, ...metaknowledge });
  const before = await knowledge.storeOverwrite(input, { ...change, reason: answers.reason });
  const message =
    before.previous_content === null
      ? vscode.l10n.t('Stored "{0}" in {1}, {2}.', keyword, scope_id, category)
      : vscode.l10n.t('Overwrote "{0}" in {1}, {2}.', keyword, scope_id, category);
  await announce(context, keyOf(answers), message);
}

async function deleteKnowledge(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const change = context.knowledge.change();
  const { knowledge } = await context.knowledge.parts();
  const values = await valuesGiven(context, first, others);
  const scope = onlyScope(values);
  if (scope) return vscode.commands.executeCommand('kaizen.deleteScope', scope);
  const keys = await chooseEntries(knowledge, vscode.l10n.t('Delete Knowledge'), values);
  const [key] = keys;
  if (!key || !(await confirmDeletion(knowledge, keys))) return;
  const deleted = await oneByOne(context, keys, vscode.l10n.t('Deleting knowledge'), (each) =>
    knowledge.delete(each, change),
  );
  const message =
    deleted.length === 1
      ? vscode.l10n.t('Deleted "{0}".', key.keyword)
      : vscode.l10n.t('Deleted {0} entries.', deleted.length);
  const revisions = deleted.map((each) => lastRevision(knowledge, each));
  const undo = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) !== undo) return;
  await oneByOne(context, [...deleted.keys()], vscode.l10n.t('Bringing knowledge back'), (index) =>
    knowledge.undo(deleted[index]!, revisions[index]!, context.knowledge.change()),
  );
}

async function confirmDeletion(knowledge: KnowledgePart, keys: readonly EntryKey[]): Promise<boolean> {
  const [key] = keys as [EntryKey];
  const restorable = vscode.l10n.t('It can be restored from its history.');
  const content = knowledge.entry(key)?.content;
  const [question, detail] =
    keys.length === 1
      ? [
          vscode.l10n.t('Delete "{0}" from {1}, {2}?', key.keyword, key.scope_id, key.category),
          content === undefined ? restorable : `${shown(content)}\n\n${restorable}`,
        ]
      : [
          vscode.l10n.t('Delete {0} entries?', keys.length),
          `${shown(keys.map(({ keyword }) => keyword).join('\n'))}\n\n${vscode.l10n.t('They can be restored from their history.')}`,
        ];
  const confirm = vscode.l10n.t('Delete');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, confirm)) === confirm;
}

async function moveKnowledge(context: CommandContext, first: unknown, others: unknown, target: unknown): Promise<void> {
  const change = context.knowledge.change();
  const { knowledge } = await context.knowledge.parts();
  const title = vscode.l10n.t('Move Entry');
  const values = await valuesGiven(context, first, others);
  const scope = onlyScope(values);
  if (scope) return vscode.commands.executeCommand('kaizen.defineScope', scope);
  const keys = await chooseEntries(knowledge, title, values);
  const [key] = keys;
  if (!key) return;
  const given = givenParts(target, () => true);
  if (given.scope_id || given.category) return moveEntries(context, knowledge, keys, given, change);
  // Several keep their keywords.
  const steps = [askScope(knowledge, key.scope_id), askCategory(knowledge)];
  if (keys.length === 1) steps.push(askKeyword(knowledge));
  const answers = await askInSteps<EntryAnswers>(title, steps, keys.length === 1 ? { ...key } : placeOf(key));
  if (!answers) return;
  const { scope_id, category, keyword } = answers;
  const place = { scope_id, category: category.trim() };
  await moveEntries(
    context,
    knowledge,
    keys,
    keys.length === 1 ? { ...place, keyword: keyword.trim() } : place,
    change,
  );
}

async function openKnowledge(context: CommandContext, first: unknown): Promise<void> {
  const { knowledge } = await context.knowledge.parts();
  const values = await valuesGiven(context, first, undefined);
  const [key] = await chooseEntries(knowledge, vscode.l10n.t('Open Entry'), values, false);
  if (key) await context.editors.openEntry(key);
}

function valuesGiven({ explorer }: CommandContext, first: unknown, others: unknown): Promise<readonly unknown[]> {
  return givenValues(first, others, () => explorer.knowledge.underKeyboard());
}

/** The keys of an entry mean as much for the line of a scope. */
function onlyScope(values: readonly unknown[]): unknown {
  const [value] = values;
  return values.length === 1 && isRecord(value) && value.kind === 'scope' ? value : undefined;
}

/** The entries that the command was given or that are open, or the one that the person looks for; none on cancel. */
async function chooseEntries(
  knowledge: KnowledgePart,
  title: string,
  values: readonly unknown[],
  mayBeOpen = true,
): Promise<EntryKey[]> {
  const exists = existsIn(knowledge);
  const given = givenEntries(values, exists);
  // An address that leads nowhere is said to where it is opened.
  if (given.length > 0) return given;
  if (values.some((value) => value !== undefined)) throw noEntry();
  requireEntries(knowledge);
  const open = mayBeOpen ? openEntry() : undefined;
  const placeholder = vscode.l10n.t('Type words of its keyword, category or content');
  const value = open && exists(open) ? open.keyword : undefined;
  const found = await pickEntry(knowledge, { title, placeholder, value });
  return found ? [keyOf(found)] : [];
}

function askKey({ knowledge: window }: CommandContext, knowledge: KnowledgePart) {
  return [askScope(knowledge, window.project), askCategory(knowledge), askKeyword(knowledge)];
}

/** The steps start out with what the command was given or, given nothing, with the open entry. */
function startingAt(knowledge: KnowledgePart, given: unknown): GivenEntry {
  return given === undefined ? (openEntry() ?? {}) : givenParts(given, existsIn(knowledge));
}

function existsIn(knowledge: KnowledgePart) {
  return (key: EntryKey) => knowledge.entry(key) !== undefined;
}

function keyOf({ scope_id, category, keyword }: EntryKey): EntryKey {
  return { scope_id, category: category.trim(), keyword: keyword.trim() };
}

function placeOf({ scope_id, category }: EntryKey): Pick<EntryKey, 'scope_id' | 'category'> {
  return { scope_id, category };
}

function entryInput(answers: EntryAnswers, metaknowledge: Metaknowledge = {}): EntryInput {
  return {
    target_scope_id: answers.scope_id,
    category: answers.category,
    keyword: answers.keyword,
    content: answers.content,
    metaknowledge: answers.reason ? { ...metaknowledge, REASON: answers.reason } : metaknowledge,
  };
}
