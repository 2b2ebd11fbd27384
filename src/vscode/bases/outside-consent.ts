import * as vscode from 'vscode';
import type { BaseDefinition } from '../../bases';

const ALLOWED = 'kaizen.bases.allowedOutside';
const ASKED = 'kaizen.bases.askedOutside';

/**
 * What the person lets this workspace index outside of its folders. A workspace is shared with others and may name any
 * folder of this machine, whose files agents, and the models behind them, would be given. Kept for the workspace, on this
 * machine, and for what was seen when it was allowed: another path or other patterns are asked about again.
 */
export class OutsideConsent implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when something was allowed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly state: vscode.Memento) {}

  dispose(): void {
    this.changed.dispose();
  }

  allows(definition: BaseDefinition): boolean {
    return this.kept(ALLOWED).includes(keyOf(definition));
  }

  async allow(definition: BaseDefinition): Promise<void> {
    if (this.allows(definition)) return;
    await this.state.update(ALLOWED, [...this.kept(ALLOWED), keyOf(definition)]);
    this.changed.fire();
  }

  /** Whether the person was told of it before; from now on that is so. */
  async wasAsked(definition: BaseDefinition): Promise<boolean> {
    const asked = this.kept(ASKED);
    const key = keyOf(definition);
    if (asked.includes(key)) return true;
    await this.state.update(ASKED, [...asked, key]);
    return false;
  }

  private kept(name: string): readonly string[] {
    return this.state.get<string[]>(name) ?? [];
  }
}

function keyOf({ root, include, exclude }: BaseDefinition): string {
  return JSON.stringify([root, include ?? null, exclude ?? null]);
}
