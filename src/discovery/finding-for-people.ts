import type { BasesPart } from '../bases';
import { entryUri } from '../core/knowledge-uri';
import { Turns } from '../core/turns';
import type { KnowledgePart } from '../knowledge';
import { type MatchedWord, type QuerySyntax, type SearchIndex, snippetOf } from '../search';
import type { Found } from './model';
import { Naming, type Subject, titleOf, typeOf } from './subject';
import { Subjects } from './subjects';
import type { Viewpoint } from './viewpoint';

const DEFAULT_FOUND = 50;
const MAX_FOUND = 200;
/** Longer queries are no beginnings of keywords. */
const MAX_BEGINNING = 200;
/** Texts that are read for snippets at once; those of other hits are shown without one when reading takes longer than this. */
const SNIPPET_MS = 60;

export interface PeopleParts {
  knowledge: KnowledgePart;
  bases: BasesPart;
  index: SearchIndex;
  viewpoint: Viewpoint;
}

/** Finding as people type: see `DiscoveryPart.find`. */
export class FindingForPeople {
  constructor(private readonly parts: PeopleParts) {}

  async find(query: string, limit = DEFAULT_FOUND): Promise<Found[]> {
    const most = Math.max(1, Math.min(Math.floor(limit), MAX_FOUND));
    if (query.trim() === '') return [];
    const scores = new Map<string, number>();
    // By name first, whatever else it is about: 1 for the very keyword.
    for (const uri of this.named(query.trim(), most)) scores.set(uri, 1);
    const { hits } = this.parts.index.search(query, { syntax: 'query', limit: most });
    const matched = new Map(hits.map((hit) => [hit.uri, hit.matched]));
    for (const { uri, score } of hits) if (!scores.has(uri)) scores.set(uri, score);
    const subjects = new Subjects(this.parts.bases, (uris) => this.parts.viewpoint.stored(uris));
    const found = subjects.all([...scores.keys()]).slice(0, most);
    const scored = found.map((subject) => {
      const { uri } = subject;
      return { subject, score: scores.get(uri) ?? 0, matched: matched.get(uri) };
    });
    return foundWith(scored, this.parts.bases, query, 'query');
  }

  private named(query: string, limit: number): string[] {
    if (query.length > MAX_BEGINNING) return [];
    const { knowledge } = this.parts;
    const cases = [query, query.toLowerCase()];
    const spellings = new Set(cases.flatMap((each) => [each, each.replaceAll(' ', '-'), each.replaceAll(' ', '_')]));
    const keys = [...spellings].flatMap((spelling) => knowledge.keywordsFrom(spelling, limit));
    const whole = keys.filter(({ keyword }) => spellings.has(keyword));
    return [...new Set([...whole, ...keys].map(entryUri))].slice(0, limit);
  }
}

/** What was found as a person sees it, with a part of the text; texts that take long to read are left out. */
export async function foundWith(
  found: readonly { subject: Subject; score: number; matched?: readonly MatchedWord[] | undefined }[],
  bases: BasesPart,
  query: string,
  syntax: QuerySyntax,
): Promise<Found[]> {
  const naming = new Naming(bases);
  const until = performance.now() + SNIPPET_MS;
  const texts = await Promise.all(found.map(({ subject }) => textOf(subject, bases, until)));
  const turns = new Turns();
  const shown: Found[] = [];
  for (const [at, { subject, score, matched }] of found.entries()) {
    shown.push({
      uri: subject.uri,
      kind: subject.kind,
      title: titleOf(subject),
      path: naming.pathOf(subject),
      type: typeOf(subject),
      score,
      snippet: snippetOf(texts[at]!, query, { syntax, matched }),
    });
    await turns.pause();
  }
  return shown;
}

async function textOf(subject: Subject, bases: BasesPart, until: number): Promise<string> {
  if (subject.kind === 'entry') return subject.entry.content;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, until - performance.now()), '');
  });
  try {
    return await Promise.race([bases.content(subject.node).catch(() => ''), late]);
  } finally {
    clearTimeout(timer);
  }
}
