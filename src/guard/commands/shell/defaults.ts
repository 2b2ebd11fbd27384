import type { Expansion } from './expansions';
import type { Variables } from './variables';

/** A value that is variables alone, which are not known. */
const VARIABLES = /^\$\{?(\w+)\}?(?:\$\{?\w+\}?)*$/;

/**
 * What `${F:-a}` is in its word; `text` is what stands behind the sign. What the variable holds for certain counts alone;
 * else it is anything, and the text among that.
 */
export function defaulted(
  { name, sign }: Extract<Expansion, { kind: 'default' }>,
  text: string,
  variables: Variables,
): string {
  const unknown = `\${${name}}`;
  const value = variables.value(name);
  // Another variable may be empty, and so this one: `DIR=$1`.
  const isSure = value !== undefined && !VARIABLES.test(value);
  // `rm ${FORCE:+-f} a.sql`: an option, or nothing.
  if (sign === '+' && (isSure || text.startsWith('-'))) return text;
  if (sign === '+') {
    variables.mayHold(name, text);
    return unknown;
  }
  if (!isSure && sign !== '?') variables.mayHold(VARIABLES.exec(value ?? '')?.[1] ?? name, text);
  return value ?? unknown;
}
