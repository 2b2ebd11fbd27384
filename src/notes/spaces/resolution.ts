import { compareText } from '../../core/text';
import { idKey } from '../format/ids';
import type { NoteLink, Space } from '../model';
import { folderOf, nameOf } from './known';
import { declaredId, type Member } from './member';
import { keyOf, type NameIndex } from './name-index';

/** Where a link stands. */
export interface Origin {
  space: Space;
  file: string;
}

/** What is at the end of a link. */
export type End = Member | { space: Space; otherFile: string } | undefined;

/** Where a link is looked for that names no space. */
const ORDER: Readonly<Record<Space, readonly Space[]>> = { project: ['project', 'user'], user: ['user', 'project'] };
/** Candidates that are compared; of more the rest is passed over. */
const MAX_CANDIDATES = 1_000;

/**
 * Finds the end of a link: in the space that it names, else in its own, then in the project's, then in the user's. In a
 * space by the id that a note declares, then by file name, then as the end of a path; a path that begins with a dot is
 * taken from the file that it stands in. Of equals the nearest folder has it, then the first by path.
 */
export function resolveTarget(
  from: Origin,
  { target, location }: Pick<NoteLink, 'target' | 'location'>,
  names: ReadonlyMap<Space, NameIndex>,
): End {
  if (location === 'registry') return undefined;
  for (const space of location ? [location] : ORDER[from.space]) {
    const index = names.get(space);
    const end = index && resolveIn(index, from, target);
    if (end) return end;
  }
  return undefined;
}

function resolveIn(index: NameIndex, from: Origin, target: string): End {
  const { space } = index;
  const key = keyOf(target);
  const called = index.called(key);
  const declared = target.includes('/') ? undefined : declaredAs(target, index);
  if (declared) return declared;
  // Seen from another space, nothing is near, and a path from the file leads nowhere.
  const folder = from.space === space ? folderOf(from.file) : undefined;
  const path = pathOf(target, folder);
  if (path === undefined) return undefined;
  const pathKey = idKey(path.names.replace(/\.md$/i, ''));
  const found = memberAt(index, called, { key, pathKey, isWhole: path.isWhole, folder: folder ?? '' });
  if (found) return found;
  const others = firstOf(index.otherFiles(key), (file) => endsIn(idKey(file), idKey(path.names), path.isWhole));
  const otherFile = nearestOf(others, (file) => file, folder ?? '');
  return otherFile === undefined ? undefined : { space, otherFile };
}

/** The note that declares this id; else the first by path that declares it in letters of another case. */
function declaredAs(target: string, index: NameIndex): Member | undefined {
  const id = target.normalize('NFC');
  let best: Member | undefined;
  let isBestExact = false;
  for (const member of index.declaring(idKey(id))) {
    const isExact = declaredId(member.known) === id;
    const isFirst = !best || (isExact === isBestExact ? compareText(member.file, best.file) < 0 : isExact);
    if (isFirst) [best, isBestExact] = [member, isExact];
  }
  return best;
}

interface TargetPath {
  /** `/` between them. */
  names: string;
  /** Whether it is the path from the root, and not just its end. */
  isWhole: boolean;
}

function firstOf<Candidate>(candidates: Iterable<Candidate>, isOne: (candidate: Candidate) => boolean): Candidate[] {
  const first: Candidate[] = [];
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > MAX_CANDIDATES) break;
    if (isOne(candidate)) first.push(candidate);
  }
  return first;
}

/** Undefined where it leads out of the space, or starts at a file that lies in another one. */
function pathOf(target: string, folder: string | undefined): TargetPath | undefined {
  const isRelative = /^\.\.?\//.test(target);
  if (isRelative && folder === undefined) return undefined;
  const names = isRelative && folder !== '' ? folder!.split('/') : [];
  for (const name of target.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return { names: names.join('/'), isWhole: isRelative || target.startsWith('/') };
}

/** The nearest note of this path, else the nearest collection. */
function memberAt(
  index: NameIndex,
  called: Iterable<Member>,
  { key, pathKey, isWhole, folder }: { key: string; pathKey: string; isWhole: boolean; folder: string },
): Member | undefined {
  if (isWhole || index.isCommon(key)) {
    // From the folder up: nearly always one of them is there.
    const folders = isWhole ? [''] : [...foldersUp(idKey(folder)), ''];
    for (const above of folders) {
      const found = first(index.at(above === '' ? pathKey : `${above}/${pathKey}`));
      if (found || isWhole) return found;
    }
    return first([...called].filter((member) => endsIn(member.pathKey, pathKey, false)));
  }
  const named: Member[] = [];
  for (const member of called) if (endsIn(member.pathKey, pathKey, false)) named.push(member);
  const notes = named.filter(({ known }) => known.note);
  return nearestOf(notes.length > 0 ? notes : named, ({ file }) => file, folder);
}

/** The first by path, notes before collections. */
function first(members: Iterable<Member>): Member | undefined {
  let best: Member | undefined;
  for (const member of members) {
    const isNote = member.known.note !== undefined;
    const isBestNote = best?.known.note !== undefined;
    const isFirst = !best || (isNote === isBestNote ? compareText(member.file, best.file) < 0 : isNote);
    if (isFirst) best = member;
  }
  return best;
}

function* foldersUp(folder: string): Iterable<string> {
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) yield at;
}

function endsIn(whole: string, end: string, isWhole: boolean): boolean {
  return whole === end || (!isWhole && whole.endsWith(`/${end}`));
}

/** The one whose folder has the fewest steps from this folder; of equals the first by path. */
function nearestOf<Candidate>(
  candidates: readonly Candidate[],
  fileOf: (candidate: Candidate) => string,
  folder: string,
): Candidate | undefined {
  let best: { candidate: Candidate; steps: number; file: string } | undefined;
  for (const candidate of candidates) {
    const file = fileOf(candidate);
    const steps = stepsBetween(folder, folderOf(file));
    if (!best || steps < best.steps || (steps === best.steps && compareText(file, best.file) < 0)) {
      best = { candidate, steps, file };
    }
  }
  return best?.candidate;
}

function stepsBetween(one: string, other: string): number {
  const [a, b] = [one, other].map((folder) => (folder === '' ? [] : folder.split('/')));
  let common = 0;
  while (common < a!.length && common < b!.length && a![common] === b![common]) common++;
  return a!.length + b!.length - 2 * common;
}

/** The id that a link to nothing seems to mean. */
export function meantId(target: string): string {
  return nameOf(target.replace(/\/+$/, ''));
}
