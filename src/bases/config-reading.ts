import type { YamlTree } from '../frontmatter';

/** Something that is wrong with a configuration file. */
export interface ConfigProblem {
  /** From 1. */
  line: number;
  /** `error`: what stands there does not count. `warning`: it counts, or has no meaning here. */
  severity: 'error' | 'warning';
  /** One or two sentences: what it is, and what is allowed. */
  message: string;
}

/** A key of a configuration file with what stands behind it. */
export interface Entry {
  key: string;
  /** From the top, with dots: `discovery.boost_active_status`. */
  path: string;
  line: number;
  value: YamlTree;
}

type Readers = Readonly<Record<string, (entry: Entry) => unknown>>;

const MAX_TEXT = 4_096;
const MAX_TEXTS = 1_000;
const MAX_PROBLEMS = 100;

/** Reads values of a configuration file; each reader answers undefined for what it refuses, and tells why. */
export class ConfigReading {
  private readonly problems: ConfigProblem[] = [];

  constructor(faults: readonly { line: number; message: string }[]) {
    for (const { line, message } of faults) this.error(line, message);
  }

  error(line: number, message: string): void {
    this.add({ line, severity: 'error', message });
  }

  /** In the order of the file. */
  sorted(): ConfigProblem[] {
    return [...this.problems].sort((a, b) => a.line - b.line);
  }

  /** Whether something was wrong with one of an entry's own keys. */
  hasProblemIn({ line, value }: Entry): boolean {
    const lines = value.kind === 'mapping' ? value.entries.map((each) => each.line) : [];
    return this.problems.some((problem) => problem.line === line || lines.includes(problem.line));
  }

  /** Hands each entry to its reader, and tells of those that nobody knows. */
  each(entries: readonly Entry[], path: string, readers: Readers): void {
    for (const entry of entries) {
      const reader = Object.hasOwn(readers, entry.key) ? readers[entry.key] : undefined;
      if (reader) reader(entry);
      else {
        const where = path === '' ? 'the file' : path;
        const keys = Object.keys(readers).join(', ');
        const message = `The key "${shortened(entry.key)}" means nothing in ${where}. Its keys are: ${keys}.`;
        this.add({ line: entry.line, severity: 'warning', message });
      }
    }
  }

  /** Its entries; none when it is something else. */
  mapping(value: YamlTree, path: string): Entry[] {
    if (value.kind !== 'mapping') {
      // `knowledge_base:` with nothing behind it says nothing.
      if (value.kind === 'list' || value.text !== '')
        this.error(value.line, `In ${path} stand keys, one a line: KEY: value.`);
      return [];
    }
    const prefix = path === 'the file' ? '' : `${path}.`;
    return value.entries.map(({ key, line, value: inner }) => ({ key, line, value: inner, path: prefix + key }));
  }

  text({ value, line, path }: Entry): string | undefined {
    if (
      value.kind === 'text' &&
      value.text.trim() !== '' &&
      value.text.length <= MAX_TEXT &&
      !value.text.includes('\0')
    ) {
      return value.text.trim();
    }
    this.error(line, `${path} is a text of at most ${MAX_TEXT} characters.`);
    return undefined;
  }

  /** A list of texts, or one text. */
  texts(entry: Entry, { mayBeEmpty = false } = {}): string[] | undefined {
    const { value, line, path } = entry;
    if (value.kind !== 'list') {
      const text = this.text(entry);
      return text === undefined ? undefined : [text];
    }
    const texts = value.items.flatMap((item) => (item.kind === 'text' && item.text !== '' ? [item.text] : []));
    const isGood = texts.length === value.items.length && texts.length <= MAX_TEXTS && (mayBeEmpty || texts.length > 0);
    if (isGood) return texts;
    this.error(line, `${path} is a list of ${mayBeEmpty ? '' : 'one or more '}texts.`);
    return undefined;
  }

  number(entry: Entry, least: number, most: number, isWhole = false): number | undefined {
    const { value, line, path } = entry;
    const text = value.kind === 'text' ? value.text.trim() : '';
    const number = /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most && (!isWhole || Number.isInteger(number))) return number;
    const kind = isWhole ? 'a whole number' : 'a number';
    this.error(line, `${path} is ${kind} from ${least} to ${most}, not ${shown(value)}.`);
    return undefined;
  }

  choice<Choice extends string>(entry: Entry, choices: readonly Choice[]): Choice | undefined {
    const { value, line, path } = entry;
    const found =
      value.kind === 'text' ? choices.find((choice) => choice === value.text.trim().toLowerCase()) : undefined;
    if (found === undefined) this.error(line, `${path} is ${choices.join(' or ')}, not ${shown(value)}.`);
    return found;
  }

  private add(problem: ConfigProblem): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }
}

function shown(value: YamlTree): string {
  return value.kind === 'text' ? `"${shortened(value.text)}"` : `a ${value.kind}`;
}

export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
