import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { CallOptions, Connections, Session } from './connections';
import type { DatabaseUse } from './model';

/** What tables need: generated columns are of 12, gen_random_uuid and xid8 without an extension are of 13. */
const OLDEST_POSTGRES = 130_000;

/** How tables come to be. */
export interface TablesPlan {
  /** The key of the lock that migrations take, of no meaning but that nobody else uses it. */
  lock: number;
  /** What has to be there before the first migration, so that the version can be kept. Does nothing where it is there. */
  foundation: string;
  /** The statements that bring tables from version `from` to this program's, without the transaction around them. */
  migrationsFrom(from: number): string[];
}

/**
 * Creates tables or brings them forward, in one transaction; of two at once the second waits for the first, and then
 * finds everything done. Answers the versions before and after. Throws `registry_*`; nothing has changed then.
 */
export async function setUpTables(
  connections: Connections,
  { lock, foundation, migrationsFrom }: TablesPlan,
  options: Pick<CallOptions, 'signal' | 'patience'> = {},
): Promise<{ from: number; to: number }> {
  const { use, label } = connections;
  return connections.call(
    async (session) => {
      await requirePostgres(session, use);
      await session.query('SELECT pg_advisory_xact_lock($1)', [lock]);
      const from = await schemaVersion(session, use);
      if (from > use.version) {
        throw new KaizenError(
          'registry_newer',
          sentence('The {0} at {1} was set up by a newer version of Kaizen (schema {2}).', use.noun, label, from),
          sentence('Update Kaizen. Nothing was changed.'),
        );
      }
      if (from === use.version) return { from, to: from };
      if (from === 0) await session.query(foundation);
      for (const statements of migrationsFrom(from)) await session.query(statements);
      return { from, to: use.version };
    },
    { ...options, anySchema: true },
  );
}

/** 0 where there is none. Asks the catalogue first: naming a table that is not there ends the transaction. */
export async function schemaVersion(session: Session, { versionTable }: DatabaseUse): Promise<number> {
  const [there] = await session.query(
    `SELECT 1 FROM pg_catalog.pg_class t JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
     WHERE n.nspname = $1 AND t.relname = $2`,
    versionTable.split('.'),
  );
  if (!there) return 0;
  const [row] = await session.query<{ version: number }>(
    `SELECT coalesce(max(version), 0) AS version FROM ${versionTable}`,
  );
  return row?.version ?? 0;
}

/** Throws `registry_failed`. */
async function requirePostgres(session: Session, { noun }: DatabaseUse): Promise<void> {
  const [row] = await session.query<{ number: number; version: string }>(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version",
  );
  if (!row || row.number >= OLDEST_POSTGRES) return;
  throw new KaizenError(
    'registry_failed',
    sentence('The server runs PostgreSQL {0}; a {1} needs 13 or later.', row.version, noun),
    sentence('Update the server. Nothing was changed.'),
  );
}
