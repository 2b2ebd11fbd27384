/** A flag of a hook's line with its value; a switch has none. */
export type HookFlag = readonly [name: string, value?: string];

/** Longer than any path that somebody means. */
const LONGEST = 1_000;

/** Marks by which a text is shown as another one than it is; what joins emoji is in names of folders. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** What the flags of `kaizen hook` take (src/cli/hook/options.ts and src/knowledge/names.ts have the same); a switch takes nothing. */
const TAKES: Readonly<Record<string, 'nothing' | ((value: string) => boolean)>> = {
  '--data': isFolder,
  '--shared': isFolder,
  '--workspace': isFolder,
  '--project': isScope,
  '--budget': (value) => /^\d{1,6}$/.test(value) && Number(value) >= 100 && Number(value) <= 20_000,
  '--no-reminder': 'nothing',
};

/** Names of all of them. */
export const HOOK_FLAGS: readonly string[] = Object.keys(TAKES);

/** Those that say which knowledge is meant. */
const STORE_FLAGS: readonly string[] = ['--data', '--shared', '--workspace', '--project'];

/**
 * Words as the flags of a hook; undefined where one is no flag of it, is there twice, or has a value that it would not
 * take: such a hook answers nothing.
 */
export function readHookFlags(words: readonly string[]): HookFlag[] | undefined {
  const flags = new Map<string, HookFlag>();
  for (let at = 0; at < words.length; at++) {
    const [, name = '', given] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(words[at]!) ?? [];
    const takes = Object.hasOwn(TAKES, name) ? TAKES[name] : undefined;
    if (takes === undefined || flags.has(name)) return undefined;
    if (takes === 'nothing') {
      if (given !== undefined) return undefined;
      flags.set(name, [name]);
      continue;
    }
    const value = given ?? words[++at];
    if (value === undefined || (given === undefined && value.startsWith('-')) || !takes(value)) return undefined;
    flags.set(name, [name, value]);
  }
  return [...flags.values()];
}

/**
 * The flags of a hook that are among words which need not be all a hook takes; one that is there with several values as
 * often.
 */
export function hookFlagsAmong(words: readonly string[]): HookFlag[] {
  return distinctFlags(
    words.flatMap((word, at) => readHookFlags([word]) ?? readHookFlags(words.slice(at, at + 2)) ?? []),
  );
}

/** Each name with each of its values once. */
export function distinctFlags(flags: readonly HookFlag[]): HookFlag[] {
  return [...new Map(flags.map((flag) => [JSON.stringify(flag), flag])).values()];
}

/** Of flags those that say which knowledge is meant. */
export function storeFlags(flags: readonly HookFlag[]): HookFlag[] {
  return flags.filter(([name]) => STORE_FLAGS.includes(name));
}

/** In whatever order and way they are written. */
export function areSameFlags(one: readonly HookFlag[], other: readonly HookFlag[]): boolean {
  const [a, b] = [one, other].map((flags) => JSON.stringify([...flags].sort(([x], [y]) => (x < y ? -1 : 1))));
  return a === b;
}

function isFolder(value: string): boolean {
  return value !== '' && value.length <= LONGEST && !UNSEEN.test(value);
}

function isScope(value: string): boolean {
  return /^[A-Za-z0-9._-]{1,100}$/.test(value) && !/^\.+$/.test(value);
}
