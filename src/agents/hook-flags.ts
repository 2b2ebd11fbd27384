/** A flag as it stands in a hook's line: its name, and its value as the shell reads it; no value for a switch. */
export interface LineFlag {
  name: string;
  word?: string | undefined;
}

/** The shells that clients start a hook by. */
export type LineShell = 'posix' | 'powershell';

/** The flags of a hook by the shell that reads them. */
export type HookFlags = Readonly<Record<LineShell, readonly LineFlag[]>>;

export const NO_FLAGS: HookFlags = { posix: [], powershell: [] };

/** Without a value they are none: what stood there was something else than a word. */
const WITH_VALUE = ['--data', '--shared', '--workspace', '--project', '--budget'];

/** A word without anything that the shell would run; variables are put in by it each time. */
const WORDS: Readonly<Record<LineShell, RegExp>> = {
  posix:
    /^[ \t]*((?:[\w@%+=:,./~-]|'[^']*'|\\[^\n]|"(?:[^"\\`$\n]|\\[^\n]|\$\w+(?!\w)|\$\{\w+\})*"|\$\w+(?!\w)|\$\{\w+\})+)/,
  powershell: /^[ \t]*((?:[\w@%+=:,./\\~-]|'(?:[^']|'')*'|"(?:[^"`$\n]|\$env:\w+(?!\w))*"|\$env:\w+(?!\w))+)/,
};

/**
 * What stands behind `hook EVENT` in a line, as far as it is flags; of one that is there twice the last. Whatever a shell
 * would run ends them.
 */
export function flagsBehind(text: string, shell: LineShell): LineFlag[] {
  const words: string[] = [];
  for (let rest = text; ; ) {
    const [whole, word] = WORDS[shell].exec(rest) ?? [];
    if (whole === undefined || word === undefined) return flagsIn(words);
    words.push(word);
    rest = rest.slice(whole.length);
  }
}

/** Words are flags with their values up to the first that is neither. */
export function flagsIn(words: readonly string[]): LineFlag[] {
  const flags = new Map<string, LineFlag>();
  for (let at = 0; at < words.length; at++) {
    const [, name, given] = /^(--[a-z][a-z-]*)(?:=(.*))?$/s.exec(words[at]!) ?? [];
    if (name === undefined) break;
    const next = words[at + 1];
    const isSwitch = given === undefined && (next === undefined || next.startsWith('--'));
    if (isSwitch && WITH_VALUE.includes(name)) continue;
    flags.set(name, isSwitch ? { name } : { name, word: given ?? words[++at] });
  }
  return [...flags.values()];
}

/** What is wanted, in the places of what was there; whatever else was there stays. */
export function withWanted(former: readonly LineFlag[], wanted: readonly LineFlag[]): LineFlag[] {
  const kept = former.map((flag) => wanted.find(({ name }) => name === flag.name) ?? flag);
  return [...kept, ...wanted.filter(({ name }) => !former.some((flag) => flag.name === name))];
}

export function wordsOf(flags: readonly LineFlag[]): string[] {
  return flags.flatMap(({ name, word }) => (word === undefined ? [name] : [name, word]));
}
