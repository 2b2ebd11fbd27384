import { compareText } from '../../core/text';
import { idKey } from '../format/ids';
import type { NoteLink, Space } from '../model';
import { folderOf, nameOf } from './known';
import { declaredId, isIdDeclared, type Member } from './member';
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
const MAX_CANDIDATES = 5_000;

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
  const declared = target.includes('/') ? undefined : declaredAs(target, called);
  if (declared) return declared;
  // Seen from another space, nothing is near, and a path from the file leads nowhere.
  const folder = from.space === space ? folderOf(from.file) : undefined;
  const path = pathOf(target, folder);
  if (path === undefined) return undefined;
  const withoutEnding = { ...path, names: path.names.replace(/\.md$/i, '') };
  const named = firstOf(called, ({ file }) => endsIn(file.replace(/\.md$/i, ''), withoutEnding));
  const notes = named.filter(({ known }) => known.note);
  const found = nearestOf(notes.length > 0 ? notes : named, ({ file }) => file, folder ?? '');
  if (found) return found;
  const others = firstOf(index.otherFiles(key), (file) => endsIn(file, path));
  const otherFile = nearestOf(others, (file) => file, folder ?? '');
  return otherFile === undefined ? undefined : { space, otherFile };
}

/** The note that declares this id; else the first by path that declares it in letters of another case. */
function declaredAs(target: string, called: Iterable<Member>): Member | undefined {
  const id = target.normalize('NFC');
  const key = idKey(id);
  let best: Member | undefined;
  let isBestExact = false;
  for (const member of called) {
    if (!isIdDeclared(member.known)) continue;
    const declared = declaredId(member.known);
    const isExact = declared === id;
    if (!isExact && (isBestExact || idKey(declared) !== key)) continue;
    const isFirst = !best || isExact !== isBestExact || compareText(member.file, best.file) < 0;
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

function endsIn(file: string, { names, isWhole }: TargetPath): boolean {
  const [whole, end] = [idKey(file), idKey(names)];
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
