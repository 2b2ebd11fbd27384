import * as vscode from 'vscode';
import type { EntryKey } from '../../knowledge';
import { documentUri } from '../documents';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';

export const ENTRY_EDITOR = 'kaizen.entry';

/** Opens entries, the project and the dashboard. The webviews' own code is loaded when the first one opens. */
export class Editors implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];

  constructor(
    readonly knowledge: WorkspaceKnowledge,
    readonly log: Log,
    readonly extensionUri: vscode.Uri,
  ) {}

  /** As a form or as text, as the person has set it. */
  async openEntry(key: EntryKey, options: { preview?: boolean } = {}): Promise<void> {
    await vscode.window.showTextDocument(documentUri(key), { preview: options.preview ?? true });
  }

  /** `part` is what to show first. */
  openProject(_part?: 'overview' | 'inheritance' | 'progress'): void {}

  openDashboard(): void {}

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}
