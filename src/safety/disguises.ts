/** Letters of other scripts that look like the Latin one behind each; each is one code unit, as that is. */
const PAIRS = [
  'аa вb еe һh іi јj кk мm нh оo рp сc тt уy хx ѕs ԁd ԛq ԝw ӏl АA ВB ЕE НH ІI ЈJ КK МM ОO РP СC ТT УY ХX ЅS',
  'αa εe ιi κk νv οo ρp τt υu χx γy ωw ΑA ΒB ΕE ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ΖZ',
  'ɡg ոn սu օo',
];
const LOOK_ALIKES = new Map(
  PAIRS.flatMap((pairs) => pairs.split(' ').map(([other, latin]) => [other!, latin!] as const)),
);
const LETTERS = `${[...LOOK_ALIKES.keys()].join('')}\uFF21-\uFF3A\uFF41-\uFF5A`;
const LOOKS_ALIKE = new RegExp(`[${LETTERS}]`, 'g');
/** No language mixes them with Latin ones in a word, and none is written in full width throughout. */
const MIXED = new RegExp(`[a-z][${LETTERS}]|[${LETTERS}][a-z]|[\uFF21-\uFF3A\uFF41-\uFF5A]{3}`, 'i');

/**
 * The text with Latin letters for those that look like them, where some stand in one word with Latin ones; of the same
 * length, so that places are the same.
 */
export function withLatinLetters(text: string): string {
  if (!MIXED.test(text)) return text;
  return text.replace(LOOKS_ALIKE, (letter) => {
    return LOOK_ALIKES.get(letter) ?? String.fromCharCode(letter.charCodeAt(0) - 0xfee0);
  });
}

/** Letters with blanks, dots or the like between them, ten at least; of very many, two hundred at once. */
const SPACED = /(?<![\p{L}\p{N}])\p{L}(?:[^\p{L}\p{N}\r\n]{1,3}\p{L}(?![\p{L}\p{N}])){9,199}/gu;
/** What they say to an agent, read together. */
const SAID =
  /(?:ignore|disregard|forget|override|bypass)(?:all|any|the|of|your|my|these|those|previous|prior|above|earlier|preceding|system|existing|safety){0,6}(?:instruction|prompt|directive|guideline|guardrail|rules)|ignoriere(?:alle|die|deine|vorherigen|bisherigen){0,4}(?:anweisung|instruktion|vorgaben)|(?:donot|dont|never)tell(?:this(?:to)?)?(?:the)?(?:user|human)|youarenow(?:an?|the|in|free|dan)|systemprompt/i;

/** Where letters stand one by one that say something of the kind when they are read together: `i g n o r e  a l l …`. */
export function spacedLetters(text: string): { start: number; end: number }[] {
  return Array.from(text.matchAll(SPACED))
    .filter(([run]) => SAID.test(run.replace(/[^\p{L}\p{N}]+/gu, '')))
    .map(({ 0: run, index }) => ({ start: index, end: index + run.length }));
}
