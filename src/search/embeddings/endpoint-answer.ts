import { type Sentence, sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import { MOST_DIMENSIONS } from '../vectors/cache-record';
import { normalised } from '../vectors/quantised';

/** Says in one sentence what is wrong with an answer. */
export class UnusableAnswer extends Error {
  constructor(readonly said: Sentence) {
    super(String(said));
  }
}

/**
 * The vectors of an answer `{ data: [{ index, embedding }] }`, normalised and in the order of the question; an embedding
 * is a list of numbers, or float32 in base64. Read in short turns. Throws `UnusableAnswer`, and the signal's reason.
 */
export async function readVectors(text: string, count: number, signal: AbortSignal): Promise<Float32Array[]> {
  const turns = new Turns(signal);
  const data = rows(text);
  if (data.length !== count)
    throw new UnusableAnswer(sentence('It holds {0} vectors for {1} texts.', data.length, count));
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const [position, row] of data.entries()) {
    await turns.pause();
    const { index = position, embedding } = (row ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index !== 'number' || !(index in vectors) || vectors[index]) {
      throw new UnusableAnswer(sentence('Its vectors are not numbered as the texts are.'));
    }
    const vector = normalised(numbers(embedding));
    if (!vector) throw new UnusableAnswer(sentence('A vector holds something else than numbers, or only zeros.'));
    vectors[index] = vector;
  }
  return vectors as Float32Array[];
}

function rows(text: string): unknown[] {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new UnusableAnswer(sentence('It is no JSON.'));
  }
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw new UnusableAnswer(sentence('It has no list "data".'));
  return data;
}

function numbers(embedding: unknown): ArrayLike<number> {
  const values = typeof embedding === 'string' ? fromBase64(embedding) : embedding;
  const isList = Array.isArray(values) || values instanceof Float32Array;
  if (!isList || values.length === 0 || values.length > MOST_DIMENSIONS) {
    throw new UnusableAnswer(sentence('A vector is no list of 1 to {0} numbers.', MOST_DIMENSIONS));
  }
  if (Array.isArray(values) && !values.every((value) => typeof value === 'number')) {
    throw new UnusableAnswer(sentence('A vector holds something else than numbers.'));
  }
  return values;
}

function fromBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}
