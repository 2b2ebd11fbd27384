import { KaizenError } from '../../core/errors';
import type { Connections, Session } from './connections';
import type { RegistryStatus } from './model';
import { FOUNDATION, MIGRATION_LOCK, migrationsFrom, SCHEMA_VERSION } from './schema';

/** What the tables need: generated columns are of 12, gen_random_uuid without an extension is of 13. */
const OLDEST_POSTGRES = 130_000;

/** See `Registry.init`. Whoever comes second waits for the first, and then finds everything done. */
export async function setUp(connections: Connections, signal?: AbortSignal): Promise<{ from: number; to: number }> {
  return connections.call(
    async (session) => {
      await requirePostgres(session);
      await session.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      const from = await schemaVersion(session);
      if (from > SCHEMA_VERSION) {
        throw new KaizenError(
          'registry_newer',
          `The registry at ${connections.label} was set up by a newer version of Kaizen (schema ${from}).`,
          'Update Kaizen. Nothing was changed.',
        );
      }
      if (from === SCHEMA_VERSION) return { from, to: from };
      if (from === 0) await session.query(FOUNDATION);
      for (const statements of migrationsFrom(from)) await session.query(statements);
      return { from, to: SCHEMA_VERSION };
    },
    { signal, anySchema: true },
  );
}

/** See `Registry.status`. Works whatever state the tables are in. */
export async function describe(
  connections: Connections,
  tls: RegistryStatus['tls'],
  signal?: AbortSignal,
): Promise<RegistryStatus> {
  return connections.call(
    async (session) => {
      const schema = await schemaVersion(session);
      const [server] = await session.query<{ version: string }>("SELECT current_setting('server_version') AS version");
      const isReady = schema === SCHEMA_VERSION;
      const [rights] = isReady ? await session.query<{ entries: number; can_publish: boolean }>(RIGHTS) : [];
      return {
        server: connections.label,
        postgres: server?.version.split(' ')[0] ?? '',
        schema,
        state: isReady ? 'ready' : schema === 0 ? 'missing' : schema < SCHEMA_VERSION ? 'older' : 'newer',
        tls,
        entries: rights?.entries ?? 0,
        canPublish: rights?.can_publish ?? false,
      };
    },
    { signal, reads: true, anySchema: true },
  );
}

/** 0 where there is none. Asks the catalogue first: naming a table that is not there ends the transaction. */
async function schemaVersion(session: Session): Promise<number> {
  const [there] = await session.query(
    `SELECT 1 FROM pg_catalog.pg_class t JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
     WHERE n.nspname = 'kaizen' AND t.relname = 'registry_schema'`,
  );
  if (!there) return 0;
  const [row] = await session.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM kaizen.registry_schema',
  );
  return row?.version ?? 0;
}

const RIGHTS = `
  SELECT (SELECT count(*)::int FROM kaizen.knowledge_entries) AS entries,
    has_table_privilege('kaizen.knowledge_entries', 'INSERT') AND has_table_privilege('kaizen.knowledge_entries', 'UPDATE')
      AND has_column_privilege('kaizen.knowledge_entry_versions', 'document', 'INSERT')
      AND has_table_privilege('kaizen.knowledge_relationships', 'INSERT')
      AND has_table_privilege('kaizen.knowledge_relationships', 'DELETE') AS can_publish`;

async function requirePostgres(session: Session): Promise<void> {
  const [row] = await session.query<{ number: number; version: string }>(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version",
  );
  if (!row || row.number >= OLDEST_POSTGRES) return;
  throw new KaizenError(
    'registry_failed',
    `The server runs PostgreSQL ${row.version}; a registry needs 13 or later.`,
    'Update the server. Nothing was changed.',
  );
}
