import { ANALYSIS, isStopWord, wordsOf } from '../../search';

/** A word of a topic that says what it is about. */
export interface TopicWord {
  /** As it stands in the topic. */
  word: string;
  /** As search compares it. */
  term: string;
  weight: number;
}

/**
 * Words that stand in topics of every kind: they say what is wanted of the subject, not what it is. They count a little,
 * since two subjects may differ in nothing else.
 */
const GENERAL = new Set(
  `approach approaches aspect aspects basic basics best case cases common comparison complete concept concepts consideration
  considerations create creating description detail details difference differences different documentation effective
  example examples explain explanation find first general getting good guide guidance guideline guidelines handle handling
  help how idea implement implementation implementing important improve improving information introduction issue issues
  kind know learn limit limitation limitations list main make making method methods need needed new option options overview
  perform performing possible practice practices principle principles problem problems process provide question questions
  recommendation recommendations recommended relevant requirement requirements several solution solutions start started step
  steps strategies strategy support supported technique techniques thing things tip tips topic topics tutorial type types
  understand understanding use used useful user users using various way ways work working works`.split(/\s+/),
);
const GENERAL_WEIGHT = 0.35;
/** Names and numbers (`ISO`, `26262`, `getUser`) say exactly what is meant. */
const NAME_WEIGHT = 1.5;
/** Words of a topic that are looked at; a longer one is a text. */
const MOST = 64;
/** UTF-16 code units of a text that are taken apart in one turn. */
const PIECE = 20_000;

/** The words that a topic consists of, each once, in order; stop words only where there are no others. */
export function topicWords(topic: string): TopicWord[] {
  const words = new Map<string, TopicWord>();
  const all = wordsOf(topic.slice(0, 4_096), { ...ANALYSIS, names: false });
  const telling = all.filter(({ word }) => !isStopWord(word));
  for (const { word, start, end } of telling.length > 0 ? telling : all) {
    const term = ANALYSIS.stem(word);
    if (words.size < MOST && !words.has(term)) {
      const written = topic.slice(start, end);
      words.set(term, { word: written, term, weight: weightOf(word, written) });
    }
  }
  return [...words.values()];
}

function weightOf(word: string, written: string): number {
  if (GENERAL.has(word)) return GENERAL_WEIGHT;
  return /\d|^\p{Lu}{2,}|\p{Ll}\p{Lu}/u.test(written) ? NAME_WEIGHT : 1;
}

/** The terms of a text, piece by piece, so that others may have a turn in between. */
export function* termsOf(text: string): Generator<string[]> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE);
    // Not within a word, as far as there are spaces.
    if (to < text.length) to = Math.max(text.lastIndexOf(' ', to), text.lastIndexOf('\n', to), from) || to;
    if (to === from) to = Math.min(text.length, from + PIECE);
    yield wordsOf(text.slice(from, to), ANALYSIS).map(({ word }) => ANALYSIS.stem(word));
    from = to;
  }
}
