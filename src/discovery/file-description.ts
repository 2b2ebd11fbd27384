/** So much of a file's beginning is looked at. */
const LOOKED_AT = 16_000;
/** So much of what a file says in words is taken: what comes first says best what it is about. */
const MOST_PROSE = 500;
const MOST_NAMES = 12;
/** A name that stands once may be anything's. */
const LEAST_OFTEN = 2;
/** Without words of its own a file says what it is about in its first lines. */
const BEGINNING = 300;

const HEADING = /^ {0,3}#{1,6}\s+(.+)$/;
const COMMENT = /^\s*(?:\/\/[/!]*|\/\*+!?|\*(?!\/)|#(?![!\w[])|--(?!-)|;+|%+|<!--|"""|''')\s?(.*)$/;
const LICENCE = /copyright|licen[sc]e|spdx|all rights reserved|eslint|biome-|prettier|noqa|@ts-/i;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]{2,60}/gu;
/** Words of programming languages and of what every program has. */
const COMMON = new Set(
  `abstract and any append args array as assert async await begin bool boolean break byte case catch char class client
  const constructor continue data def default defer del delete describe do double elif else elsif end enum err error
  except export expect extends extern false final finally float fmt fn for foreach from func function get global go goto
  if impl implements import in include index init input instanceof int interface internal into is item items it key lambda
  len let list local long loop map match message mod module mut name namespace never new nil none not null number object
  of operator or options out output override package param params pass path printf private promise property protected pub
  public raise readonly record ref require response request result return row rows self set short signed sizeof src static
  std str string struct super switch template test the then this throw throws to trait true try type typedef typeof
  undefined union unknown unsafe unsigned use using utf value values var vec virtual void when where while with yield`.split(
    /\s+/,
  ),
);

/**
 * What a file is about, as a task for the search: its path, its headings or comments, and the names that it uses most.
 * The whole text would drown that in words that say nothing. Takes time in proportion to the text.
 */
export function describeFile(path: string, text: string): string {
  const beginning = text.slice(0, LOOKED_AT);
  const start = beginning.slice(0, BEGINNING).trim();
  const lines = beginning.split(/\r?\n/);
  if (/\.(?:md|mdx|mdc|markdown)$/i.test(path)) {
    const headings = lines.flatMap((line) => HEADING.exec(line)?.[1] ?? []);
    return joined([path, cut(headings.join('\n')) || start]);
  }
  const prose: string[] = [];
  const code: string[] = [];
  for (const line of lines) {
    const [, comment] = COMMENT.exec(line) ?? [];
    if (comment === undefined) code.push(line);
    else if (!LICENCE.test(comment)) prose.push(comment.replace(/\*\/\s*$|-->\s*$/, '').trim());
  }
  const names = namesIn(code);
  const words = joined([cut(prose.join('\n')), names.join(' ')]);
  return joined([path, words || start]);
}

/** Those that stand most often, first come first. */
function namesIn(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    for (const [name] of line.matchAll(NAME)) {
      if (!COMMON.has(name.toLowerCase())) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([, count]) => count >= LEAST_OFTEN)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_NAMES)
    .map(([name]) => name);
}

const cut = (text: string) => text.trim().slice(0, MOST_PROSE);

const joined = (parts: readonly string[]) => parts.filter(Boolean).join('\n');
