import { existsSync } from 'node:fs';
import { describeError } from '../../core/errors';
import type { FoundChunk, SourceListing } from '../../library';
import type { FoundRecord, RecordHit } from '../model';
import type { ArtifactType, LearnedKind } from '../vocabulary';
import type { FindingSource } from '../workflows-model';
import { asQuery } from './words';
import type { KnowledgePassage, World } from './world';

export const PLACES = ['learning', 'library', 'knowledge'] as const;
export type Place = (typeof PLACES)[number];

/** What the library takes at most. */
const MOST = 100;
/** Scores below are chance: one frequent word of many. */
const LEAST = 0.02;

/** The title and the list of fields that a record begins with: they are answered by themselves. */
const HEAD = /^#.*\n+(?:- \S[^\n]*: [^\n]*\n)*\n*/;

/** Something that was found, with all that is known of it. */
export interface Passage {
  id: string;
  uri: string;
  title: string;
  kind: string;
  artifact_type: ArtifactType;
  text: string;
  /** 0 to 1. */
  semantic: number;
  /** Words of the question that it was found by. */
  matched: readonly string[];
  source: FindingSource;
  /** 0 to 1: how much its source is to be trusted. */
  authority: number;
  record?: FoundRecord | undefined;
  chunk?: FoundChunk['chunk'] | undefined;
}

export interface Search {
  query: string;
  limit: number;
  /** All unless told. */
  places?: readonly Place[] | undefined;
  /** Of captured records; all unless told. */
  kinds?: readonly LearnedKind[] | undefined;
  normative_only?: boolean | undefined;
  /** What is found with a score below is left out: what is chance, unless told. */
  least?: number | undefined;
  /** Ids or titles of the documents that alone are wanted from the library. */
  standards?: readonly string[] | undefined;
}

/** What the sources of a question of nobody's authority are worth: between what is informative and what is reputable. */
export const AUTHORITY = { captured: 0.6, completed: 0.7, builtIn: 0.6, entry: 0.7, file: 0.6 } as const;

/**
 * One search over captured records, the library and all other knowledge. The places are asked at once; one that fails
 * is remembered in `problems` and the others answer.
 */
export class Evidence {
  readonly problems = new Map<Place, string>();
  private listed: Promise<readonly SourceListing[]> | undefined;

  constructor(
    private readonly world: World,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Best first; each address once. Never throws but for a signal. */
  async search(search: Search): Promise<Passage[]> {
    const { limit, places = PLACES, kinds, normative_only, standards, least = LEAST } = search;
    const query = asQuery(search.query);
    if (query === '') return [];
    const most = Math.max(1, Math.min(MOST, Math.trunc(limit)));
    const asked: Record<Place, () => Promise<Passage[]>> = {
      learning: async () => (await this.records(query, most, kinds)).map((hit) => this.ofRecord(hit, hit.score, hit)),
      library: () => this.chunks(query, most, { normative_only, standards }),
      knowledge: async () =>
        (await this.world.knowledge(query, most, this.signal)).map((passage) => this.ofKnowledge(passage)),
    };
    const found = await Promise.all(places.map((place) => this.guarded(place, asked[place])));
    const best = new Map<string, Passage>();
    for (const passage of found.flat()) {
      const known = best.get(passage.uri);
      if (passage.semantic >= least && (!known || known.semantic < passage.semantic)) best.set(passage.uri, passage);
    }
    return [...best.values()].sort(byScore);
  }

  /** What is found by several questions is surer: scores go together as independent hints do, each with its weight. */
  async searchAll(searches: readonly (Search & { weight?: number })[]): Promise<Passage[]> {
    const all = await Promise.all(searches.map((search) => this.search(search)));
    const together = new Map<string, Passage>();
    for (const [at, passages] of all.entries()) {
      const weight = searches[at]!.weight ?? 1;
      for (const passage of passages) {
        const known = together.get(passage.uri);
        const semantic = 1 - (1 - (known?.semantic ?? 0)) * (1 - weight * passage.semantic);
        const matched = [...new Set([...(known?.matched ?? []), ...passage.matched])];
        together.set(passage.uri, { ...passage, semantic, matched });
      }
    }
    return [...together.values()].sort(byScore);
  }

  /** The library's documents; none where there is no library, or it cannot be opened. */
  async documents(): Promise<readonly SourceListing[]> {
    this.listed ??= (async () => {
      let documents: readonly SourceListing[] = [];
      await this.guarded('library', async () => {
        if (this.hasLibrary) documents = await this.world.library.sources({ limit: 10_000 });
        return [];
      });
      return documents;
    })();
    return this.listed;
  }

  /** A captured record as a passage. */
  ofRecord(found: FoundRecord, semantic: number, hit?: Pick<RecordHit, 'matched'>): Passage {
    const { kind, id, uri, record } = found;
    const title = 'title' in record ? record.title : record.name;
    return {
      id,
      uri,
      title,
      kind: kind === 'pattern' ? found.record.pattern_type : kind,
      artifact_type: kind === 'lesson' ? 'chunk' : kind,
      text: (this.world.learning.markdown(uri) ?? title).replace(HEAD, ''),
      semantic,
      matched: hit?.matched.map(({ word }) => word) ?? [],
      source: { where: 'learning', title },
      authority: authorityOf(found),
      record: found,
    };
  }

  private records(query: string, limit: number, kinds: readonly LearnedKind[] | undefined): Promise<RecordHit[]> {
    return this.world.learning
      .search({ query, limit, kinds, ...(this.signal ? { signal: this.signal } : {}) })
      .then((hits) => hits.filter(({ matched }) => matched.length > 0));
  }

  private async chunks(
    query: string,
    limit: number,
    { normative_only, standards }: Pick<Search, 'normative_only' | 'standards'>,
  ): Promise<Passage[]> {
    if (!this.hasLibrary) return [];
    const documents = standards?.length ? await this.documentsNamed(standards) : undefined;
    if (documents?.length === 0) return [];
    const { results } = await this.world.library.search({
      query,
      n_results: limit,
      filter: { normative_only, documents },
      include_coverage_assessment: false,
      boost_by_score: false,
      signal: this.signal,
    });
    return results.map(ofChunk);
  }

  /** Ids of the documents that are meant by a standard's id or a title. */
  async documentsNamed(names: readonly string[]): Promise<string[]> {
    const wanted = names.map(plain).filter((name) => name !== '');
    return (await this.documents())
      .filter(({ document_id, standard_id, title }) => {
        const has = [standard_id, title].map((text) => plain(text ?? ''));
        return wanted.some((name) => plain(document_id) === name || has.some((text) => text.includes(name)));
      })
      .map(({ document_id }) => document_id);
  }

  /** A library that was never made is no failure, and is not made for a question. */
  private get hasLibrary(): boolean {
    const { kind, place } = this.world.library.state;
    return kind !== 'directory' || existsSync(place);
  }

  private ofKnowledge(passage: KnowledgePassage): Passage {
    const { uri, kind, title, path, score, matched, text } = passage;
    const where = { entry: 'knowledge', node: 'bases', note: 'notes' }[kind];
    return {
      id: uri,
      uri,
      title,
      kind,
      artifact_type: 'chunk',
      text,
      semantic: score,
      matched,
      source: { where, title: path === '' ? title : path },
      authority: kind === 'entry' ? AUTHORITY.entry : AUTHORITY.file,
    };
  }

  private async guarded(place: Place, ask: () => Promise<Passage[]>): Promise<Passage[]> {
    this.signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      this.signal?.throwIfAborted();
      this.problems.set(place, describeError(error));
      return [];
    }
  }
}

export function ofChunk({ id, uri, content, semantic_score, matched, chunk }: FoundChunk): Passage {
  const { document_title, section_title, document_id, clause_number, page_numbers, authority_score, source_url } =
    chunk;
  return {
    id,
    uri,
    title: section_title === '' ? document_title : `${document_title}: ${section_title}`,
    kind: chunk.chunk_type,
    artifact_type: 'chunk',
    text: content,
    semantic: semantic_score,
    matched,
    source: {
      where: 'library',
      title: document_title,
      document_id,
      ...(section_title === '' ? {} : { section_title }),
      ...(clause_number === undefined ? {} : { clause_number }),
      page_numbers,
      authority_score,
      ...(source_url === undefined ? {} : { url: source_url }),
    },
    authority: authority_score,
    chunk,
  };
}

function authorityOf({ kind, record }: FoundRecord): number {
  if (kind === 'pattern') return AUTHORITY.builtIn;
  return kind === 'project' && record.status === 'completed' ? AUTHORITY.completed : AUTHORITY.captured;
}

export function byScore(a: Passage, b: Passage): number {
  return b.semantic - a.semantic || (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0);
}

/** `ISO 26262-6:2018` and `iso26262-6` are compared by letters and digits alone. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
