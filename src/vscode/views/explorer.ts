import * as vscode from 'vscode';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { KnowledgeTree } from './knowledge-tree';

/** The views in Kaizen's side bar. */
export class Explorer implements vscode.Disposable {
  readonly tree: KnowledgeTree;

  constructor(knowledge: WorkspaceKnowledge, log: Log, _state: vscode.Memento) {
    this.tree = new KnowledgeTree(knowledge, log);
  }

  dispose(): void {
    vscode.Disposable.from(this.tree).dispose();
  }
}
