/** Of the thread that reads. */
export const EXTRACTION_LIMITS = {
  /** Megabytes of its heap: a hostile file ends the thread, and not the process. */
  heap: 1_024,
  /** Megabytes by which the whole process may grow meanwhile: what is unpacked lies outside of that heap. */
  growth: 1_500,
  /** How often that is looked at. Milliseconds. */
  growthLookedAt: 200,
  /** Without a word from it for so long, it is taken to be stuck. Milliseconds. */
  silence: 120_000,
  /** It ends when it has had nothing to do for so long. Milliseconds. */
  idle: 60_000,
  /** Sources that wait. */
  waiting: 1_000,
  /** UTF-16 code units of the text, and chunks, in one message. */
  textAtOnce: 1_000_000,
  chunksAtOnce: 200,
} as const;
