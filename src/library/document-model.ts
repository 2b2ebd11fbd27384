import type { AuthorityLevel, ChunkType, ProcessingStatus, SourceFormat, SourceType } from './vocabulary';

/** What a library consists of: documents and their chunks (seed 003, 4.1), and what reading makes of a source. */

/** A piece of a document that says something by itself and can be cited. Seed 003, 4.1.1. Times are ISO 8601. */
export interface KnowledgeChunk {
  /** A UUID made of the document and what the chunk says, so that what stays as it is keeps its id. */
  id: string;
  document_id: string;
  document_title: string;
  document_type: string;

  /** `text.slice(char_start, char_end)` of the document's stored text. */
  content: string;
  /** SHA-256 of `content`, hex. */
  content_hash: string;
  token_count: number;

  /** Numbers or titles of the sections that it lies in, outermost first: `["6", "6.4", "6.4.7"]`. */
  section_hierarchy: readonly string[];
  section_title: string;
  parent_chunk_id?: string | undefined;

  chunk_type: ChunkType;
  /** Undefined where it cannot be told. */
  normative?: boolean | undefined;

  /** Of a source with pages, from 1. */
  page_numbers: readonly number[];
  clause_number?: string | undefined;
  /** UTF-16 code units in the document's stored text, end exclusive. */
  char_start: number;
  char_end: number;

  source_type: SourceType;
  source_url?: string | undefined;
  source_domain?: string | undefined;
  crawled_at?: string | undefined;

  authority_score: number;
  /** Absent where it was not assessed. */
  relevance_score?: number | undefined;

  /** Standards, clauses and addresses that it names, as they stand there. */
  references: readonly string[];
  created_at: string;
  updated_at: string;
}

/** Seed 003, 4.1.2, and what keeping a source up to date needs. Times are ISO 8601. */
export interface DocumentMetadata {
  /** Letters, digits and `-`; the same for the same source. */
  document_id: string;
  title: string;
  document_type: string;
  /** An absolute path, a URL, or `content:` for text that was given directly. */
  source_path: string;
  format: SourceFormat;

  version?: string | undefined;
  /** ISO date, as exact as it is known: `2023`, `2023-05`, `2023-05-16`. */
  publication_date?: string | undefined;
  standard_id?: string | undefined;
  /** BCP 47 primary language, where it is known. */
  language?: string | undefined;

  source_type: SourceType;
  source_url?: string | undefined;
  source_domain?: string | undefined;

  authority_level: AuthorityLevel;
  authority_score: number;

  crawled_at?: string | undefined;
  last_verified_at?: string | undefined;
  /** SHA-256 of the source's bytes, hex. */
  content_hash?: string | undefined;
  /** For conditional requests (RFC 9110, 13.1). */
  etag?: string | undefined;
  last_modified?: string | undefined;
  /** Bytes of the source. */
  size: number;
  pages?: number | undefined;

  chunk_count: number;
  token_count: number;
  processing_status: ProcessingStatus;
  /** A sentence, and what to do. */
  processing_error?: string | undefined;
  /** What was lost on the way: pages without text, tables that were flattened. */
  remarks: readonly string[];

  /** What a person or an agent said of it; stays when the source is read again. */
  overrides: MetadataOverrides;
  /** Of the last assessment against a topic, with that topic. */
  relevance?: { score: number; topic: string } | undefined;
  /** Who brought it in. */
  added_by: string;
  created_at: string;
  updated_at: string;
}

/** Seed 003, 5.2.3. */
export interface MetadataOverrides {
  title?: string | undefined;
  document_type?: string | undefined;
  authority_level?: AuthorityLevel | undefined;
  standard_id?: string | undefined;
  version?: string | undefined;
}

/** A source's text in the one form that all sources are brought to. */
export interface NormalisedDocument {
  format: SourceFormat;
  title?: string | undefined;
  /** Markdown with `\n` line ends. All offsets are UTF-16 code units in it. */
  text: string;
  /** Where each page begins, ascending; empty for a source without pages. */
  pages: readonly { page: number; start: number }[];
  /** Headings that the source names and the text does not show (a PDF's outline); offsets in `text`, ascending. */
  outline: readonly { title: string; depth: number; start: number }[];
  version?: string | undefined;
  publication_date?: string | undefined;
  language?: string | undefined;
  /** A web page's own idea of its address (`rel=canonical`), of its own site only. */
  canonical_url?: string | undefined;
  remarks: readonly string[];
}

/** A chunk as its text alone tells: without the document's particulars. */
export interface ChunkDraft
  extends Pick<
    KnowledgeChunk,
    | 'content'
    | 'content_hash'
    | 'token_count'
    | 'section_hierarchy'
    | 'section_title'
    | 'chunk_type'
    | 'normative'
    | 'page_numbers'
    | 'clause_number'
    | 'char_start'
    | 'char_end'
    | 'references'
  > {
  /** Index of the chunk that opens the section above. */
  parent?: number | undefined;
}

/** What reading and chunking make of a source's bytes. */
export interface Extracted {
  document: NormalisedDocument;
  chunks: readonly ChunkDraft[];
}
