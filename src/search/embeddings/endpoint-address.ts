import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';

/**
 * The address that embeddings are asked at, `…/embeddings`, from the base address of an API. Throws `invalid_argument`
 * for what is no address, carries a name and a password, or would send text and key readable through a network.
 */
export function embeddingsAddress(base: string): URL {
  let url: URL;
  try {
    url = new URL(base.trim());
  } catch (cause) {
    throw invalid(sentence('The address for embeddings is no URL.'), cause);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid(sentence('The address for embeddings begins with {0}, not with https: or http:.', url.protocol));
  }
  if (url.username || url.password) {
    throw invalid(
      sentence('The address for embeddings holds a name or a password.'),
      undefined,
      sentence('Give the key on its own.'),
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(
      sentence('http: is taken for this machine only, and {0} is another.', url.hostname),
      undefined,
      sentence('Use https:, so that neither texts nor key can be read on their way.'),
    );
  }
  url.hash = '';
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  return url;
}

/** Without its query, which may hold a secret. */
export function shownAddress(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** `localhost`, `127.0.0.0/8`, `::1`: what stays on this machine. */
function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

function invalid(
  message: Sentence,
  cause?: unknown,
  hint = sentence('An example: http://127.0.0.1:11434/v1 for Ollama on this machine.'),
): KaizenError {
  return new KaizenError('invalid_argument', message, hint, { cause });
}
