import { UNKNOWN } from './commands';
import { markedAsDefault, variableOf } from './default-marks';
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
  const [, held, others = ''] = VARIABLES.exec(value ?? '') ?? [];
  // Of what a command prints nobody knows more than that it is one of the values.
  const isOutput = value?.startsWith(UNKNOWN) === true;
  const variable = held === undefined ? undefined : isOutput ? name : variableOf(held);
  // Another variable may be empty, and so this one: `DIR=$1`.
  const isSure = value !== undefined && variable === undefined;
  if (sign === '+') {
    // `rm ${FORCE:+-f} a.sql`: an option, or nothing.
    if ((isSure || text.startsWith('-')) && (isWhole || !/\s/.test(text))) return text;
    // What the variable holds is not meant, whatever sets it.
    const condition = `__if_${name}`;
    return variables.mayHold(condition, text) ? markedAsDefault(condition) : unknown;
  }
  const isKept = !isSure && sign !== '?' && variables.mayHold(variable ?? name, text);
  if (!isKept || ALWAYS_SET.test(variable ?? name)) return value ?? unknown;
  return `${markedAsDefault(variable ?? name)}${isOutput ? '' : others}`;
}
