import { isUtf8 } from 'node:buffer';

/** A `charset` that is looked for in a page's beginning: HTML says the first 1,024 bytes. */
const META_WITHIN = 1_024;

/**
 * Text as its byte order mark, then its media type, then (HTML) its `meta` say; else UTF-8 where it is that, else
 * Windows-1252, as browsers take it. Line ends become `\n`, the mark and NULs go.
 */
export function decodeText(
  bytes: Uint8Array,
  hints: { mediaType?: string | undefined; isHtml?: boolean } = {},
): string {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return withPlainLines(decode(bytes, 'utf-8'));
  if (first === 0xff && second === 0xfe) return withPlainLines(decode(bytes, 'utf-16le'));
  if (first === 0xfe && second === 0xff) return withPlainLines(decode(bytes, 'utf-16be'));
  const named = charsetOf(hints.mediaType) ?? (hints.isHtml ? metaCharset(bytes) : undefined);
  // What says that it is UTF-8 and is not was mostly written on a Windows machine.
  if (named && named !== 'utf-8') return withPlainLines(decode(bytes, named));
  return withPlainLines(decode(bytes, isUtf8(bytes) ? 'utf-8' : 'windows-1252'));
}

/** Of `text/html; charset=…`, as TextDecoder names it; undefined where it names none that is known. */
function charsetOf(mediaType: string | undefined): string | undefined {
  return knownCharset(/;\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(mediaType ?? '')?.[1]);
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, META_WITHIN)).toString('latin1');
  const named = knownCharset(/<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(beginning)?.[1]);
  // It was read byte by byte just now, so that it is none of these.
  return named?.startsWith('utf-16') ? 'utf-8' : named;
}

function knownCharset(label: string | undefined): string | undefined {
  if (!label) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array, charset: string): string {
  return new TextDecoder(charset).decode(bytes);
}

function withPlainLines(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\0', '');
}
