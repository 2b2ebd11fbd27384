import type { Disposable } from '../../core/disposable';
import { entriesTopic, SCOPES_TOPIC } from '../../knowledge';
import type { Log } from '../calls';
import type { KaizenHall } from '../hall';
import { type Notice, ResourceChanges } from './changes';

/** So long after a client has come the stores are opened and indexing begins: its first requests go first. */
const BEGIN_MS = 100;
/** So long changes are gathered before they are told. */
const GATHER_MS = 50;

/** The first indexing may take so long; what changes meanwhile is told by file. */
const INDEX_MS = 10 * 60_000;

const ENTRIES = entriesTopic('');

/**
 * Follows the stores, the bases and the notes for those who want to hear of changes, and has everything indexed once somebody is
 * connected, so that the first question finds it under way.
 */
export class Notices {
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #changes = new ResourceChanges();
  #begun = false;
  readonly #ending = new AbortController();
  #timers = new Set<NodeJS.Timeout>();
  #held: Disposable[] = [];
  #files: Disposable[] = [];
  #gathered: Notice | undefined;
  #isStale = false;
  /** The stores were opened anew: others are followed from now on. */
  #isReopened = false;

  constructor(
    private readonly kaizen: KaizenHall,
    private readonly log: Log,
    private readonly options: { usesLibrary: boolean; usesLearning?: boolean } = { usesLibrary: false },
  ) {}

  /** Somebody has connected. Returns at once; whatever fails is tried again with the next. */
  begin(): void {
    if (this.#begun || this.#ending.signal.aborted) return;
    this.#begun = true;
    this.#after(BEGIN_MS, async () => {
      try {
        await this.#attach();
        const listening = await this.kaizen.onDidChange?.((topics) => this.#onChange(topics));
        if (listening) this.#hold(listening);
      } catch (error) {
        this.#begun = false;
        if (!this.#ending.signal.aborted) this.log('Nothing is indexed yet', error);
      }
    });
  }

  onNotice(listener: (notice: Notice) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  end(): void {
    this.#ending.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#letGoOfFiles();
    for (const each of this.#held.splice(0)) each.dispose();
    this.#listeners.clear();
  }

  #hold(each: Disposable): void {
    if (this.#ending.signal.aborted) each.dispose();
    else this.#held.push(each);
  }

  async #attach(): Promise<void> {
    const { knowledge, bases, notes, library, learning, discovery } = await this.kaizen.parts();
    if (this.#ending.signal.aborted) return;
    this.#letGoOfFiles();
    this.#changes.begin(knowledge);
    if (this.options.usesLearning) this.#changes.learnRecords(learning);
    this.#files = [
      bases.onDidChange((change) => this.#gather(this.#changes.ofFiles(bases, change))),
      notes.onDidChange((change) => this.#gather(this.#changes.ofNotes(notes, change))),
      ...(this.options.usesLibrary
        ? [library.onDidChange((change) => this.#gather(this.#changes.ofDocuments(change)))]
        : []),
      ...(this.options.usesLearning
        ? [learning.onDidChange(({ records }) => records && this.#gather(this.#changes.ofRecords(learning)))]
        : []),
    ];
    bases.start();
    notes.start();
    discovery.start();
    // Who asks it is told why it cannot be opened.
    if (this.options.usesLibrary) library.ready(0, this.#ending.signal).catch(() => {});
    const learn = () => this.#changes.learn(bases);
    bases.ready(INDEX_MS, this.#ending.signal).then(learn, () => {});
    const learnNotes = () => this.#changes.learnNotes(notes);
    notes.ready(INDEX_MS, this.#ending.signal).then(learnNotes, () => {});
  }

  #letGoOfFiles(): void {
    for (const each of this.#files.splice(0)) each.dispose();
  }

  #onChange(topics: ReadonlySet<string>): void {
    const isAll = topics.has('*');
    if (isAll || topics.has(SCOPES_TOPIC)) this.#gather({ updated: new Map(), isListChanged: true });
    this.#isReopened ||= isAll;
    if (this.#isStale || !(isAll || [...topics].some((topic) => topic.startsWith(ENTRIES)))) return;
    this.#isStale = true;
    this.#after(GATHER_MS, async () => {
      const isReopened = this.#isReopened;
      this.#isStale = false;
      this.#isReopened = false;
      try {
        if (isReopened) await this.#attach();
        else this.#gather(this.#changes.ofEntries((await this.kaizen.parts()).knowledge));
      } catch (error) {
        if (!this.#ending.signal.aborted) this.log('Changes could not be told', error);
      }
    });
  }

  #gather({ updated, isListChanged }: Notice): void {
    if (updated.size === 0 && !isListChanged) return;
    const before = this.#gathered;
    this.#gathered = {
      updated: new Map([...(before?.updated ?? []), ...updated]),
      isListChanged: isListChanged || (before?.isListChanged ?? false),
    };
    if (before) return;
    this.#after(GATHER_MS, () => {
      const notice = this.#gathered;
      this.#gathered = undefined;
      if (notice) for (const listener of this.#listeners) listener(notice);
    });
  }

  #after(ms: number, action: () => unknown): void {
    if (this.#ending.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void action();
    }, ms);
    timer.unref();
    this.#timers.add(timer);
  }
}
