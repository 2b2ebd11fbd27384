import type { PoolClient } from 'pg';
import { inTransaction } from '../db/pool.js';
import { type Money, money } from './money.js';
import type { Outcome, Provider } from './provider.js';

export interface ChargeRequest {
  orderId: string;
  amount: Money;
  /** The provider's payment method token; card numbers never reach this service. */
  paymentMethod: string;
  /** Chosen by the caller, the same on each retry. */
  idempotencyKey: string;
}

export interface Charge {
  id: string;
  orderId: string;
  amount: Money;
  state: 'pending' | 'captured' | 'failed';
}

/** Charges an order once, however often the same idempotency key comes in. */
export async function charge(request: ChargeRequest, provider: Provider): Promise<Charge> {
  const pending = await inTransaction((client) => insertPending(client, request));
  if (pending.state !== 'pending') return pending;

  // The row is committed before the provider is asked: a crash in between leaves a pending row that the
  // reconciliation job settles, never a charge that nobody knows of.
  const outcome = await provider.capture(request.paymentMethod, request.amount, request.idempotencyKey);
  return inTransaction((client) => settle(client, pending.id, outcome));
}

async function insertPending(client: PoolClient, request: ChargeRequest): Promise<Charge> {
  const { rows } = await client.query(
    `insert into charges (order_id, amount_minor, currency, idempotency_key, state)
     values ($1, $2, $3, $4, 'pending')
     on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key
     returning *`,
    [request.orderId, request.amount.minor, request.amount.currency, request.idempotencyKey],
  );
  return fromRow(rows[0]);
}

async function settle(client: PoolClient, id: string, outcome: Outcome): Promise<Charge> {
  const { rows } = await client.query(
    'update charges set state = $2, provider_reference = $3, settled_at = now() where id = $1 returning *',
    [id, outcome.succeeded ? 'captured' : 'failed', outcome.reference],
  );
  return fromRow(rows[0]);
}

interface ChargeRow {
  id: string;
  order_id: string;
  amount_minor: string;
  currency: string;
  state: Charge['state'];
}

function fromRow(row: ChargeRow): Charge {
  return { id: row.id, orderId: row.order_id, amount: money(Number(row.amount_minor), row.currency), state: row.state };
}
