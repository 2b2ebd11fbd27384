import { LIMITS } from './limits';

/** The first heading of a text, without its signs; of the given depths. Reads each line once, whatever it holds. */
export function headingOf(text: string, most = 6): string | undefined {
  for (const [, signs, line] of text.matchAll(/^(#{1,6})[ \t](.*)$/gm)) {
    const heading = line!
      .slice(0, LIMITS.title * 2)
      .trim()
      .replace(/(?<!#)#{1,9}$/, '')
      .trim();
    if (signs!.length <= most && heading !== '') return heading;
  }
  return undefined;
}
