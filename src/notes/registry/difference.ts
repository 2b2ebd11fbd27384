import { createTwoFilesPatch } from 'diff';

/** Nobody reads more of it, and no answer should carry more. */
const MAX_CHARACTERS = 20_000;
/**
 * Lines that differ. Texts that have little in common take long to compare, with the square of this number, and hardly
 * more would be shown. A limit in time would answer otherwise on a machine that is busy.
 */
const MAX_EDITS = 1_000;
const CONTEXT_LINES = 3;

/** What there is to know about a text of either side. */
export interface Side {
  name: string;
  text: string;
}

/** A unified difference without regard to line ends; empty where there is none. */
export function difference(from: Side, to: Side): string {
  const [before, after] = [from, to].map(({ text }) => text.replace(/\r\n?/g, '\n')) as [string, string];
  if (before === after) return '';
  const patch = createTwoFilesPatch(from.name, to.name, before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    // Against nothing there is only one way.
    ...(before === '' || after === '' ? {} : { maxEditLength: MAX_EDITS }),
  });
  if (patch === undefined)
    return `--- ${from.name}\n+++ ${to.name}\n(These two have too little in common to be compared.)\n`;
  const lines = patch.replace(/^=+\n/, '');
  return lines.length <= MAX_CHARACTERS ? lines : `${lines.slice(0, lines.lastIndexOf('\n', MAX_CHARACTERS))}\n…\n`;
}
