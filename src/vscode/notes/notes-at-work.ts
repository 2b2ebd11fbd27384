import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import type { NotesPart, RegistryHit, Space } from '../../notes';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { configuredSpaces, folderFaultInWords, NOTES_SETTING } from './settings';
import { placeInSpaces, type ReadSpaces } from './space-folders';

/** What changes together is told together. */
const GATHER_MS = 100;
/** The window has better things to do while it opens. */
const START_MS = 3_000;
const IN_FRONT = 'kaizen.noteInFront';
/** Of the registry, so many are kept in view. */
const LOOKED_AT = 20;

/**
 * Keeps the spaces of notes at what the settings say: the domain reads their files, and follows them by itself.
 * Nothing is opened or read before the view, a note in front, or a command needs it.
 */
export class NotesAtWork implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when settings, files, states or problems of notes have changed, or the registry is another one. */
  readonly onDidChange = this.changed.event;
  private read: ReadSpaces = { spaces: {}, faults: [] };
  private parts: KaizenParts | undefined;
  private listening: { dispose(): void }[] = [];
  private telling: NodeJS.Timeout | undefined;
  private readonly starting: NodeJS.Timeout;
  private isDue = false;
  private looked: RegistryHit[] = [];
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
  ) {
    this.disposables = [
      this.changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(NOTES_SETTING)) this.redefine();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.redefine()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.redefine()),
      // Known at once, and also where the system cannot follow.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.touch(uri)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.noteInFrontChanged()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => this.noteInFrontChanged()),
      knowledge.onDidChange((topics) => {
        if (topics.has('*')) void this.attach();
      }),
      knowledge.notesConsent.onDidChange(() => this.redefine()),
      knowledge.registry.onDidChange(() => void this.useRegistry()),
    ];
    this.readSettings();
    this.starting = setTimeout(() => {
      this.isDue = true;
      this.noteInFrontChanged();
      // What the commands offer depends on whether there is a registry; nothing is connected to.
      this.quietly(knowledge.registry.options().then(() => this.tell()));
    }, START_MS);
  }

  /** What the settings say. */
  get configured(): ReadSpaces {
    return this.read;
  }

  /** Notes of the registry that the person looked at in this window, latest first. */
  get lookedAt(): readonly RegistryHit[] {
    return this.looked;
  }

  /** The notes where they are at work already: nothing is opened for them. */
  get atWork(): NotesPart | undefined {
    return this.parts?.notes;
  }

  /** Opens the stores and begins to index the spaces, unless that is under way. */
  async start(): Promise<KaizenParts> {
    const parts = await this.knowledge.parts();
    this.listen(parts);
    if (vscode.workspace.isTrusted) parts.notes.start();
    return parts;
  }

  /** Where a file lies among the notes, by its name alone; undefined for what is no Markdown file of a space. */
  placeOf(uri: vscode.Uri): { space: Space; file: string } | undefined {
    if (uri.scheme !== 'file' || !/\.md$/i.test(uri.path)) return undefined;
    return placeInSpaces(uri.fsPath, this.read.spaces);
  }

  /** The file of the note whose text or form is in front. */
  get inFront(): vscode.Uri | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const isDocument = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
    // Compared with the registry, it is the note all the same.
    const sides = input instanceof vscode.TabInputTextDiff ? [input.modified, input.original] : [];
    return (isDocument ? [input.uri] : sides).find((uri) => this.placeOf(uri));
  }

  /** Keeps a note of the registry in view. */
  look(hit: RegistryHit): void {
    this.looked = [hit, ...this.looked.filter(({ zettel_id }) => zettel_id !== hit.zettel_id)].slice(0, LOOKED_AT);
    this.tell();
  }

  dispose(): void {
    clearTimeout(this.starting);
    clearTimeout(this.telling);
    vscode.Disposable.from(...this.disposables, ...this.listening).dispose();
  }

  private readSettings(): void {
    this.read = configuredSpaces(this.knowledge.notesConsent);
    const { faults, outside } = this.read;
    for (const { space, fault } of faults)
      this.log.warn(`Notes: the ${space} space is not used: ${folderFaultInWords(fault)}`);
    if (outside !== undefined) this.log.warn(`Notes: ${outside} is not allowed.`);
  }

  private redefine(): void {
    this.readSettings();
    this.define();
    this.noteInFrontChanged();
    this.tell();
  }

  private define(): void {
    try {
      this.parts?.notes.define(this.read.spaces);
    } catch (error) {
      this.log.error(describeError(error));
    }
  }

  private async useRegistry(): Promise<void> {
    this.looked = [];
    const options = await this.knowledge.registry.options();
    this.parts?.notes.useRegistry(options);
    this.tell();
  }

  /** The stores were opened anew, by whoever needed them. */
  private async attach(): Promise<void> {
    try {
      const wasStarted = this.parts !== undefined;
      this.listen(await this.knowledge.parts());
      if (wasStarted) await this.start();
    } catch (error) {
      this.log.debug(describeError(error));
    }
    this.tell();
  }

  private listen(parts: KaizenParts): void {
    if (this.parts?.notes === parts.notes) return;
    this.parts = parts;
    for (const each of this.listening) each.dispose();
    this.listening = [parts.notes.onDidChange(() => this.tell()), parts.notes.onDidChangeState(() => this.tell())];
    // They were opened with the settings of then, which the editor may change without saying so while it starts.
    this.readSettings();
    this.define();
  }

  private touch(uri: vscode.Uri): void {
    if (uri.scheme !== 'file' || !this.parts) return;
    if (!placeInSpaces(uri.fsPath, this.read.spaces)) return;
    this.parts.notes.touched(uri.fsPath);
  }

  private noteInFrontChanged(): void {
    const isNote = this.inFront !== undefined;
    void vscode.commands.executeCommand('setContext', IN_FRONT, isNote);
    // Who reads a note wants to know where its links lead.
    if (isNote && this.isDue && !this.parts) this.quietly(this.start());
  }

  private quietly(work: Promise<unknown>): void {
    work.catch((error) => this.log.debug(describeError(error)));
  }

  private tell(): void {
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      this.changed.fire();
    }, GATHER_MS);
  }
}
