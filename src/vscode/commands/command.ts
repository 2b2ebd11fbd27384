import type * as vscode from 'vscode';
import type { AgentsAtWork } from '../agents';
import type { BasesAtWork } from '../bases';
import type { FileWarnings } from '../diagnostics';
import type { Editors } from '../editors';
import type { LearningAtWork } from '../learning';
import type { LibraryAtWork } from '../library';
import type { Log } from '../log';
import type { NotesAtWork, TextDocuments } from '../notes';
import type { RepositoryOffer } from '../repository-offer';
import type { Explorer } from '../views';
import type { WorkspaceKnowledge } from '../workspace-knowledge';

/** What commands work with. */
export interface CommandContext {
  knowledge: WorkspaceKnowledge;
  log: Log;
  agents: AgentsAtWork;
  bases: BasesAtWork;
  notes: NotesAtWork;
  library: LibraryAtWork;
  learning: LearningAtWork;
  texts: TextDocuments;
  explorer: Explorer;
  editors: Editors;
  warnings: FileWarnings;
  repository: RepositoryOffer;
  extension: vscode.ExtensionContext;
}

/** Handlers by command id. What the editor passes (a tree's node and the selected ones, a URI) comes first. */
// biome-ignore lint/suspicious/noExplicitAny: each handler says itself what it takes, and checks what may be anything
export type CommandHandlers = Record<string, (...values: any[]) => unknown>;
