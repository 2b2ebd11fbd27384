import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Disposable } from '../core/disposable';
import { KaizenError } from '../core/errors';
import { scopeIdFromName } from '../core/locations';
import type { Kaizen, KaizenParts } from '../kaizen';
import type { Change } from '../knowledge';
import type { Log } from './log';
import { withoutLinks } from './messages';

const EVERYTHING: ReadonlySet<string> = new Set(['*']);

/**
 * The knowledge of this window: loads and opens the stores when something first needs them, and tells when they change,
 * whoever changed them.
 */
export class WorkspaceKnowledge implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ReadonlySet<string>>();
  /** Fires after changes of what is stored, with their topics, and with `*` once the stores were opened anew. */
  readonly onDidChange = this.changed.event;

  private opening: Promise<Kaizen> | undefined;
  private listening: Disposable | undefined;
  private readonly directories: { data: string; shared: string };
  private readonly disposables: vscode.Disposable[];

  constructor(
    context: vscode.ExtensionContext,
    private readonly log: Log,
  ) {
    // A window without a folder has no storage of its own; what it stores is kept apart from every workspace.
    const own = context.storageUri ?? vscode.Uri.joinPath(context.globalStorageUri, 'no-folder');
    this.directories = {
      data: process.env.KAIZEN_DATA || vscode.Uri.joinPath(own, 'store').fsPath,
      shared: process.env.KAIZEN_SHARED || vscode.Uri.joinPath(context.globalStorageUri, 'store').fsPath,
    };
    const reopen = async () => {
      await this.close();
      this.changed.fire(EVERYTHING);
    };
    this.disposables = [
      this.changed,
      // What was opened in Restricted Mode was opened without the right to create anything.
      vscode.workspace.onDidGrantWorkspaceTrust(reopen),
      // The current project is a matter of how the stores were opened.
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kaizen.project')) void reopen();
      }),
    ];
  }

  /** The id that the workspace's PROJECT scope has or would have: the setting, or the folder's name. */
  get project(): string | undefined {
    const setting = vscode.workspace.getConfiguration('kaizen').get<string>('project');
    const name = vscode.workspace.name?.replace(/ \(Workspace\)$/, '') ?? '';
    const folder = vscode.workspace.workspaceFolders?.length === 1 ? vscode.workspace.workspaceFolders[0]?.name : name;
    return setting || process.env.KAIZEN_PROJECT || (folder ? scopeIdFromName(folder) : undefined);
  }

  /** Whether something was stored here before: opening then creates nothing. */
  get exists(): boolean {
    return existsSync(this.directories.data) && existsSync(this.directories.shared);
  }

  /** Opens the stores on the first call. Throws in Restricted Mode when that would have to create them. */
  async parts(): Promise<KaizenParts> {
    return (await this.hall()).parts();
  }

  async hall(): Promise<Kaizen> {
    this.opening ??= this.open().catch((error) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  /** Who writes when a person does. Throws in Restricted Mode, where nothing is written. */
  change(): Change {
    if (!vscode.workspace.isTrusted) throw restricted('Nothing is written in Restricted Mode.');
    return { author: process.env.USER || process.env.USERNAME || 'person', project_context: this.project ?? '' };
  }

  async close(): Promise<void> {
    const { opening } = this;
    this.opening = undefined;
    this.listening?.dispose();
    await (await opening?.catch(() => undefined))?.close();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
    void this.close();
  }

  private async open(): Promise<Kaizen> {
    const trusted = vscode.workspace.isTrusted;
    if (!trusted && !this.exists) throw restricted('There is no knowledge here yet.');
    const started = performance.now();
    // Loaded here and not at activation: SQLite costs more than all the rest.
    const { Kaizen } = await import('../kaizen');
    const kaizen = new Kaizen({
      ...this.directories,
      project: this.project,
      ensureGeneral: trusted,
      onReport: (message) => {
        this.log.warn(message);
        void vscode.window.showWarningMessage(withoutLinks(message));
      },
    });
    this.listening = await kaizen.onDidChange((topics) => this.changed.fire(topics));
    this.log.info(
      `Opened ${this.directories.data} and ${this.directories.shared} in ${Math.round(performance.now() - started)} ms.`,
    );
    setImmediate(() => this.changed.fire(EVERYTHING));
    return kaizen;
  }
}

function restricted(message: string): KaizenError {
  return new KaizenError(
    'read_only',
    message,
    'Trust this workspace to store knowledge (Workspaces: Manage Workspace Trust).',
  );
}
