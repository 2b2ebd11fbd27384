/** Says that something is not so. `not only` says that it is. */
export const NEGATION =
  /\b(?:not(?!\s+only)|no|never|none|nobody|nothing|neither|nor|without|cannot|(?:do|does|did|is|are|was|were|has|have|had|ca|could|should|would|wo|must|need)n['’]?t|no\s+longer|instead\s+of|rather\s+than|avoid(?:s|ed|ing)?|lacks?|lacking|absence\s+of|free\s+of|refrain(?:s|ed)?\s+from|kein(?:e|er|en|em)?|nicht|nie|ohne)\b/giu;

/** Where what is denied ends: a new clause has its own yes or no. */
const CLAUSE_END = /[,;:()]|\s[–—-]\s|\b(?:but|however|although|though|while|whereas|because|since|yet|so that)\b/iu;

/** The clauses of a sentence, as they stand there. */
export function clausesOf(sentence: string): string[] {
  return sentence
    .split(CLAUSE_END)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
}

/** Whether a clause denies what it speaks of: twice denied is said. */
export function isNegated(clause: string): boolean {
  return (clause.match(NEGATION)?.length ?? 0) % 2 === 1;
}
