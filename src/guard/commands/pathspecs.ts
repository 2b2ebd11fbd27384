/** Which files git means by its words (gitglossary, pathspec): `:/db`, `:(glob)*.sql`, `:!x`, and stars that go deeper. */

export interface Pathspecs {
  /** Below the folder where git works, options and all other words among them. */
  named: string[];
  /** Below the top of the worktree. */
  fromTop: string[];
  /** Whether all is meant but what is left out. */
  isAllElse: boolean;
}

const LONG_MAGIC = /^:\(([^)]{0,200})\)(.*)$/s;
const SHORT_MAGIC = /^:([/!^]{1,3}):?(.*)$/s;
const NAMES = new Map([
  ['/', 'top'],
  ['!', 'exclude'],
  ['^', 'exclude'],
]);
/** A longer one is not looked at for its letters. */
const MAX_LETTERS = 200;

/** The words behind a subcommand. `mayBeBranch`: whether the first one may be where files are taken from. */
export function pathspecsOf(words: readonly string[], mayBeBranch: boolean): Pathspecs {
  const found: Pathspecs = { named: [], fromTop: [], isAllElse: false };
  const end = words.indexOf('--');
  let isLeavingOut = false;
  let paths = 0;
  words.forEach((word, at) => {
    const { path, magic } = read(word);
    if (magic.has('exclude')) {
      isLeavingOut = true;
      return;
    }
    const isOption = word.startsWith('-') && (end < 0 || at <= end);
    if (!isOption && (end < 0 || at > end)) paths++;
    const to = magic.has('top') ? found.fromTop : found.named;
    to.push(...(isOption ? [word] : patterns(path, magic)));
  });
  found.isAllElse = isLeavingOut && paths <= (mayBeBranch && end < 0 ? 1 : 0);
  return found;
}

function read(word: string): { path: string; magic: ReadonlySet<string> } {
  const [, long, behindLong] = LONG_MAGIC.exec(word) ?? [];
  if (long !== undefined) return { path: behindLong!, magic: new Set(long.split(',')) };
  const [, short, behindShort] = SHORT_MAGIC.exec(word) ?? [];
  if (short === undefined) return { path: word, magic: new Set() };
  return { path: behindShort!, magic: new Set(Array.from(short, (sign) => NAMES.get(sign)!)) };
}

/** As a shell would have it, whose stars end at a slash. */
function patterns(path: string, magic: ReadonlySet<string>): string[] {
  // Without a path all of the folder is meant.
  if (path === '') return magic.size > 0 ? ['.'] : [];
  const isCaseless = magic.has('icase') && path.length <= MAX_LETTERS;
  const written = isCaseless ? path.replace(/[a-z]/gi, (sign) => `[${sign.toLowerCase()}${sign.toUpperCase()}]`) : path;
  const isPlain = magic.has('glob') || magic.has('literal') || !written.includes('*');
  return isPlain ? [written] : [written, written.replace(/\*+/g, () => '*/**/*')];
}
