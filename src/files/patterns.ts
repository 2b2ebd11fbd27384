import {
  appliesTo,
  type FilePath,
  FOLDERS,
  filePath,
  type Glob,
  matches,
  parseAppliesTo,
  type Segment,
} from '../core/globs';

/** What a folder's reader takes and leaves out, ready to be asked about thousands of paths. */
export interface Patterns {
  /** Whether the file belongs to it. The path is relative to the root, `/` between its parts. */
  takes(path: string): boolean;
  /** Whether something below the folder may belong to it; hidden folders only where a pattern names them. */
  enters(folder: string): boolean;
  /** Whether the file belongs to it and a walk from the root comes by. */
  reaches(path: string): boolean;
  /** What is wrong with patterns, in sentences. Faulty ones take nothing. */
  faults: readonly string[];
}

/** A name that no file has, for "anything in this folder". */
const ANYTHING = '\0';

/** Reads the globs as `parseAppliesTo` does, one a line; `!glob` among those included excludes. Never throws. */
export function compilePatterns(include: readonly string[], exclude: readonly string[]): Patterns {
  const wanted = parseAppliesTo(include.join('\n'));
  const unwanted = parseAppliesTo(exclude.join('\n'));
  const left = [...wanted.excluded, ...unwanted.included];
  const globs = { ...wanted, excluded: left };
  const takes = (path: string) => appliesTo(globs, filePath(path));
  const enters = (names: FilePath) => {
    if (left.some((glob) => matches(glob, names) || coversFolder(glob, names))) return false;
    return wanted.included.some((glob) => mayMatchBelow(glob, names));
  };
  return {
    takes,
    enters: (folder) => enters(filePath(folder)),
    reaches: (path) => {
      const folders = filePath(path).slice(0, -1);
      return takes(path) && folders.every((_, at) => enters(folders.slice(0, at + 1)));
    },
    // That nothing is left out is nothing wrong.
    faults: [...wanted.faults, ...(unwanted.written.length === 0 ? [] : unwanted.faults)].map(String),
  };
}

/** Whether the glob stands for everything in the folder. */
function coversFolder(glob: Glob, names: readonly string[]): boolean {
  return (glob.orBelow || glob.segments.at(-1) === FOLDERS) && matches(glob, [...names, ANYTHING]);
}

/** Whether a path that begins with these names can match. Hidden names are only matched by what begins with a dot. */
function mayMatchBelow(glob: Glob, names: readonly string[]): boolean {
  let places = new Set<number>();
  arriveAt(glob, 0, places);
  for (const name of names) {
    const next = new Set<number>();
    for (const at of places) {
      const segment = glob.segments[at];
      if (segment === FOLDERS || (segment === undefined && glob.orBelow)) {
        if (!isHidden(name)) next.add(at).add(segment === FOLDERS ? at + 1 : at);
      } else if (segment !== undefined && namesIt(segment, name)) {
        arriveAt(glob, at + 1, next);
      }
    }
    places = next;
  }
  return [...places].some((at) => at < glob.segments.length || glob.orBelow);
}

/** `**` may also stand for no folder at all. */
function arriveAt({ segments }: Glob, at: number, places: Set<number>): void {
  places.add(at);
  if (segments[at] === FOLDERS) places.add(at + 1);
}

function namesIt(segment: Exclude<Segment, typeof FOLDERS>, name: string): boolean {
  const begins = typeof segment === 'string' ? segment : segment.head;
  return (!isHidden(name) || isHidden(begins)) && matches({ segments: [segment], orBelow: false }, [name]);
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}
