import { type Connections, schemaVersion, setUpTables } from '../../postgres';
import type { RegistryStatus } from './model';
import { REGISTRY, REGISTRY_TABLES, SCHEMA_VERSION } from './schema';

/** See `Registry.init`. Whoever comes second waits for the first, and then finds everything done. */
export function setUp(connections: Connections, signal?: AbortSignal): Promise<{ from: number; to: number }> {
  return setUpTables(connections, REGISTRY_TABLES, { signal });
}

/** See `Registry.status`. Works whatever state the tables are in. */
export async function describe(
  connections: Connections,
  tls: RegistryStatus['tls'],
  signal?: AbortSignal,
): Promise<RegistryStatus> {
  return connections.call(
    async (session) => {
      const schema = await schemaVersion(session, REGISTRY);
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

const RIGHTS = `
  SELECT (SELECT count(*)::int FROM kaizen.knowledge_entries) AS entries,
    has_table_privilege('kaizen.knowledge_entries', 'INSERT') AND has_table_privilege('kaizen.knowledge_entries', 'UPDATE')
      AND has_column_privilege('kaizen.knowledge_entry_versions', 'document', 'INSERT')
      AND has_table_privilege('kaizen.knowledge_relationships', 'INSERT')
      AND has_table_privilege('kaizen.knowledge_relationships', 'DELETE') AS can_publish`;
