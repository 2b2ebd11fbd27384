import { inTurns, Turns } from '../../core/turns';
import { FETCHING_LIMITS } from './limits';
import type { FetchedPage } from './model';

/** Files that are no pages or documents. */
const NO_PAGE =
  /\.(png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|m?js|json|xml|rss|atom|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|msi|iso|mp[34]|m4a|webm|ogg|wav|avi|mov|woff2?|ttf|eot|otf|xlsx?|pptx?|csv|ics)$/i;
/** Characters of a tag: what is longer is no markup that a person wrote, and ends there. */
const LONGEST_TAG = 16_384;
/** Places that may begin a tag and do not, between two pauses. */
const PASSED_OVER = 100;
/** What stands in these is no markup, or not shown. */
const SKIPPED = new Set(['script', 'style', 'template', 'textarea', 'title', 'noscript', 'iframe', 'svg']);

/**
 * Addresses that an HTML page links to on its own site: the same host, with or without `www.`, and port. Without
 * fragments, in order, each once, at most `FETCHING_LIMITS.links`; nothing of a page that does not want to be followed
 * (`nofollow`). Of a large page only the beginning is looked at. Throws the signal's reason.
 */
export function linksOf(page: FetchedPage, signal?: AbortSignal): Promise<string[]> {
  return inTurns(found(page), new Turns(signal));
}

function* found({ url, bytes, mediaType }: FetchedPage): Generator<void, string[]> {
  const type = mediaType?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && type !== '' && type !== 'text/html' && type !== 'application/xhtml+xml') return [];
  const page = new URL(url);
  const links = new Set<string>();
  /** As they are written: a menu says the same on and on. */
  const written = new Set<string>();
  let base: URL | undefined;
  let tags = 0;
  for (const tag of tagsOf(decoded(bytes, mediaType))) {
    yield;
    if (!tag) continue;
    const { name, attributes } = tag;
    if (++tags > FETCHING_LIMITS.linkTags || links.size >= FETCHING_LIMITS.links) break;
    const href = attributeOf(attributes, 'href');
    if (name === 'meta') {
      const isForUs = /^robots$/i.test(attributeOf(attributes, 'name') ?? '');
      if (isForUs && /\b(nofollow|none)\b/i.test(attributeOf(attributes, 'content') ?? '')) return [];
    } else if (href === undefined) {
      // An anchor that is none.
    } else if (name === 'base') {
      // Only the first one counts (HTML, 4.2.3).
      base ??= resolved(href, page) ?? page;
    } else if (!written.has(href) && !/\bnofollow\b/i.test(attributeOf(attributes, 'rel') ?? '')) {
      written.add(href);
      const link = linkOn(page, resolved(href, base ?? page));
      if (link !== undefined) links.add(link);
    }
  }
  return [...links];
}

function linkOn(page: URL, target: URL | undefined): string | undefined {
  if (!target || !isSameSite(target, page) || NO_PAGE.test(target.pathname)) return undefined;
  target.hash = '';
  // A page that came safely does not lead on unsafely.
  if (page.protocol === 'https:' && target.protocol === 'http:') target.protocol = 'https:';
  return target.href === page.href || target.href.length > FETCHING_LIMITS.address ? undefined : target.href;
}

function isSameSite(target: URL, page: URL): boolean {
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return false;
  if (target.username !== '' || target.password !== '') return false;
  const bare = ({ hostname }: URL) => hostname.replace(/^www\./, '');
  return bare(target) === bare(page) && target.port === page.port;
}

function resolved(href: string, base: URL): URL | undefined {
  if (href.length > 2 * FETCHING_LIMITS.address) return undefined;
  const address = entitiesRead(href).trim();
  if (address === '' || address.startsWith('#') || !URL.canParse(address, base.href)) return undefined;
  return new URL(address, base);
}

/** Tags that concern links, with what stands in them, in one pass; undefined for the others, for a pause. */
function* tagsOf(html: string): Generator<{ name: string; attributes: string } | undefined> {
  const tag = /<(?:!--|([a-z][a-z0-9]{0,19})(?=[\s/>]))/iy;
  let passedOver = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    tag.lastIndex = at;
    const match = tag.exec(html);
    if (!match) {
      at++;
      if (++passedOver % PASSED_OVER === 0) yield undefined;
      continue;
    }
    const name = match[1]?.toLowerCase();
    if (name === undefined) {
      const end = html.indexOf('-->', tag.lastIndex - 2);
      if (end < 0) return;
      at = end + 3;
      yield undefined;
      continue;
    }
    const from = tag.lastIndex;
    const to = endOfTag(html, from);
    at = to;
    if (name === 'a' || name === 'area' || name === 'base' || name === 'meta') {
      yield { name, attributes: html.slice(from, to) };
    } else if (SKIPPED.has(name) && html[to - 1] !== '/') {
      const close = new RegExp(`</${name}[\\s>]`, 'gi');
      close.lastIndex = to;
      if (!close.exec(html)) return;
      at = close.lastIndex;
      yield undefined;
    } else {
      yield undefined;
    }
  }
}

/** Where the tag closes: `>` outside of quotes. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  const end = Math.min(html.length, from + LONGEST_TAG);
  for (let at = from; at < end; at++) {
    const letter = html[at]!;
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '>') return at;
    else if ((letter === '"' || letter === "'") && /[=\s]/.test(html[at - 1] ?? '')) quote = letter;
  }
  return end;
}

function attributeOf(attributes: string, name: string): string | undefined {
  const pattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
  for (const [, key, double, single, bare] of attributes.matchAll(pattern)) {
    if (key!.toLowerCase() === name) return double ?? single ?? bare ?? '';
  }
  return undefined;
}

function entitiesRead(text: string): string {
  return text.replace(/&(?:amp|#38|#x26);/gi, '&').replace(/&#x2f;|&#47;/gi, '/');
}

function decoded(bytes: Uint8Array, mediaType: string | undefined): string {
  const within = bytes.subarray(0, FETCHING_LIMITS.linksWithin);
  const named = /;\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(mediaType ?? '')?.[1];
  const marked =
    within[0] === 0xff && within[1] === 0xfe
      ? 'utf-16le'
      : within[0] === 0xfe && within[1] === 0xff
        ? 'utf-16be'
        : named;
  try {
    return new TextDecoder(marked ?? 'utf-8').decode(within);
  } catch {
    return new TextDecoder().decode(within);
  }
}
