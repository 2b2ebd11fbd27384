import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { Database } from './database';

/** The tables of one part of the product, and how they came to be. */
export interface Schema {
  /** The part's name, stable for ever. */
  part: string;
  /**
   * `migrations[n]` brings the part from version n to n + 1; the part's version is their number. Never edited once
   * shipped. Deterministic, and without deferred constraints: a COMMIT must not fail once its record is on the disk.
   */
  migrations: readonly string[];
}

export type SchemaVersions = Record<string, number>;

export function currentVersions(schemas: readonly Schema[]): SchemaVersions {
  return Object.fromEntries(schemas.map((schema) => [schema.part, schema.migrations.length]));
}

/**
 * Whether a store with these versions has to be brought forward.
 * Throws `store_newer` when a newer build wrote it: nothing may then be changed.
 */
export function needsMigration(found: SchemaVersions, schemas: readonly Schema[], directory: string): boolean {
  const known = currentVersions(schemas);
  for (const [part, version] of Object.entries(found)) {
    if (version > (known[part] ?? 0)) throw newerStore(directory, `${part} ${version}`);
  }
  return schemas.some((schema) => (found[schema.part] ?? 0) < schema.migrations.length);
}

export function newerStore(directory: string, what: string): KaizenError {
  return new KaizenError(
    'store_newer',
    sentence('The store in {0} was written by a newer version of Kaizen ({1}).', directory, what),
    sentence('Update Kaizen to open it; it was left as it is.'),
  );
}

/** Runs what is missing between `from` and `to`. The same steps give the same database every time. */
export function migrate(
  database: Database,
  schemas: readonly Schema[],
  from: SchemaVersions,
  to: SchemaVersions,
): void {
  for (const schema of schemas) {
    const target = to[schema.part] ?? 0;
    for (let version = from[schema.part] ?? 0; version < target; version++) database.exec(schema.migrations[version]!);
  }
}
