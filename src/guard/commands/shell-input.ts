import { joinedWords } from './printed-texts';

/** What a shell is told to run. */
export interface ShellLines {
  lines: string[];
  /** Whether what it reads is for the programs of its line. */
  handsInput: boolean;
}

/** A line follows; of PowerShell by any beginning of the option's name. */
const TAKES_LINE = /^(?:-\w*c|\/c|-Command|-EncodedCommand)$/i;
const TAKES_LINE_POWERSHELL = /^(?:-|--|\/)(?:c|com\w{0,4}|cwa|commandwithargs|ec?|enc\w{0,11})$/i;
/** The value is the next word. */
const TAKES_VALUE = /^(?:[-+]\w*[oO]|--rcfile|--init-file)$/;
const TAKES_VALUE_POWERSHELL =
  /^(?:-|--|\/)(?:ex\w{0,13}|ep|w|wi\w{0,9}|wo\w{0,14}|wd|o|ou\w{0,10}|of|inp\w{0,8}|if|config\w{0,11}|custom\w{0,8}|ver\w{0,4}|ps\w{0,9}|settings\w{0,4})$/i;
/** What is read stands behind these as well. */
const STANDARD_INPUT = /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/[^/]{1,40}\/fd\/0)$/;
/** It may hold options, or nothing; of a file something is written. */
const VARIABLE = /^\$[^/\\.]*$/;
/** `/q` of cmd. */
const OPTION = /^(?:[-+].|\/\w$)/;

/**
 * What a shell is told to run by its words, or by what it reads where no file says it. `documents` stand in the line for
 * it, `input` is that or what comes through a pipe.
 */
export function shellLines(
  name: string,
  args: readonly string[],
  documents: readonly string[],
  input: () => string | undefined,
): ShellLines {
  if (name === 'eval' || name === 'source') {
    return { lines: name === 'eval' ? [joinedWords(args, ' ')] : [], handsInput: false };
  }
  const isPowerShell = /^(?:pwsh|powershell)$/i.test(name);
  const takesLine = isPowerShell ? TAKES_LINE_POWERSHELL : TAKES_LINE;
  const at = args.findIndex((word) => takesLine.test(word)) + 1;
  if (at > 0 && !(isPowerShell && args[at] === '-')) {
    return { lines: [joinedWords(args.slice(at), ' '), ...documents], handsInput: true };
  }
  const text = at > 0 || readsInput(args, isPowerShell) ? input() : undefined;
  return { lines: text === undefined ? [] : [text], handsInput: false };
}

/** Whether a shell reads its commands: where a file of its own is named, that is what it runs. */
function readsInput(args: readonly string[], isPowerShell: boolean): boolean {
  const takesValue = isPowerShell ? TAKES_VALUE_POWERSHELL : TAKES_VALUE;
  const isFile = (word: string, at: number) =>
    STANDARD_INPUT.test(word) || !(OPTION.test(word) || VARIABLE.test(word) || takesValue.test(args[at - 1] ?? ''));
  const file = args.findIndex(isFile);
  if (file < 0 || STANDARD_INPUT.test(args[file]!)) return true;
  // `bash -s -- word`
  return !isPowerShell && args.slice(0, file).some((word) => /^-\w*s$/.test(word));
}
