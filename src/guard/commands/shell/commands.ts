/** What a shell's line is taken apart into (POSIX.1-2017, Shell Command Language; PowerShell roughly). */

export interface Redirection {
  /** Whether the file is written. */
  writes: boolean;
  target: string;
  /** The number of the file descriptor, where it is written. */
  descriptor: string | undefined;
}

export interface SimpleCommand {
  /** Program first, as it is written, quotes removed and known variables filled in. */
  words: string[];
  /** Whether it takes what the one before gives. */
  piped: boolean;
  /** The commands of this line whose output it takes; of a group all of them. */
  input: SimpleCommand[];
  /** Whether its own output goes to another. */
  feeds: boolean;
  redirections: Redirection[];
  /** What stood in `$(…)`, in backticks or in `<(…)` inside it. */
  inner: SimpleCommand[];
  /** Texts given to it line by line (`<<EOF`, `<<<`). */
  documents: string[];
  /** What variables that are not filled in may hold all the same. */
  possible: PossibleByName;
  /** The same of texts that are no value as they stand: one with blanks, which may be words, and a default (`${F:-a}`). */
  texts: PossibleByName;
  /** Variables that the line sets somewhere to what nobody knows. */
  unclear: ReadonlySet<string>;
  /** Variables that stand outside of quotes, by their names in the words: a shell may take apart what they hold. */
  bare: Set<string>;
}

export type PossibleByName = ReadonlyMap<string, readonly string[]>;

export type Dialect = 'posix' | 'powershell';

/** Stands in a word for what `$(…)` will be, which is not known: as a variable that nobody has. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
export const UNKNOWN = '${__}';

export function emptyCommand({
  possible,
  texts,
  unclear,
}: Pick<SimpleCommand, 'possible' | 'texts' | 'unclear'>): SimpleCommand {
  return {
    words: [],
    piped: false,
    input: [],
    feeds: false,
    redirections: [],
    inner: [],
    documents: [],
    possible,
    texts,
    unclear,
    bare: new Set(),
  };
}
