import { readFile } from 'node:fs/promises';
import { LEARNED_KINDS, type LearnedKind, VISIBILITIES, type Visibility } from '../../../learning';
import { type Arguments, type Option, type Options, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import { WRITING_OPTIONS } from '../../session';

export const EVERY_LEARN_COMMAND: Options = WRITING_OPTIONS;

export const TYPE_OPTION: Option = { type: 'string', value: 'TYPE', help: 'the type of project' };
export const DOMAIN_OPTION: Option = { type: 'string', value: 'DOMAIN', help: 'the domain' };
export const VISIBILITY_OPTION: Option = {
  type: 'string',
  value: 'WHO',
  help: `${VISIBILITIES.join(', ')}; personal unless told`,
};
export const FROM_OPTION: Option = { type: 'string', value: 'FILE', help: 'the whole of it, from a JSON file' };

export function visibilityOf(args: Arguments): Visibility | undefined {
  return chosen(args, 'visibility', VISIBILITIES);
}

export function kindsOf(args: Arguments): LearnedKind[] | undefined {
  const words = args.strings('kind');
  const unknown = words.find((word) => !(LEARNED_KINDS as readonly string[]).includes(word));
  if (unknown !== undefined) throw new UsageError(`--kind takes ${LEARNED_KINDS.join(', ')}, not "${unknown}".`);
  return words.length > 0 ? (words as LearnedKind[]) : undefined;
}

/** A number of 0 or more, or undefined when the option was not given. */
export function amountOf(args: Arguments, option: string): number | undefined {
  const text = args.string(option);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) throw new UsageError(`--${option} needs a number, not "${text}".`);
  return Number(text);
}

/** What the option must say; throws UsageError with `why` where it does not. */
export function neededOf(args: Arguments, option: string, why: string): string {
  const text = args.string(option);
  if (text === undefined || text.trim() === '') throw new UsageError(`--${option} is missing: ${why}.`);
  return text;
}

/** The object that the file of `--from` holds; undefined without the option. What it says is checked where it is written. */
export async function fileOf<Input extends object>(args: Arguments): Promise<Partial<Input> | undefined> {
  const file = args.string('from');
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Partial<Input>;
  } catch {
    // Said below.
  }
  throw new UsageError(`${file} holds no JSON object.`);
}

/** Without what is not said, so that it does not hide what a file says. */
export function said<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
