import { pathspecsOf } from './pathspecs';
import { joined } from './written-paths';

/** Subcommands of git that leave the files of the worktree as they are. */
const READERS = new Set(
  (
    'status log diff show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog cat-file ' +
    'reflog remote config help version name-rev merge-base for-each-ref show-ref whatchanged check-ignore count-objects ' +
    'cherry diff-tree diff-index diff-files verify-commit var'
  ).split(' '),
);
/** These keep the files, too, but do something: what they name is not touched, and a rule may speak to their line. */
const KEEPERS = new Set('add commit push fetch tag notes bundle init gc fsck archive'.split(' '));

/** Of those that change files these take more than names. */
const TAKES_PATHSPECS = /^(?:checkout|restore|rm|stash|clean)$/;

export interface GitCommand {
  kind: 'reads' | 'keeps' | 'does more';
  /** Where it works, by `-C`; empty for the folder that the line is in. */
  folder: string;
  /** Whether it takes back every file below that folder. */
  isWhole: boolean;
  /** Whether it then does so in the whole worktree, from whichever of its folders. */
  isAround: boolean;
  /** What else it names, below the top of the worktree. */
  fromTop: readonly string[];
  /** The words that name what is changed, below the folder that the line is in; undefined for all. */
  named?: readonly string[];
}

/** What git does to the files of the worktree. */
export function gitCommand(args: readonly string[]): GitCommand {
  let at = 0;
  let folder = '';
  const options: string[] = [];
  // Options of git itself; `-C` and `-c` have a value.
  while (args[at]?.startsWith('-')) {
    const option = args[at]!;
    const value = args[at + 1] ?? '';
    if (option === '-C') folder = joined(folder, value);
    else if (option !== '-c') options.push(option);
    at += /^-[Cc]$/.test(option) ? 2 : 1;
  }
  const [subcommand, ...rest] = args.slice(at);
  const isStash = subcommand === 'stash';
  const kind = kindOf(subcommand, rest);
  const found: ReturnType<typeof stash> = isStash
    ? stash(rest)
    : { kind, isWhole: kind === 'does more' && isWhole(subcommand ?? '', rest) };
  const words = found.named ?? rest;
  const takesPathspecs = found.kind === 'does more' && TAKES_PATHSPECS.test(subcommand ?? '');
  const isSpecial = takesPathspecs && words.some((word) => word.startsWith(':') || word.includes('*'));
  const specs = isSpecial ? pathspecsOf(words, subcommand === 'checkout') : undefined;
  const named = specs?.named ?? found.named ?? (folder === '' ? undefined : rest);
  const isAll = found.isWhole || specs?.isAllElse === true;
  const all = { ...found, isWhole: isAll, folder, isAround: subcommand !== 'clean', fromTop: specs?.fromTop ?? [] };
  if (named === undefined) return all;
  const below = named.map((word) => (word.startsWith('-') ? word : joined(folder, word)));
  // Of what git does beside, nobody knows where in the folder.
  const places = isStash || folder === '' ? [] : [folder];
  return { ...all, named: [...options, ...places, ...below] };
}

function kindOf(subcommand: string | undefined, rest: readonly string[]): GitCommand['kind'] {
  if (subcommand === undefined || READERS.has(subcommand)) {
    return rest.some((word) => word.startsWith('--output')) ? 'does more' : 'reads';
  }
  const isListing = rest.every((word) => word.startsWith('-') && !/^-[dDmMcCf]|^--(delete|move|force)/.test(word));
  if (subcommand === 'branch' || subcommand === 'worktree') {
    return isListing || rest[0] === 'list' || rest.includes('--list') ? 'reads' : 'keeps';
  }
  if (subcommand === 'tag' && isListing) return 'reads';
  // The index alone is changed.
  if (subcommand === 'rm' && rest.includes('--cached')) return 'keeps';
  const isStaged = rest.includes('--staged') || rest.includes('-S');
  if (subcommand === 'restore' && isStaged && !rest.some((word) => /^(--w|-[a-zA-Z]*W)/.test(word))) return 'keeps';
  if (subcommand === 'reset' && !rest.some((word) => /^--(hard|merge|keep)$/.test(word))) return 'keeps';
  return KEEPERS.has(subcommand) ? 'keeps' : 'does more';
}

/** Without a path these take back everything; behind a branch a path stands behind `--`. */
function isWhole(subcommand: string, rest: readonly string[]): boolean {
  const takesBack = /^(checkout|switch)$/.test(subcommand)
    ? /^(--force|--discard-changes|-\w{0,20}?f\w{0,20})$/
    : /^--hard$/;
  const isFile = (word: string, at: number) => !/^-/.test(word) && !/^(-\w*e|--exclude)$/.test(rest[at - 1] ?? '');
  return subcommand === 'clean'
    ? !rest.some(isFile)
    : rest.some((word) => takesBack.test(word)) && !rest.slice(0, -1).includes('--');
}

/** `git stash` takes back what it puts away; to bring it out again is like a merge: what it changes it does not say. */
function stash(rest: readonly string[]): Pick<GitCommand, 'kind' | 'isWhole' | 'named'> {
  const [first = 'push', ...others] = rest;
  const asksHelp = [first, others[0] ?? ''].some((word) => /^(-h|--help)$/.test(word));
  if (asksHelp || /^(list|show)$/.test(first)) return { kind: 'reads', isWhole: false };
  if (/^(drop|clear|create|store|export)$/.test(first)) return { kind: 'keeps', isWhole: false };
  if (!first.startsWith('-') && first !== 'push') return { kind: 'does more', isWhole: first === 'save', named: [] };
  const words = first === 'push' ? others : rest;
  const paths: string[] = [];
  const end = words.indexOf('--');
  // Of which files a part is taken back, a person says, or the index.
  let isPart = false;
  words.forEach((word, at) => {
    const isOption = (end < 0 || at <= end) && word.startsWith('-');
    if (isMessage(words[at - 1])) return;
    if (isOption) isPart ||= /^(-[akqu]*[pS][a-zA-Z]*|--patch|--staged)$/.test(word);
    else if (at > end) paths.push(word);
  });
  return { kind: 'does more', isWhole: paths.length === 0 && !isPart, named: paths };
}

/** Whether what follows the option is its value. */
function isMessage(option: string | undefined): boolean {
  return /^(-[a-zA-Z]{0,9}m|--message|--pathspec-from-file)$/.test(option ?? '');
}
