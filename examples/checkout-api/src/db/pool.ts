import { Pool, type PoolClient } from 'pg';

/** Ten connections for each instance: staging's database allows forty, and four services share it. */
const pool = new Pool({ max: 10, statement_timeout: 10_000, idle_in_transaction_session_timeout: 15_000 });

export async function inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
