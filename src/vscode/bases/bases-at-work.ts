import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import type { Log } from '../log';
import { withoutLinks } from '../messages';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { ReadBases } from './base-definitions';
import { Rescans } from './rescans';
import { BASES_SETTING, configuredBases, DISCOVERY_SETTING, discoverySettings, faultInWords } from './settings';

/** The window has better things to do while it opens. */
const START_MS = 3_000;
/** What changes together is told together: of the files soon, of the search, which changes with each of many texts, later. */
const GATHER_MS = 100;
const GATHER_SEARCH_MS = 1_000;

/**
 * Keeps the knowledge bases at what the settings say and at what the files hold: the editor watches, the domain reads.
 * Nothing is opened at activation; indexing begins a while later where bases are set, or when something asks for it.
 */
export class BasesAtWork implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when settings, files, states or problems of the bases have changed. */
  readonly onDidChange = this.changed.event;
  private readonly searched = new vscode.EventEmitter<void>();
  /** Fires when what can be found, or the state of the search, has changed. */
  readonly onDidChangeSearch = this.searched.event;
  private read: ReadBases = { definitions: [], faults: [], outside: [] };
  private parts: KaizenParts | undefined;
  private listening: { dispose(): void }[] = [];
  private watchers: vscode.Disposable[] = [];
  private telling: NodeJS.Timeout | undefined;
  private tellingSearch: NodeJS.Timeout | undefined;
  private readonly starting: NodeJS.Timeout;
  private readonly rescans = new Rescans(() => void this.rescan());
  /** Whether the window has been open for a while: stores that are opened sooner do not make it busy. */
  private isDue = false;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
  ) {
    this.disposables = [
      this.changed,
      this.searched,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(BASES_SETTING)) this.redefine();
        if (event.affectsConfiguration(DISCOVERY_SETTING)) this.configure();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.redefine()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.redefine()),
      // The editor's watcher leaves out what `files.watcherExclude` names; what is saved here is known all the same.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.touch(uri)),
      knowledge.onDidChange((topics) => {
        if (topics.has('*')) void this.attach();
      }),
      knowledge.embeddings.onDidChange(() => void this.useEmbeddings()),
      knowledge.outside.onDidChange(() => this.redefine()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.rescans.inFront();
      }),
      this.rescans,
    ];
    this.readSettings();
    this.starting = setTimeout(() => {
      this.isDue = true;
      if (this.isConfigured) this.begin();
      this.askAboutOutside();
    }, START_MS);
  }

  /** Whether the settings name a base that can be used. */
  get isConfigured(): boolean {
    return this.read.definitions.length > 0;
  }

  /** What the settings say. */
  get configured(): ReadBases {
    return this.read;
  }

  /** Opens the stores and begins to index, unless that is under way. */
  async start(): Promise<KaizenParts> {
    const parts = await this.knowledge.parts();
    this.listen(parts);
    if (!vscode.workspace.isTrusted) return parts;
    parts.bases.start();
    parts.discovery.start();
    return parts;
  }

  dispose(): void {
    clearTimeout(this.starting);
    clearTimeout(this.telling);
    clearTimeout(this.tellingSearch);
    vscode.Disposable.from(...this.disposables, ...this.watchers, ...this.listening).dispose();
  }

  /** Reads the settings and watches what they name. */
  private readSettings(): void {
    this.read = configuredBases(this.knowledge.outside);
    const { definitions, faults, outside } = this.read;
    for (const { name, root } of definitions) this.log.info(`Knowledge base ${name}: ${root}`);
    for (const { name, fault } of faults)
      this.log.warn(`Knowledge base ${name} is not used: ${faultInWords(name, fault)}`);
    for (const { name, root } of outside) this.log.warn(`Knowledge base ${name} is not allowed: ${root}`);
    this.watch();
  }

  /** Once for each, and not while the window opens. The view says it as long as it is so. */
  private askAboutOutside(): void {
    const ask = async () => {
      for (const definition of this.read.outside) {
        if (await this.knowledge.outside.wasAsked(definition)) continue;
        const decide = vscode.l10n.t('Decide…');
        const { name } = definition;
        const message = vscode.l10n.t(
          'The knowledge base {0} of this workspace lies outside of it and is not used.',
          name,
        );
        if ((await vscode.window.showWarningMessage(withoutLinks(message), decide)) !== decide) continue;
        await vscode.commands.executeCommand('kaizen.allowKnowledgeBase', name);
      }
    };
    ask().catch((error) => this.log.error(describeError(error)));
  }

  private async rescan(): Promise<void> {
    if (!this.isConfigured || !vscode.workspace.isTrusted) return;
    try {
      await this.parts?.bases.rescan();
    } catch (error) {
      this.log.debug(describeError(error));
    }
  }

  private begin(): void {
    this.start().catch((error) => this.log.error(describeError(error)));
  }

  private redefine(): void {
    this.readSettings();
    this.define();
    if (this.isConfigured) this.begin();
    if (this.isDue) this.askAboutOutside();
    this.tell();
  }

  private define(): void {
    try {
      this.parts?.bases.define(this.read.definitions);
    } catch (error) {
      this.log.error(describeError(error));
    }
  }

  private configure(): void {
    try {
      this.parts?.discovery.configure(discoverySettings());
    } catch (error) {
      this.log.error(describeError(error));
    }
  }

  private async useEmbeddings(): Promise<void> {
    if (!this.parts) return;
    try {
      await this.knowledge.useEmbeddings();
    } catch (error) {
      this.log.error(describeError(error));
    }
    this.tellSearch();
  }

  /** The stores were opened anew, by whoever needed them. */
  private async attach(): Promise<void> {
    try {
      this.listen(await this.knowledge.parts());
      if (this.isDue && this.isConfigured) this.begin();
    } catch (error) {
      this.log.debug(describeError(error));
    }
    this.tell();
  }

  private listen(parts: KaizenParts): void {
    if (this.parts?.bases === parts.bases) return;
    this.parts = parts;
    for (const each of this.listening) each.dispose();
    this.listening = [
      parts.bases.onDidChange(() => this.tell()),
      parts.bases.onDidChangeState(() => this.tell()),
      parts.discovery.onDidChange(() => this.tellSearch()),
    ];
    // They were opened with the settings of then.
    this.define();
    this.configure();
  }

  /** One watcher a root: also for those that lie outside of the workspace. */
  private watch(): void {
    vscode.Disposable.from(...this.watchers).dispose();
    this.watchers = this.read.definitions.flatMap(({ root }) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(root), '**'));
      const touch = (uri: vscode.Uri) => this.touch(uri);
      return [watcher, watcher.onDidCreate(touch), watcher.onDidChange(touch), watcher.onDidDelete(touch)];
    });
  }

  private touch(uri: vscode.Uri): void {
    if (uri.scheme !== 'file' || !this.isConfigured) return;
    this.parts?.bases.touched(uri.fsPath);
    this.rescans.hinted();
  }

  private tellSearch(): void {
    this.tellingSearch ??= setTimeout(() => {
      this.tellingSearch = undefined;
      this.searched.fire();
    }, GATHER_SEARCH_MS);
  }

  private tell(): void {
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      this.changed.fire();
    }, GATHER_MS);
  }
}
