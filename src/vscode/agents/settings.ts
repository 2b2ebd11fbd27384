import * as vscode from 'vscode';
import { isAllowedByAll, leastOf } from './allowed-by-all';

/** A change of any of these changes what hooks do. */
export const AGENT_SETTINGS = 'kaizen.agents';

/** How Kaizen speaks up in an agent's session by itself. */
export interface HookSettings {
  /** Whether it does at all in this window. */
  enabled: boolean;
  /** Tokens that a session's brief may take. */
  budget: number;
  /** Whether an agent that stops is reminded once to log what it did. */
  reminder: boolean;
}

/** What `kaizen hook --budget` takes. */
const BUDGET = { least: 100, most: 20_000, usual: 1_500 };

/**
 * As the settings say; a workspace can only have less said than the person wants. A budget that is no number counts as
 * not set; one out of range as the nearest that is.
 */
export function hookSettings(): HookSettings {
  const configured = vscode.workspace.getConfiguration(AGENT_SETTINGS);
  const set = (name: string) => {
    const { globalValue, workspaceValue, workspaceFolderValue } = configured.inspect<unknown>(name) ?? {};
    return { own: globalValue, here: [workspaceValue, workspaceFolderValue] };
  };
  const [hooks, budget, reminder] = [set('hooks'), set('briefTokens'), set('remindAtEnd')];
  return {
    enabled: isAllowedByAll([hooks.own, ...hooks.here]),
    budget: leastOf(budget.own, budget.here, BUDGET),
    reminder: isAllowedByAll([reminder.own, ...reminder.here]),
  };
}
