import { KaizenError } from '../../core/errors';

/** Nobody answers there: another page of the same host would fail as well. */
class Unreachable extends KaizenError {}

/** A fault that may pass: it is tried once more. */
export class Passing extends KaizenError {
  constructor(
    message: string,
    hint: string | undefined,
    /** What the server wants to be waited, in milliseconds. */
    readonly pause?: number,
    options?: { cause?: unknown },
  ) {
    super('fetch_failed', message, hint, options);
  }
}

export function unreachable(url: URL, because: string, hint: string, cause?: unknown): KaizenError {
  return new Unreachable('fetch_failed', `${url.origin} cannot be reached: ${because}.`, hint, { cause });
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof Unreachable;
}

export function refused(message: string, hint?: string): KaizenError {
  return new KaizenError('fetch_refused', message, hint);
}

export function failed(message: string, hint?: string, cause?: unknown): KaizenError {
  return new KaizenError('fetch_failed', message, hint, { cause });
}

/** Without its query, which may hold a secret. */
export function shown(url: URL): string {
  const address = `${url.origin}${url.pathname}`;
  return address.length <= 200 ? address : `${address.slice(0, 199)}…`;
}

const SILENT: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host, or this machine is offline',
  EAI_AGAIN: 'its name cannot be resolved now, or this machine is offline',
  ECONNREFUSED: 'nobody listens there',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'nobody answers there',
};
const PASSING = new Set(['ECONNRESET', 'EPIPE']);

/** What the network or the server's way of speaking came to, as an error for people. */
export function networkFault(url: URL, cause: unknown): KaizenError {
  const code = String((cause as NodeJS.ErrnoException | undefined)?.code ?? (cause as Error | undefined)?.message);
  const told = `${shown(url)} cannot be fetched:`;
  const silent = SILENT[code];
  if (silent !== undefined)
    return unreachable(url, `${silent} (${code})`, 'Look at the address and the connection.', cause);
  if (PASSING.has(code)) {
    const hint = 'Try again later.';
    return new Passing(`${told} the connection broke off (${code}).`, hint, undefined, { cause });
  }
  if (/CERT|SIGNED|ISSUER|SIGNATURE/.test(code)) {
    const hint = 'Nothing is fetched from a server that cannot be told from another.';
    return unreachable(url, `the certificate of its server is not valid (${code})`, hint, cause);
  }
  if (/^(EPROTO$|ERR_SSL|ERR_TLS)/.test(code)) {
    return unreachable(
      url,
      `no safe connection comes about (${code})`,
      'Look whether it is served by http: alone.',
      cause,
    );
  }
  if (code === 'HPE_HEADER_OVERFLOW') return failed(`${told} its headers are too large.`, undefined, cause);
  if (code.startsWith('HPE_'))
    return failed(`${told} what answers there does not speak HTTP (${code}).`, undefined, cause);
  if (/^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(code)) {
    return failed(`${told} its packed content is damaged (${code}).`, 'Try again later.', cause);
  }
  return failed(`${told} ${code.slice(0, 120)}.`, 'Try again later.', cause);
}
