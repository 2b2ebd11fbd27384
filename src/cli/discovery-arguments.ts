import { type Arguments, UsageError } from './command';

/** One of a few words, or undefined when the option was not given. Throws UsageError, naming them. */
export function chosen<Word extends string>(args: Arguments, option: string, words: readonly Word[]): Word | undefined {
  const text = args.string(option);
  if (text === undefined) return undefined;
  const word = words.find((each) => each === text);
  if (word === undefined) throw new UsageError(`--${option} takes ${words.join(', ')}, not "${text}".`);
  return word;
}

/** A number from 1 to `max`, or undefined when the option was not given. Throws UsageError. */
export function limitOf(args: Arguments, option: string, max: number): number | undefined {
  const text = args.string(option);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number < 1 || number > max) {
    throw new UsageError(`--${option} needs a number from 1 to ${max}, not "${text}".`);
  }
  return number;
}
