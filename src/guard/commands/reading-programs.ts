import type { Allowance } from './allowance';
import { filterOf } from './filters';
import { PREFIXES, programName } from './programs';

/** Programs that only read, as long as their output does not go to a file. */
const READERS = new Set(
  (
    'cat ls ll dir head tail wc grep egrep fgrep zgrep rg ag ack less more most stat file du df diff cmp comm tree which ' +
    'whereis type command echo printf pwd date whoami id uname hostname env printenv true false test [ [[ sleep basename ' +
    'dirname realpath readlink md5sum sha1sum sha256sum sha512sum shasum cksum b2sum nl od xxd hexdump strings cut tr uniq ' +
    'rev tac column fold paste join jq ps top uptime free lsof history man help seq expr locate fd fdfind bat batcat zcat ' +
    'bzcat xzcat cloc tokei nproc lscpu ping dig nslookup host ss netstat wait exit return break continue : export unset ' +
    'local declare readonly typeset set shopt ulimit umask findstr where fc clear cls tty read open gci gc sls'
  ).split(' '),
);

/** Readers that start others. */
const FINDERS = new Set('find fd fdfind'.split(' '));
const MAX_RUNS = 20;

/** PowerShell's verbs that only read (approved verbs, "Common" and "Data"). */
const READING_CMDLET =
  /^(Get|Select|Measure|Compare|Format|Where|Sort|Group|Test|Resolve|Join|Split|ConvertTo|ConvertFrom|Find|Show|Out-Host|Out-String|Out-Null|Write-Output|Write-Host|Write-Verbose|ForEach)(-|$)/i;

/** Whether the program only prints, by its words. */
export function isReader(name: string, args: readonly string[], mayRead: Allowance): boolean {
  const has = (pattern: RegExp) => args.some((word) => pattern.test(word));
  if (FINDERS.has(name)) {
    const option = name === 'find' ? /^-(exec|execdir|ok|okdir)$/ : /^(-[HILagilpsu0]*[xX]$|--exec)/;
    const runs = args.flatMap((word, at) => (option.test(word) ? [at + 1] : []));
    if (runs.length > MAX_RUNS) return false;
    const onlyRead = runs.every((at) => {
      const started = programName(/^--exec[a-z-]*=(.*)/s.exec(args[at - 1]!)?.[1] ?? args[at] ?? '');
      // `env` and `command` read, unless they start something.
      return !PREFIXES.has(started) && !FINDERS.has(started) && isReader(started, args.slice(at + 1), mayRead);
    });
    return onlyRead && !has(/^-(delete|fprint|fprintf|fls|fprint0)$/);
  }
  const filter = filterOf(name, args, mayRead);
  if (filter) return !filter.isOpen && filter.files.length + filter.lines.length === 0;
  if (name === 'sort' || name === 'tree' || name === 'base64') return !has(/^-[a-zA-Z]*o|^--output/);
  if (name === 'diff' || name === 'rg') return !has(/^--(output|pre)\b/);
  if (name === 'env' || name === 'date') return !has(/^-s|^--set/);
  if (name === 'yq') return !has(/^-[a-zA-Z]*[is]|^--(in-?place|split-exp)/);
  if (name === 'uniq' || name === 'xxd') return args.filter((word) => !word.startsWith('-')).length < 2;
  return READERS.has(name) || READING_CMDLET.test(name);
}
