import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentWrites, HttpServer } from '../mcp';
import { strictestOf } from './agent-writes';
import type { Log } from './log';
import type { WorkspaceKnowledge } from './workspace-knowledge';

const PROVIDER_ID = 'kaizen';
const LABEL = 'Kaizen';
/** A change of any of these makes another server. */
const SETTINGS = ['kaizen.mcp', 'kaizen.agentWrites', 'kaizen.project'];
/** What macOS takes; Linux takes four more. */
const SOCKET_PATH_BYTES = 103;
/** Where the editor connects before the server is there; the real address is set when it asks for the start. */
const UNRESOLVED = vscode.Uri.parse('http://127.0.0.1/mcp');

interface Running {
  http: HttpServer;
  /** Of its socket, where it has one. */
  directory: string | undefined;
  version: string;
}

/** Offers the embedded MCP server to the editor's agents, and starts it when one of them wants it. */
export class McpProvider
  implements vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition>, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.changed.event;
  private readonly disposables: vscode.Disposable[] = [this.changed];
  private server: Running | undefined;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
    private readonly extensionVersion: string,
  ) {
    // Older editors, and some that are built on them, have no such API: the views work all the same.
    if (typeof vscode.lm?.registerMcpServerDefinitionProvider !== 'function') {
      log.info('This editor cannot take MCP servers from extensions; use `kaizen mcp` instead.');
      return;
    }
    this.disposables.push(
      vscode.lm.registerMcpServerDefinitionProvider(PROVIDER_ID, this),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (SETTINGS.some((setting) => event.affectsConfiguration(setting))) void this.restart();
      }),
      // Other stores may belong to another project, which the instructions name.
      knowledge.onDidChange((topics) => {
        if (topics.has('*') && this.server && this.server.version !== this.version()) void this.restart();
      }),
    );
  }

  provideMcpServerDefinitions(): vscode.McpHttpServerDefinition[] {
    if (!vscode.workspace.isTrusted) return [];
    return [new vscode.McpHttpServerDefinition(LABEL, UNRESOLVED, {}, this.version())];
  }

  /** Starts the server at an address, and with a secret, that only this answer knows. */
  async resolveMcpServerDefinition(
    definition: vscode.McpHttpServerDefinition,
  ): Promise<vscode.McpHttpServerDefinition> {
    const { newToken, resolveToolsets, serveHttp, Surface, toolsetNames } = await import('../mcp');
    const { toolsets, agentWrites } = settings();
    const version = this.version();
    // Settings travel between machines: what an older or newer Kaizen knows must not keep this one's tools away.
    const known = toolsets.filter((name) => name === 'all' || toolsetNames.includes(name));
    if (known.length < toolsets.length) this.log.warn(`Unknown toolsets are left out: ${toolsets.join(', ')}.`);
    const surface = new Surface({
      // Not the hall of this moment: the stores may be opened anew while the server lives.
      kaizen: this.knowledge,
      toolsets: resolveToolsets(known.join(',')),
      agentWrites,
      log: (where, error) =>
        this.log.error(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : error}`),
    });
    const token = newToken();
    const place = takesSockets() ? socketPath() : undefined;
    const http = await serveHttp({
      surface,
      token,
      listen: place ? { path: place.path } : { port: 0 },
      log: (where, error) => this.log.error(`${where}: ${String(error)}`),
    });
    const started: Running = { http, directory: place?.directory, version };
    if (version !== this.version()) {
      // A setting was changed meanwhile: nobody shall write under the one that does not hold any more.
      await shut(started);
      return this.resolveMcpServerDefinition(definition);
    }
    // Whoever asked before, even a moment ago, has an address that is not used any more.
    const before = this.server;
    this.server = started;
    await shut(before);
    definition.uri = place
      ? vscode.Uri.from({ scheme: process.platform === 'win32' ? 'pipe' : 'unix', path: place.path, fragment: '/mcp' })
      : vscode.Uri.parse(http.url);
    definition.headers = { ...definition.headers, Authorization: `Bearer ${token}` };
    this.log.info(`The MCP server listens on ${place?.path ?? http.url}.`);
    return definition;
  }

  private async restart(): Promise<void> {
    await this.stop();
    this.changed.fire();
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    await shut(server);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
    void this.stop();
  }

  /** The editor asks for the tools, and for the instructions, anew when this changes. */
  private version(): string {
    const { toolsets, agentWrites } = settings();
    return [this.extensionVersion, this.knowledge.project ?? '', ...toolsets, agentWrites].join('+');
  }
}

async function shut(server: Running | undefined): Promise<void> {
  await server?.http.close();
  if (server?.directory) rmSync(server.directory, { recursive: true, force: true });
}

function settings(): { toolsets: string[]; agentWrites: AgentWrites } {
  const kaizen = vscode.workspace.getConfiguration('kaizen');
  return { toolsets: kaizen.get<string[]>('mcp.toolsets') ?? [], agentWrites: agentWritesHere() };
}

/** What becomes of what agents write in this window. Read-only is the older name of `deny`. */
export function agentWritesHere(): AgentWrites {
  const kaizen = vscode.workspace.getConfiguration('kaizen');
  const valuesOf = (name: string) => {
    const { globalValue, workspaceValue, workspaceFolderValue } = kaizen.inspect<unknown>(name) ?? {};
    return [globalValue, workspaceValue, workspaceFolderValue];
  };
  return valuesOf('mcp.readOnly').includes(true) ? 'deny' : strictestOf(valuesOf('agentWrites'));
}

/** VS Code connects to sockets and pipes from 1.105 on. */
function takesSockets(): boolean {
  const [major = 0, minor = 0] = vscode.version.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 105);
}

/**
 * A place that no other user can reach: a directory of our own (0700), or a pipe whose name cannot be guessed.
 * Undefined where the directory for temporary files lies too deep for a socket's name.
 */
function socketPath(): { path: string; directory: string | undefined } | undefined {
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\kaizen-${randomUUID()}`, directory: undefined };
  if (Buffer.byteLength(path.join(tmpdir(), 'kaizen-xxxxxx', 'mcp.sock')) > SOCKET_PATH_BYTES) return undefined;
  const directory = mkdtempSync(path.join(tmpdir(), 'kaizen-'));
  return { path: path.join(directory, 'mcp.sock'), directory };
}
