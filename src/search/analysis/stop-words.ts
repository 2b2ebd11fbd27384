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

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
