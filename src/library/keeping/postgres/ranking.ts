import type { Turns } from '../../../core/turns';
import type { Session } from '../../../postgres';
import { createSearchIndex, type MatchedWord } from '../../../search';
import type { DocumentMetadata } from '../../model';
import { type ChunkRecord, chunkOf } from '../chunk-record';
import { chunkPassage } from '../local/chunk-passages';
import { readMetadata, readRecord } from './shelf';

/** A passage as it is stored, with its document. */
export interface StoredPassage {
  key: string;
  record: ChunkRecord;
  content: string;
  document: DocumentMetadata;
}

export interface RankedPassage {
  key: string;
  score: number;
  matched: readonly MatchedWord[];
}

const AT_ONCE = 10;

export async function readPassages(session: Session, keys: readonly string[]): Promise<StoredPassage[]> {
  if (keys.length === 0) return [];
  const rows = await session.query<{ key: string; document_id: string; record: string; content: string }>(
    'SELECT key::text AS key, document_id, record, content FROM kaizen_library.chunks WHERE key = ANY ($1::bigint[])',
    [keys],
  );
  const documents = await session.query<{ document_id: string; metadata: string }>(
    'SELECT document_id, metadata FROM kaizen_library.documents WHERE document_id = ANY ($1::text[])',
    [[...new Set(rows.map(({ document_id }) => document_id))]],
  );
  const byId = new Map(documents.map(({ document_id, metadata }) => [document_id, readMetadata(metadata)]));
  return rows.flatMap(({ key, document_id, record, content }) => {
    const document = byId.get(document_id);
    return document ? [{ key, record: readRecord(record), content, document }] : [];
  });
}

/**
 * Ranks and scores what was chosen as everywhere else (docs/search.md), by an index of these passages alone that weighs
 * words as the whole library has them.
 */
export async function rankPassages(
  query: string,
  passages: readonly StoredPassage[],
  whole: { passages: number; found: ReadonlyMap<string, number> },
  limit: number,
  turns: Turns,
): Promise<RankedPassage[]> {
  const index = createSearchIndex({ passages: whole.passages, frequency: (stem) => whole.found.get(stem) });
  const segment = index.segment('');
  for (let from = 0; from < passages.length; from += AT_ONCE) {
    segment.set(
      passages.slice(from, from + AT_ONCE).map(({ key, record, content, document }) => ({
        ...chunkPassage(record, content, document, ''),
        uri: key,
      })),
    );
    await turns.pause();
  }
  const { hits } = index.search(query, { limit });
  return hits.flatMap(({ uri, score, matched }) => (matched.length > 0 ? [{ key: uri, score, matched }] : []));
}

export function chunkOfPassage({ record, content, document }: StoredPassage) {
  return chunkOf(record, content, document);
}
