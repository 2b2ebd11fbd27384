import type { Clock } from '../../core/clock';
import type { Disposable } from '../../core/disposable';
import { describeError, KaizenError } from '../../core/errors';
import { parseNoteUri } from '../../core/knowledge-uri';
import { anyOf, sentence } from '../../core/sentence';
import { compareText } from '../../core/text';
import { tidyCaches, unlessAborted, untilSettled } from '../../files';
import {
  CATEGORY_OF,
  type Collection,
  type LinkTarget,
  type Note,
  type NoteLink,
  type NoteProblem,
  type NoteReference,
  type NoteSpaces,
  type NotesChangeEvent,
  type NotesGraph,
  type NoteText,
  type ParsedNote,
  type Relationship,
  SPACES,
  type Space,
  type SpaceStatus,
} from '../model';
import { spaceName } from '../space-names';
import type { LinkingFile, SpaceFiles } from './access';
import { LinkFollowing } from './following';
import { graphOf, relationshipsOf } from './graph';
import { CACHE_KIND, type Format, unread } from './known';
import { LinkIndex } from './links';
import { linksOf, type Member } from './member';
import { nearIds } from './near';
import { checkRoots, foldersInside } from './roots';
import { SpaceAtWork, type SpaceSurroundings } from './space';
import { SpaceTexts } from './texts';
import { collectionOf, countProblems, noteOf, problemsOf } from './views';

export interface SpacesOptions {
  spaces: NoteSpaces;
  /** The workspace folder, absolute: paths in answers are relative to it. */
  workspace?: string | undefined;
  /** Where what is known is kept between runs. Without one, it is not. */
  cacheDirectory: string | undefined;
  /** Follow the files by the system's own means; otherwise somebody calls `touched`. */
  watch: boolean;
  rescanInterval?: number | undefined;
  clock: Clock;
  log?: (message: string) => void;
}

const RESCAN_INTERVAL = 30_000;

/** The spaces at work: what is known of their notes, and how these are linked. See `NotesPart`. */
export class Spaces implements SpaceFiles {
  private readonly spaces = new Map<Space, SpaceAtWork>();
  private readonly links = new LinkIndex();
  private readonly following: LinkFollowing;
  private readonly changeListeners = new Set<(change: NotesChangeEvent) => void>();
  private readonly stateListeners = new Set<() => void>();
  private readonly leaving = new Set<Promise<void>>();
  private readonly surroundings: SpaceSurroundings;
  private readonly ending = new AbortController();
  private readonly texts: SpaceTexts;
  private format: Format | undefined;
  private readonly sortedNotes = new Map<Space, readonly Note[]>();
  private isStarted = false;

  constructor(private readonly options: SpacesOptions) {
    const { cacheDirectory, watch, rescanInterval = RESCAN_INTERVAL, clock, log = () => {} } = options;
    this.following = new LinkFollowing({
      links: this.links,
      spaces: () => this.all(),
      changed: (change) => this.tellOfChange(change),
      known: () => this.tellOfState(),
      log,
      signal: this.ending.signal,
    });
    this.surroundings = {
      cacheDirectory,
      watch,
      rescanInterval,
      now: () => clock.now(),
      log,
      links: this.links,
      rootBefore: (space) => (space === 'user' ? this.spaces.get('project')?.root : undefined),
      format: async () => {
        this.format ??= await import('../format');
        return this.format;
      },
      follow: (space, publish, turns) => this.following.follow(space, publish, turns),
      changed: (space, files) => this.tellOfChange({ space, files }),
      stateChanged: () => {
        this.following.spaceRead();
        this.tellOfState();
      },
    };
    this.texts = new SpaceTexts({
      at: (space) => this.at(space),
      view: (member) => this.view(member),
      format: this.surroundings.format,
      workspace: options.workspace,
    });
    this.define(options.spaces);
  }

  define(wanted: NoteSpaces): void {
    if (this.isClosed) return;
    const roots = checkRoots(wanted);
    const gone: NotesChangeEvent[] = [];
    let isOther = false;
    for (const name of SPACES) {
      const root = roots.get(name);
      const before = this.spaces.get(name);
      const exclude = root === undefined ? [] : foldersInside(root, [...roots.values()]);
      if (before?.root === root && before?.exclude.join() === exclude.join()) continue;
      isOther = true;
      if (before) {
        const leaving = before.close().finally(() => this.leaving.delete(leaving));
        this.leaving.add(leaving);
        const files = before.clear();
        if (files.length > 0) gone.push({ space: name, files });
        this.spaces.delete(name);
      }
      if (root === undefined) continue;
      const space = new SpaceAtWork(name, root, exclude, this.surroundings);
      this.spaces.set(name, space);
      if (this.isStarted) space.start();
    }
    if (!isOther) return;
    this.following.restart();
    for (const change of gone) this.tellOfChange(change);
    this.tellOfState();
  }

  start(): void {
    if (this.isStarted || this.isClosed) return;
    this.isStarted = true;
    void this.surroundings.format().catch((error) => this.surroundings.log(describeError(error)));
    for (const space of this.spaces.values()) space.start();
    const { cacheDirectory, clock } = this.options;
    if (cacheDirectory !== undefined) void tidyCaches(cacheDirectory, CACHE_KIND, clock.now());
  }

  statuses(): SpaceStatus[] {
    return this.all().map((space) => {
      const { name, root, catalogue } = space;
      const state = space.state === 'ready' && !this.following.areLinksKnown ? 'indexing' : space.state;
      const { areLinksKnown } = this.following;
      const problemsNow = () =>
        catalogue.sorted().reduce((sum, each) => sum + countProblems(each, areLinksKnown), space.problems().length);
      return {
        ...{ space: name, root, state, notes: catalogue.noteCount },
        // Each note is looked at for it, and most ask for the rest only, with every search.
        get problems() {
          return problemsNow();
        },
      };
    });
  }

  async ready(ms: number, signal?: AbortSignal): Promise<boolean> {
    const { following } = this;
    const isReady = () => following.isRead && following.areLinksKnown;
    const isSettled = () => isReady() || this.isClosed;
    const onDidChange = (listener: () => void) => this.onDidChangeState(listener);
    return untilSettled({ isSettled, onDidChange }, ms, signal).then(isReady);
  }

  async rescan(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await unlessAborted(
      Promise.all(this.all().map((space) => space.rescan())).then(() => undefined),
      signal,
    );
  }

  touched(absolutePath: string): void {
    for (const space of this.all()) space.touched(absolutePath);
  }

  onDidChange(listener: (change: NotesChangeEvent) => void): Disposable {
    this.changeListeners.add(listener);
    return { dispose: () => void this.changeListeners.delete(listener) };
  }

  onDidChangeState(listener: () => void): Disposable {
    this.stateListeners.add(listener);
    return { dispose: () => void this.stateListeners.delete(listener) };
  }

  notes(space?: Space): readonly Note[] {
    if (space === undefined) return this.all().flatMap(({ name }) => this.notes(name));
    let notes = this.sortedNotes.get(space);
    if (!notes) {
      const members = this.spaces.get(space)?.catalogue.sorted() ?? [];
      notes = members.flatMap((member) => this.view(member) ?? []);
      this.sortedNotes.set(space, notes);
    }
    return notes;
  }

  get size(): number {
    return this.all().reduce((sum, { catalogue }) => sum + catalogue.noteCount, 0);
  }

  note(space: Space, zettelId: string): Note | undefined {
    return this.view(this.spaces.get(space)?.catalogue.withId('note', zettelId));
  }

  noteByUri(uri: string): Note | undefined {
    const address = parseNoteUri(uri);
    const space = SPACES.find((name) => name === address?.space);
    return address && space && this.note(space, address.zettel_id);
  }

  noteAt(absolutePath: string): Note | undefined {
    for (const space of this.all()) {
      const file = space.pathOf(absolutePath);
      const note = file === undefined ? undefined : this.view(space.catalogue.member(file));
      if (note) return note;
    }
    return undefined;
  }

  resolve({ zettel_id, space }: NoteReference): Note {
    const spaces = space ? this.all().filter(({ name }) => name === space) : this.all();
    for (const { catalogue } of spaces) {
      const note = this.view(catalogue.withId('note', zettel_id) ?? catalogue.holdersOf('note', zettel_id)[0]);
      if (note) return note;
    }
    throw this.unknown(zettel_id, space);
  }

  categories(space?: Space): string[] {
    const categories = new Set(Object.values(CATEGORY_OF));
    for (const { category } of this.notes(space)) {
      for (let at = category; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) categories.add(at);
    }
    return [...categories].sort(compareText);
  }

  problems(): NoteProblem[] {
    return this.all().flatMap((space) => [
      ...space.problems(),
      ...space.catalogue.sorted().flatMap((member) => problemsOf(member, this.following.areLinksKnown)),
    ]);
  }

  text(note: Note): Promise<NoteText> {
    return this.texts.text(note);
  }

  locate(space: Space, file: string): Promise<string> {
    return this.texts.locate(space, file);
  }

  writableRoot(space: Space): Promise<string> {
    return this.texts.writableRoot(space);
  }

  bytes(space: Space, file: string): Promise<Buffer | undefined> {
    return this.texts.bytes(space, file);
  }

  shownPath(space: Space, file: string): string {
    return this.texts.shownPath(space, file);
  }

  parse(text: string, _space: Space, file: string): ParsedNote {
    // Loaded with the start, long before anybody has an editor open.
    return this.format?.parseNote(text, file) ?? unread(file);
  }

  resolveLink(from: { space: Space; file: string }, link: Pick<NoteLink, 'target' | 'location'>): LinkTarget {
    if (link.location === 'registry') return { kind: 'registry', zettel_id: link.target };
    const end = this.links.resolve(from, link);
    if (!end) return { kind: 'broken' };
    if (!('known' in end)) return { kind: 'file', space: end.space, file: end.otherFile };
    const note = this.view(end);
    return note ? { kind: 'note', note } : { kind: 'collection', collection: collectionOf(end)! };
  }

  relationships({ space, file }: Note): Relationship[] {
    const member = this.spaces.get(space)?.catalogue.member(file);
    return member ? relationshipsOf(member) : [];
  }

  collectionsOf({ space, file }: Note): readonly Collection[] {
    const member = this.spaces.get(space)?.catalogue.member(file);
    const holding = [...(member?.incoming ?? [])].filter(({ known }) => known.collection);
    holding.sort((a, b) => compareText(a.space, b.space) || compareText(a.file, b.file));
    return holding.flatMap((each) => collectionOf(each) ?? []);
  }

  graph(): NotesGraph {
    return graphOf(this.all().flatMap(({ catalogue }) => catalogue.sorted()));
  }

  collections(space?: Space): readonly Collection[] {
    const spaces = space ? [this.spaces.get(space)] : this.all();
    return spaces.flatMap((each) => each?.catalogue.sorted().flatMap((member) => collectionOf(member) ?? []) ?? []);
  }

  has(space: Space): boolean {
    return this.spaces.has(space);
  }

  requirePlace(space: Space, file: string): void {
    if (this.at(space).reaches(file)) return;
    throw new KaizenError(
      'invalid_argument',
      sentence('The {0} space cannot have a note at "{1}".', spaceName(space), file),
      sentence(
        'That folder belongs to the other space, or is one that is left out, as node_modules is. Choose another category.',
      ),
    );
  }

  async reindex(space: Space, files: readonly string[]): Promise<void> {
    await this.at(space).reindex(files);
  }

  holderOf(space: Space, zettelId: string): Note | Collection | undefined {
    const catalogue = this.spaces.get(space)?.catalogue;
    if (!catalogue) return undefined;
    const member =
      catalogue.withId('note', zettelId) ??
      catalogue.holdersOf('note', zettelId)[0] ??
      this.links.filesCalled(space, zettelId)[0];
    return member && (this.view(member) ?? collectionOf(member));
  }

  linkingTo({ space, file }: Note): readonly LinkingFile[] {
    const member = this.spaces.get(space)?.catalogue.member(file);
    const linking = [...(member?.incoming ?? [])].map((other): LinkingFile => {
      const links = linksOf(other.known).filter((link) => this.links.leadsTo(other, link, member!));
      return { space: other.space, file: other.file, content_hash: other.known.hash, links };
    });
    return linking.sort((a, b) => compareText(a.space, b.space) || compareText(a.file, b.file));
  }

  async close(): Promise<void> {
    this.ending.abort();
    this.changeListeners.clear();
    // Whoever waits to be ready waits no longer.
    this.tellOfState();
    this.stateListeners.clear();
    await Promise.all([...this.all().map((space) => space.close()), ...this.leaving]);
    await this.following.close();
  }

  private get isClosed(): boolean {
    return this.ending.signal.aborted;
  }

  /** Project before user. */
  private all(): SpaceAtWork[] {
    return SPACES.flatMap((name) => this.spaces.get(name) ?? []);
  }

  /** Throws `invalid_argument`. */
  private at(space: Space): SpaceAtWork {
    const found = this.spaces.get(space);
    if (found) return found;
    const hint =
      space === 'project'
        ? sentence('Open a workspace folder, or name one by --project-notes.')
        : sentence('Name one by --user-notes.');
    throw new KaizenError('invalid_argument', sentence('There is no {0} space for notes.', spaceName(space)), hint);
  }

  private view(member: Member | undefined): Note | undefined {
    return member && noteOf(member, this.following.areLinksKnown);
  }

  private unknown(zettelId: string, space?: Space): KaizenError {
    const spaces = space ? this.all().filter(({ name }) => name === space) : this.all();
    const near = nearIds(
      zettelId,
      spaces.flatMap(({ catalogue }) => [...catalogue.ids()]),
    );
    const id = zettelId.slice(0, 120);
    const message = space
      ? sentence('The {0} space has no note "{1}".', spaceName(space), id)
      : sentence('The project and user spaces have no note "{0}".', id);
    const hint =
      near.length > 0 ? sentence('Did you mean {0}?', anyOf(near)) : sentence('search finds notes by what they say.');
    return new KaizenError('unknown_note', message, hint);
  }

  private tellOfChange(change: NotesChangeEvent): void {
    this.sortedNotes.delete(change.space);
    for (const listener of this.changeListeners) this.protect(() => listener(change));
  }

  private tellOfState(): void {
    for (const listener of this.stateListeners) this.protect(listener);
  }

  /** A listener that fails must not end the work that it is told of. */
  private protect(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.surroundings.log(`A listener to notes failed: ${describeError(error)}`);
    }
  }
}
