import * as vscode from 'vscode';
import { isKaizenError } from '../core/errors';
import type { Log } from './log';
import { byGravity, levelsOf } from './risk-signs';
import type { WorkspaceKnowledge } from './workspace-knowledge';

/** A tooltip does not scroll. */
const SHOWN_ENTRIES = 10;

/** The project's scope and how many risks hold for it. */
export class ProjectStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('kaizen.project', vscode.StatusBarAlignment.Left, 10);
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
  ) {
    this.item.name = 'Kaizen Project';
    this.showPlain();
    this.item.show();
    this.disposables = [this.item, knowledge.onDidChange(() => void this.update())];
  }

  /** Reads the stores; called once they are open or known to exist. */
  async update(): Promise<void> {
    try {
      const project = this.knowledge.project;
      const { knowledge } = await this.knowledge.parts();
      const defined = knowledge.listScopes().some(({ scope_id, tier }) => scope_id === project && tier === 'PROJECT');
      if (!project || !defined) {
        this.showPlain();
        return;
      }
      const risky = [...knowledge.getRisks(project)].sort(byGravity);
      const count = risky.reduce((sum, { risks }) => sum + risks.length, 0);
      const words = count === 0 ? 'no risks' : `${count} ${count === 1 ? 'risk' : 'risks'}`;
      this.item.text = `$(${count > 0 ? 'shield' : 'lightbulb'}) ${project}: ${words}`;
      this.item.tooltip = new vscode.MarkdownString(undefined, true);
      this.item.tooltip.appendText(`Kaizen: what holds for ${project} carries ${words}.\n`);
      for (const { keyword, risks } of risky.slice(0, SHOWN_ENTRIES)) {
        this.item.tooltip.appendMarkdown('\n- ').appendText(`${levelsOf(risks).join(', ')}: ${keyword}`);
      }
      const more = risky.length - SHOWN_ENTRIES;
      if (more > 0) this.item.tooltip.appendMarkdown(`\n- and ${more} more`);
      this.item.accessibilityInformation = { label: `Kaizen project ${project}, ${words}` };
      this.item.command = 'kaizen.knowledge.focus';
    } catch (error) {
      if (!isKaizenError(error)) this.log.error(String(error));
      this.showPlain();
    }
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private showPlain(): void {
    const { project } = this.knowledge;
    this.item.text = '$(lightbulb) Kaizen';
    if (!vscode.workspace.isTrusted) {
      this.item.tooltip = 'Kaizen: in Restricted Mode nothing is written, and agents get no tools';
      this.item.accessibilityInformation = { label: this.item.tooltip };
      this.item.command = 'workbench.trust.manage';
      return;
    }
    this.item.tooltip = project ? `Kaizen: define the project "${project}"` : 'Kaizen: open a folder to have a project';
    this.item.accessibilityInformation = { label: String(this.item.tooltip) };
    this.item.command = project
      ? { title: 'Define Scope', command: 'kaizen.defineScope', arguments: [{ scope_id: project, tier: 'PROJECT' }] }
      : 'kaizen.knowledge.focus';
  }
}
