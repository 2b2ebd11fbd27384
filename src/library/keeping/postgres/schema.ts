import { sentence } from '../../../core/sentence';
import type { DatabaseUse, TablesPlan } from '../../../postgres';

/**
 * The tables of a library, in an SQL schema of their own; PostgreSQL 13 suffices. What is JSON is kept as text, so that
 * it comes back as it was. What passages are found by is in a table of its own, whose rows are not moved out of line:
 * ranking reads them by the hundred. Words are those of the product's own analysis, as stems; PostgreSQL's language
 * settings play no part.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE kaizen_library.documents (
    document_id text COLLATE "C" PRIMARY KEY,
    title text NOT NULL,
    document_type text NOT NULL,
    source_type text NOT NULL,
    standard_id text,
    authority_score float8 NOT NULL,
    content_hash text,
    created_at text COLLATE "C" NOT NULL,
    updated_at text NOT NULL,
    metadata text NOT NULL,
    content text,
    chunks integer NOT NULL,
    tokens bigint NOT NULL
  );
  CREATE INDEX documents_by_hash ON kaizen_library.documents (content_hash, created_at, document_id)
    WHERE content_hash IS NOT NULL AND content IS NOT NULL;

  CREATE TABLE kaizen_library.chunks (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id text COLLATE "C" NOT NULL REFERENCES kaizen_library.documents ON DELETE CASCADE,
    id uuid NOT NULL,
    position integer NOT NULL,
    record text NOT NULL,
    content text NOT NULL,
    stamp text NOT NULL,
    text_hash bytea NOT NULL,
    UNIQUE (document_id, id)
  );
  CREATE INDEX chunks_by_text ON kaizen_library.chunks (text_hash);

  CREATE TABLE kaizen_library.chunk_words (
    key bigint PRIMARY KEY REFERENCES kaizen_library.chunks ON DELETE CASCADE,
    document_id text COLLATE "C" NOT NULL,
    normative boolean NOT NULL,
    head tsvector NOT NULL,
    words tsvector NOT NULL
  ) WITH (toast_tuple_target = 8160);
  CREATE INDEX chunk_words_head ON kaizen_library.chunk_words USING GIN (head) WITH (fastupdate = off);
  CREATE INDEX chunk_words_words ON kaizen_library.chunk_words USING GIN (words) WITH (fastupdate = off);

  CREATE TABLE kaizen_library.requests (
    id text COLLATE "C" PRIMARY KEY,
    created_at text COLLATE "C" NOT NULL,
    request text NOT NULL
  );

  CREATE TABLE kaizen_library.changes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
    document_id text,
    changed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX changes_by_transaction ON kaizen_library.changes (transaction);

  CREATE TABLE kaizen_library.embedders (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    embedder text NOT NULL,
    dimensions integer NOT NULL,
    UNIQUE (embedder, dimensions)
  );
  `,
];

export const LIBRARY: DatabaseUse = {
  noun: sentence('library'),
  versionTable: 'kaizen_library.library_schema',
  version: MIGRATIONS.length,
  init: 'kaizen library init',
  roles: 'kaizen library roles',
  status: 'kaizen library stats',
  unverifiedTls: 'KAIZEN_LIBRARY_UNVERIFIED_TLS',
  tooManyWords: sentence('Split the document into several.'),
};

export const LIBRARY_TABLES: TablesPlan = {
  lock: 5_003_291_776,
  foundation: `
    CREATE SCHEMA IF NOT EXISTS kaizen_library;
    CREATE TABLE IF NOT EXISTS kaizen_library.library_schema (
      version integer PRIMARY KEY,
      migrated_by text NOT NULL DEFAULT session_user,
      migrated_at timestamptz NOT NULL DEFAULT now()
    )`,
  migrationsFrom: (from) =>
    MIGRATIONS.slice(from).map(
      (statements, index) =>
        `${statements}; INSERT INTO kaizen_library.library_schema (version) VALUES (${from + index + 1})`,
    ),
};

/**
 * SQL that makes two roles without a login, to be granted to the accounts of people: `kaizen_library_reader` searches,
 * `kaizen_library_writer` changes documents and requests as well. Neither changes the tables. To be run by their owner,
 * after `init`; running it again does no harm.
 */
export const LIBRARY_ROLES = `-- Roles of a Kaizen library. Run this after "kaizen library init", as the role that ran it.
-- Then: GRANT kaizen_library_writer TO alice;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'kaizen_library_reader') THEN
    CREATE ROLE kaizen_library_reader NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'kaizen_library_writer') THEN
    CREATE ROLE kaizen_library_writer NOLOGIN;
  END IF;
END
$$;

REVOKE ALL ON SCHEMA kaizen_library FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA kaizen_library FROM PUBLIC;

-- Readers: search, read, list.
GRANT USAGE ON SCHEMA kaizen_library TO kaizen_library_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA kaizen_library TO kaizen_library_reader;

-- Writers: what readers may, and to add, change and remove documents, requests and vectors.
GRANT kaizen_library_reader TO kaizen_library_writer;
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA kaizen_library TO kaizen_library_writer;
REVOKE INSERT, UPDATE, DELETE ON kaizen_library.library_schema, kaizen_library.embedders FROM kaizen_library_writer;

-- The same for the tables of vectors that are yet to be made, one for each embedding model.
ALTER DEFAULT PRIVILEGES IN SCHEMA kaizen_library GRANT SELECT ON TABLES TO kaizen_library_reader;
ALTER DEFAULT PRIVILEGES IN SCHEMA kaizen_library GRANT INSERT, UPDATE, DELETE ON TABLES TO kaizen_library_writer;
`;
