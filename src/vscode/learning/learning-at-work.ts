import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { LearningChange, LearningPart } from '../../learning';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { configuredLearning, LEARNING_SETTING } from './settings';

/** Changes that come together are told together. */
const GATHER_MS = 100;

/** What was captured and learned, at work in this window: follows the settings, and tells when it changes, whoever changed it. */
export class LearningAtWork implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when records, scores or relations are others, or may be. */
  readonly onDidChange = this.changed.event;
  private part: LearningPart | undefined;
  private listening: { dispose(): void }[] = [];
  private telling: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly knowledge: WorkspaceKnowledge) {
    this.disposables = [
      this.changed,
      knowledge.onDidChange((topics) => {
        if (topics.has('*')) void this.attach();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(LEARNING_SETTING)) this.useConfigured();
      }),
    ];
  }

  /** All parts, once the stores are open. Throws in Restricted Mode where there are none. */
  async start(): Promise<KaizenParts> {
    const parts = await this.knowledge.parts();
    this.listen(parts);
    return parts;
  }

  /** The name by which this person's feedback is known. */
  get person(): string {
    return this.knowledge.person;
  }

  /** Who writes when a person does. Throws in Restricted Mode, where nothing is written. */
  change(): LearningChange {
    return { author: this.knowledge.change().author };
  }

  dispose(): void {
    this.leave();
    clearTimeout(this.telling);
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Stores that were opened anew have other parts. */
  private async attach(): Promise<void> {
    if (this.knowledge.isOpen) {
      const parts = await this.knowledge.parts().catch(() => undefined);
      if (parts) this.listen(parts);
    }
    this.tellSoon();
  }

  private listen(parts: KaizenParts): void {
    if (this.part === parts.learning) return;
    this.leave();
    this.part = parts.learning;
    this.listening = [
      parts.learning.onDidChange(() => this.tellSoon()),
      parts.relations.onDidChange(() => this.tellSoon()),
    ];
  }

  private leave(): void {
    for (const each of this.listening.splice(0)) each.dispose();
    this.part = undefined;
  }

  private useConfigured(): void {
    this.part?.useSettings(configuredLearning());
    this.tellSoon();
  }

  private tellSoon(): void {
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      this.changed.fire();
    }, GATHER_MS);
  }
}
