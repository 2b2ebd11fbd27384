import { inTransaction } from '../db/pool.js';
import { type Money, money, negate } from './money.js';
import type { Provider } from './provider.js';

export class RefundRefused extends Error {
  constructor(readonly reason: 'not_captured' | 'exceeds_charge' | 'currency_mismatch') {
    super(`Refund refused: ${reason}`);
  }
}

/** Refunds part or all of a captured charge. `amount` is positive; the ledger line it writes is negative. */
export async function refund(
  chargeId: string,
  amount: Money,
  idempotencyKey: string,
  provider: Provider,
): Promise<{ refundId: string; ledgerAmount: Money }> {
  if (amount.minor <= 0) throw new RangeError('A refund is asked for as a positive amount');

  const { refundId, reference } = await inTransaction(async (client) => {
    // The charge's row is the lock: two refunds at once must not both see the whole amount as still refundable.
    const { rows } = await client.query('select * from charges where id = $1 for update', [chargeId]);
    const charge = rows[0];
    if (charge?.state !== 'captured') throw new RefundRefused('not_captured');
    if (charge.currency !== amount.currency) throw new RefundRefused('currency_mismatch');

    const { rows: sums } = await client.query(
      'select coalesce(sum(amount_minor), 0) as refunded from ledger where charge_id = $1 and kind = $2',
      [chargeId, 'refund'],
    );
    const left = Number(charge.amount_minor) + Number(sums[0].refunded);
    if (amount.minor > left) throw new RefundRefused('exceeds_charge');

    const { rows: inserted } = await client.query(
      `insert into ledger (charge_id, kind, amount_minor, currency, idempotency_key)
       values ($1, 'refund', $2, $3, $4) returning id`,
      [chargeId, negate(amount).minor, amount.currency, idempotencyKey],
    );
    return { refundId: inserted[0].id as string, reference: charge.provider_reference as string };
  });

  await provider.refund(reference, amount, idempotencyKey);
  return { refundId, ledgerAmount: money(-amount.minor, amount.currency) };
}
