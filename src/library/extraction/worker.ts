import { parentPort } from 'node:worker_threads';
import { describeError, isKaizenError } from '../../core/errors';
import { chunksOf } from '../chunking';
import type { Extracted } from '../model';
import { readSource } from '../reading';
import { EXTRACTION_LIMITS } from './limits';
import type { ExtractionInput, ExtractionMessage, ExtractionRequest, PieceTaken } from './model';

/** Reads a source and cuts it, here and now: what the thread does, and who has no thread. Throws `unreadable_source`. */
export async function extractHere(
  input: ExtractionInput,
  onPage: (page: number, pages: number) => void,
): Promise<Extracted> {
  const document = await readSource(input, onPage);
  return { document, chunks: chunksOf(document) };
}

/** Goes on with the next piece of a result. */
let goOn = () => {};

/** Waits until the piece was taken: many that come at once are taken in one go, which holds who takes them. */
async function hand(piece: ExtractionMessage, say: (message: ExtractionMessage) => void): Promise<void> {
  const taken = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  say(piece);
  await taken;
}

async function answer({ id, input }: ExtractionRequest, say: (message: ExtractionMessage) => void): Promise<void> {
  try {
    const { document, chunks } = await extractHere(input, (page, pages) => say({ id, progress: { page, pages } }));
    const { text, ...rest } = document;
    const { textAtOnce, chunksAtOnce } = EXTRACTION_LIMITS;
    for (let at = 0; at < text.length; at += textAtOnce) await hand({ id, text: text.slice(at, at + textAtOnce) }, say);
    for (let at = 0; at < chunks.length; at += chunksAtOnce) {
      const batch = chunks.slice(at, at + chunksAtOnce).map(({ content: _inText, ...placed }) => placed);
      await hand({ id, chunks: batch }, say);
    }
    say({ id, document: rest });
  } catch (error) {
    const { code, said } = isKaizenError(error) ? error : { code: '', said: [describeError(error)] };
    say({ id, error: { code, said } });
  }
}

parentPort?.on('message', (message: ExtractionRequest | PieceTaken) => {
  if ('taken' in message) goOn();
  else void answer(message, (said) => parentPort?.postMessage(said));
});
