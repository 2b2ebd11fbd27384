import { describeError, isKaizenError } from '../core/errors';
import type { Note, NotesPart, RegistryHit } from '../notes';
import { snippetOf } from '../search';
import type { HybridSearch } from './hybrid-search';
import type { NoteSearchRequest, NoteSearchRow } from './model';
import { isInCategory } from './note-narrowing';
import type { NoteView } from './note-view';
import { rounded } from './scoring';
import { notesSource } from './sources';

const DEFAULT_RESULTS = 10;
/** Hits that are looked at in each space: those of one id in both are one result. */
const MOST_LOOKED_AT = 200;

export interface SearchingNotesParts {
  notes: NotesPart;
  noteView: NoteView;
  hybrid: HybridSearch;
}

export interface SearchedNotes {
  results: NoteSearchRow[];
  total: number;
  /** Sentences about what was not searched, or not as was asked. */
  remarks: string[];
}

interface Found {
  rows: NoteSearchRow[];
  total: number;
  remark?: string | undefined;
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
    const ids = new Set(local.rows.map(({ zettel_id }) => zettel_id));
    const others = shared.rows.filter(({ zettel_id }) => !ids.has(zettel_id));
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
    const { notes, hybrid } = this.parts;
    const { query, category, entry_type, tags = [] } = request;
    const sources = notes.spaces().map(({ space }) => notesSource(space));
    if (sources.length === 0) return nothing();
    const isNarrowed = category !== undefined || tags.length > 0;
    const known = (uris: readonly string[]) => uris.flatMap((uri) => notes.noteByUri(uri) ?? []);
    const { hits, total, note } = await hybrid.find(query, 'hybrid', {
      limit: Math.max(limit, MOST_LOOKED_AT),
      filter: { sources, ...(entry_type ? { type: [entry_type] } : {}) },
      accept: isNarrowed ? (uri) => known([uri]).some((each) => isAskedFor(each, request)) : undefined,
      // Searched by meaning, a type has to be looked at here.
      admit: (uris) => known(uris).flatMap((each) => (isAskedFor(each, request) ? each.uri : [])),
      signal,
    });
    const rows = hits.flatMap(({ uri, score }) => {
      const found = notes.noteByUri(uri);
      return found ? [{ row: rowOf(found, score), isOfProject: found.space === 'project' }] : [];
    });
    const ofProject = rows.filter(({ isOfProject }) => isOfProject).map(({ row }) => row);
    const ids = new Set(ofProject.map(({ zettel_id }) => zettel_id));
    const ofUser = rows.flatMap(({ row, isOfProject }) => (isOfProject || ids.has(row.zettel_id) ? [] : row));
    return {
      rows: [...ofProject, ...ofUser],
      total: total - (rows.length - ofProject.length - ofUser.length),
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
