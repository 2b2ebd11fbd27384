import * as vscode from 'vscode';

const ALLOWED = 'kaizen.notes.allowedOutside';

/**
 * Where the person lets this workspace have its notes outside of its folders. A workspace is shared with others and may
 * name any folder of this machine, whose files would be read, and written by agents. Kept for the workspace, on this
 * machine.
 */
export class FolderConsent implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when a folder was allowed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly state: vscode.Memento) {}

  dispose(): void {
    this.changed.dispose();
  }

  allows(root: string): boolean {
    return this.kept().includes(root);
  }

  async allow(root: string): Promise<void> {
    if (this.allows(root)) return;
    await this.state.update(ALLOWED, [...this.kept(), root]);
    this.changed.fire();
  }

  private kept(): readonly string[] {
    return this.state.get<string[]>(ALLOWED) ?? [];
  }
}
