import type { Passage } from '../../../search';
import type { ChunkRecord } from '../chunk-record';
import { passageUri } from './passage-uri';

/** Grows whenever passages are made in another way: what was kept of older ones is then made anew. */
const VERSION = 1;

/** What tells whether a document's passages are still what the library has. */
export function fingerprintOf(stamp: string): string {
  return `${VERSION}${stamp}`;
}

/** Where a chunk stands: the document, then what lies between it and the chunk's own section. */
export function headingsOf(
  { section_hierarchy, section_title, clause_number }: ChunkRecord,
  documentTitle: string,
): { title: string; headings: string[] } {
  const title = section_title || documentTitle;
  const above = section_hierarchy.filter((name) => name !== title && name !== clause_number);
  return { title, headings: [...(title === documentTitle ? [] : [documentTitle]), ...above] };
}

/** A chunk as search knows it: its section for a title, what is above it for headings, its clause and references for keywords. */
export function chunkPassage(
  record: ChunkRecord,
  content: string,
  document: { document_id: string; title: string; standard_id?: string | undefined },
  stamp: string,
): Passage {
  const { id, clause_number } = record;
  const normative = record.normative === true;
  const keywords = [clause_number, document.standard_id].filter((word) => word !== undefined && word !== '');
  return {
    uri: passageUri({ document_id: document.document_id, chunk_id: id, normative }),
    ...headingsOf(record, document.title),
    keywords: keywords as string[],
    body: content,
    facets: { kind: 'chunk', space: document.document_id, ...(normative ? { status: 'normative' } : {}) },
    fingerprint: fingerprintOf(stamp),
  };
}
