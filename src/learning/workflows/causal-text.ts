import type { Sentence } from './words';
import { sentencesOf } from './words';

/** A sentence that says what something came from; both parts as they stand there. */
export interface CausalClaim {
  sentence: Sentence;
  effect: string;
  cause: string;
  /** The words that say so. */
  marker: string;
}

/** The effect stands before. */
const CAUSE_AFTER =
  /\b(?:(?:(?:is|are|was|were|been|being|often|usually|mostly|sometimes)\s+)*caused\s+by|due\s+to|because\s+of|because|as\s+a\s+(?:result|consequence)\s+of|owing\s+to|results?\s+from|resulted\s+from|stem(?:s|med)\s+from|(?:can|could)\s+be\s+traced\s+(?:back\s+)?to|attribut(?:able|ed)\s+to|came\s+from|comes\s+from|wegen|weil|verursacht\s+durch)\b/iu;
/** The effect stands behind. */
const EFFECT_AFTER =
  /\b(?:leads?\s+to|led\s+to|causes|caused(?!\s+by)|results?\s+in|resulted\s+in|brings?\s+about|brought\s+about|triggers?|triggered|gives?\s+rise\s+to|which\s+is\s+why|so\s+that|therefore|führt\s+zu|verursacht(?!\s+durch))\b/iu;

/** What a text says of causes, in order. */
export function causalClaims(text: string): CausalClaim[] {
  return sentencesOf(text).flatMap((sentence) => claimIn(sentence) ?? []);
}

function claimIn(sentence: Sentence): CausalClaim | undefined {
  const after = CAUSE_AFTER.exec(sentence.text);
  const before = EFFECT_AFTER.exec(sentence.text);
  const match = after ?? before;
  if (!match) return undefined;
  let left = sentence.text.slice(0, match.index);
  let right = sentence.text.slice(match.index + match[0].length);
  if (after && left.trim() === '') {
    // "Because the disk was full, writes failed."
    const comma = right.indexOf(',');
    if (comma < 0) return undefined;
    left = right.slice(comma + 1);
    right = right.slice(0, comma);
  }
  const [effect, cause] = (after ? [left, right] : [right, left]).map(bare) as [string, string];
  return effect === '' || cause === '' ? undefined : { sentence, effect, cause, marker: match[0] };
}

function bare(part: string): string {
  return part
    .trim()
    .replace(/^[\s,;:–—-]+|[\s,;:.!?–—-]+$/gu, '')
    .replace(/^(?:and|but|the fact that|that)\s+/iu, '');
}
