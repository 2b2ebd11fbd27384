import type { Money } from './money.js';

export interface Outcome {
  succeeded: boolean;
  /** The provider's own id of the movement. */
  reference: string;
  declineCode?: string;
}

/** What this service needs of a payment provider; the sandbox and the tests bring their own. */
export interface Provider {
  capture(paymentMethod: string, amount: Money, idempotencyKey: string): Promise<Outcome>;
  refund(chargeReference: string, amount: Money, idempotencyKey: string): Promise<Outcome>;
}
