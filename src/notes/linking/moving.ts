import { posix } from 'node:path';
import type { Note, NoteLink } from '../model';
import type { SpaceFiles } from '../spaces';
import { type Following, type FollowingChanges, followingChanges } from './following';

/** What links have to say when a note gets into another folder. */
export interface MovedLinks extends FollowingChanges {
  /** The note's own text, as it was indexed, as it is to be in its new place. */
  own(text: string): string;
}

/**
 * Has links by path follow a note into another folder: those of others that lead to it, and its own that begin at the
 * folder that it lies in. Links by id or by name need nothing.
 */
export async function moveLinks(
  files: SpaceFiles,
  note: Note,
  movedTo: string,
  signal: AbortSignal | undefined,
): Promise<MovedLinks> {
  const { applyEdits, retargetTo } = await import('../format');
  const move: Move = { note, movedTo, isShared: isPathShared(files, note, movedTo) };
  const following = files.linkingTo(note).flatMap((linking): Following[] => {
    const links = linking.links.filter((link) => targetFrom(move, linking, link) !== undefined);
    const edit = (link: NoteLink) => retargetTo(link, targetFrom(move, linking, link)!);
    return links.length === 0 ? [] : [{ ...linking, links, edit }];
  });
  const own = note.links.flatMap((link) => {
    const target = ownTarget(files, move, link);
    return target === undefined ? [] : [retargetTo(link, target)];
  });
  return { ...(await followingChanges(files, following, signal)), own: (text) => applyEdits(text, own) };
}

interface Move {
  note: Note;
  /** The file's new path. */
  movedTo: string;
  /** Another file's path ends in the new one. */
  isShared: boolean;
}

/** What a link of another file has to lead to; undefined when it goes on leading to the note. */
function targetFrom(move: Move, from: { space: string; file: string }, { target }: NoteLink): string | undefined {
  if (!target.includes('/')) return undefined;
  const ending = /\.md$/i.exec(target)?.[0] ?? '';
  const path = withoutEnding(move.movedTo);
  if (isRelative(target)) return relativeTo(folderOf(from.file), path) + ending;
  const isFromRoot = target.startsWith('/') || move.isShared;
  const isStillItsEnd = `/${path}`.toLowerCase().endsWith(`/${withoutEnding(target)}`.toLowerCase());
  if (!isFromRoot && isStillItsEnd) return undefined;
  // A name alone would be looked for as an id first.
  return (isFromRoot || !path.includes('/') ? '/' : '') + path + ending;
}

/** What a link of the note itself has to say in its new place; undefined when it says so already. */
function ownTarget(files: SpaceFiles, move: Move, link: NoteLink): string | undefined {
  const { note, movedTo } = move;
  const end = files.resolveLink(note, link);
  if (end.kind === 'note' && end.note.uri === note.uri) return targetFrom(move, { ...note, file: movedTo }, link);
  if (!isRelative(link.target) || end.kind === 'broken') return undefined;
  return relativeTo(folderOf(movedTo), posix.join(folderOf(note.file), link.target));
}

function isPathShared(files: SpaceFiles, { space, file }: Note, movedTo: string): boolean {
  const end = `/${movedTo.toLowerCase()}`;
  return [...files.notes(space), ...files.collections(space)].some(
    (other) => other.file !== file && other.file?.toLowerCase().endsWith(end),
  );
}

function isRelative(target: string): boolean {
  return /^\.\.?\//.test(target);
}

function relativeTo(folder: string, path: string): string {
  const relative = posix.relative(`/${folder}`, `/${path}`);
  return isRelative(relative) ? relative : `./${relative}`;
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}

function withoutEnding(path: string): string {
  return path.replace(/\.md$/i, '');
}
