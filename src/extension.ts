import type * as vscode from 'vscode';
import { AgentsAtWork } from './vscode/agents';
import { BaseDiagnostics, BasesAtWork } from './vscode/bases';
import { registerCommands } from './vscode/commands';
import { FileWarnings } from './vscode/diagnostics';
import { EntryDocuments, showRisks } from './vscode/documents';
import { Editors } from './vscode/editors';
import { LearningAtWork } from './vscode/learning';
import { LibraryAtWork, RequestNotice } from './vscode/library';
import { createLog } from './vscode/log';
import { McpProvider } from './vscode/mcp-provider';
import { NotesAtWork, TextDocuments } from './vscode/notes';
import { NoteLanguage } from './vscode/notes-language';
import { ProposalNotice } from './vscode/proposal-notice';
import { RepositoryOffer } from './vscode/repository-offer';
import { ProjectStatus } from './vscode/status-bar';
import { Explorer } from './vscode/views';
import { WorkspaceKnowledge } from './vscode/workspace-knowledge';

let knowledge: WorkspaceKnowledge | undefined;
let mcp: McpProvider | undefined;

/** What other extensions, and the tests, get of this one. */
export interface KaizenApi {
  /** What the view *Knowledge* shows. */
  tree: vscode.TreeDataProvider<unknown>;
  /** What the view *Notes* shows. */
  notes: vscode.TreeDataProvider<unknown>;
  /** What the view *Library* shows. */
  library: vscode.TreeDataProvider<unknown>;
}

/** Composes and registers. The stores, SQLite and the MCP SDK are loaded when something first needs them. */
export function activate(context: vscode.ExtensionContext): KaizenApi {
  const started = performance.now();
  const log = createLog();
  knowledge = new WorkspaceKnowledge(context, log);
  mcp = new McpProvider(knowledge, log, String(context.extension.packageJSON.version));
  const status = new ProjectStatus(knowledge, log);
  const agents = new AgentsAtWork(knowledge, log, context.extensionUri, context.workspaceState);
  const bases = new BasesAtWork(knowledge, log);
  const notes = new NotesAtWork(knowledge, log);
  const library = new LibraryAtWork(knowledge, log, context.globalState);
  const learning = new LearningAtWork(knowledge);
  const texts = new TextDocuments();
  const noteLanguage = new NoteLanguage(knowledge, notes, log);
  const explorer = new Explorer(knowledge, bases, notes, library, learning, agents, log, context.workspaceState);
  const repository = new RepositoryOffer(knowledge, context.workspaceState, log);
  const editors = new Editors(
    knowledge,
    notes,
    library,
    learning,
    noteLanguage,
    log,
    context.extensionUri,
    context.globalState,
  );
  const warnings = new FileWarnings(knowledge, log, context.workspaceState);
  context.subscriptions.push(
    log,
    knowledge,
    mcp,
    status,
    agents,
    bases,
    notes,
    library,
    learning,
    texts,
    noteLanguage,
    new BaseDiagnostics(knowledge, bases, log),
    explorer,
    repository,
    editors,
    warnings,
    new ProposalNotice(knowledge, log),
    new RequestNotice(knowledge, library, context.globalState, log),
    new EntryDocuments(knowledge, library, learning),
    showRisks(knowledge, log),
    registerCommands({
      knowledge,
      log,
      agents,
      bases,
      notes,
      library,
      learning,
      texts,
      explorer,
      editors,
      warnings,
      repository,
      extension: context,
    }),
  );
  // Where something is stored already, the person should see its risks without opening a view.
  if (knowledge.exists) setTimeout(() => void status.update(), 0);
  setTimeout(() => void repository.look(), 0);
  setTimeout(() => void agents.update(), 0);
  log.info(`Activated in ${(performance.now() - started).toFixed(1)} ms.`);
  return { tree: explorer.tree, notes: explorer.notes.tree, library: explorer.library.tree };
}

export async function deactivate(): Promise<void> {
  await mcp?.stop();
  await knowledge?.close();
}
