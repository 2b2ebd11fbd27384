import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { within } from '../../core/within';
import { shownAddress } from './endpoint-address';

export interface Asking {
  url: URL;
  key: string | undefined;
  /** Of one try. */
  timeout: number;
  /** How often a passing fault is tried again. */
  retries: number;
  /** Before the first new try; twice as long before each further one. */
  firstPause: number;
}

/** An answer of the server that says no to what was asked, not to the asking: trying the same again helps nobody. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly said: Sentence,
  ) {
    super(`status ${status}`);
  }
}

/** 32 vectors of 8,192 dimensions, each number with 32 characters. More would hold the event loop while it is read. */
const LARGEST_ANSWER = 8 * 1024 * 1024;
const LONGEST_PAUSE_MS = 60_000;
/** Of the values in an address; shorter ones are versions and the like. */
const SHORTEST_SECRET = 8;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504, 529]);
/** It is about what was sent: too long, too many, not to its liking. */
const REFUSING = new Set([400, 413, 422]);

/** A fault that may pass. */
class Passing extends Error {
  constructor(
    readonly said: Sentence,
    readonly pause?: number,
  ) {
    super(String(said));
  }
}

/**
 * Posts JSON and returns the answer's text. What may pass (429, 5xx, the network, no answer in time) is tried again,
 * later each time and not before `Retry-After`. Throws `Refused`, the signal's reason, or `embedding_failed`; the key is
 * in none of them.
 */
export async function ask(asking: Asking, body: object, signal: AbortSignal): Promise<string> {
  for (let round = 0; ; round++) {
    signal.throwIfAborted();
    try {
      return await askOnce(asking, body, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Passing)) throw error;
      const pause = error.pause ?? asking.firstPause * 2 ** round * (1 + Math.random() / 4);
      if (round >= asking.retries || pause > LONGEST_PAUSE_MS) {
        throw failed(asking, error.said, sentence('It is tried again later.'));
      }
      // Given up meanwhile: the next round says why.
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }
}

export function failed({ url }: Pick<Asking, 'url'>, said: Sentence, hint: Sentence): KaizenError {
  return new KaizenError('embedding_failed', sentence('No embeddings from {0}: {1}', shownAddress(url), said), hint);
}

async function askOnce(asking: Asking, body: object, signal: AbortSignal): Promise<string> {
  const { url, key, timeout } = asking;
  const late = () => new Passing(sentence('no answer within {0} seconds.', timeout / 1000));
  return within({ milliseconds: timeout, late, signals: [signal] }, async (limited) => {
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: 'POST',
        // Texts and key go where they were meant to go, and nowhere else.
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
        body: JSON.stringify(body),
        signal: limited,
      });
      text = await limitedText(response);
    } catch (error) {
      limited.throwIfAborted();
      if (error instanceof TooLarge)
        throw failed(asking, sentence('the answer is too large.'), sentence('Is it the right address?'));
      throw new Passing(sentence('{0}.', networkFault(error)));
    }
    if (response.ok) return text;
    throw faultOf(asking, response, text);
  });
}

function faultOf(asking: Asking, { status, headers }: Response, text: string): Error {
  const said = excerpt(asking, text);
  if (PASSING.has(status)) {
    return new Passing(saysNo(status, said), retryAfter(headers.get('retry-after')));
  }
  if (REFUSING.has(status)) return new Refused(status, saysNo(status, said));
  if (status === 401 || status === 403) {
    const hint = asking.key ? sentence('Set another key.') : sentence('Set a key.');
    return failed(asking, sentence('the server refuses the key ({0}).', status), hint);
  }
  if (status >= 300 && status < 400) {
    return failed(
      asking,
      sentence('the server sends elsewhere ({0}).', status),
      sentence('Give the address that it sends to.'),
    );
  }
  const hint =
    status === 404 ? sentence('Check the address and the name of the model.') : sentence('Check the address.');
  return failed(asking, saysNo(status, said), hint);
}

function saysNo(status: number, excerpt: string): Sentence {
  return excerpt === ''
    ? sentence('the server says {0}.', status)
    : sentence('the server says {0}: {1}.', status, excerpt);
}

class TooLarge extends Error {}

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > LARGEST_ANSWER) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What an error of undici is about stands in its cause. */
function networkFault(error: unknown): Sentence | string {
  const cause = (error as Error).cause;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ECONNREFUSED') return sentence('nobody listens there (ECONNREFUSED)');
  if (code === 'ENOTFOUND') return sentence('there is no such host (ENOTFOUND)');
  return code ?? describeError(cause ?? error);
}

/**
 * The message of an error in JSON, or the beginning of the text, on one line. It may repeat what the server was sent: the
 * key, and the secret that an address may hold, are struck out, before cutting could leave a part of one.
 */
function excerpt({ key, url }: Asking, text: string): string {
  let said = text;
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
    const inside = (error as { message?: unknown } | null | undefined)?.message ?? error ?? message;
    if (typeof inside === 'string') said = inside;
  } catch {
    // It is shown as it is.
  }
  const inAddress = [url.search, ...url.searchParams.values()].filter(({ length }) => length >= SHORTEST_SECRET);
  for (const secret of [key, ...inAddress]) if (secret) said = said.replaceAll(secret, '…');
  const line = said.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.slice(0, 200);
}

/** Milliseconds, from seconds or a date. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
