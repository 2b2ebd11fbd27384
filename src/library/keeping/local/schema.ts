import type { Schema } from '../../../store';

/**
 * Documents and document requests; what a document says is in the file `content` of the folder of that name.
 * `metadata` is JSON; `stamp` changes with whatever the index knows of the document. Chunks, tokens and bytes are those
 * of the content.
 */
export const librarySchema: Schema = {
  part: 'library',
  migrations: [
    `
    CREATE TABLE library_document (
      document_id TEXT PRIMARY KEY,
      title TEXT NOT NULL,
      document_type TEXT NOT NULL,
      source_type TEXT NOT NULL,
      authority_score REAL NOT NULL,
      content_hash TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      metadata TEXT NOT NULL,
      content TEXT,
      content_size INTEGER NOT NULL,
      chunks INTEGER NOT NULL,
      tokens INTEGER NOT NULL,
      stamp TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX library_document_by_hash ON library_document (content_hash, created_at, document_id)
      WHERE content_hash IS NOT NULL AND content IS NOT NULL;
    CREATE TABLE library_request (
      id TEXT PRIMARY KEY,
      created_at TEXT NOT NULL,
      request TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    `,
  ],
};
