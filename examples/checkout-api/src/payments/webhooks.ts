import { createHmac, timingSafeEqual } from 'node:crypto';
import { inTransaction } from '../db/pool.js';

const TOLERANCE_SECONDS = 300;

/** Checks the provider's signature over the raw body; the parsed body would not give the same bytes. */
export function verify(rawBody: Buffer, timestamp: string, signature: string, secret: string, now: number): boolean {
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Stores an event once; the worker reads them in order. Answers before anything slow is done. */
export async function receive(event: { id: string; type: string; payload: unknown }): Promise<void> {
  await inTransaction((client) =>
    client.query(`insert into webhook_events (id, type, payload) values ($1, $2, $3) on conflict (id) do nothing`, [
      event.id,
      event.type,
      event.payload,
    ]),
  );
}
