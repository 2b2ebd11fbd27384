import { sentence } from '../../core/sentence';
import type { Found } from '../searching';
import { isPlaceholder } from './placeholders';

const PRIVATE_KEY = sentence('private key');

const BEGIN = /-----BEGIN ([A-Z0-9]{1,12} ){0,2}PRIVATE KEY( BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY( BLOCK)?-----/;
/** What a key's lines consist of: base64, with line ends as they are or as JSON escapes them, and headers (RFC 1421). */
const BODY = /^(?:[A-Za-z0-9+/=\s]|\\[nrt]|[A-Za-z][A-Za-z0-9-]{1,30}: [^\n\\]{0,200})*/;
/** Longer than any key (RSA of 16,384 bits has 13,000 characters). */
const LONGEST = 20_000;
/** Shorter than any: an Ed25519 key's PKCS #8 form has 64. */
const SHORTEST = 40;

/** Private keys in PEM (RFC 7468, RFC 4880) and PuTTY's form; also those that are cut off at their end. In steps. */
export function* findPrivateKeys(text: string): Generator<void, Found[]> {
  const found: Found[] = [];
  for (const match of text.matchAll(BEGIN)) {
    yield;
    const start = match.index;
    const rest = text.slice(start + match[0].length, start + match[0].length + LONGEST);
    const end = END.exec(rest);
    const body = BODY.exec(end ? rest.slice(0, end.index) : rest)?.[0] ?? '';
    const isWhole = end !== null && body.length === end.index;
    const base64 = body.replace(/^[A-Za-z][A-Za-z0-9-]{1,30}: .*$/gm, '').replace(/\\[nrt]|\s/g, '');
    if (base64.length < SHORTEST || isPlaceholder(base64.slice(0, 400))) continue;
    // Prose that goes on after a key that is cut off has spaces between words; a key has none.
    const kept = isWhole ? body.length + end[0].length : lengthOfKey(body);
    if (!isWhole && body.slice(0, kept).replace(/\\[nrt]|\s/g, '').length < SHORTEST) continue;
    found.push({ kind: PRIVATE_KEY, id: 'private-key', start, end: start + match[0].length + kept });
  }
  for (const match of text.matchAll(
    /^Private-Lines: \d{1,3}\r?\n(?<secret>(?:[A-Za-z0-9+/=]{20,80}\r?\n?){1,200})/gm,
  )) {
    yield;
    const secret = match.groups?.secret ?? '';
    const start = match.index + match[0].length - secret.length;
    found.push({ kind: PRIVATE_KEY, id: 'private-key', start, end: start + secret.trimEnd().length });
  }
  return found;
}

function lengthOfKey(body: string): number {
  const prose = /(?:^|[\n\s])[A-Za-z]{1,30} [A-Za-z]{1,30}(?=[\s]|$)/.exec(
    body.replace(/^.*: .*$/gm, (line) => '='.repeat(line.length)),
  );
  return (prose ? body.slice(0, prose.index) : body).trimEnd().length;
}
