import { type Dialect, readShell, type SimpleCommand } from './shell';

/** What a shell's line does to files, as far as its words tell. */
export interface CommandFiles {
  /** Whether nothing in it does more than read. */
  onlyReads: boolean;
  /** What may be a path, except what is only read; `cd` is taken into account. */
  paths: string[];
}

/** Programs that only read, as long as their output does not go to a file. */
const READERS = new Set(
  (
    'cat ls ll dir head tail wc grep egrep fgrep zgrep rg ag ack less more most stat file du df diff cmp comm tree which ' +
    'whereis type command echo printf pwd date whoami id uname hostname env printenv true false test [ [[ sleep basename ' +
    'dirname realpath readlink md5sum sha1sum sha256sum sha512sum shasum cksum b2sum nl od xxd hexdump strings cut tr uniq ' +
    'rev tac column fold paste join jq ps top uptime free lsof history man help seq expr locate fd fdfind bat batcat zcat ' +
    'bzcat xzcat cloc tokei nproc lscpu ping dig nslookup host ss netstat wait exit return break continue : export unset ' +
    'local declare set shopt ulimit umask findstr where fc clear cls tty read'
  ).split(' '),
);

/** Subcommands of git that leave the files of the worktree as they are. */
const GIT_READERS = new Set(
  (
    'status log diff show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog cat-file ' +
    'reflog remote config help version name-rev merge-base for-each-ref show-ref whatchanged check-ignore count-objects ' +
    'cherry diff-tree diff-index diff-files verify-commit var'
  ).split(' '),
);
/** These keep the files, too, but do something: what they name is not touched, and a rule may speak to their line. */
const GIT_KEEPERS = new Set('add commit push fetch tag notes bundle init gc fsck archive'.split(' '));

/** PowerShell's verbs that only read (approved verbs, "Common" and "Data"). */
const READING_CMDLET =
  /^(Get|Select|Measure|Compare|Format|Where|Sort|Group|Test|Resolve|Join|Split|ConvertTo|ConvertFrom|Find|Show|Out-Host|Out-String|Out-Null|Write-Output|Write-Host|Write-Verbose|ForEach)(-|$)/i;

/** Programs whose plain words are files, so that `touch Dockerfile` means the file though it has no dot and no slash. */
const FILE_PROGRAMS = new Set(
  (
    'rm rmdir unlink shred touch mkdir cp mv ln install tee truncate dd sed perl awk gawk sort patch chmod chown chgrp ' +
    'rsync scp tar unzip gunzip gzip ed ex vi vim nano emacs code split del erase rd copy xcopy robocopy move ren rename ' +
    'mklink trash mkfifo csplit Remove-Item Set-Content Add-Content Clear-Content New-Item Move-Item Copy-Item Rename-Item ' +
    'Out-File Tee-Object ri ni mi ci rni sc ac'
  ).split(' '),
);

/** What stands before the program that is meant. */
const PREFIXES = new Set(
  'sudo doas env nohup time nice ionice command builtin exec stdbuf timeout setsid xargs parallel watch busybox caffeinate'.split(
    ' ',
  ),
);
/** What a shell's own words are: what follows is a command. */
const KEYWORDS = new Set('if then elif else fi do done while until ! { } esac'.split(' '));
const SHELLS = new Set('sh bash zsh dash ksh fish pwsh powershell cmd'.split(' '));

const MAX_DEPTH = 5;
const MAX_PATHS = 500;

export function readCommand(line: string, dialect: Dialect = 'posix'): CommandFiles {
  const reading = new Reading(dialect);
  reading.line(line, 0);
  return reading.result();
}

class Reading {
  private onlyReads = true;
  private readonly paths = new Set<string>();
  /** Paths that were only read, but whose names went on to a program that does more. */
  private readonly handedOn: string[] = [];
  private handsOn = false;
  /** Variables that hold one after the other of what was handed on. */
  private readonly loops = new Set<string>();
  private folder = '';

  constructor(private readonly dialect: Dialect) {}

  result(): CommandFiles {
    if (this.handsOn) for (const path of this.handedOn) this.paths.add(path);
    return { onlyReads: this.onlyReads, paths: [...this.paths].slice(0, MAX_PATHS) };
  }

  line(line: string, depth: number): void {
    for (const command of readShell(line, this.dialect)) this.command(command, depth);
  }

  private command({ words, redirections, inner, documents }: SimpleCommand, depth: number): void {
    for (const each of inner) this.command(each, depth);
    for (const { writes, target } of redirections) {
      if (!writes || isDevice(target)) continue;
      this.onlyReads = false;
      this.touch(target, true);
    }
    const program = this.program(words);
    if (program === undefined) return;
    const { name, args, takesNames } = program;
    if (name === 'for' || name === 'foreach' || name === 'select' || name === 'case') {
      // The list goes on to whatever stands inside.
      const isList = args.indexOf('in');
      if (name === 'for' && args[0] !== undefined) this.loops.add(args[0]);
      for (const word of args.slice(isList + 1)) this.read(word);
      this.handsOn = true;
      return;
    }
    if (name === 'cd' || name === 'pushd' || name === 'chdir' || /^Set-Location$/i.test(name)) {
      this.changeFolder(args);
      return;
    }
    if (SHELLS.has(name) || name === 'eval') {
      this.script(name, args, documents, depth);
      return;
    }
    const kind = name === 'git' ? this.git(args) : isReader(name, args) ? 'reads' : 'does more';
    if (kind === 'reads') {
      for (const word of args) this.read(word);
      return;
    }
    this.onlyReads = false;
    if (kind === 'keeps') return;
    // The names come from a pipe or a substitution.
    if (takesNames || inner.length > 0) this.handsOn = true;
    // A program that is itself a file of the project runs, and is not changed.
    const isFileProgram = FILE_PROGRAMS.has(name) || name === 'git' || name === 'find' || takesNames;
    for (const word of writtenBy(name, args)) this.argument(word, isFileProgram);
  }

  /** The program that is meant, behind assignments, keywords and those that start others. */
  private program(words: readonly string[]): { name: string; args: string[]; takesNames: boolean } | undefined {
    let at = 0;
    let takesNames = false;
    let isPrefixed = false;
    for (; at < words.length; at++) {
      const word = words[at]!;
      if (/^\w+=/.test(word) || KEYWORDS.has(word)) continue;
      if (isPrefixed && (word.startsWith('-') || /^\d+[smhd]?$/.test(word))) continue;
      const name = programName(word);
      if (!PREFIXES.has(name) || at === words.length - 1) break;
      isPrefixed = true;
      takesNames ||= name === 'xargs' || name === 'parallel';
    }
    const word = words[at];
    if (word === undefined || word === '' || word === '&' || word === '.') {
      return word === undefined ? undefined : this.program(words.slice(at + 1));
    }
    return { name: programName(word), args: words.slice(at + 1), takesNames };
  }

  private git(args: readonly string[]): 'reads' | 'keeps' | 'does more' {
    let at = 0;
    // Options of git itself; `-C` and `-c` have a value.
    while (args[at]?.startsWith('-')) at += /^-[Cc]$/.test(args[at]!) ? 2 : 1;
    const [subcommand, ...rest] = args.slice(at);
    if (subcommand === undefined || GIT_READERS.has(subcommand)) {
      return rest.some((word) => word.startsWith('--output')) ? 'does more' : 'reads';
    }
    const isListing = rest.every((word) => word.startsWith('-') && !/^-[dDmMcCf]|^--(delete|move|force)/.test(word));
    if (subcommand === 'branch' || subcommand === 'worktree') {
      return isListing || rest[0] === 'list' || rest.includes('--list') ? 'reads' : 'keeps';
    }
    if (subcommand === 'stash') return rest[0] === 'list' || rest[0] === 'show' ? 'reads' : 'does more';
    if (subcommand === 'tag' && isListing) return 'reads';
    // Without a path these take back everything.
    const isWhole = /^(clean|reset|checkout|restore|switch|stash|merge|rebase|pull|revert|cherry-pick|am|apply)$/.test(
      subcommand,
    );
    if (isWhole && (subcommand === 'clean' || rest.includes('--hard'))) {
      if (!rest.some((word) => !word.startsWith('-'))) this.touch('.', true);
    }
    return GIT_KEEPERS.has(subcommand) ? 'keeps' : 'does more';
  }

  private changeFolder(args: readonly string[]): void {
    const target = args.find((word) => !word.startsWith('-') && word !== '/d');
    if (target === undefined || target.includes('$')) return;
    this.folder = joined(this.folder, target);
  }

  /** `sh -c 'rm …'`, `bash <<EOF`: what it is given is a line as well. */
  private script(name: string, args: readonly string[], documents: readonly string[], depth: number): void {
    const isLine =
      name === 'eval' ? 0 : args.findIndex((word) => /^(-\w*c|\/c|-Command|-EncodedCommand)$/i.test(word)) + 1;
    const lines = name === 'eval' || isLine > 0 ? [args.slice(isLine).join(' '), ...documents] : documents;
    if (lines.length === 0 || depth >= MAX_DEPTH) this.onlyReads = false;
    if (depth >= MAX_DEPTH) return;
    for (const line of lines) this.line(line, depth + 1);
    if (lines.length === 0) for (const word of args) this.argument(word, false);
  }

  private argument(word: string, isFile: boolean): void {
    // `--output=file`, `of=file`: what stands behind may be a path.
    const value = /^(?:--?[\w-]+|\w+)=(.+)$/s.exec(word)?.[1];
    if (value !== undefined) this.touch(value, isFile);
    else if (!word.startsWith('-')) this.touch(word, isFile);
  }

  /**
   * `isFile`: whether a plain word is a file. Elsewhere it is a subcommand or a script's name (`npm test`), and `.` is where
   * to look rather than what to change (`eslint .`).
   */
  private touch(word: string, isFile: boolean): void {
    if (!isFile && (!/[/\\.~*?[]/.test(word) || /^\.{1,2}[/\\]?$/.test(word))) return;
    const variable = /^\$\{?(\w+)\}?/.exec(word)?.[1];
    if (variable !== undefined && this.loops.has(variable)) return;
    const path = this.path(word);
    if (path !== undefined) this.paths.add(path);
  }

  private read(word: string): void {
    const path = word.startsWith('-') ? undefined : this.path(word);
    if (path !== undefined) this.handedOn.push(path);
  }

  /** Undefined for what cannot be a path. */
  private path(word: string): string | undefined {
    if (word === '' || word.length > 4_096 || /[\n\r]/.test(word) || /^[a-z][a-z\d+.-]+:\/\/(?!\/)/i.test(word)) {
      return undefined;
    }
    return joined(this.folder, word);
  }
}

function programName(word: string): string {
  const name = word.replace(/^.*[/\\](?=[^/\\]+$)/, '').replace(/\.(exe|cmd|bat|ps1)$/i, '');
  return name;
}

function isReader(name: string, args: readonly string[]): boolean {
  const has = (pattern: RegExp) => args.some((word) => pattern.test(word));
  if (name === 'find' || name === 'fd' || name === 'fdfind') {
    return !has(/^-(delete|exec|execdir|ok|okdir|fprint|fprintf|fls|fprint0|x|X)$|^--exec/);
  }
  // It prints, unless it is told to write in place, or its script writes to a file or runs something.
  if (name === 'sed') {
    return !has(/^-[a-zA-Z]*i|^--in-place|(^|[;}$\d/]\s*)w\s+\S/) && !args.some(substitutesByRunning);
  }
  if (name === 'awk' || name === 'gawk' || name === 'mawk') {
    return !has(/system\s*\(|\|\s*["&]|inplace/) && !args.some(printsToFile);
  }
  if (name === 'sort' || name === 'tree') return !has(/^-[a-zA-Z]*o|^--output/);
  if (name === 'diff' || name === 'rg') return !has(/^--(output|pre)\b/);
  if (name === 'env' || name === 'date') return !has(/^-s|^--set/);
  if (name === 'uniq' || name === 'xxd') return args.filter((word) => !word.startsWith('-')).length < 2;
  return READERS.has(name) || READING_CMDLET.test(name);
}

// Without expressions that look ahead from each place: a line is as long as somebody makes it.

/** sed's `s/a/b/e`, with whatever stands between its parts. */
function substitutesByRunning(word: string): boolean {
  const [sign] = word.slice(1);
  if (!word.startsWith('s') || sign === undefined) return false;
  return word
    .split(sign)
    .slice(3)
    .some((flags) => /^[gpIM\d]*e/.test(flags));
}

/** awk's `print x > "file"`. */
function printsToFile(script: string): boolean {
  return script.split(/[;}]/).some((statement) => {
    const at = statement.indexOf('print');
    return at >= 0 && statement.includes('>', at);
  });
}

/**
 * The words that name what is changed. What is copied is only read where it is, and of a folder that it goes to nothing but
 * its own name there is written.
 */
function writtenBy(name: string, args: readonly string[]): readonly string[] {
  // Options may say otherwise: `-t FOLDER`, `--remove-source-files`.
  const isPlain = args.every((word) => !word.startsWith('-') || /^-[aAfHilLnpPrRuvxXz]+$/.test(word));
  if (!isPlain || !/^(cp|mv|scp|rsync)$/.test(name)) return args;
  const files = args.filter((word) => !word.startsWith('-'));
  const target = files.pop();
  if (target === undefined) return args;
  const names = files.map((file) => /([^/\\]+)[/\\]*$/.exec(file)?.[1] ?? '..');
  const isFolder = /(^|[/\\])\.{0,2}$/.test(target) && !names.some((each) => /^\.{1,2}$/.test(each));
  const written = isFolder && name !== 'rsync' ? names.map((each) => joined(target, each)) : [target];
  return name === 'mv' ? [...files, ...written] : written;
}

function isDevice(target: string): boolean {
  return /^(\/dev\/(null|stdout|stderr|tty|fd\/\d+)|nul|\$null)$/i.test(target);
}

function joined(folder: string, path: string): string {
  if (folder === '' || /^([/\\~]|[A-Za-z]:[/\\]|file:)/.test(path)) return path;
  return `${folder.replace(/[/\\]+$/, '')}/${path}`;
}
