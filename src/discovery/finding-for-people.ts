import type { BasesPart } from '../bases';
import { entryUri } from '../core/knowledge-uri';
import type { KnowledgePart } from '../knowledge';
import type { NotesPart } from '../notes';
import type { SearchIndex } from '../search';
import { foundWith } from './found';
import type { Found } from './model';
import type { NoteView } from './note-view';
import { Subjects } from './subject';
import type { Viewpoint } from './viewpoint';

const DEFAULT_FOUND = 50;
const MAX_FOUND = 200;
/** Longer queries are no beginnings of keywords. */
const MAX_BEGINNING = 200;

export interface PeopleParts {
  knowledge: KnowledgePart;
  bases: BasesPart;
  notes: NotesPart;
  noteView: NoteView;
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
    for (const uri of this.notesNamed(query.trim(), most)) scores.set(uri, 1);
    const { hits } = this.parts.index.search(query, { syntax: 'query', limit: most });
    const matched = new Map(hits.map((hit) => [hit.uri, hit.matched]));
    for (const { uri, score } of hits) if (!scores.has(uri)) scores.set(uri, score);
    const { bases, noteView } = this.parts;
    const subjects = new Subjects(bases, noteView, (uris) => this.parts.viewpoint.stored(uris));
    const found = subjects.all([...scores.keys()]).slice(0, most);
    const scored = found.map((subject) => {
      const { uri } = subject;
      return { subject, score: scores.get(uri) ?? 0, matched: matched.get(uri) };
    });
    return foundWith(scored, this.parts, query, 'query');
  }

  /** Those whose id is the query, or begins with it; the very id first, the project's before the user's. */
  private notesNamed(query: string, limit: number): string[] {
    const wanted = query.toLowerCase().replaceAll(' ', '-');
    const named = this.parts.notes.notes().filter(({ zettel_id }) => zettel_id.toLowerCase().startsWith(wanted));
    const whole = named.filter(({ zettel_id }) => zettel_id.length === wanted.length);
    return [...new Set([...whole, ...named].map(({ uri }) => uri))].slice(0, limit);
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
