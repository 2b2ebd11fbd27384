import * as vscode from 'vscode';
import type { AgentsAtWork } from '../agents';
import type { BasesAtWork } from '../bases';
import type { LearningAtWork } from '../learning';
import type { LibraryAtWork } from '../library';
import type { Log } from '../log';
import type { NotesAtWork } from '../notes';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { BasesView } from './bases-view';
import { KnowledgeView } from './knowledge-view';
import { LearningView } from './learning-view';
import { LibraryView } from './library-view';
import { NotesView } from './notes-view';
import { SessionsView } from './sessions-view';

/** The views in Kaizen's side bar. */
export class Explorer implements vscode.Disposable {
  readonly knowledge: KnowledgeView;
  readonly bases: BasesView;
  readonly notes: NotesView;
  readonly library: LibraryView;
  readonly learning: LearningView;
  readonly sessions: SessionsView;

  constructor(
    knowledge: WorkspaceKnowledge,
    bases: BasesAtWork,
    notes: NotesAtWork,
    library: LibraryAtWork,
    learning: LearningAtWork,
    agents: AgentsAtWork,
    log: Log,
    state: vscode.Memento,
  ) {
    this.knowledge = new KnowledgeView(knowledge, log, state, agents);
    this.bases = new BasesView(knowledge, bases, log, state);
    this.notes = new NotesView(knowledge, notes, log, state);
    this.library = new LibraryView(knowledge, library, log, state);
    this.learning = new LearningView(knowledge, learning, log, state);
    this.sessions = new SessionsView(knowledge, log, state);
  }

  /** What the view *Knowledge* shows. */
  get tree(): KnowledgeView['tree'] {
    return this.knowledge.tree;
  }

  dispose(): void {
    const { knowledge, bases, notes, library, learning, sessions } = this;
    vscode.Disposable.from(knowledge, bases, notes, library, learning, sessions).dispose();
  }
}
