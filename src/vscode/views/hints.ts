import * as vscode from 'vscode';
import { errorInWords } from '../in-words';
import type { FolderRules } from '../rules-found';
import type { HintNode, KnowledgeNode, ScopeNode } from './nodes';

export function defineProjectHint(project: string): HintNode {
  return {
    kind: 'hint',
    id: 'define-project',
    text: vscode.l10n.t('Set up the project "{0}"…', project),
    tooltip: vscode.l10n.t(
      'This folder has no PROJECT scope yet: set one up to store what holds for it alone, and to inherit what holds for its product and groups.',
    ),
    icon: 'rocket',
    command: { command: 'kaizen.setUpProject', title: vscode.l10n.t('Set Up Project') },
  };
}

export function firstEntryHint(scope: ScopeNode): HintNode {
  return {
    kind: 'hint',
    id: `first/${scope.scope.scope_id}`,
    parent: scope,
    text: vscode.l10n.t('Store the first entry…'),
    tooltip: vscode.l10n.t('{0} has no entries yet.', scope.scope.name),
    icon: 'add',
    command: { command: 'kaizen.storeKnowledge', title: vscode.l10n.t('Store Knowledge'), arguments: [scope] },
  };
}

/** Where other agents than the editor's seem to be used, and none knows of Kaizen. */
export function agentsHint(): HintNode {
  return {
    kind: 'hint',
    id: 'set-up-agents',
    text: vscode.l10n.t('Set up your other agents…'),
    tooltip: vscode.l10n.t(
      "There are files of other agents here, and none of them names Kaizen. Shows what would be written where, and writes nothing before you have seen it. This editor's own agent needs none of it.",
    ),
    icon: 'robot',
    command: { command: 'kaizen.setUpAgents', title: vscode.l10n.t('Set Up Agents') },
    contextValue: 'hint.agents',
  };
}

/** Beside the first entry, where other tools keep something that entries could be made of; one for each folder. */
export function importHint(scope: ScopeNode, { folder, names }: FolderRules): HintNode {
  const isOnly = vscode.workspace.workspaceFolders?.length === 1;
  return {
    kind: 'hint',
    id: `import/${scope.scope.scope_id}/${folder.uri}`,
    parent: scope,
    text: isOnly
      ? vscode.l10n.t('Import what other tools keep…')
      : vscode.l10n.t('Import what other tools keep in {0}…', folder.name),
    tooltip: vscode.l10n.t('Shows what {0} would become, and stores what you tick.', names.join(', ')),
    icon: 'cloud-download',
    command: {
      command: 'kaizen.importFromOtherTools',
      title: vscode.l10n.t('Import What Other Tools Keep'),
      arguments: [folder.uri, { scope: scope.scope.scope_id }],
    },
  };
}

/** In the effective view, where there is no project that anything could hold for. */
export function noProjectHint(): HintNode {
  return {
    kind: 'hint',
    id: 'no-project',
    text: vscode.l10n.t('No project is defined here: show by scope'),
    tooltip: vscode.l10n.t(
      'Effective knowledge is what holds for the current project after inheritance. Open a folder and set up its project, or show knowledge by scope.',
    ),
    icon: 'list-tree',
    command: { command: 'kaizen.showByScope', title: vscode.l10n.t('Show Knowledge by Scope') },
  };
}

export function errorHint(error: unknown, parent: KnowledgeNode | undefined): HintNode {
  const text = errorInWords(error);
  return { kind: 'hint', id: `error/${parent?.id ?? ''}`, parent, text, tooltip: text, icon: 'error' };
}
