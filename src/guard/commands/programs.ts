/** Which program a shell's words are about. */

/** What stands before the program that is meant. */
export const PREFIXES = new Set(
  'sudo doas env nohup time nice ionice command builtin exec stdbuf timeout setsid xargs parallel watch busybox caffeinate'.split(
    ' ',
  ),
);
/** What a shell's own words are: what follows is a command. */
const KEYWORDS = new Set('if then elif else fi do done while until ! { } esac'.split(' '));

/** Options of what starts others whose value is the next word (POSIX.1-2017, GNU, BSD); where the value is the rest of the word it is no matter. */
const TAKES_VALUE = new Map([
  ['xargs', /^(?:-[0oprtx]{0,5}[EIJLPRSadns]|--(?:arg-file|delimiter|max-args|max-chars|max-procs))$/],
  [
    'parallel',
    /^(?:-[0kmtqruvX]{0,5}[CEILNPSadjns]|--(?:arg-file|colsep|delay|delimiter|jobs|joblog|max-args|timeout))$/,
  ],
  ['sudo', /^-[ABEHKNPSbikns]{0,5}[CDRTUgpu]$/],
  ['doas', /^-[Ln]{0,2}[Cu]$/],
  ['env', /^-[0iv]{0,3}[Cu]$/],
  ['timeout', /^(?:-v?[ks]|--(?:kill-after|signal))$/],
]);
/** The word in whose place xargs puts each name: behind the option, in it, or nowhere. */
const REPLACES = /^(?:-[0oprtx]{0,5}[IJ](.*)|-[0oprtx]{0,5}i(.+)|--replace=(.+))$/s;
const SEPARATES = /^(?:-[0oprtx]{0,5}d(.*)|--delimiter(?:=(.*))?)$/s;
/** Longer ones are no such words, and in longer ones they are not looked for. */
const MAX_PLACE_LENGTH = 100;
const MAX_LENGTH = 10_000;

export interface Program {
  name: string;
  /** `{}` in place of each name that it is given, whatever stands there: `xargs -I%`. */
  args: string[];
  /** Whether it is given further words by what it reads. */
  takesNames: boolean;
  /** What stands between the names, where that is told. */
  separator?: string;
}

/** The program that is meant, behind assignments, keywords and those that start others. */
export function programOf(words: readonly string[]): Program | undefined {
  let at = 0;
  let takesNames = false;
  let prefix: string | undefined;
  let place = '{}';
  let separator: string | undefined;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (/^\w+=/.test(word) || KEYWORDS.has(word) || word === '' || word === '&' || word === '.') continue;
    if (prefix !== undefined && (word.startsWith('-') || /^\d+[smhd]?$/.test(word))) {
      const hasValue = TAKES_VALUE.get(prefix)?.test(word);
      if (prefix === 'xargs' || prefix === 'parallel') {
        const next = hasValue ? words[at + 1] : undefined;
        place = toldBy(REPLACES, word, next) ?? place;
        separator = toldBy(SEPARATES, word, next) ?? separator;
      }
      if (hasValue) at++;
      continue;
    }
    const name = programName(word);
    if (!PREFIXES.has(name) || at === words.length - 1) break;
    prefix = name;
    takesNames ||= name === 'xargs' || name === 'parallel';
  }
  const word = words[at];
  if (word === undefined) return undefined;
  const args = words.slice(at + 1);
  if (place !== '{}') {
    for (const [index, each] of args.entries())
      if (each.length <= MAX_LENGTH) args[index] = each.replaceAll(place, '{}');
  }
  return { name: programName(word), args, takesNames, ...(separator !== undefined && { separator }) };
}

/** What an option tells, in its own word or the next one. */
function toldBy(option: RegExp, word: string, next: string | undefined): string | undefined {
  const told =
    option.exec(word.slice(0, MAX_PLACE_LENGTH))?.slice(1).find(Boolean) ?? (option.test(word) ? next : undefined);
  return told && told.length <= MAX_PLACE_LENGTH ? told : undefined;
}

export function programName(word: string): string {
  return word.replace(/^.*[/\\](?=[^/\\]+$)/, '').replace(/\.(exe|cmd|bat|ps1)$/i, '');
}
