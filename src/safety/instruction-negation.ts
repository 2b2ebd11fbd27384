/** Whether what would instruct an agent is forbidden by words before it: `Never delete files without asking the user.` */

/**
 * What a word like "never" has to say no to: the verb that a passage begins with, or all that its clause says before it,
 * where the passage is how something is done (`without asking the user`).
 */
export type Forbidden = 'verb' | 'clause';

/** Less than what a search sees before a piece of a long text. */
const SEEN = 240;

const FROM = String.raw`(?<![\p{L}\p{N}_])`;
const TO = String.raw`(?![\p{L}\p{N}_])`;
const word = (form: string, flags = 'iu') => new RegExp(`${FROM}(?:${form})${TO}`, flags);

/** Where a clause ends: also at an item, a heading, and a line that begins with a capital letter. */
const CLAUSE_END =
  /(?<!\b(?:e\.g|i\.e|etc|z\.B))[.!?;:…]["'”’)\]*_`]{0,3}(?=\s)|\s[–—-]\s|(?:\r\n|\r(?!\n)|\n)[ \t]*(?=[\r\n]|[-*+>#|]|\d{1,9}[.)]|\p{Lu})/u;
const NO = word(
  String.raw`never|not|\p{L}{1,10}n['’]t|cannot|avoid|refrain\s+from|nor|nie|niemals|nicht|jamais|(?:ne\s+|n['’])(?:\p{L}{1,3}['’\s]\s*)?\p{L}{1,20}\s+(?:pas|plus|rien|jamais|aucune?)|ne\s+pas|évite[rz]?|interdit`,
  'giu',
);
/** What says that nothing is done, and so of how it is done as well. */
const NOTHING = word(
  String.raw`nothing|nobody|no\s+one|none|neither|no(?!\s+(?:need|problem|matter|worries|reason|longer|questions?)(?!\p{L}))\s+\p{L}+|rien|aucune?`,
  'giu',
);
/** `If you do not …` forbids nothing, and `Why not …` asks for it. */
const CONDITION = word(
  'if|when|whenever|unless|because|since|why|where|while|wenn|falls|weil|warum|si|quand|parce|pourquoi',
);
/** Not to do it is to go on, but for what is done to something: `Never stop the server without …`. */
const ASKING = String.raw`(?:wait|stop|pause|interrupt|delay|disturb|annoy|waste|ask|confirm|prompt|request)(?=\s+(?:to|and|for|at|or|time|it|me|them|anyone|anybody|the\s+(?:user|human|person))(?!\p{L}))`;
/** What turns a no into its opposite, or into a word against asking: `Do not hesitate to …`, `Never wait, and …`. */
const TURNED = word(
  String.raw`hesitate|worry|bother|fail|forget|refuse|decline|resist|afraid|shy|mind|need|have\s+to|necessary|required|forbidden|prohibited|disallowed|illegal|wrong|problem|prevents?|${ASKING}|(?<!-)only|but|then|instead|so(?!\s*$)|because|otherwise|until|unless|except|other\s+than|therefore|please|hésite[rz]?|attend(?:s|ez|re)|crain[st]|oublie[rz]?|dérange[rz]?|arrête[rz]?|mais|alors|sauf|zögere?n?|vergiss|vergessen|warte[nt]?|sondern|aber`,
);
const ASIDE = /,?\s*(?<!\p{L})(?:under any circumstances?|in any case|at all|ever)(?!\p{L})\s*,?/giu;
/** What may stand between a no and the verb that it holds for, all of it on a line. */
const JOINED =
  /^(?:.*(?<!\p{L})(?:to|or|nor|de|ou|oder)|[ \t]+(?:let|allow|have|make)(?:[ \t]+\p{L}+){1,4})?(?:[ \t]+(?:ever|just|auto-?|\p{L}{1,20}ly))*(?:[ \t]+|[ \t]d['’]|(?<=-))$/iu;
const OR = word('or|nor|ou|oder|ni');

/** @param at where the passage begins */
export function isForbidden(text: string, at: number, forbidden: Forbidden): boolean {
  const clause = text
    .slice(Math.max(0, at - SEEN), at)
    .split(CLAUSE_END)
    .at(-1)!;
  const said = [...clause.matchAll(NO), ...(forbidden === 'clause' ? clause.matchAll(NOTHING) : [])];
  return said.some(({ 0: no, index }) => {
    const lead = clause.slice(0, index).split(',').at(-1)!;
    if (CONDITION.test(lead)) return false;
    const between = clause.slice(index + no.length).replace(ASIDE, ' ');
    if (TURNED.test(no) || TURNED.test(between)) return false;
    return forbidden === 'verb' ? reachesVerb(between) : reaches(between.replace(/,\s*$/, ''));
  });
}

/** It stands at the verb, or before words that join it to the verb. */
function reachesVerb(between: string): boolean {
  return between.trim() === '' || (JOINED.test(between) && reaches(between));
}

/** A comma ends what it holds for, but in a list that ends with `or`. */
function reaches(between: string): boolean {
  const comma = between.lastIndexOf(',');
  return comma === -1 || OR.test(between.slice(comma));
}
