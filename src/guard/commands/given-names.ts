import { MAX_PATH_LENGTH } from './written-paths';

/** Names that programs are given through pipes, and the words in which one of them stands. */
const MAX_GIVEN = 1_000;
const MAX_PLACES = 10;

/** Names that programs are given by what they read: `echo 'a b' | xargs rm`. Only so many of a line are read. */
export class GivenNames {
  private left = MAX_GIVEN;

  get isUsedUp(): boolean {
    return this.left <= 0;
  }

  /** Each word of the text, and each line. */
  in(text: string, separator = '\n'): string[] {
    const lines = text
      .slice(0, MAX_PATH_LENGTH * MAX_PLACES)
      .split('\n')
      .filter((line) => line !== '');
    const words = lines
      .flatMap((line) => [line.trim(), ...line.split(/\s+/), ...line.split(separator)])
      .map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
    const names = [...new Set(words)].filter((name) => name !== '' && name.length <= MAX_PATH_LENGTH);
    const found = names.slice(0, this.left);
    this.left -= found.length;
    return found;
  }

  /** The names as words of the program, in place of `{}` where that stands: `… | xargs -I{} rm db/{}`. */
  words(text: string, args: readonly string[], separator: string | undefined): string[] {
    const places = args.filter((word) => word.includes('{}') && word.length <= MAX_PATH_LENGTH).slice(0, MAX_PLACES);
    return this.in(text, separator).flatMap((name) =>
      places.length === 0 ? [name] : places.map((place) => place.replaceAll('{}', () => name)),
    );
  }
}
