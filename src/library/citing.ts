import { numberedTitle } from '../core/numbered-title';
import type { KnowledgeChunk } from './document-model';

type Placed = Pick<KnowledgeChunk, 'section_title' | 'clause_number' | 'page_numbers'>;
type Cited = Placed & Pick<KnowledgeChunk, 'document_title' | 'source_url'>;

/** Where a passage stands in its document, in English: `6.4.7 Technical Reviews, pages 12–13`; empty where nothing is known. */
export function placeOf({ section_title, clause_number, page_numbers }: Placed): string {
  const [first, last] = [page_numbers[0], page_numbers.at(-1)];
  const pages = first === undefined ? '' : first === last ? `page ${first}` : `pages ${first}–${last}`;
  return [numberedTitle(section_title, clause_number), pages].filter(Boolean).join(', ');
}

/** What a passage is cited by: `IEEE 15288, 6.4.7 Technical Reviews, pages 12–13, https://…` */
export function citationOf(cited: Cited): string {
  const { document_title, section_title, clause_number, source_url = '' } = cited;
  // What stands under a document's title alone stands in no section of it.
  const isWhole = section_title === document_title && clause_number === undefined;
  const place = placeOf(isWhole ? { ...cited, section_title: '' } : cited);
  return [document_title, place, source_url].filter(Boolean).join(', ');
}
