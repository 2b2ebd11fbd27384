import { ANALYSIS, wordsOf } from '../../search';
import { isCommon } from './common-words';
import { clausesOf, isNegated, NEGATION } from './polarity';
import { spelled, stemsOf } from './words';

export type OpposedBy = 'contradicts' | 'qualifies' | 'alternatives';

/** How a sentence stands against a claim, and by which words. */
export interface Opposition {
  kind: OpposedBy;
  rule: 'negation' | 'antonym' | 'direction' | 'no effect' | 'despite' | 'contrast' | 'condition' | 'alternative';
  words: readonly string[];
  /** 0 to 1. */
  strength: number;
}

/** Words that cannot both be so. */
const ANTONYMS = `increase/decrease increase/reduce raise/lower rise/fall grow/shrink improve/worsen improve/degrade
  fast/slow faster/slower slow/faster fast/slower quick/slow high/low higher/lower more/less more/fewer large/small larger/smaller big/small long/short
  always/never all/none everything/nothing everybody/nobody good/bad better/worse best/worst safe/unsafe safe/dangerous
  secure/insecure reliable/unreliable stable/unstable simple/complex simpler/complexer easy/hard easy/difficult easier/harder
  cheap/expensive cheaper/dearer possible/impossible necessary/unnecessary necessary/optional required/optional
  sufficient/insufficient enough/insufficient correct/incorrect correct/wrong right/wrong true/false valid/invalid
  accept/reject allow/forbid allow/prevent permit/prohibit enable/disable enable/prevent start/stop open/closed
  help/harm helps/harms helpful/harmful benefit/harm advantage/disadvantage strength/weakness succeed/fail success/failure
  pass/fail effective/ineffective efficient/inefficient useful/useless consistent/inconsistent complete/incomplete
  early/late before/after strong/weak tight/loose static/dynamic synchronous/asynchronous manual/automatic
  central/distributed centralised/decentralised local/remote public/private mutable/immutable shared/separate
  together/apart add/remove include/exclude encourage/discourage recommend/discourage prefer/avoid gain/lose
  maximise/minimise maximize/minimize positive/negative presence/absence with/without support/oppose`;

/** Which way something goes, with forms that no stem brings together. */
const UP =
  wordSet(`increase raise rise rose risen grow grew grown more higher double twice triple gain climb extend lengthen
  accelerate faster improve better stronger longer larger greater worsen fast quick`);
const DOWN = wordSet(`decrease reduce lower fall fell fallen shrink shrank less fewer halve drop cut lose lost decline
  shorten slow slower weaken weaker shorter smaller save saving avoid prevent`);

/** What was done came to nothing. */
const NO_EFFECT =
  /\b(?:(?:no|little|hardly any|without) (?:\w+ ){0,2}(?:differences?|effects?|influence|impact|gains?|benefits?|advantages?|improvements?|protection|change|help|use)|(?:stayed|remained|stays|remains|kept) (?:at|the same|as|unchanged|constant)|unchanged|(?:just )?as (?:often|many|much|long|high|slow|fast|before)|in vain|random with respect to|far from|made no|advises? against|no longer)\b/iu;
/** It happened all the same. */
const DESPITE =
  /\b(?:despite|in spite of|even (?:with|though|after)|although|still|nevertheless|nonetheless|all the same|again|anyway)\b/iu;
/** What is said after all. */
const CONTRAST =
  /\b(?:however|but|contrary(?: to)?|in contrast|on the other hand|wrongly|myth|misconception|disput\w+|refut\w+|disprov\w+|contradict\w*|fail(?:s|ed)?(?: to)?|does not hold|not the case|drawback\w*|disadvantage\w*)\b/iu;
/** Under what it holds only. */
const CONDITION =
  /\b(?:only (?:if|when|where|for|in|with|once|after|against|as|until|while)|unless|except(?: for| when| if| where)?|provided(?: that)?|as long as|depend(?:s|ing)? on|in some cases|not always|sometimes|limited to|assum(?:es|ing)|at the (?:cost|expense|price) of|trade-?off|up to (?:a point|about|the|some)|with the exception|makes? sense|pays? (?:off|for itself)|in the (?:long|short) run|at (?:the beginning|first))\b/iu;
/** A case that is set apart from others: by itself less sure. */
const CASE =
  /\b(?:if|when|where|once|while|whereas|until|without|below|above|beyond|with|for|in|at|on|from|against)\b/iu;
const SIDES = /;|\b(?:but|whereas)\b/iu;
const ALTERNATIVE =
  /\b(?:instead(?: of)?|rather than|alternatives? (?:to|is|are|for)|as an alternative|in place of|prefer(?:red|able)? (?:to|over)|better (?:to|than)|replac(?:e[sd]?|ing) (?:\w+ ){0,3}(?:by|with)|consider using)\b/iu;

/** A sentence is about a claim where it has so much of its words; what a claim begins with, it is about, and counts twice. */
const LEAST_SHARE = 0.25;
const LEAST_WORDS = 2;
const TOPIC = 2;

let pairs: Map<string, Set<string>> | undefined;

/**
 * Whether a sentence stands against a claim, by rules alone. It must be about the same: two of the claim's telling words
 * and three tenths of them, those that it begins with counting twice. And then it says under what conditions the claim
 * holds; or has a word that cannot be so together with one of the claim's, or goes the other way; or says that it changed
 * nothing, or came about all the same; or names something else; or one of both denies what the other says; or it says that
 * it is otherwise. In this order; undefined where none holds.
 */
export function opposition(claim: string, sentence: string): Opposition | undefined {
  const antonyms = antonymsIn(claim, sentence);
  const opposed = new Set(antonyms.flatMap(({ stems }) => stems));
  const matter = tellingStems(claim).filter((stem) => !opposed.has(stem));
  const said = [...new Set(stemsOf(sentence))];
  const subject = matter.filter((stem) => said.some((other) => isAkin(stem, other)));
  const share = shareOf(subject, matter);
  if (subject.length < Math.min(LEAST_WORDS, Math.max(1, matter.length)) || share < LEAST_SHARE) return undefined;
  const found = (kind: OpposedBy, rule: Opposition['rule'], words: readonly string[], sure: number): Opposition => ({
    kind,
    rule,
    words,
    strength: sure * share,
  });
  const only = (pattern: RegExp) => (pattern.test(claim) ? undefined : pattern.exec(sentence)?.[0]);
  const differs = deniesAbout(sentence, subject) !== deniesAbout(claim, subject);
  // "Does not always help" limits a claim; it does not say that it is not so.
  const condition = only(CONDITION);
  if (condition) return found('qualifies', 'condition', [condition], 0.8);
  if (antonyms.length > 0 && !differs) {
    return found(
      'contradicts',
      'antonym',
      antonyms.flatMap(({ words: both }) => both),
      0.9,
    );
  }
  const despite = only(DESPITE);
  const noEffect = only(NO_EFFECT);
  if (noEffect) return found('contradicts', 'no effect', [noEffect], 0.9);
  const turned = directions(claim, sentence);
  if (turned && !differs) return found('contradicts', 'direction', turned, 0.8);
  const alternative = only(ALTERNATIVE);
  if (alternative) return found('alternatives', 'alternative', [alternative], 0.7);
  // Twice otherwise is the same: "never slower" and "always faster".
  if (differs && antonyms.length === 0 && !turned && deniesOfOther(claim, sentence)) {
    return found('contradicts', 'negation', ['not'], 1);
  }
  if (despite) return found('contradicts', 'despite', [despite], 0.6);
  const contrast = only(CONTRAST);
  if (contrast) return found('qualifies', 'contrast', [contrast], 0.6);
  if (SIDES.test(sentence) && CASE.test(sentence)) {
    return found('qualifies', 'condition', [CASE.exec(sentence)![0]], 0.5);
  }
  return undefined;
}

/** What a claim is about and what it says of that, each as a question of its own; none where it has too few words. */
export function matterOf(claim: string): string[] {
  const written = spelled(claim);
  const telling = tellingStems(claim).map((stem) => written.get(stem) ?? stem);
  if (telling.length <= TOPIC) return [];
  return [telling.slice(0, TOPIC), telling.slice(TOPIC)].map((words) => words.join(' '));
}

/** The claim's words that tell what it is about, in order; all of them where it has no such. */
function tellingStems(claim: string): string[] {
  const stems = [...new Set(stemsOf(claim))];
  const telling = stems.filter((stem) => !isCommon(stem));
  return telling.length > 0 ? telling : stems;
}

/** Whether two stems are of one family that the stemmer parts: `deploy` and `deploi`, `corrod` and `corros`. */
function isAkin(one: string, other: string): boolean {
  if (one === other) return true;
  const longest = Math.max(one.length, other.length);
  let common = 0;
  while (common < longest && one[common] === other[common]) common++;
  return common >= 5 && common >= 0.75 * longest;
}

function shareOf(subject: readonly string[], matter: readonly string[]): number {
  const weight = (stem: string) => (matter.indexOf(stem) < TOPIC ? 2 : 1);
  const sum = (stems: readonly string[]) => stems.reduce((all, stem) => all + weight(stem), 0);
  return matter.length === 0 ? 0 : sum(subject) / sum(matter);
}

/** The words by which a sentence goes up where the claim goes down, or the other way round; neither does both. */
function directions(claim: string, sentence: string): [string, string] | undefined {
  const [one, other] = [directionOf(claim), directionOf(sentence)];
  return one && other && one.isUp !== other.isUp ? [one.word, other.word] : undefined;
}

function directionOf(text: string): { word: string; isUp: boolean } | undefined {
  const all = words(text).flatMap(([stem, word]) =>
    UP.has(stem) ? [{ word, isUp: true }] : DOWN.has(stem) ? [{ word, isUp: false }] : [],
  );
  return all.every(({ isUp }) => isUp === all[0]!.isUp) ? all[0] : undefined;
}

/** Whether what one of both denies is a thing that the other speaks of: "does not start" says nothing of what is slow. */
function deniesOfOther(claim: string, sentence: string): boolean {
  const denies = (text: string, other: string) => {
    const spoken = stemsOf(other);
    return denied(text).some((stem) => spoken.some((each) => isAkin(stem, each)));
  };
  return denies(sentence, claim) || denies(claim, sentence);
}

/** Of each denial of a text the word that it denies: the next one that is none of manner. */
function denied(text: string): string[] {
  const all: string[] = [];
  for (const clause of clausesOf(text)) {
    for (const match of clause.matchAll(NEGATION)) {
      const behind = clause.slice(match.index + match[0].length).replace(/\b\p{L}+ly\b/giu, ' ');
      all.push(...stemsOf(behind).slice(0, 1));
    }
  }
  return all;
}

/** Whether the clause that has most of the subject denies it. */
function deniesAbout(text: string, subject: readonly string[]): boolean {
  let best = { count: 0, denied: false };
  for (const clause of clausesOf(text)) {
    const said = stemsOf(clause);
    const count = subject.filter((stem) => said.some((other) => isAkin(stem, other))).length;
    if (count > best.count) best = { count, denied: isNegated(clause) };
  }
  return best.denied;
}

function antonymsIn(claim: string, sentence: string): { words: [string, string]; stems: string[] }[] {
  pairs ??= antonymPairs();
  const said = new Map(words(sentence));
  const found: { words: [string, string]; stems: string[] }[] = [];
  for (const [stem, word] of words(claim)) {
    for (const other of pairs.get(stem) ?? []) {
      const opposite = said.get(other);
      // Both words in one text: it weighs them itself.
      if (opposite !== undefined && !said.has(stem)) found.push({ words: [word, opposite], stems: [stem, other] });
    }
  }
  return found;
}

/** Stop words as well: `more` and `less`, `before` and `after` are among the pairs. */
function words(text: string): [string, string][] {
  return wordsOf(text.slice(0, 10_000), ANALYSIS).map(({ word }) => [ANALYSIS.stem(word.toLowerCase()), word]);
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(
    text
      .trim()
      .split(/\s+/)
      .map((word) => ANALYSIS.stem(word)),
  );
}

function antonymPairs(): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const pair of ANTONYMS.trim().split(/\s+/)) {
    const [one, other] = pair.split('/').map((word) => ANALYSIS.stem(word)) as [string, string];
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      known.set(from, (known.get(from) ?? new Set()).add(to));
    }
  }
  return known;
}
