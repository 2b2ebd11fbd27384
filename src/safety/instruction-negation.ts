/** Whether what would instruct an agent is forbidden by words before it: `Never delete files without asking the user.` */

/**
 * What a passage is, and so what a word like "never" has to reach: a `verb` that it stands at, the `manner` in which
 * something is done (`without asking the user`), or a `command` that is run.
 */
export type Forbidden = 'verb' | 'manner' | 'command';

/** Less than what a search sees before a piece of a long text. */
const SEEN = 240;

const FROM = String.raw`(?<![\p{L}\p{N}_])`;
const TO = String.raw`(?![\p{L}\p{N}_])`;
const word = (form: string, flags = 'iu') => new RegExp(`${FROM}(?:${form})${TO}`, flags);

/**
 * Where a clause ends: also at an item, a heading, a line that begins with a capital letter, and behind a line that is
 * too short to be one of a paragraph, unless the next one goes on with it.
 */
const CLAUSE_END =
  /(?<!\b(?:e\.g|i\.e|etc|z\.B))[.!?;:…]["'”’)\]*_`]{0,3}(?=\s)|\s[–—-]\s|[()]|(?:\r\n|\r(?!\n)|\n)[ \t]*(?=[\r\n]|[-*+>#|]|\d{1,9}[.)]|\p{Lu})|(?<![^\r\n]{50}|[Nn]ever|[Nn]ot)(?:\r\n|\r(?!\n)|\n)[ \t]*(?!(?:or|nor|in|on|of|to|from|with|without|the|an?|any|ou|ni|sans)\b)/u;
const ASIDE = /,?\s*(?<!\p{L})(?:under any circumstances?|in any case|at all|ever)(?!\p{L})\s*,?/giu;
const IN_BRACKETS = /\([^()\r\n]{0,80}\)/g;

/** Whom a rule speaks to, or of. */
const WHO =
  '(?:agents?|assistants?|bots?|models?|ai|llms?|tools?|scripts?|jobs?|workflows?|pipelines?|hooks?|commands?|developers?|contributors?|people|humans?|users?|reviewers?|maintainers?|claude|copilot|cursor|codex|kaizen)';
const ALLOWED = String.raw`(?:allowed|permitted|authori[sz]ed)\s+to`;
/** The words that forbid, and nothing that only says how things are, such as `is not` and `would not`. */
const NO = word(
  String.raw`(?<never>never|under\s+no\s+circumstances|niemals|nie)|(?<modal>(?:do|does|must|may|should|shall|can)\s+not|cannot|(?:do|does|must|should|ca)n['’]t|(?:(?:am|is|are)\s+not|(?:is|are)n['’]t)\s+${ALLOWED})|(?<avoid>avoid|refrain\s+from|évite[rz]?)|(?<nobody>(?:nobody|no\s+one|no\s+${WHO})\s+(?:may|must|can|shall|should|is\s+${ALLOWED}))|(?<careful>(?<=(?:careful|sure|care)\s+)not\s+to)|(?<french>(?:ne\s+|n['’])(?!est|a\s)(?:\p{L}{1,3}['’\s]\s*)?\p{L}{1,20}\s+(?:pas|plus|rien|jamais|aucune?)|ne\s+(?:pas|jamais|rien))`,
  'giu',
);

/** What may stand before a rule. */
const OPENING = String.raw`[^\p{L}\p{N}]*(?:(?:please|also|always|just|however|therefore|important|bitte|veuillez|(?:note|remember|ensure|(?:make|be)\s+sure|be\s+aware|keep\s+in\s+mind)(?:\s+that)?)(?!\p{L})[^\p{L}\p{N}]*){0,4}`;
const OPENED = new RegExp(`^${OPENING}`, 'iu');
const DETERMINER = '(?:the|an?|any|every|each|our|your|my|its|their|this|these|those|other)';
const MODAL = String.raw`(?:\s+(?:must|should|may|shall|can|will|do|are\s+to|is\s+to))?(?:\s+(?:also|therefore|\p{L}{1,20}ly))?\s*`;
/** Somebody who acts. */
const PERSON = new RegExp(
  String.raw`^(?:you|we|they|i|he|she|everyone|everybody|one|tu|vous|nous|on|il|du|wir|(?:(?:${DETERMINER}|all|coding|ai)\s+){0,3}${WHO})${MODAL}$`,
  'iu',
);
/** Whom a question is about: `Should not the agent …?` */
const ASKED = new RegExp(String.raw`^\s+(?:${DETERMINER}|${WHO}|you|we|they|it)${TO}`, 'iu');
/** Anything else that acts: one word, lest `Delete files agents must not keep` has one. */
const THING = new RegExp(String.raw`^(?:${DETERMINER}\s+)?[\p{L}\p{N}_./\x60-]{1,40}$`, 'iu');
const POINTING = word('it|this|that|these|those|there|what|whatever|all|everything|anything|nothing');
/** What something is done to: `user data`, `the data of users`. */
const TOPIC = new RegExp(
  String.raw`^(?:${DETERMINER}\s+[\p{L}\p{N}_./\x60-]{1,40}\s+)?(?:[\p{L}\p{N}_./\x60-]{1,40}\s+)?[\p{L}\p{N}_./\x60-]{1,40}$`,
  'iu',
);
const IS = /^(?<what>.+?)\s+(?:is|are)$/iu;
/** Behind it another clause begins, of which all before says nothing. */
const AND = word('and|but|et|mais|und|aber', 'giu');

/** `If you do not …` forbids nothing, `Why not …` asks for it, and `what you must not keep` is what it is done to. */
const DEPENDENT = word(
  'if|when|whenever|unless|because|since|why|where|wherever|while|as\\s+long|that|which|what|whatever|whichever|who|whom|whose|whoever|wenn|falls|weil|warum|was|si|quand|parce|pourquoi|qui|que|dont',
);
/** A verb or a subject of its own, or another no: the rule ended before it. */
const ANEW = word(
  String.raw`not|never|no|nothing|without|sans|\p{L}{1,10}n['’]t|cannot|you|we|they|i|is|are|was|were|gets?|will|would|must|should|shall|may|can|could|tu|vous|est|sont|doit|nicht`,
);
/** Not to do it is to go on, but for what is done to something: `Never stop the server without …`. */
const ASKING = String.raw`(?:wait|stop|pause|interrupt|delay|disturb|annoy|waste|ask|confirm|prompt|request|answer|reply|respond)(?=\s+(?:to|and|for|at|or|before|about|whether|first|time|it|me|you|them|anyone|anybody|the\s+(?:user|human|person))(?!\p{L}))|(?:tell|show)(?=\s+(?:(?:the\s+)?(?:user|human|person)|anyone|anybody|us|me|them)(?!\p{L}))|check\s+with|consult|notify|inform|report|warn|alert|approval|permission|consent|confirmation|review|before|(?:stop|delays?|postpone|defer|quit|halt)\s+\p{L}{1,20}ing`;
/** What turns a no into its opposite, or into a word against asking: `Do not hesitate to …`, `Never wait, and …`. */
const TURNED = word(
  String.raw`hesitat\p{L}{1,4}|cease|tire|shrink|flinch|neglect|omit|tarry|dawdle|dally|linger|idle|dither|procrastinate|falter|hold\s+back|back\s+off|slow\s+down|give\s+up|(?:lose|waste)\s+time|worry|bother|fail|forget|refuse|decline|resist|avoid|refrain|afraid|fear|shy|mind|minds|need|needs|needed|have\s+to|necessary|optional|required|expected|lost|hurts?|harms?|matters?|regret|complain|cares?\s+(?:about|if|to|for)|(?:like|likes|want|wants|wish)\s+(?:to|it|this|them)|notice|know|hinder|block\s+you|keep\s+(?:you|from)|forbidden|prohibited|disallowed|illegal|wrong|problem|prevents?|${ASKING}|(?<!-)only|merely|solely|but|then|instead|so(?!\s*$)|because|otherwise|until|unless|except|other\s+than|therefore|please|hésite[rz]?|attend(?:s|ez|re)|crain[st]|inquiète[zr]?|gêne[zr]?|tarde[zr]?|manque[zr]?|oublie[rz]?|dérange[rz]?|arrête[rz]?|mais|alors|sauf|zögere?n?|vergiss|vergessen|warte[nt]?|sondern|aber`,
);

const PREPOSITION = '(?:in|on|of|from|at|with|into|for|to)';
/** What goes on with things and not with another verb: `files and branches`, `files and the index`. */
const NOUNS = String.raw`\s+(?:(?:${DETERMINER}|all|les?|des|la)${TO}|l['’]|\p{L}{1,30}(?<!s)s(?=\s*$|\s+${PREPOSITION}${TO}))`;
const NEW_VERB = new RegExp(`(?:${FROM}(?:and|plus|und|et|puis)${TO}|\\s[&+]\\s)(?!${NOUNS})`, 'iu');
/** Of what is avoided another thing ends with -ing, and a verb does not. */
const OR_VERB = new RegExp(String.raw`${FROM}(?:and|plus|or|nor|ou|et)${TO}(?!${NOUNS}|\s+\p{L}{1,20}ing${TO})`, 'iu');

const OR = '(?:or|nor|ou|ni|oder)';
/** Either without a comma, or a list of single words that ends with `or`. */
const LISTED = new RegExp(
  String.raw`^[^,]*(?:,\s*(?:${DETERMINER}\s+)?[\p{L}\p{N}_./-]{1,40}\s*)*(?:,?\s*${FROM}${OR}${TO}[^,]*)$|^[^,]*$`,
  'iu',
);
const PARTICIPLE = String.raw`(?:\p{L}{2,30}(?:ed|wn|en|un)|done|made|sent|put|set|reset|cut|built|rebuilt|run|shut|read|left|split|\p{L}{2,30}ée?s?)`;
const PLACE = String.raw`(?:\s+(?:in|on|of|from|at|by|into|to(?=\s+(?:${DETERMINER}|main|master|trunk|prod\w*|staging|origin|upstream|npm|git\w*|disk)${TO}))(?:\s+[\p{L}\p{N}_./-]{1,40}){1,3})?`;
/** `be deleted`, also from somewhere; not `be wrong to …`. */
const PASSIVE = new RegExp(
  String.raw`^\s+be\s+(?:\p{L}{1,20}ly\s+)?${PARTICIPLE}(?:\s+${OR}\s+(?:be\s+)?${PARTICIPLE})?${PLACE}\s*$`,
  'iu',
);
/** Of what was done: `never used`. */
const DONE = /^\s+(?:been|to|(?!(?:ne|fe|embe|se|spe|she|bree|procee|excee)d)\p{L}{2,30}ed)(?!\p{L})/iu;
/** All of a clause that says that nothing is done: `Nothing is deleted`, `No pushes to main`. */
const NOTHING = new RegExp(
  String.raw`^${OPENING}(?:(?:nothing|none|no\s+(?:\p{L}{1,30}\s+)?\p{L}{1,30})\s+(?:is|are|gets?|(?:may|must|can|shall|should)\s+be)(?:\s+ever)?\s+${PARTICIPLE}${PLACE}|(?:rien|aucune?\s+\p{L}{1,30})\s+(?:n['’]est|ne\s+(?:sera|doit\s+être|peut\s+être))\s+${PARTICIPLE}|no\s+(?:\p{L}{1,30}\s+)?\p{L}{1,30}(?:ing|(?<!s)s)${PLACE})\s*$`,
  'iu',
);

const ADVERBS = String.raw`(?:[ \t]+(?:ever|even|just|auto-?|\p{L}{1,20}ly))*`;
const OTHERS = String.raw`(?:[ \t]+[\p{L}'’-]{1,20})`;
const WHOM = `(?:${WHO}|any(?:one|body)|some(?:one|body)|it|them|us|you|yourself|others|text|documents?|files?|pages?)`;
/** What may stand between a no and the verb that it holds for, all of it on a line. */
const AT_VERB = new RegExp(
  String.raw`^(?:[ \t]+(?:let|allow|have|make)(?:[ \t]+(?:${DETERMINER}|all))?${OTHERS}?[ \t]+${WHOM}(?:[ \t]+to)?|[ \t]+let${OTHERS}{1,6}[ \t]+(?:make|get)[ \t]+${WHOM}(?:[ \t]+to)?|[ \t]+(?:try|attempt|seek|offer|agree|begin|start|propose|dare|choose|decide|(?:tell|instruct|allow|permit|enable|force|trick|train)${OTHERS}{1,3})[ \t]+to|[ \t]+(?:follow|obey|heed|accept|honou?r|execute|comply[ \t]+with|act[ \t]+on)${OTHERS}{0,4}[ \t]+(?:requests?|instructions?|prompts?|commands?|orders?|attempts?|demands?|suggestions?)${OTHERS}{0,3}[ \t]+to|(?<list>[^\r\n]*${FROM}${OR}))?${ADVERBS}(?:[ \t]+|(?<of>[ \t]+(?:d['’]|de[ \t]+|à[ \t]+))|(?<=-))$`,
  'iu',
);
const TRYING = /essa[iy]|tent|cherch|accept|propos|permet|autoris/iu;
/** Words between a no and the command that is not to be run. */
const BEFORE_COMMAND = 6;

/**
 * Whether words before a passage forbid it, as an imperative does. In doubt they do not: what is flagged costs a look.
 * @param at where the passage begins
 */
export function isForbidden(text: string, at: number, forbidden: Forbidden): boolean {
  const clauses = text
    .slice(Math.max(0, at - SEEN), at)
    .replace(IN_BRACKETS, ' ')
    .split(CLAUSE_END);
  // Where it begins before what is seen, nobody knows how it begins.
  if (clauses.length === 1 && at > SEEN) return false;
  const clause = clauses.at(-1)!.replace(ASIDE, ' ');
  if (forbidden === 'manner' && NOTHING.test(clause) && !TURNED.test(clause)) return true;
  return Array.from(clause.matchAll(NO)).some((no) => {
    const before = clause.slice(0, no.index);
    const between = clause.slice(no.index + no[0].length);
    const kinds = no.groups!;
    if ((kinds.french && TURNED.test(no[0])) || TURNED.test(between) || !isImperative(before, between, kinds))
      return false;
    if (forbidden === 'verb') return !kinds.avoid && reachesVerb(between, no[0]);
    if (forbidden === 'command' && between.trim().split(/\s+/).length > BEFORE_COMMAND) return false;
    return reaches(before.includes(',') ? between : between.replace(/,\s*$/, ''), kinds);
  });
}

type Kinds = Readonly<Record<string, string | undefined>>;

/** Whether a no begins its clause, or stands behind whom it speaks of. */
function isImperative(before: string, between: string, { never, modal, careful }: Kinds): boolean {
  const lead = before.split(',').at(-1)!.replace(OPENED, '');
  if (DEPENDENT.test(lead)) return false;
  const subject = lead.split(AND).at(-1)!.replace(OPENED, '').trim();
  const what = never && IS.exec(subject)?.groups?.what;
  if (what) return TOPIC.test(what) && PASSIVE.test(` be${between}`);
  if (never && DONE.test(between)) return false;
  if (careful) return /^(?:(?:be\s+)?careful|(?:take\s+)?care)?$/i.test(subject);
  if (subject === '') return !ASKED.test(between);
  if (PERSON.test(subject)) return true;
  if (!modal) return false;
  return PASSIVE.test(between) ? TOPIC.test(subject) : THING.test(subject) && !POINTING.test(subject);
}

/** It stands at the verb, or before words that join it to the verb. */
function reachesVerb(between: string, no: string): boolean {
  if (between.trim() === '') return true;
  const joined = AT_VERB.exec(between)?.groups;
  if (!joined) return false;
  if (joined.of && !TRYING.test(no)) return false;
  return joined.list === undefined || reaches(joined.list, {});
}

/** Nothing between a no and what it holds for begins another clause; `do that` is one. */
function reaches(between: string, { avoid }: Kinds): boolean {
  const own = between.replace(/(?<!\p{L})that\s*$/iu, '');
  if (DEPENDENT.test(own) || ANEW.test(own) || (avoid ? OR_VERB : NEW_VERB).test(own)) return false;
  return LISTED.test(own) && (!/^\s+be(?!\p{L})/iu.test(own) || PASSIVE.test(own));
}
