import type { Sentence } from '../../core/sentence';
import type { ChunkDraft, Extracted, NormalisedDocument, SourceFormat } from '../model';

/** What is to be read: the bytes, and what is known of where they come from. */
export interface ExtractionInput {
  bytes: Uint8Array;
  /** As the source was named, for the errors: a file's name, a URL. */
  name: string;
  /** What it is to be read as; told by the bytes, then by name and media type, unless told. */
  format?: SourceFormat | undefined;
  /** `Content-Type` of a web page, with its charset. */
  mediaType?: string | undefined;
  /** The page's address: relative links are resolved against it. */
  url?: string | undefined;
}

/** What the worker thread is given: one source at a time. */
export type ExtractionRequest = { id: number; input: ExtractionInput };

/** … and told for each piece of a result: that the next one may come. */
export type PieceTaken = { taken: number };

/**
 * What the worker thread says. The result comes in pieces, so that whoever takes them is never held for long: the text in
 * parts, the chunks without `content`, which is a part of the text, in batches, and last the document without its text.
 */
export type ExtractionMessage = { id: number } & (
  | { progress: { page: number; pages: number } }
  | { text: string }
  | { chunks: readonly PlacedChunk[] }
  | { document: Omit<NormalisedDocument, 'text'> }
  | { error: ExtractionFailure }
);

/** An error's `code` and what it says; without a code it is none of Kaizen's. Sentences come as plain objects. */
export interface ExtractionFailure {
  code: string;
  said: readonly (Sentence | string)[];
}

export type PlacedChunk = Omit<ChunkDraft, 'content'>;

/** Reads and chunks sources away from the thread that answers: parsers hold theirs for as long as they like. */
export interface Extractor {
  /**
   * `bytes` stay as they are. Throws `unreadable_source`: what it is and why it cannot be read. Cancelled, it ends at once
   * with the signal's reason, or with `cancelled` when the extractor is closed.
   */
  extract(
    input: ExtractionInput,
    options?: { signal?: AbortSignal | undefined; onProgress?: ((page: number, pages: number) => void) | undefined },
  ): Promise<Extracted>;
  close(): Promise<void>;
}
