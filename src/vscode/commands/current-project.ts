import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { Change } from '../../knowledge';
import type { WorkspaceKnowledge } from '../workspace-knowledge';

/** The current project and what changes it. */
export interface CurrentProject extends Pick<KaizenParts, 'knowledge' | 'continuity'> {
  id: string;
  change: Change;
}

/** Its id; without a folder it says so, and how to get one. */
export async function requireFolder(window: WorkspaceKnowledge): Promise<string | undefined> {
  if (window.project) return window.project;
  const open = vscode.l10n.t('Open Folder');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t('A project belongs to a folder, and none is open.'),
    open,
  );
  if (choice === open) await vscode.commands.executeCommand('workbench.action.files.openFolder');
  return undefined;
}

/**
 * The project to work on; undefined, after the person was told what to do, where there is none yet.
 * Throws in Restricted Mode.
 */
export async function requireProject(window: WorkspaceKnowledge): Promise<CurrentProject | undefined> {
  const id = await requireFolder(window);
  if (!id) return undefined;
  const change = window.change();
  const { knowledge, continuity } = await window.parts();
  const defined = knowledge.listScopes().some(({ scope_id, tier }) => scope_id === id && tier === 'PROJECT');
  if (defined) return { id, change, knowledge, continuity };
  const setUp = vscode.l10n.t('Set Up Project');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t('The project "{0}" is not set up yet.', id),
    setUp,
  );
  if (choice === setUp) await vscode.commands.executeCommand('kaizen.setUpProject');
  return undefined;
}
