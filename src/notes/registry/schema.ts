import { sentence } from '../../core/sentence';
import type { DatabaseUse, TablesPlan } from '../../postgres';

/**
 * The registry's tables, in an SQL schema of their own: what lies in `public`, Supabase hands out over PostgREST to
 * whoever has the project's public key. Tables and columns as seed 004 has them, plus what versions need. PostgreSQL 13
 * suffices; no extension is needed.
 *
 * Entries hold what is current and searched; versions every document that was ever published, which nobody changes.
 * There are two vectors: the short one finds what has the words in its head before all that merely mentions them, so
 * that the entries to be ranked can be limited (`searching.ts`).
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE FUNCTION kaizen.head_words(title text, zettel_id text, tags text[]) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      SELECT pg_catalog.setweight(pg_catalog.to_tsvector('pg_catalog.english', title), 'A')
        || pg_catalog.setweight(pg_catalog.to_tsvector('pg_catalog.english', pg_catalog.translate(zettel_id, '-._', '   ')), 'A')
        || pg_catalog.setweight(pg_catalog.to_tsvector('pg_catalog.english', pg_catalog.array_to_string(tags, ' ')), 'B')
    $$;

  CREATE TABLE kaizen.knowledge_entries (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    zettel_id text NOT NULL,
    title text NOT NULL,
    content text NOT NULL,
    category text NOT NULL DEFAULT '',
    entry_type text NOT NULL,
    tags text[] NOT NULL DEFAULT '{}',
    source_type text,
    source_url text,
    version text NOT NULL DEFAULT '1.0.0',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    head_vector tsvector GENERATED ALWAYS AS (kaizen.head_words(title, zettel_id, tags)) STORED,
    search_vector tsvector GENERATED ALWAYS AS (
      kaizen.head_words(title, zettel_id, tags)
        || setweight(to_tsvector('pg_catalog.english', left(content, 250000)), 'D')
    ) STORED
  );
  CREATE UNIQUE INDEX idx_knowledge_zettel_id ON kaizen.knowledge_entries (zettel_id);
  CREATE UNIQUE INDEX idx_knowledge_zettel_id_folded ON kaizen.knowledge_entries (lower(zettel_id));
  CREATE INDEX idx_knowledge_head ON kaizen.knowledge_entries USING GIN (head_vector) WITH (fastupdate = off);
  CREATE INDEX idx_knowledge_search ON kaizen.knowledge_entries USING GIN (search_vector) WITH (fastupdate = off);
  CREATE INDEX idx_knowledge_tags ON kaizen.knowledge_entries USING GIN (tags) WITH (fastupdate = off);
  CREATE INDEX idx_knowledge_category ON kaizen.knowledge_entries (category text_pattern_ops);
  CREATE INDEX idx_knowledge_entry_type ON kaizen.knowledge_entries (entry_type);

  CREATE TABLE kaizen.knowledge_entry_versions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    zettel_id text NOT NULL REFERENCES kaizen.knowledge_entries (zettel_id) ON DELETE CASCADE,
    version text NOT NULL,
    title text NOT NULL,
    category text NOT NULL,
    entry_type text NOT NULL,
    tags text[] NOT NULL,
    source_type text,
    source_url text,
    created_at timestamptz,
    updated_at timestamptz,
    document text NOT NULL,
    content_length integer NOT NULL,
    content_hash text NOT NULL,
    published_by text NOT NULL,
    published_as text NOT NULL DEFAULT session_user,
    published_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (zettel_id, version)
  );

  CREATE TABLE kaizen.knowledge_relationships (
    from_zettel_id text NOT NULL REFERENCES kaizen.knowledge_entries (zettel_id) ON DELETE CASCADE,
    to_zettel_id text NOT NULL,
    relationship_type text NOT NULL,
    is_published boolean NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (from_zettel_id, to_zettel_id, relationship_type)
  );
  CREATE INDEX idx_knowledge_relationships_to ON kaizen.knowledge_relationships (to_zettel_id);

  CREATE TABLE kaizen.knowledge_collections (
    id text PRIMARY KEY,
    name text NOT NULL,
    description text NOT NULL,
    collection_type text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX idx_knowledge_collections_name ON kaizen.knowledge_collections (lower(name));

  CREATE TABLE kaizen.knowledge_collection_entries (
    collection_id text NOT NULL REFERENCES kaizen.knowledge_collections (id) ON DELETE CASCADE,
    position integer NOT NULL,
    zettel_id text NOT NULL,
    PRIMARY KEY (collection_id, position)
  );
  `,
];

/** What this version works with. */
export const SCHEMA_VERSION = MIGRATIONS.length;

export const REGISTRY: DatabaseUse = {
  noun: sentence('registry'),
  versionTable: 'kaizen.registry_schema',
  version: SCHEMA_VERSION,
  init: 'kaizen registry init',
  roles: 'kaizen registry roles',
  status: 'kaizen registry status',
  unverifiedTls: 'KAIZEN_REGISTRY_UNVERIFIED_TLS',
  tooManyWords: sentence('Split the note into several.'),
};

export const REGISTRY_TABLES: TablesPlan = {
  lock: 5_004_291_776,
  foundation: `
    CREATE SCHEMA IF NOT EXISTS kaizen;
    CREATE TABLE IF NOT EXISTS kaizen.registry_schema (
      version integer PRIMARY KEY,
      migrated_by text NOT NULL DEFAULT session_user,
      migrated_at timestamptz NOT NULL DEFAULT now()
    )`,
  migrationsFrom: (from) =>
    MIGRATIONS.slice(from).map(
      (statements, index) => `${statements}; INSERT INTO kaizen.registry_schema (version) VALUES (${from + index + 1})`,
    ),
};
