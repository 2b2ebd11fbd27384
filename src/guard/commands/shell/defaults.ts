import { markedAsDefault } from './default-marks';
import type { Expansion } from './expansions';
import type { Variables } from './variables';

/** A value that is variables alone, which are not known. */
const VARIABLES = /^\$\{?(\w+)\}?((?:\$\{?\w+\}?)*)$/;

/** They hold something everywhere, and where they lead is known. */
const ALWAYS_SET = /^(?:HOME|PWD)$/;

/**
 * What `${F:-a}` is in its word; `text` is what stands behind the sign, and `isWhole` says whether that stays one word. What
 * the variable holds for certain counts alone; else the text is what is meant.
 */
export function defaulted(
  { name, sign }: Extract<Expansion, { kind: 'default' }>,
  { text, isWhole }: { text: string; isWhole: boolean },
  variables: Variables,
): string {
  const unknown = `\${${name}}`;
  const value = variables.value(name);
  const [, variable, others = ''] = VARIABLES.exec(value ?? '') ?? [];
  // Another variable may be empty, and so this one: `DIR=$1`.
  const isSure = value !== undefined && variable === undefined;
  if (sign === '+') {
    // `rm ${FORCE:+-f} a.sql`: an option, or nothing.
    if ((isSure || text.startsWith('-')) && (isWhole || !/\s/.test(text))) return text;
    return variables.mayHold(name, text) ? markedAsDefault(name) : unknown;
  }
  const isKept = !isSure && sign !== '?' && variables.mayHold(variable ?? name, text);
  if (!isKept || ALWAYS_SET.test(variable ?? name)) return value ?? unknown;
  return `${markedAsDefault(variable ?? name)}${others}`;
}
