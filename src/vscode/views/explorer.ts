import * as vscode from 'vscode';
import type { BasesAtWork } from '../bases';
import type { LibraryAtWork } from '../library';
import type { Log } from '../log';
import type { NotesAtWork } from '../notes';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { BasesView } from './bases-view';
import { KnowledgeView } from './knowledge-view';
import { LibraryView } from './library-view';
import { NotesView } from './notes-view';
import { SessionsView } from './sessions-view';

/** The views in Kaizen's side bar. */
export class Explorer implements vscode.Disposable {
  readonly knowledge: KnowledgeView;
  readonly bases: BasesView;
  readonly notes: NotesView;
  readonly library: LibraryView;
  readonly sessions: SessionsView;

  constructor(
    knowledge: WorkspaceKnowledge,
    bases: BasesAtWork,
    notes: NotesAtWork,
    library: LibraryAtWork,
    log: Log,
    state: vscode.Memento,
  ) {
    this.knowledge = new KnowledgeView(knowledge, log, state);
    this.bases = new BasesView(knowledge, bases, log, state);
    this.notes = new NotesView(knowledge, notes, log, state);
    this.library = new LibraryView(knowledge, library, log, state);
    this.sessions = new SessionsView(knowledge, log, state);
  }

  /** What the view *Knowledge* shows. */
  get tree(): KnowledgeView['tree'] {
    return this.knowledge.tree;
  }

  dispose(): void {
    vscode.Disposable.from(this.knowledge, this.bases, this.notes, this.library, this.sessions).dispose();
  }
}
