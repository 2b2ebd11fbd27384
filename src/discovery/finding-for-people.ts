import type { BasesPart } from '../bases';
import { entryUri } from '../core/knowledge-uri';
import type { KnowledgePart } from '../knowledge';
import type { SearchIndex } from '../search';
import { foundWith } from './found';
import type { Found } from './model';
import { Subjects } from './subject';
import type { Viewpoint } from './viewpoint';

const DEFAULT_FOUND = 50;
const MAX_FOUND = 200;
/** Longer queries are no beginnings of keywords. */
const MAX_BEGINNING = 200;

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
