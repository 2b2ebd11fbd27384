/** Longer beginnings are no options, but what stands behind `=` may be as long as it likes. */
const LONG = /^--([a-z][a-z-]{0,40})(?:=(.*))?$/s;

/**
 * An option that may be written short, as GNU's programs read it (getopt_long): `--sou=x` for `--source=x`. Undefined for what
 * is none of them; of those that begin alike the last one, unless one is written out.
 */
export function longOption(
  word: string,
  names: readonly string[],
): { name: string; value: string | undefined } | undefined {
  const [, written, value] = LONG.exec(word) ?? [];
  if (written === undefined) return undefined;
  const name = names.includes(written) ? written : names.findLast((each) => each.startsWith(written));
  return name === undefined ? undefined : { name, value };
}
