import { compareText } from '../../core/text';
import { idKey } from '../format/ids';
import { type NoteLink, SPACES, type Space } from '../model';
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
  const spaces = location ? [location] : [...new Set([from.space, ...SPACES])];
  for (const space of spaces) {
    const index = names.get(space);
    const end = index && resolveIn(index, from, target);
    if (end) return end;
  }
  return undefined;
}

function resolveIn(index: NameIndex, from: Origin, target: string): End {
  const { space } = index;
  const key = keyOf(target);
  // Seen from another space, nothing is near, and a path from the file leads nowhere.
  const near = from.space === space ? folderOf(from.file) : '';
  const path = pathOf(target, from.space === space ? near : undefined);
  const called = firstOf(index.called(key));
  const isPlain = !target.includes('/');
  if (isPlain) {
    const declared = called.filter(({ known }) => isIdDeclared(known));
    const exact = declared.filter(({ known }) => declaredId(known) === target.normalize('NFC'));
    const same = exact.length > 0 ? exact : declared.filter(({ known }) => idKey(declaredId(known)) === idKey(target));
    if (same.length > 0) return same.reduce((one, other) => (compareText(one.file, other.file) <= 0 ? one : other));
  }
  if (path === undefined) return undefined;
  const named = called.filter(({ file }) =>
    endsIn(file.replace(/\.md$/i, ''), withoutEnding(path.names), path.isWhole),
  );
  const notes = named.filter(({ known }) => known.note);
  const found = nearestOf(notes.length > 0 ? notes : named, ({ file }) => file, near);
  if (found) return found;
  const others = firstOf(index.otherFiles(key));
  const otherFile = nearestOf(
    others.filter((file) => endsIn(file, path.names, path.isWhole)),
    (file) => file,
    near,
  );
  return otherFile === undefined ? undefined : { space, otherFile };
}

function firstOf<Candidate>(candidates: Iterable<Candidate>): Candidate[] {
  const first: Candidate[] = [];
  for (const candidate of candidates) if (first.push(candidate) === MAX_CANDIDATES) break;
  return first;
}

interface TargetPath {
  /** `/` between them. */
  names: string;
  /** Whether it is the path from the root, and not just its end. */
  isWhole: boolean;
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

function endsIn(file: string, path: string, isWhole: boolean): boolean {
  const [whole, end] = [idKey(file), idKey(path)];
  return whole === end || (!isWhole && whole.endsWith(`/${end}`));
}

function withoutEnding(path: string): string {
  return path.replace(/\.md$/i, '');
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
