import { isKaizenError } from '../core/errors';
import type { Turns } from '../core/turns';
import type { Note, NotesPart, Space } from '../notes';
import type { Passage, Passages } from '../search';
import { isNotePassage, notePassage } from './note-passages';
import { notesSource } from './sources';

/** Files that are read in one go. */
const AT_ONCE = 50;

/** Keeps the passages of notes as the spaces have them: only files whose hash has changed are read again. */
export class NoteFeed {
  /** Spaces that something is indexed of. */
  private readonly begun = new Set<Space>();
  /** Spaces of which everything was looked at since they were ready: nothing is indexed of them that is gone. */
  private readonly settled = new Set<Space>();

  constructor(
    private readonly notes: NotesPart,
    private readonly passages: Passages,
  ) {}

  names(): Space[] {
    return this.notes.spaces().map(({ space }) => space);
  }

  /** Spaces that are new, gone, or have become ready since they were looked at. */
  unsettled(): Space[] {
    const statuses = this.notes.spaces();
    for (const { space, state } of statuses) if (state === 'indexing') this.settled.delete(space);
    const gone = [...this.begun].filter((space) => !statuses.some((status) => status.space === space));
    const open = statuses.filter(
      ({ space, state }) => !this.settled.has(space) && (state !== 'indexing' || !this.begun.has(space)),
    );
    return [...gone, ...open.map(({ space }) => space)];
  }

  /** All notes of a space: those that are as they were cost a look at them, and nothing else. */
  async sync(space: Space, turns: Turns): Promise<void> {
    const source = notesSource(space);
    const status = this.notes.spaces().find((each) => each.space === space);
    if (!status) {
      this.begun.delete(space);
      this.settled.delete(space);
      await this.passages.drop(source);
      return;
    }
    this.begun.add(space);
    this.settled.delete(space);
    const wasReady = status.state !== 'indexing';
    await this.passages.restore(source);
    const needsAll = this.passages.needsTexts(source);
    const segment = this.passages.segment(source);
    // Of files with one id only the first is what its address names.
    const notes = this.notes.notes(space).filter((note) => this.notes.noteByUri(note.uri)?.file === note.file);
    const changed = notes.filter((note) => needsAll || !isNotePassage(segment.fingerprint(note.uri), note));
    await turns.pause();
    for (let from = 0; from < changed.length; from += AT_ONCE) {
      const texts = await Promise.all(changed.slice(from, from + AT_ONCE).map((note) => this.passageOf(note)));
      await this.passages.set(
        source,
        texts.flatMap((passage) => passage ?? []),
        turns,
      );
      await turns.pause();
    }
    // What is not ready yet may be about to tell of the rest: what was restored of it stays until then.
    if (!wasReady) return;
    await this.passages.keepOnly(source, new Set(notes.map(({ uri }) => uri)), turns);
    if (needsAll) this.passages.gaveTexts(source);
    this.settled.add(space);
  }

  /** Undefined for a file that is gone or cannot be read: the spaces tell of it by themselves. */
  private async passageOf(note: Note): Promise<Passage | undefined> {
    try {
      const { body } = await this.notes.text(note);
      return notePassage({ note, body, text: '' });
    } catch (error) {
      if (isKaizenError(error)) return undefined;
      throw error;
    }
  }
}
