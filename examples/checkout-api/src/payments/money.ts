/** An amount in the currency's smallest unit (cents, yen), never a fraction: 12.30 EUR is `{ minor: 1230, currency: 'EUR' }`. */
export interface Money {
  readonly minor: number;
  readonly currency: string;
}

export function money(minor: number, currency: string): Money {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`Not a whole number of minor units: ${minor}`);
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(`Not an ISO 4217 currency: ${currency}`);
  return { minor, currency };
}

export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new RangeError(`Cannot add ${b.currency} to ${a.currency}`);
  return money(a.minor + b.minor, a.currency);
}

export function negate(amount: Money): Money {
  return money(-amount.minor, amount.currency);
}
