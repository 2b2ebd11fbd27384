import { type Allowance, lengthOf } from './allowance';
import { awkLineOf, readAwkScript } from './awk-scripts';
import { readSedScript, sedScriptOf } from './sed-scripts';

/** What a program that prints what it reads does beside it, as its script has it. */
export interface Filter {
  /** What it writes to. */
  files: string[];
  /** What it gives to a shell. */
  lines: string[];
  /** Whether it changes what it is given, or does something that its script does not show. */
  isOpen: boolean;
}

/** Behind any sign that may stand before a command, where a script cannot be read. */
const WRITES = /(^|[;{}$\d/\n]\s{0,9})[wWe]\s+\S/;

/** Undefined for other programs than sed and awk. Where a script may not be read any more, it may do anything. */
export function filterOf(name: string, args: readonly string[], mayRead: Allowance): Filter | undefined {
  const isSed = /^g?sed$/.test(name);
  if (!isSed && !/^[gmn]?awk$/.test(name)) return undefined;
  if (!mayRead(lengthOf(args))) return { files: [], lines: [], isOpen: true };
  return isSed ? sed(args) : awk(args);
}

function sed(args: readonly string[]): Filter {
  const isInPlace = args.some((word) => /^-[a-zA-Z]*i|^--i/.test(word));
  const script = sedScriptOf(args) ?? '';
  const { files, runs } = readSedScript(script) ?? { files: [], runs: WRITES.test(script) };
  return { files, lines: [], isOpen: isInPlace || runs };
}

function awk(args: readonly string[]): Filter {
  const { script, files: told } = awkLineOf(args);
  const { files, lines, isOpen } = readAwkScript(script ?? '');
  return { files: [...told, ...files], lines, isOpen: isOpen || args.some((word) => word.includes('inplace')) };
}
