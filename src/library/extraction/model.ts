import type { Extracted, SourceFormat } from '../model';

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

/** Messages to the worker thread and from it. */
export type ExtractionRequest = { id: number; input: ExtractionInput };
export type ExtractionMessage =
  | { id: number; progress: { page: number; pages: number } }
  | { id: number; extracted: Extracted }
  | { id: number; error: { code: string; message: string; hint?: string | undefined } };

/** Reads and chunks sources away from the thread that answers: parsers hold theirs for as long as they like. */
export interface Extractor {
  /** Throws `unreadable_source`: what it is and why it cannot be read. Cancelled, it ends at once (`cancelled`). */
  extract(
    input: ExtractionInput,
    options?: { signal?: AbortSignal | undefined; onProgress?: (page: number, pages: number) => void },
  ): Promise<Extracted>;
  close(): Promise<void>;
}
