/**
 * SQL that makes two roles without a login, to be granted to the accounts of people: `kaizen_reader` searches and
 * downloads, `kaizen_publisher` publishes as well. Neither changes the tables, nor what was published before. To be
 * run by the owner of the tables, after `init`; running it again does no harm.
 */
export const REGISTRY_ROLES = `-- Roles of a Kaizen registry. Run this after "kaizen registry init", as the role that ran it.
-- Then: GRANT kaizen_publisher TO alice;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'kaizen_reader') THEN
    CREATE ROLE kaizen_reader NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'kaizen_publisher') THEN
    CREATE ROLE kaizen_publisher NOLOGIN;
  END IF;
END
$$;

REVOKE ALL ON SCHEMA kaizen FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA kaizen FROM PUBLIC;

-- Readers: search, get, download, versions, relationships, collections.
GRANT USAGE ON SCHEMA kaizen TO kaizen_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA kaizen TO kaizen_reader;

-- Publishers: what readers may, and new versions, relationships and collections.
-- Neither may remove a note or change a version that was published: that is the owner's.
GRANT kaizen_reader TO kaizen_publisher;
GRANT INSERT, UPDATE ON kaizen.knowledge_entries TO kaizen_publisher;
-- Without number, published_as and published_at, which the database says itself.
GRANT INSERT (zettel_id, version, title, category, entry_type, tags, source_type, source_url, created_at, updated_at,
  document, content_length, content_hash, published_by) ON kaizen.knowledge_entry_versions TO kaizen_publisher;
GRANT INSERT, DELETE ON kaizen.knowledge_relationships TO kaizen_publisher;
GRANT INSERT ON kaizen.knowledge_collections, kaizen.knowledge_collection_entries TO kaizen_publisher;
`;
