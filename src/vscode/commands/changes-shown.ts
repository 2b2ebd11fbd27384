import * as vscode from 'vscode';

/** A text as it is and as it would be; one of the two is missing where a file is new or goes. */
export interface ShownChange {
  name: string;
  before: vscode.Uri | undefined;
  after: vscode.Uri | undefined;
}

/** The editors that show changes while a question about them is open, and go with it. */
export class ChangesShown {
  private readonly others = new Set(tabs());
  private readonly titles = new Set<string>();

  /** All of them in one editor. With one side only, it shows a file as added or deleted. */
  async show(title: string, changes: readonly ShownChange[]): Promise<void> {
    this.titles.add(title);
    await vscode.commands.executeCommand(
      'vscode.changes',
      title,
      changes.map(({ before, after }) => [after ?? before, before, after]),
    );
  }

  /** Closes them, and nothing else that was opened meanwhile. */
  async close(): Promise<void> {
    const own = tabs().filter((tab) => !this.others.has(tab) && this.isOwn(tab));
    if (own.length > 0) await vscode.window.tabGroups.close(own, true);
  }

  /** Editors of several files have no kind of their own in the editor's interface: only their titles tell. */
  private isOwn({ label, input }: vscode.Tab): boolean {
    const { TabInputText, TabInputTextDiff, TabInputCustom, TabInputWebview } = vscode;
    const isOther = [TabInputText, TabInputTextDiff, TabInputCustom, TabInputWebview].some(
      (kind) => input instanceof kind,
    );
    return !isOther && [...this.titles].some((title) => label.startsWith(title));
  }
}

function tabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}
