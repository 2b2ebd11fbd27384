import * as vscode from 'vscode';
import type { BaseStatus } from '../../bases';
import { KaizenError } from '../../core/errors';
import { namesOn, type SettingChange, type SettingLevel, setBase } from '../bases';
import { withoutLinks } from '../messages';
import { addKnowledgeBase } from './add-base';
import type { CommandContext, CommandHandlers } from './command';
import { isRecord } from './given';
import { withProgress } from './long-work';

export function baseCommands(context: CommandContext): CommandHandlers {
  const { explorer } = context;
  return {
    'kaizen.addKnowledgeBase': (folder?: unknown) => addKnowledgeBase(context, folder),
    'kaizen.allowKnowledgeBase': (name?: unknown) => allowKnowledgeBase(context, name),
    'kaizen.removeKnowledgeBase': (given?: unknown) => removeKnowledgeBase(context, given),
    'kaizen.reindexKnowledgeBases': () => reindexKnowledgeBases(context),
    'kaizen.revealKnowledgeBase': (given?: unknown) => revealKnowledgeBase(context, given),
    'kaizen.followFile': () => explorer.bases.setFollowsFile(true),
    'kaizen.unfollowFile': () => explorer.bases.setFollowsFile(false),
  };
}

/** Lets the workspace index a folder outside of it, once the person has seen which. */
async function allowKnowledgeBase({ knowledge, bases }: CommandContext, name: unknown): Promise<void> {
  knowledge.change();
  const base = bases.configured.outside.find((each) => each.name === name);
  if (!base) return;
  const allow = vscode.l10n.t('Allow');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Let agents read {0}?', base.root),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The settings of this workspace name this folder as the knowledge base {0}. It lies outside of the workspace. What its files say is indexed, and given to agents and their models.',
        base.name,
      ),
    },
    allow,
  );
  if (choice === allow) await knowledge.outside.allow(base);
}

/** Takes a base out of the settings; its files stay. One of the person's own is left out here, or removed everywhere. */
async function removeKnowledgeBase(context: CommandContext, given: unknown): Promise<void> {
  context.knowledge.change();
  const name = baseIn(given) ?? (await chooseBase(vscode.l10n.t('Remove Knowledge Base')));
  if (name === undefined) return;
  const edits = await editsToRemove(name);
  if (!edits) return;
  const changes: SettingChange[] = [];
  for (const { level, value } of edits) changes.push(await setBase(level, name, value));
  const undo = vscode.l10n.t('Undo');
  const choice = await vscode.window.showInformationMessage(
    withoutLinks(vscode.l10n.t('Removed the knowledge base {0}. Its files stay as they are.', name)),
    undo,
  );
  if (choice !== undo) return;
  for (const change of changes.reverse()) await change.undo();
}

/** Where the setting has to change; undefined when the person cancels. */
async function editsToRemove(name: string): Promise<{ level: SettingLevel; value?: null }[] | undefined> {
  const isHere = namesOn('workspace').includes(name);
  if (!namesOn('person').includes(name)) return [{ level: 'workspace' }];
  const here = vscode.l10n.t('Leave Out Here');
  const everywhere = vscode.l10n.t('Remove Everywhere');
  const choices = vscode.workspace.workspaceFolders?.length ? [here, everywhere] : [everywhere];
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} is a knowledge base of your own settings.', name),
    { modal: true, detail: vscode.l10n.t('The files stay as they are.') },
    ...choices,
  );
  if (choice === here) return [{ level: 'workspace', value: null }];
  if (choice !== everywhere) return undefined;
  return isHere ? [{ level: 'workspace' }, { level: 'person' }] : [{ level: 'person' }];
}

/** Looks at every file again, and says what is known then. */
async function reindexKnowledgeBases(context: CommandContext): Promise<void> {
  if (!context.bases.isConfigured) throw noBase();
  const { bases } = await context.bases.start();
  await withProgress(vscode.l10n.t('Indexing knowledge bases'), ({ signal }) => bases.rescan(signal));
  const sum = (count: (status: BaseStatus) => number) =>
    bases
      .statuses()
      .reduce((total, status) => total + count(status), 0)
      .toLocaleString(vscode.env.language);
  const numbers = [sum(({ files }) => files), sum(({ nodes }) => nodes), sum(({ problems }) => problems)];
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Knowledge bases are up to date. Files: {0}, nodes: {1}, problems: {2}.', ...numbers),
  );
}

async function revealKnowledgeBase(context: CommandContext, given: unknown): Promise<void> {
  const name = baseIn(given) ?? (await chooseBase(vscode.l10n.t('Reveal Knowledge Base')));
  const base = context.bases.configured.definitions.find((each) => each.name === name);
  if (!base) return;
  const uri = vscode.Uri.file(base.root);
  const isInside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  await vscode.commands.executeCommand(isInside ? 'revealInExplorer' : 'revealFileInOS', uri);
}

async function chooseBase(title: string): Promise<string | undefined> {
  const names = [...new Set([...namesOn('workspace'), ...namesOn('person')])].sort();
  if (names.length === 0) throw noBase();
  return vscode.window.showQuickPick(names, { title });
}

/** The base of a line of the view, also of one that says what is wrong with it; or its name. */
function baseIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isRecord(value) || value.kind !== 'base' || !isRecord(value.status)) return undefined;
  const { definition } = value.status;
  return isRecord(definition) && typeof definition.name === 'string' ? definition.name : undefined;
}

function noBase(): KaizenError {
  return new KaizenError(
    'unknown_base',
    vscode.l10n.t('No knowledge base is set up here.'),
    vscode.l10n.t('Begin with Kaizen: Add Knowledge Base.'),
  );
}
