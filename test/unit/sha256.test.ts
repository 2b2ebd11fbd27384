import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sha256 } from '../../src/core/sha256';

describe('the hash for names of files', () => {
  const own = (text: string) => createHash('sha256').update(text).digest('hex');

  it('is SHA-256 of any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => sha256(text) === own(text)));
  });

  it('is SHA-256 at each length around whole blocks', () => {
    for (let length = 0; length < 200; length++) assert.equal(sha256('ä'.repeat(length)), own('ä'.repeat(length)));
    assert.equal(sha256('x'.repeat(100_000)), own('x'.repeat(100_000)));
  });
});
