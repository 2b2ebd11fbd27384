import type { NoteChange, NotePreview, NoteWrite, WriteResult } from './model';

/** Who performs a kind of write: `NotesPart.write` and `preview` hand each to one of them. */
export interface Performer<Write extends NoteWrite = NoteWrite> {
  /** Throws as the action says; nothing has changed then. */
  perform(write: Write, change: NoteChange): Promise<WriteResult>;
  /** Checks as `perform` would, and tells what it would do to files. */
  preview(write: Write, signal?: AbortSignal, agent?: string): Promise<NotePreview>;
}

/** The writes of one or more actions. */
export type WriteOf<Action extends NoteWrite['action']> = Extract<NoteWrite, { action: Action }>;
