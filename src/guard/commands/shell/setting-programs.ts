/** Which variables a command's program sets, to what nobody knows: `read F`, `mapfile -t A`, `printf -v F …`, `set -- …`. */

/** Stands for what `$1`, `$2` and so on hold. */
export const ARGUMENTS = '@';

/** What may stand before it. */
const BEFORE = /^(?:if|then|elif|else|while|until|do|!|time|command|builtin|\w+=.*)$/s;
/** What they set where they are given no name. */
const SETS_NAMES = new Map<string, readonly string[]>([
  ['read', ['REPLY']],
  ['mapfile', ['MAPFILE']],
  ['readarray', ['MAPFILE']],
  ['getopts', ['OPTARG']],
]);
const NAME = /^[a-zA-Z_]\w{0,199}$/;
/** Before a program: `env F=a.sql cmd`. */
const STARTS = /^(?:env|sudo|doas)$/;
const SET = /^([a-zA-Z_]\w{0,199})(\[[^\]]{0,100}\])?(\+?)=/;
const MAX_NAMES = 100;

export function variablesSetBy(words: readonly string[]): readonly string[] {
  const found: string[] = [];
  let at = 0;
  for (; at < words.length && at < MAX_NAMES; at++) {
    // What is assigned plainly is known elsewhere.
    const [, name, index = '', more] = SET.exec(words[at]!) ?? [];
    if (name !== undefined && (index !== '' || more !== '')) found.push(name);
    else if (!BEFORE.test(words[at]!)) break;
  }
  const program = words[at] ?? '';
  const args = words.slice(at + 1, at + 1 + MAX_NAMES);
  const unnamed = SETS_NAMES.get(program);
  if (unnamed) found.push(...unnamed, ...args.filter((word) => NAME.test(word)));
  else if (program === 'for' || program === 'select') found.push(...args.slice(0, 1));
  else if (program === 'set' && setsArguments(args)) found.push(ARGUMENTS);
  else if (program === 'printf') found.push(...printsTo(args));
  else if (STARTS.test(program)) {
    const end = args.findIndex((word) => !word.startsWith('-') && !SET.test(word));
    for (const word of end < 0 ? args : args.slice(0, end)) found.push(...(SET.exec(word)?.slice(1, 2) ?? []));
  }
  return found;
}

/** `set -- a b`, `set a b`, and not `set -eo pipefail`. */
function setsArguments(args: readonly string[]): boolean {
  return args.some((word, at) => word === '--' || (!/^[-+]/.test(word) && !/^[-+]\w*o$/.test(args[at - 1] ?? '')));
}

/** `printf -v F …`, `printf -vF …` */
function printsTo([first = '', second = '']: readonly string[]): string[] {
  const name = first === '-v' ? second : /^-v(.+)$/.exec(first)?.[1];
  return name === undefined ? [] : [name.replace(/\[.*$/s, '')];
}
