import type * as vscode from 'vscode';
import { registerCommands } from './vscode/commands';
import { RiskDiagnostics } from './vscode/diagnostics';
import { EntryDocuments } from './vscode/documents';
import { createLog } from './vscode/log';
import { McpProvider } from './vscode/mcp-provider';
import { ProjectStatus } from './vscode/status-bar';
import { KnowledgeTree } from './vscode/views/knowledge-tree';
import { WorkspaceKnowledge } from './vscode/workspace-knowledge';

let knowledge: WorkspaceKnowledge | undefined;
let mcp: McpProvider | undefined;

/** What other extensions, and the tests, get of this one. */
export interface KaizenApi {
  /** What the view *Knowledge* shows. */
  tree: vscode.TreeDataProvider<unknown>;
}

/** Composes and registers. The stores, SQLite and the MCP SDK are loaded when something first needs them. */
export function activate(context: vscode.ExtensionContext): KaizenApi {
  const started = performance.now();
  const log = createLog();
  knowledge = new WorkspaceKnowledge(context, log);
  mcp = new McpProvider(knowledge, log, String(context.extension.packageJSON.version));
  const status = new ProjectStatus(knowledge, log);
  const tree = new KnowledgeTree(knowledge, log);
  context.subscriptions.push(
    log,
    knowledge,
    mcp,
    status,
    tree,
    new EntryDocuments(knowledge),
    new RiskDiagnostics(),
    registerCommands(knowledge, log),
  );
  // Where something is stored already, the person should see its risks without opening a view.
  if (knowledge.exists) setTimeout(() => void status.update(), 0);
  log.info(`Activated in ${(performance.now() - started).toFixed(1)} ms.`);
  return { tree };
}

export async function deactivate(): Promise<void> {
  await mcp?.stop();
  await knowledge?.close();
}
