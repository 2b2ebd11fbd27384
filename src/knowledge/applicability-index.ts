import { type AppliesTo, appliesTo, FOLDERS, filePath, type Glob, type Segment } from '../core/globs';

/** Longer beginnings and endings of file names are told apart by this many characters. */
const MAX_AFFIX = 24;

/** Something that applies to files. */
interface Applicable {
  applies_to: AppliesTo;
}

/**
 * Finds what applies to a file without trying every glob. Each glob is filed under one thing that every path it matches
 * must have: the folders that it begins with, one of its names, or what the file's name begins or ends with, whichever
 * the fewest others are filed under. A path is looked up under everything that it has.
 */
export class ApplicabilityIndex<T extends Applicable> {
  private readonly byFolder = new Map<string, T[]>();
  private readonly byName = new Map<string, T[]>();
  private readonly byHead = new Map<string, T[]>();
  private readonly byTail = new Map<string, T[]>();
  /** Nothing can be told from their globs: `**`, `*`, `?[ab]*`. */
  private readonly others: T[] = [];

  add(rule: T): void {
    for (const glob of rule.applies_to.included) this.file(glob, rule);
  }

  /** Everything that applies to the file, each once. */
  matching(path: string): T[] {
    const names = filePath(path);
    const name = names.at(-1);
    if (name === undefined) return [];
    const candidates = new Set(this.others);
    const take = (map: Map<string, T[]>, key: string) => {
      const found = map.get(key);
      if (found) for (const rule of found) candidates.add(rule);
    };
    let folder = '';
    for (const each of names) {
      folder = folder === '' ? each : `${folder}/${each}`;
      take(this.byFolder, folder);
      take(this.byName, each);
    }
    for (let length = 1; length <= Math.min(name.length, MAX_AFFIX); length++) {
      take(this.byHead, name.slice(0, length));
      take(this.byTail, name.slice(-length));
    }
    return [...candidates].filter((rule) => appliesTo(rule.applies_to, names));
  }

  private file({ segments, orBelow }: Glob, rule: T): void {
    let fewest = this.others;
    let place: (() => T[]) | undefined;
    const consider = (map: Map<string, T[]>, key: string) => {
      const there = map.get(key);
      if (place && (there?.length ?? 0) >= fewest.length) return;
      fewest = there ?? [];
      place = () => {
        if (!there) map.set(key, fewest);
        return fewest;
      };
    };
    const folder = literalStart(segments);
    if (folder) consider(this.byFolder, folder);
    for (const segment of segments) if (typeof segment === 'string') consider(this.byName, segment);
    const last = segments.at(-1);
    if (!orBelow && typeof last === 'object') {
      if (last.head) consider(this.byHead, last.head.slice(0, MAX_AFFIX));
      if (last.tail) consider(this.byTail, last.tail.slice(-MAX_AFFIX));
    }
    (place?.() ?? this.others).push(rule);
  }
}

/** The folders, or the folders and the name, that stand at a glob's start without a wildcard. */
function literalStart(segments: readonly Segment[]): string {
  const end = segments.findIndex((segment) => segment === FOLDERS || typeof segment !== 'string');
  return segments.slice(0, end < 0 ? segments.length : end).join('/');
}
