import { KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import type { Session } from '../../../postgres';
import type { ChunkFilter } from '../model';
import { conditions } from './choosing';
import { MEANING_LIMITS } from './limits';

/** Vectors of one embedder, by the SHA-256 of what was embedded; pgvector's type and operators with their schema. */
export interface VectorTable {
  name: string;
  type: string;
  /** Cosine distance: 0 to 2. */
  distance: string;
  dimensions: number;
}

export interface Near {
  key: string;
  similarity: number;
}

/** The key of the lock under which extension and tables are made. */
const LOCK = 5_003_291_777;

/** Where pgvector is; undefined where the database does not have it. */
export async function findPgvector(session: Session): Promise<string | undefined> {
  const [row] = await session.query<{ schema: string }>(
    `SELECT n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
  );
  return row && identifier(row.schema);
}

/** Whether the server could give the database pgvector. */
export async function hasPgvector(session: Session): Promise<boolean> {
  const rows = await session.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
  return rows.length > 0;
}

/** For whoever may; under a lock, since two at once would fail. */
export async function createPgvector(session: Session): Promise<void> {
  await session.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await session.query('CREATE EXTENSION IF NOT EXISTS vector SCHEMA kaizen_library');
}

/** The latest table of the embedder, whatever its dimensions unless told. */
export async function findTable(
  session: Session,
  schema: string,
  embedder: string,
  dimensions?: number,
): Promise<VectorTable | undefined> {
  const [row] = await session.query<{ number: number; dimensions: number }>(
    `SELECT number, dimensions FROM kaizen_library.embedders
     WHERE embedder = $1 AND ($2::int IS NULL OR dimensions = $2) ORDER BY number DESC LIMIT 1`,
    [embedder, dimensions ?? null],
  );
  return row && tableOf(row.number, row.dimensions, schema);
}

/** The table of this embedder and dimensions; made where it is missing. */
export async function makeTable(
  session: Session,
  schema: string,
  embedder: string,
  dimensions: number,
): Promise<VectorTable> {
  if (dimensions > MEANING_LIMITS.dimensions) {
    throw new KaizenError(
      'embedding_failed',
      sentence('The model makes vectors of {0} numbers; pgvector takes 16,000.', dimensions),
    );
  }
  const known = await findTable(session, schema, embedder, dimensions);
  if (known) return known;
  await session.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  const meanwhile = await findTable(session, schema, embedder, dimensions);
  if (meanwhile) return meanwhile;
  const [row] = await session.query<{ number: number }>(
    'INSERT INTO kaizen_library.embedders (embedder, dimensions) VALUES ($1, $2) RETURNING number',
    [embedder, dimensions],
  );
  const table = tableOf(row!.number, dimensions, schema);
  // A null stands for a text that cannot be embedded.
  await session.query(`CREATE TABLE ${table.name} (hash bytea PRIMARY KEY, embedding ${table.type}(${dimensions}))`);
  if (dimensions <= MEANING_LIMITS.indexed) {
    await session.query(`CREATE INDEX ON ${table.name} USING hnsw (embedding ${schema}.vector_cosine_ops)`);
  }
  return table;
}

/** Passages that have no vector yet, one of each text, in the order of chance that their hashes are. */
export function missingIn(
  session: Session,
  table: VectorTable | undefined,
  most: number,
): Promise<{ key: string; hash: Buffer }[]> {
  return session.query(
    `SELECT min(c.key)::text AS key, c.text_hash AS hash FROM kaizen_library.chunks c
     ${table ? `WHERE NOT EXISTS (SELECT FROM ${table.name} v WHERE v.hash = c.text_hash)` : ''}
     GROUP BY c.text_hash ORDER BY c.text_hash LIMIT ${most}`,
  );
}

/** Whether the role may add vectors, or make the table for them. */
export async function mayAdd(session: Session, table: VectorTable | undefined): Promise<boolean> {
  const [row] = await session.query<{ may: boolean }>(
    table
      ? `SELECT has_table_privilege('${table.name}', 'INSERT') AS may`
      : "SELECT has_schema_privilege('kaizen_library', 'CREATE') AS may",
  );
  return row!.may;
}

export async function addVectors(
  session: Session,
  table: VectorTable,
  vectors: readonly { hash: Buffer; vector: Float32Array }[],
): Promise<void> {
  await session.change(
    `INSERT INTO ${table.name} (hash, embedding)
     SELECT hash, embedding::${table.type} FROM unnest($1::bytea[], $2::text[]) AS given (hash, embedding)
     ON CONFLICT DO NOTHING`,
    [vectors.map(({ hash }) => hash), vectors.map(({ vector }) => (vector.length === 0 ? null : written(vector)))],
  );
}

/** Vectors of texts that no passage has any more. */
export async function dropUnused(session: Session, table: VectorTable): Promise<void> {
  await session.change(
    `DELETE FROM ${table.name} v WHERE NOT EXISTS (SELECT FROM kaizen_library.chunks c WHERE c.text_hash = v.hash)`,
  );
}

export async function countVectors(
  session: Session,
  table: VectorTable | undefined,
): Promise<{ done: number; total: number }> {
  const [row] = await session.query<{ done: number; total: number }>(
    table
      ? `SELECT count(*)::float8 AS total, count(v.hash)::float8 AS done
         FROM kaizen_library.chunks c LEFT JOIN ${table.name} v ON v.hash = c.text_hash`
      : 'SELECT count(*)::float8 AS total, 0::float8 AS done FROM kaizen_library.chunks',
  );
  return row!;
}

/** Nearest first. With a filter all that it lets through are compared: an index would first find what it does not. */
export async function nearest(
  session: Session,
  table: VectorTable,
  vector: Float32Array,
  filter: ChunkFilter,
  most: number,
): Promise<Near[]> {
  const values: unknown[] = [written(vector)];
  const narrowed = conditions(filter, (value) => `$${values.push(value)}`);
  const distance = `v.embedding ${table.distance} $1::${table.type}`;
  if (narrowed === '') {
    const looked = Math.min(1_000, Math.max(100, most));
    await session.query("SELECT set_config('hnsw.ef_search', $1, true)", [String(looked)]);
  }
  return session.query<Near>(
    narrowed === ''
      ? `SELECT c.key::text AS key, 1 - near.distance AS similarity
         FROM (SELECT v.hash, ${distance} AS distance FROM ${table.name} v WHERE v.embedding IS NOT NULL
               ORDER BY ${distance} LIMIT ${most}) near
         JOIN kaizen_library.chunks c ON c.text_hash = near.hash ORDER BY near.distance, c.key LIMIT ${most}`
      : `SELECT c.key::text AS key, 1 - (${distance}) AS similarity
         FROM kaizen_library.chunk_words c JOIN kaizen_library.chunks k USING (key)
         JOIN ${table.name} v ON v.hash = k.text_hash
         WHERE v.embedding IS NOT NULL${narrowed} ORDER BY (${distance}) + 0, c.key LIMIT ${most}`,
    values,
  );
}

/** How near the question lies to some vectors by chance: hashes have no order. */
export async function someSimilarities(session: Session, table: VectorTable, vector: Float32Array): Promise<number[]> {
  const rows = await session.query<{ similarity: number }>(
    `SELECT 1 - (v.embedding ${table.distance} $1::${table.type}) AS similarity
     FROM (SELECT embedding FROM ${table.name} WHERE embedding IS NOT NULL ORDER BY hash LIMIT ${MEANING_LIMITS.background}) v`,
    [written(vector)],
  );
  return rows.map(({ similarity }) => similarity);
}

function tableOf(number: number, dimensions: number, schema: string): VectorTable {
  return {
    name: `kaizen_library.vectors_${number}`,
    type: `${schema}.vector`,
    distance: `OPERATOR(${schema}.<=>)`,
    dimensions,
  };
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function written(vector: Float32Array): string {
  return `[${vector.join()}]`;
}
