import * as vscode from 'vscode';
import { DASHBOARD_TABS } from '../../../webview-ui/protocol/dashboard-reports';
import type { MoreLearnedNode, MoreLibraryNode, MoreNode, MoreNodesNode, MoreNotesNode } from '../views';
import type { CommandContext, CommandHandlers } from './command';

/** The walkthrough of package.json. */
const WALKTHROUGH = 'kaizen.kaizen-knowledge#start';

export function viewCommands({ editors, explorer, log }: CommandContext): CommandHandlers {
  return {
    'kaizen.showEffective': () => explorer.knowledge.setMode('effective'),
    'kaizen.showByScope': () => explorer.knowledge.setMode('scopes'),
    'kaizen.filterKnowledge': (text?: unknown) =>
      typeof text === 'string' ? explorer.knowledge.setFilter(text) : explorer.knowledge.askFilter(),
    'kaizen.clearKnowledgeFilter': () => explorer.knowledge.setFilter(''),
    'kaizen.filterSessions': (text?: unknown) =>
      typeof text === 'string' ? explorer.sessions.setFilter(text) : explorer.sessions.askFilter(),
    'kaizen.clearSessionsFilter': () => explorer.sessions.setFilter(''),
    'kaizen.filterNotes': (text?: unknown) =>
      typeof text === 'string' ? explorer.notes.setFilter(text) : explorer.notes.askFilter(),
    'kaizen.clearNotesFilter': () => explorer.notes.setFilter(''),
    'kaizen.filterLearning': (text?: unknown) =>
      typeof text === 'string' ? explorer.learning.setFilter(text) : explorer.learning.askFilter(),
    'kaizen.clearLearningFilter': () => explorer.learning.setFilter(''),
    'kaizen.reloadLearning': () => explorer.learning.tree.refresh(),
    'kaizen.showMore': (node?: MoreNode | MoreNodesNode | MoreNotesNode | MoreLibraryNode | MoreLearnedNode) => {
      if (node?.kind === 'more') return explorer.knowledge.showMore(node);
      if (node?.kind === 'moreNotes') return explorer.notes.showMore(node);
      if (node?.kind === 'moreLibrary') return explorer.library.showMore(node);
      if (node?.kind === 'moreLearned') return explorer.learning.showMore(node);
      return node?.kind === 'moreNodes' ? explorer.bases.showMore(node) : undefined;
    },
    'kaizen.openDashboard': (tab?: unknown) => editors.openDashboard(DASHBOARD_TABS.find((each) => each === tab)),
    'kaizen.openWalkthrough': () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH, false),
    'kaizen.showLog': () => log.show(),
  };
}
