import { quoted } from './write-yaml';

/** Begins with a letter, and has nothing in it that YAML, of version 1.1 or 1.2, gives a meaning. */
const PLAIN =
  /^[\p{L}\p{N}][^\p{C}\p{Z}:#,[\]{}"'&*!|>%@`]*(?:(?: |:(?=[^\s\p{Z}]))[^\p{C}\p{Z}:#,[\]{}"'&*!|>%@`]+)*$/u;
/** What YAML reads as something else than text, in any version of it. */
const TYPED = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf|[\d.][\dA-Fa-fxXoOtTzZ_.,:+ -]*)$/i;
/** Times, and versions of three numbers, are written as everybody writes them. */
const TIME_OR_VERSION = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\d+\.\d+\.\d+)$/;

/**
 * A text as a YAML scalar on one line, which every library reads as that text (a time some read as that time): as it
 * stands where that is safe, else in quotes.
 */
export function writeForeignScalar(text: string): string {
  if (TIME_OR_VERSION.test(text)) return text;
  // A comma alone is harmless outside of a list.
  return PLAIN.test(text.replaceAll(',', '-')) && !TYPED.test(text) ? text : quoted(text);
}

/** `[email, "a, b"]` */
export function writeFlowList(items: readonly string[]): string {
  return `[${items.map(writeFlowItem).join(', ')}]`;
}

export function writeFlowItem(text: string): string {
  return PLAIN.test(text) && !TYPED.test(text) ? text : quoted(text);
}
