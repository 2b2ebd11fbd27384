import { describeError, isKaizenError } from '../core/errors';
import type { Sentence } from '../core/sentence';
import { type Note, type NotesPart, type RegistryHit, SPACES } from '../notes';
import { type HybridSearch, snippetOf } from '../search';
import type { NoteSearchRequest, NoteSearchRow } from './model';
import { isInCategory } from './note-narrowing';
import type { NoteView } from './note-view';
import { rounded } from './scoring';
import { notesSource } from './sources';

const DEFAULT_RESULTS = 10;
export interface SearchingNotesParts {
  notes: NotesPart;
  noteView: NoteView;
  hybrid: HybridSearch;
}

export interface SearchedNotes {
  results: NoteSearchRow[];
  total: number;
  /** Sentences about what was not searched, or not as was asked. */
  remarks: (Sentence | string)[];
}

interface Found {
  rows: NoteSearchRow[];
  total: number;
  remark?: Sentence | string | undefined;
}

/** `search` of seed 004: over the notes of the spaces, of the registry where it is named, or of both. */
export class SearchingNotes {
  constructor(private readonly parts: SearchingNotesParts) {}

  /** Throws what the registry throws when it alone was asked. */
  async search(request: NoteSearchRequest, signal?: AbortSignal): Promise<SearchedNotes> {
    const isLocal = request.sources.includes('local');
    const isShared = request.sources.includes('registry');
    const limit = request.limit ?? DEFAULT_RESULTS;
    const [local, shared] = await Promise.all([
      isLocal ? this.inSpaces(request, limit, signal) : nothing(),
      isShared ? this.inRegistry(request, limit, isLocal, signal) : nothing(),
    ]);
    signal?.throwIfAborted();
    const ids = new Set(local.rows.map(({ zettel_id }) => zettel_id.toLowerCase()));
    const others = shared.rows.filter(({ zettel_id }) => !ids.has(zettel_id.toLowerCase()));
    // A stable order: of equally good ones those of the project come first, then the user's.
    const rows = [...local.rows, ...others].sort((a, b) => b.relevance_score - a.relevance_score).slice(0, limit);
    const results = await Promise.all(rows.map((row) => this.withSnippet(row, request.query)));
    return {
      results,
      total: local.total + shared.total - (shared.rows.length - others.length),
      remarks: [local.remark, shared.remark].filter((remark) => remark !== undefined),
    };
  }

  private async inSpaces(request: NoteSearchRequest, limit: number, signal?: AbortSignal): Promise<Found> {
    const { notes, noteView, hybrid } = this.parts;
    const { query, category, entry_type, tags = [] } = request;
    const sources = notes.spaces().map(({ space }) => notesSource(space));
    if (sources.length === 0) return nothing();
    const isMeant = (uri: string) => {
      const note = notes.noteByUri(uri);
      return note !== undefined && isAskedFor(note, request) && !noteView.isShadowed(note);
    };
    const { hits, total, note } = await hybrid.find(query, 'hybrid', {
      limit,
      filter: { sources, ...(entry_type ? { type: [entry_type] } : {}) },
      accept: category !== undefined || tags.length > 0 ? isMeant : undefined,
      // Searched by meaning, a type has to be looked at here; and what lies in both spaces is the project's.
      admit: (uris) => uris.filter(isMeant),
      signal,
    });
    const rows = hits.flatMap(({ uri, score }) => {
      const note = notes.noteByUri(uri);
      return note ? [rowOf(note, score)] : [];
    });
    return {
      rows: SPACES.flatMap((space) => rows.filter(({ source_location }) => source_location === space)),
      total,
      // Whoever set no model up need not be told so with each search.
      remark: hybrid.isSetUp ? note : undefined,
    };
  }

  private async inRegistry(
    { query, category, entry_type, tags }: NoteSearchRequest,
    limit: number,
    isOptional: boolean,
    signal?: AbortSignal,
  ): Promise<Found> {
    try {
      const registry = await this.parts.notes.registry();
      const { hits, total } = await registry.search({ query, category, entry_type, tags, limit }, signal);
      return { rows: hits.map(rowOfShared), total };
    } catch (error) {
      if (!isOptional || !isKaizenError(error) || error.code === 'cancelled') throw error;
      return { rows: [], total: 0, remark: `The registry was not searched: ${describeError(error)}` };
    }
  }

  /** The registry makes its own. */
  private async withSnippet(row: NoteSearchRow, query: string): Promise<NoteSearchRow> {
    const { source_location, zettel_id } = row;
    if (source_location === 'registry') return row;
    const { notes } = this.parts;
    const note = notes.note(source_location, zettel_id);
    // A file that is gone meanwhile leaves its row without a snippet.
    const body = note
      ? await notes.text(note).then(
          ({ body: text }) => text,
          () => '',
        )
      : '';
    const { text } = snippetOf(body, query);
    return { ...row, snippet: text.replace(/\s+/gu, ' ').trim() };
  }
}

function nothing(): Found {
  return { rows: [], total: 0 };
}

/** Whether it lies in the category and has the type and all of the tags, whose case does not count. */
function isAskedFor(note: Note, { category, entry_type, tags = [] }: NoteSearchRequest): boolean {
  if (entry_type !== undefined && note.entry_type !== entry_type) return false;
  const folder = category?.replace(/^\/+|\/+$/g, '');
  if (folder && !isInCategory(note.category, folder)) return false;
  const own = new Set(note.tags.map((tag) => tag.toLowerCase()));
  return tags.every((tag) => own.has(tag.toLowerCase()));
}

function rowOf({ zettel_id, title, entry_type, tags, space, category }: Note, score: number): NoteSearchRow {
  return {
    zettel_id,
    title,
    ...(entry_type ? { entry_type } : {}),
    tags,
    source_location: space,
    category,
    relevance_score: rounded(score),
    snippet: '',
  };
}

function rowOfShared({
  zettel_id,
  title,
  entry_type,
  tags,
  category,
  relevance_score,
  ...hit
}: RegistryHit): NoteSearchRow {
  return {
    zettel_id,
    title,
    ...(entry_type ? { entry_type } : {}),
    tags,
    source_location: 'registry',
    category,
    relevance_score: rounded(Math.min(1, Math.max(0, relevance_score))),
    snippet: hit.snippet,
    version: hit.version,
  };
}
