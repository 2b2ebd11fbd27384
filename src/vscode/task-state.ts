import * as vscode from 'vscode';
import type { TaskState } from '../continuity';

/** The state of a task in words. */
export function stateText(state: TaskState): string {
  switch (state) {
    case 'in_progress':
      return vscode.l10n.t('In progress');
    case 'blocked':
      return vscode.l10n.t('Blocked');
    case 'completed':
      return vscode.l10n.t('Completed');
  }
}
