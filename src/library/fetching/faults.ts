import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';

/** Nobody answers there: another page of the same host would fail as well. */
class Unreachable extends KaizenError {}

/** A fault that may pass: it is tried once more. */
export class Passing extends KaizenError {
  constructor(
    message: Sentence,
    hint: Sentence | undefined,
    /** What the server wants to be waited, in milliseconds. */
    readonly pause?: number,
    options?: { cause?: unknown },
  ) {
    super('fetch_failed', message, hint, options);
  }
}

export function unreachable(url: URL, because: Sentence, hint: Sentence, cause?: unknown): KaizenError {
  return new Unreachable('fetch_failed', sentence('{0} cannot be reached: {1}.', url.origin, because), hint, { cause });
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof Unreachable;
}

export function refused(message: Sentence, hint?: Sentence): KaizenError {
  return new KaizenError('fetch_refused', message, hint);
}

export function failed(message: Sentence, hint?: Sentence, cause?: unknown): KaizenError {
  return new KaizenError('fetch_failed', message, hint, { cause });
}

/** Without its query, which may hold a secret. */
export function shown(url: URL): string {
  const address = `${url.origin}${url.pathname}`;
  return address.length <= 200 ? address : `${address.slice(0, 199)}…`;
}

const SILENT: Readonly<Record<string, Sentence>> = {
  ENOTFOUND: sentence('there is no such host, or this machine is offline'),
  EAI_AGAIN: sentence('its name cannot be resolved now, or this machine is offline'),
  ECONNREFUSED: sentence('nobody listens there'),
  EHOSTUNREACH: sentence('there is no way to its host'),
  ENETUNREACH: sentence('there is no way to its network'),
  ETIMEDOUT: sentence('nobody answers there'),
};
const PASSING = new Set(['ECONNRESET', 'EPIPE']);

/** What the network or the server's way of speaking came to, as an error for people. */
export function networkFault(url: URL, cause: unknown): KaizenError {
  const code = String((cause as NodeJS.ErrnoException | undefined)?.code ?? (cause as Error | undefined)?.message);
  const silent = SILENT[code];
  if (silent !== undefined)
    return unreachable(
      url,
      sentence('{0} ({1})', silent, code),
      sentence('Look at the address and the connection.'),
      cause,
    );
  if (PASSING.has(code)) {
    const hint = sentence('Try again later.');
    return new Passing(
      sentence('{0} cannot be fetched: the connection broke off ({1}).', shown(url), code),
      hint,
      undefined,
      { cause },
    );
  }
  if (/CERT|SIGNED|ISSUER|SIGNATURE/.test(code)) {
    const hint = sentence('Nothing is fetched from a server that cannot be told from another.');
    return unreachable(url, sentence('the certificate of its server is not valid ({0})', code), hint, cause);
  }
  if (/^(EPROTO$|ERR_SSL|ERR_TLS)/.test(code)) {
    return unreachable(
      url,
      sentence('no safe connection comes about ({0})', code),
      sentence('Look whether it is served by http: alone.'),
      cause,
    );
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return failed(sentence('{0} cannot be fetched: its headers are too large.', shown(url)), undefined, cause);
  if (code.startsWith('HPE_'))
    return failed(
      sentence('{0} cannot be fetched: what answers there does not speak HTTP ({1}).', shown(url), code),
      undefined,
      cause,
    );
  if (/^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(code)) {
    return failed(
      sentence('{0} cannot be fetched: its packed content is damaged ({1}).', shown(url), code),
      sentence('Try again later.'),
      cause,
    );
  }
  return failed(
    sentence('{0} cannot be fetched: {1}.', shown(url), code.slice(0, 120)),
    sentence('Try again later.'),
    cause,
  );
}
