import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, money, negate } from '../src/payments/money.js';

test('amounts are whole minor units', () => {
  assert.throws(() => money(12.3, 'EUR'), RangeError);
  assert.deepEqual(add(money(1000, 'EUR'), money(230, 'EUR')), money(1230, 'EUR'));
});

test('currencies do not mix', () => {
  assert.throws(() => add(money(1, 'EUR'), money(1, 'JPY')), RangeError);
});

test('a refund is the negative of what was paid', () => {
  assert.deepEqual(negate(money(1230, 'EUR')), money(-1230, 'EUR'));
});
