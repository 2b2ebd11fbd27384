import { Readability } from '@mozilla/readability';
import { sentence } from '../../../core/sentence';
import type { ExtractionInput } from '../../extraction/model';
import type { NormalisedDocument } from '../../model';
import { decodeText } from '../charset';
import { READING_LIMITS } from '../limits';
import { cleanTitle, isoDate, primaryLanguage } from '../plain-lines';
import { hasNoArticle } from '../remarks';
import { unreadable } from '../unreadable';
import { type DomDocument, type DomElement, parsePage } from './dom';
import { keepHeadingLevels, OWN_ATTRIBUTES, toMarkdown } from './to-markdown';

/** Nobody sees these; text that only a program reads is where instructions to one would be hidden. */
const HIDDEN =
  'script, style, noscript, template, iframe, object, embed, canvas, svg, [hidden], [aria-hidden="true"], input, dialog:not([open])';
/** Around the text of a page that has no article. */
const FRAMEWORK =
  'nav, header, footer, aside, form, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"]';
const HIDING_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0*)?\s*(?:;|$)|font-size\s*:\s*0(?:px|em|rem|%|pt)?\s*(?:;|$))/i;
/** An article of less than this share of the page's text has lost too much: an index of links, a reference. */
const LEAST_SHARE = 0.35;
/** Characters: what is shorter is as likely its menu. */
const LEAST_ARTICLE = 250;
/** Where most of a page is framework, that is what it has to say: an index of links. */
const MOST_FRAMEWORK = 0.9;

/** The article of a web page, or where none is found the text of its body. */
export function readPage(input: ExtractionInput): NormalisedDocument {
  const { name, url } = input;
  const html = decodeText(input.bytes, { mediaType: input.mediaType, isHtml: true });
  const document = parsePage(html, name);
  const base = baseOf(document, url);
  // Before the article is looked for, which takes the page apart.
  const particulars = readParticulars(document, url, base);
  if (!document.body) throw nothingThere(name);
  clean(document);
  resolveLinks(document, base);
  const wholeLength = visibleLength(document.body);
  const article = findArticle(html, document, name, base);
  const { text, remarks } = chosen(article, document, wholeLength);
  if (text === '') throw nothingThere(name);
  return {
    format: 'web',
    title: cleanTitle(particulars.title ?? article?.title, READING_LIMITS.title),
    text,
    pages: [],
    outline: [],
    publication_date: particulars.date,
    language: particulars.language,
    canonical_url: particulars.canonical,
    remarks,
  };
}

function chosen(
  article: { markdown: string; length: number } | undefined,
  document: DomDocument,
  wholeLength: number,
): { text: string; remarks: string[] } {
  const isLong = article !== undefined && article.length >= LEAST_ARTICLE;
  if (isLong && article.length >= wholeLength * LEAST_SHARE) return { text: article.markdown, remarks: [] };
  const main = document.querySelector('main, [role="main"], article');
  const root = main && visibleLength(main) >= wholeLength * LEAST_SHARE ? main : document.body;
  // What is called a header may be an article's own, with its title.
  const around = [...root.querySelectorAll(FRAMEWORK)].filter(
    (element) => !(element.nodeName === 'HEADER' && element.querySelector('h1')),
  );
  const framework = around.reduce((sum, element) => sum + visibleLength(element), 0);
  if (framework < visibleLength(root) * MOST_FRAMEWORK) for (const element of around) element.remove();
  const whole = toMarkdown(root, document);
  if (whole === '' && article) return { text: article.markdown, remarks: [] };
  const remarks = root === main ? [] : [String(hasNoArticle())];
  return { text: whole, remarks };
}

function findArticle(
  html: string,
  page: DomDocument,
  name: string,
  base: string | undefined,
): { markdown: string; length: number; title: string | undefined } | undefined {
  if (page.querySelectorAll('*').length > READING_LIMITS.html.articleElements) return undefined;
  // A page of its own, since looking for the article takes it apart.
  const document = parsePage(html, name);
  clean(document);
  for (const menu of [...document.querySelectorAll('nav, [role="navigation"]')]) menu.remove();
  resolveLinks(document, base);
  keepHeadingLevels(document);
  try {
    const article = new Readability<DomElement>(document as never, {
      serializer: (node) => node as unknown as DomElement,
      keepClasses: true,
      charThreshold: 200,
      maxElemsToParse: READING_LIMITS.html.articleElements,
    }).parse();
    if (!article?.content) return undefined;
    const length = visibleLength(article.content);
    const markdown = toMarkdown(article.content, document);
    return markdown === '' ? undefined : { markdown, length, title: article.title ?? undefined };
  } catch {
    return undefined;
  }
}

function clean(document: DomDocument): void {
  for (const element of [...document.querySelectorAll(HIDDEN)]) element.remove();
  for (const element of [...document.querySelectorAll('[style]')]) {
    if (HIDING_STYLE.test(element.getAttribute('style') ?? '')) element.remove();
  }
  for (const name of OWN_ATTRIBUTES) {
    for (const element of [...document.querySelectorAll(`[${name}]`)]) element.removeAttribute(name);
  }
}

function resolveLinks(document: DomDocument, base: string | undefined): void {
  for (const link of [...document.querySelectorAll('a[href]')]) {
    const target = absolute(link.getAttribute('href'), base);
    if (target) link.setAttribute('href', target);
    else link.removeAttribute('href');
  }
}

interface Particulars {
  title?: string | undefined;
  date?: string | undefined;
  language?: string | undefined;
  canonical?: string | undefined;
}

function readParticulars(document: DomDocument, url: string | undefined, base: string | undefined): Particulars {
  const meta = (...names: string[]) => {
    for (const name of names) {
      const selector = `meta[property="${name}"], meta[name="${name}"], meta[itemprop="${name}"]`;
      const content = document.querySelector(selector)?.getAttribute('content')?.trim();
      if (content) return content;
    }
    return undefined;
  };
  const headings = [...document.querySelectorAll('h1')].map((heading) =>
    heading.textContent.replace(/[¶#]\s*$/, '').trim(),
  );
  const own = (document.querySelector('title')?.textContent ?? '').replace(/\s+/g, ' ').trim();
  const canonical = absolute(document.querySelector('link[rel="canonical"]')?.getAttribute('href'), base);
  const time = document.querySelector('article time[datetime], time[itemprop="datePublished"], time[pubdate]');
  return {
    title: meta('og:title', 'citation_title', 'dc.title', 'DC.title') ?? titleFrom(own, headings),
    date: isoDate(
      meta(
        'article:published_time',
        'datePublished',
        'citation_publication_date',
        'dc.date',
        'DC.date',
        'date',
        'article:modified_time',
      )?.replaceAll('/', '-') ??
        publishedInData(document) ??
        time?.getAttribute('datetime') ??
        undefined,
    ),
    language: primaryLanguage(document.documentElement.getAttribute('lang') ?? meta('og:locale', 'language')),
    canonical: canonical && url && isSameSite(canonical, url) ? canonical : undefined,
  };
}

/** Sites put their name into the title; the page's only heading says it without. */
function titleFrom(own: string, headings: readonly string[]): string | undefined {
  const [only] = headings;
  if (headings.length === 1 && only && (own === '' || own.toLowerCase().includes(only.toLowerCase()))) return only;
  return own || only;
}

/** JSON-LD (schema.org), of which only the date is looked for. */
function publishedInData(document: DomDocument): string | undefined {
  for (const script of [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 10)) {
    const date = /"datePublished"\s*:\s*"([^"]{4,40})"/.exec(script.textContent.slice(0, 100_000))?.[1];
    if (date) return date;
  }
  return undefined;
}

function baseOf(document: DomDocument, url: string | undefined): string | undefined {
  const given = document.querySelector('base[href]')?.getAttribute('href');
  return absolute(given, url) ?? url;
}

/** Without the fragment where that is all it has; undefined for what is no address of the web. */
function absolute(href: string | null | undefined, base: string | undefined): string | undefined {
  if (!href || /^\s*#/.test(href)) return undefined;
  try {
    const target = new URL(href.trim(), base);
    return /^(https?|mailto):$/.test(target.protocol) ? target.href : undefined;
  } catch {
    return undefined;
  }
}

function isSameSite(one: string, other: string): boolean {
  const host = (address: string) => new URL(address).hostname.replace(/^www\./, '');
  return host(one) === host(other);
}

function visibleLength(element: DomElement): number {
  return element.textContent.replace(/\s+/g, ' ').length;
}

function nothingThere(name: string): Error {
  return unreadable(
    name,
    sentence('has no text: what it shows is made by scripts, or it is empty'),
    sentence('Open it in a browser, save what it shows as PDF or text, and add that.'),
  );
}
