import { ANALYSIS, wordsOf } from '../../search';
import { clausesOf, isNegated } from './polarity';
import { shared, stemsOf } from './words';

export type OpposedBy = 'contradicts' | 'qualifies' | 'alternatives';

/** How a sentence stands against a claim, and by which words. */
export interface Opposition {
  kind: OpposedBy;
  rule: 'negation' | 'antonym' | 'contrast' | 'condition' | 'alternative';
  words: readonly string[];
  /** Words that both are about. */
  subject: readonly string[];
  /** 0 to 1. */
  strength: number;
}

/** Words that cannot both be so. */
const ANTONYMS = `increase/decrease increase/reduce raise/lower rise/fall grow/shrink improve/worsen improve/degrade
  fast/slow faster/slower quick/slow high/low higher/lower more/less more/fewer large/small larger/smaller big/small long/short
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

/** What is said after all. */
const CONTRAST =
  /\b(?:however|but|contrary(?: to)?|in contrast|on the other hand|nevertheless|nonetheless|despite|in spite of|although|even though|wrongly|myth|misconception|disput\w+|refut\w+|disprov\w+|contradict\w*|fails? to|does not hold|not the case|drawback\w*|disadvantage\w*)\b/iu;
/** Under what it holds only. */
const CONDITION =
  /\b(?:only (?:if|when|where|for|in|with)|unless|except(?: for| when| if| where)?|provided that|as long as|depend(?:s|ing)? on|in some cases|not always|sometimes|limited to|assum(?:es|ing)|at the (?:cost|expense|price) of|trade-?off|up to a point|with the exception)\b/iu;
const ALTERNATIVE =
  /\b(?:instead(?: of)?|rather than|alternatives? (?:to|is|are|for)|as an alternative|in place of|prefer(?:red|able)? (?:to|over)|better (?:to|than)|replac(?:e|ed|es|ing)|consider using)\b/iu;

/** A sentence is about a claim where it has so much of its words. */
const LEAST_SHARE = 0.4;
const LEAST_WORDS = 2;

let pairs: Map<string, Set<string>> | undefined;

/**
 * Whether a sentence stands against a claim, by rules alone: it must be about the same (at least two of the claim's words,
 * and four tenths of them), and then one of both denies it and the other does not; or they have words that cannot both be
 * so; or it says under what conditions, what else, or that it is otherwise. In this order; undefined where none holds.
 */
export function opposition(claim: string, sentence: string): Opposition | undefined {
  const claimed = new Set(stemsOf(claim));
  const said = new Set(stemsOf(sentence));
  const antonyms = antonymsIn(claim, sentence);
  const opposed = new Set(antonyms.flatMap(({ stems }) => stems));
  const matter = [...claimed].filter((stem) => !opposed.has(stem));
  const subject = shared(matter, said);
  const least = Math.min(LEAST_WORDS, Math.max(1, matter.length));
  if (matter.length === 0 || subject.length < least || subject.length / matter.length < LEAST_SHARE) return undefined;
  const share = subject.length / matter.length;
  const differs = deniesAbout(sentence, subject) !== deniesAbout(claim, subject);
  const condition = CONDITION.exec(sentence);
  // "Does not always help" limits a claim; it does not say that it is not so.
  if (condition && !CONDITION.test(claim)) {
    return { kind: 'qualifies', rule: 'condition', words: [condition[0]], subject, strength: 0.8 * share };
  }
  if (antonyms.length > 0 && !differs) {
    const words = antonyms.flatMap(({ words: both }) => both);
    return { kind: 'contradicts', rule: 'antonym', words, subject, strength: 0.9 * share };
  }
  const alternative = ALTERNATIVE.exec(sentence);
  if (alternative && !ALTERNATIVE.test(claim)) {
    return { kind: 'alternatives', rule: 'alternative', words: [alternative[0]], subject, strength: 0.7 * share };
  }
  // Twice otherwise is the same: "never slower" and "always faster".
  if (differs && antonyms.length === 0) {
    return { kind: 'contradicts', rule: 'negation', words: ['not'], subject, strength: share };
  }
  const contrast = CONTRAST.exec(sentence);
  if (contrast && !CONTRAST.test(claim)) {
    return { kind: 'qualifies', rule: 'contrast', words: [contrast[0]], subject, strength: 0.6 * share };
  }
  return undefined;
}

/** Whether the clause that has most of the subject denies it. */
function deniesAbout(text: string, subject: readonly string[]): boolean {
  let best = { count: 0, denied: false };
  for (const clause of clausesOf(text)) {
    const count = shared(subject, new Set(stemsOf(clause))).length;
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
