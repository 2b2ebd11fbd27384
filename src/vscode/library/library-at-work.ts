import path from 'node:path';
import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { LibraryPart, LibraryPlace } from '../../library';
import { serverOf } from '../database-connection';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';

/** What changes together is told together. */
const GATHER_MS = 100;
/** The folder of the library beside the shared store. */
const OWN_FOLDER = 'library';
/** How many documents were asked for when that was last known, and of which library. */
const ASKED_FOR = 'kaizen.library.askedFor';

/**
 * Keeps the library at what the settings say, and tells when it changes, whoever changed it. Nothing is opened before
 * the view, a document or a command needs it.
 */
export class LibraryAtWork implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when documents, requests or the state are others, or another library is used. */
  readonly onDidChange = this.changed.event;
  private readonly documentsChanged = new vscode.EventEmitter<readonly string[] | undefined>();
  /** Fires with the ids of documents that came, changed or went; undefined where all may have. */
  readonly onDidChangeDocuments = this.documentsChanged.event;
  private part: LibraryPart | undefined;
  private listening: { dispose(): void }[] = [];
  private telling: NodeJS.Timeout | undefined;
  private toldState = '';
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
    private readonly state: vscode.Memento,
  ) {
    this.disposables = [
      this.changed,
      this.documentsChanged,
      knowledge.onDidChange((topics) => {
        if (topics.has('*')) void this.attach();
      }),
      knowledge.library.onDidChange(() => void this.useConfigured()),
    ];
    // What the commands offer depends on whether there is a database; nothing is connected to.
    knowledge.library.connection.options().catch((error) => log.debug(describeError(error)));
  }

  /** The library where it is open already: nothing is opened for it. */
  get atWork(): LibraryPart | undefined {
    return this.part?.state.state === 'ready' ? this.part : undefined;
  }

  /** How many documents are asked for, as the library says; one that is not open yet is not opened, but said it last. */
  async askedFor(): Promise<number> {
    const place = await this.placeInWords();
    const known = this.state.get<{ place: string; open: number }>(ASKED_FOR);
    const before = known?.place === place ? known.open : 0;
    const open = (await this.atWork?.requests('open'))?.length;
    if (open === undefined) return vscode.workspace.isTrusted ? before : 0;
    if (open !== before) await this.state.update(ASKED_FOR, { place, open });
    return open;
  }

  /** The stores are opened, the library itself when something first asks it. Throws in Restricted Mode without stores. */
  async start(): Promise<LibraryPart> {
    const { library } = await this.knowledge.parts();
    if (this.part !== library) {
      this.listen(library);
      // The settings that it was opened with may have changed until now: a window reads a person's while it opens.
      library.useWeb(await this.knowledge.library.web());
    }
    return library;
  }

  /** Has the library be where the settings say, and ask the web as they say. What cannot be done is logged. */
  async useConfigured(): Promise<void> {
    try {
      if (this.part) {
        this.part.useWeb(await this.knowledge.library.web());
        await this.part.usePlace((await this.knowledge.library.place()) ?? this.ownPlace);
        this.documentsChanged.fire(undefined);
      }
    } catch (error) {
      this.log.error(describeError(error));
    }
    this.tell();
  }

  dispose(): void {
    clearTimeout(this.telling);
    vscode.Disposable.from(...this.disposables, ...this.listening).dispose();
  }

  /** The stores were opened anew, by whoever needed them. */
  private async attach(): Promise<void> {
    try {
      await this.start();
      this.documentsChanged.fire(undefined);
      this.tell();
    } catch (error) {
      this.log.debug(describeError(error));
    }
  }

  /** Which library it is, without what is secret. */
  private async placeInWords(): Promise<string> {
    const place = (await this.knowledge.library.place()) ?? this.ownPlace;
    return 'directory' in place ? place.directory : serverOf(place.url);
  }

  private get ownPlace(): LibraryPlace {
    return { directory: path.join(this.knowledge.place.directories.shared, OWN_FOLDER) };
  }

  private listen(part: LibraryPart): void {
    for (const each of this.listening) each.dispose();
    this.part = part;
    this.listening = [
      part.onDidChange(({ documents }) => {
        this.documentsChanged.fire(documents);
        this.tell();
      }),
      part.onDidChangeState(() => this.stateChanged(part)),
    ];
  }

  /**
   * How far its index has come is told too often to draw anything anew for it. That it is being opened is not told: whoever
   * is told asks it, and one that cannot be opened would be tried again and again.
   */
  private stateChanged({ state: { state, place } }: LibraryPart): void {
    const told = `${state}\n${place}`;
    if (state === 'opening' || told === this.toldState) return;
    this.toldState = told;
    this.tell();
  }

  private tell(): void {
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      this.changed.fire();
    }, GATHER_MS);
  }
}
