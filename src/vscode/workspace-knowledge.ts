import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Disposable } from '../core/disposable';
import { KaizenError } from '../core/errors';
import { scopeIdFromName } from '../core/locations';
import type { Kaizen, KaizenParts } from '../kaizen';
import { type Change, READS_TOPIC } from '../knowledge';
import { EmbeddingChoice } from './bases/embedding-choice';
import { OutsideConsent } from './bases/outside-consent';
import { configuredBases, discoverySettings } from './bases/settings';
import { configuredLearning } from './learning/settings';
import { LibraryChoice } from './library/library-choice';
import type { Log } from './log';
import { withoutLinks } from './messages';
import { FolderConsent } from './notes/folder-consent';
import { RegistryConnection } from './notes/registry-connection';
import { configuredSpaces } from './notes/settings';
import { writeSafety } from './safety/person-writes';
import { StorePlace } from './store-place';
import { showWait } from './store-wait';

const EVERYTHING: ReadonlySet<string> = new Set(['*']);

/**
 * The knowledge of this window: loads and opens the stores when something first needs them, and tells when they change,
 * whoever changed them.
 */
export class WorkspaceKnowledge implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ReadonlySet<string>>();
  /** Fires after changes of what is stored, with their topics, and with `*` once the stores were opened anew. */
  readonly onDidChange = this.changed.event;

  private readonly readsCounted = new vscode.EventEmitter<void>();
  /** Fires when nothing but the counts of what agents were given has changed. */
  readonly onDidCountReads = this.readsCounted.event;

  private opening: Promise<Kaizen> | undefined;
  private listening: Disposable | undefined;
  /** Where the stores are. */
  readonly place: StorePlace;
  /** Whether, and with what, search goes by meaning as well. */
  readonly embeddings: EmbeddingChoice;
  /** Which folders outside of the workspace its settings may name. */
  readonly outside: OutsideConsent;
  /** Where the workspace may have its notes outside of its folders. */
  readonly notesConsent: FolderConsent;
  /** Where notes are published to, and searched when the person or an agent asks for it. */
  readonly registry: RegistryConnection;
  /** Where the library is, and how it may ask the web. */
  readonly library: LibraryChoice;
  private readonly disposables: vscode.Disposable[];

  constructor(
    context: vscode.ExtensionContext,
    private readonly log: Log,
  ) {
    this.place = new StorePlace(context);
    this.embeddings = new EmbeddingChoice(context.secrets);
    this.outside = new OutsideConsent(context.workspaceState);
    this.notesConsent = new FolderConsent(context.workspaceState);
    this.registry = new RegistryConnection(context.secrets, log);
    this.library = new LibraryChoice(context.secrets, log);
    this.disposables = [
      this.embeddings,
      this.library,
      this.outside,
      this.notesConsent,
      this.registry,
      this.changed,
      this.readsCounted,
      // What was opened in Restricted Mode was opened without the right to create anything.
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.reopen()),
      // Which stores, and which project is the current one, is a matter of how they were opened.
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kaizen.project') || event.affectsConfiguration('kaizen.storage')) {
          void this.reopen();
        }
      }),
    ];
  }

  /** The id that the workspace's PROJECT scope has or would have: the setting, or the folder's name. */
  get project(): string | undefined {
    const setting = vscode.workspace.getConfiguration('kaizen').get<string>('project');
    const name = vscode.workspace.name?.replace(/ \(Workspace\)$/, '') ?? '';
    const folder = vscode.workspace.workspaceFolders?.length === 1 ? vscode.workspace.workspaceFolders[0]?.name : name;
    return (
      setting || process.env.KAIZEN_PROJECT || this.place.project || (folder ? scopeIdFromName(folder) : undefined)
    );
  }

  /** Whether something was stored here before: opening then creates nothing. */
  get exists(): boolean {
    const { data, shared } = this.place.directories;
    return existsSync(data) && existsSync(shared);
  }

  /** Whether the stores are open or being opened: asking for the parts then opens nothing. */
  get isOpen(): boolean {
    return this.opening !== undefined;
  }

  /** Opens the stores on the first call. Throws in Restricted Mode when that would have to create them. */
  async parts(): Promise<KaizenParts> {
    return (await this.hall()).parts();
  }

  async hall(): Promise<Kaizen> {
    if (this.opening) return this.opening;
    const opening = this.open().catch((error) => {
      // By now others may have been opened.
      if (this.opening === opening) this.opening = undefined;
      throw error;
    });
    this.opening = opening;
    return opening;
  }

  /** The name that a person writes by. */
  get person(): string {
    return process.env.USER || process.env.USERNAME || 'person';
  }

  /** Who writes when a person does. Throws in Restricted Mode, where nothing is written. */
  change(): Change {
    if (!vscode.workspace.isTrusted) throw restricted(vscode.l10n.t('Nothing is written in Restricted Mode.'));
    return { author: this.person, project_context: this.project ?? '' };
  }

  /** Has an open search use the embedder that the person has chosen by now. */
  async useEmbeddings(): Promise<void> {
    if (!this.opening) return;
    const { discovery, library } = await this.parts();
    const options = await this.embeddings.options();
    discovery.useEmbeddings(options);
    library.useEmbeddings(options);
  }

  /** Lets go of the stores; whoever asks next opens those that are then the right ones. */
  async reopen(): Promise<void> {
    // Before anything is waited for: whoever asks meanwhile shall not get those of before.
    this.place.lookAgain();
    await this.close();
    this.changed.fire(EVERYTHING);
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
    if (!trusted && !this.exists) throw restricted(vscode.l10n.t('There is no knowledge here yet.'));
    const started = performance.now();
    // Loaded here and not at activation: SQLite costs more than all the rest.
    const { Kaizen } = await import('../kaizen');
    const { directories } = this.place;
    const kaizen = new Kaizen({
      ...directories,
      project: this.project,
      workspace: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      ensureGeneral: trusted,
      countReads: trusted,
      keepIndex: trusted,
      bases: configuredBases(this.outside).definitions,
      notes: configuredSpaces(this.notesConsent).spaces,
      // The editor's own watcher misses folders that come with folders in them, and all that happens there later.
      watchNotes: trusted,
      registry: await this.registry.options(),
      library: await this.library.place(),
      web: await this.library.web(),
      discovery: discoverySettings(),
      learning: configuredLearning(),
      safety: writeSafety(),
      embeddings: await this.embeddings.options(),
      onLog: (message) => this.log.warn(message),
      onReport: (message) => {
        this.log.warn(message);
        void vscode.window.showWarningMessage(withoutLinks(message));
      },
      onWaiting: (wait) => this.log.info(`${showWait(wait, directories)} (${wait.directory}).`),
    });
    this.listening = await kaizen.onDidChange((topics) => {
      const isCounting = topics.size === 1 && topics.has(READS_TOPIC);
      if (isCounting) this.readsCounted.fire();
      else this.changed.fire(topics);
    });
    this.log.info(
      `Opened ${directories.data} and ${directories.shared} in ${Math.round(performance.now() - started)} ms.`,
    );
    setImmediate(() => this.changed.fire(EVERYTHING));
    return kaizen;
  }
}

function restricted(message: string): KaizenError {
  return new KaizenError(
    'read_only',
    message,
    vscode.l10n.t('Trust this workspace first (Workspaces: Manage Workspace Trust).'),
  );
}
