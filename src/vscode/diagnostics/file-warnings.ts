import type * as vscode from 'vscode';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';

/** Shows rules with a risk in the files that they apply to. */
export class FileWarnings implements vscode.Disposable {
  constructor(
    readonly knowledge: WorkspaceKnowledge,
    readonly log: Log,
    readonly state: vscode.Memento,
  ) {}

  dispose(): void {}
}
