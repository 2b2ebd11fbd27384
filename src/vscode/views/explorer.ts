import * as vscode from 'vscode';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { KnowledgeView } from './knowledge-view';
import { SessionsView } from './sessions-view';

/** The views in Kaizen's side bar. */
export class Explorer implements vscode.Disposable {
  readonly knowledge: KnowledgeView;
  readonly sessions: SessionsView;

  constructor(knowledge: WorkspaceKnowledge, log: Log, state: vscode.Memento) {
    this.knowledge = new KnowledgeView(knowledge, log, state);
    this.sessions = new SessionsView(knowledge, log, state);
  }

  /** What the view *Knowledge* shows. */
  get tree(): KnowledgeView['tree'] {
    return this.knowledge.tree;
  }

  dispose(): void {
    vscode.Disposable.from(this.knowledge, this.sessions).dispose();
  }
}
