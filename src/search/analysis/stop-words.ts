/** Words that stand in every text. They are indexed, so that phrases hold them; a query asks for them only when it has no others. */
const STOP_WORDS = new Set(
  `a about above after again against all also am an and any are arent as at be because been before being below between
  both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each few for from further
  get had has have having he her here hers him his how i if im in into is isnt it its itself ive just let lets me more
  most my no nor not of off on once only or other our ours out over own please same shall she should shouldnt so some
  such than that thats the their theirs them then there these they this those through to too under until up upon us
  very was wasnt we were what whats when where which while who whom whose why will with wont would wouldnt you your
  yours`.split(/\s+/),
);

/** What is a name in capitals: the CAN bus, the WHO. Of other stop words capitals mostly are emphasis: do NOT. */
const NAMES = new Set(['CAN', 'IT', 'US', 'WHO']);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Tells of words as they are written in a query whether they are stop words that stand for a name: never where all is in capitals. */
export function namesIn(query: string): (written: string) => boolean {
  const hasSmall = /\p{Ll}/u.test(query);
  return (written) => hasSmall && NAMES.has(written);
}
