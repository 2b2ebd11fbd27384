import type { Revision } from '../../knowledge';

/** An entry as it is stored, with what a file system tells of it. */
export interface EntryVersion {
  metaknowledge: Record<string, string>;
  content: string;
  /** Number of the last revision. */
  revision: number;
  /** Milliseconds: when the entry was made, and when it was changed last. */
  ctime: number;
  mtime: number;
}

/**
 * What the entry holds after its last revision; undefined for a deleted one. Each revision has a later `mtime` than the
 * one before, even within one millisecond or when a clock was set back: by this the editor sees that a document it
 * holds is not the newest. Every process computes the same.
 */
export function versionOf(history: readonly Revision[]): EntryVersion | undefined {
  const last = history.at(-1);
  if (!last || last.content === null) return undefined;
  let mtime = 0;
  for (const { at } of history) mtime = Math.max(mtime + 1, Date.parse(at));
  return {
    metaknowledge: last.metaknowledge ?? {},
    content: last.content,
    revision: last.number,
    ctime: Date.parse(history[0]!.at),
    mtime,
  };
}

/**
 * The size that the file system tells: the bytes of the document, and the revision as a fraction of one byte. The editor
 * lets a save overwrite a newer file when its size is the one it knows (VS Code's `validateWriteFile`, which does not
 * trust clocks): a change of "8" to "9" by an agent would be lost without a word.
 */
export function sizeOf(bytes: number, revision: number): number {
  return bytes + (revision % 1_000_000) / 1_000_000;
}

/** Whether both say the same, the order of the metaknowledge included: a person may have put it in order. */
export function isSameEntry(
  a: Pick<EntryVersion, 'content' | 'metaknowledge'>,
  b: Pick<EntryVersion, 'content' | 'metaknowledge'>,
): boolean {
  const pairs = (metaknowledge: Record<string, string>) => JSON.stringify(Object.entries(metaknowledge));
  return a.content === b.content && pairs(a.metaknowledge) === pairs(b.metaknowledge);
}
