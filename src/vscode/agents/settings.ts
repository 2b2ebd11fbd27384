import * as vscode from 'vscode';
import { isAllowedByAll } from './allowed-by-all';

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

/** As the settings say. A budget that is no number counts as not set; one out of range as the nearest that is. */
export function hookSettings(): HookSettings {
  const configured = vscode.workspace.getConfiguration(AGENT_SETTINGS);
  const hooks = configured.inspect('hooks');
  const budget = configured.get<unknown>('briefTokens');
  return {
    enabled: isAllowedByAll([hooks?.globalValue, hooks?.workspaceValue, hooks?.workspaceFolderValue]),
    budget:
      typeof budget === 'number' && Number.isFinite(budget)
        ? Math.min(BUDGET.most, Math.max(BUDGET.least, Math.round(budget)))
        : BUDGET.usual,
    reminder: configured.get<unknown>('remindAtEnd') !== false,
  };
}
