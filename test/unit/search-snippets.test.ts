import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Snippet, type SnippetOptions, snippetOf } from '../../src/search';

/** The snippet with its marks in brackets. */
function shown(text: string, query: string, options?: SnippetOptions): string {
  return bracketed(snippetOf(text, query, options));
}

function bracketed({ text, marks }: Snippet): string {
  let shown = '';
  let at = 0;
  for (const { start, end } of marks) {
    shown += `${text.slice(at, start)}[${text.slice(start, end)}]`;
    at = end;
  }
  return shown + text.slice(at);
}

const LONG = `${'Nothing of interest stands here. '.repeat(20)}Refunds are paid in the order of payment. ${'And nothing here. '.repeat(30)}`;

describe('a snippet', () => {
  it('is the whole of a short text, with the words marked as they are found', () => {
    assert.equal(shown('The order of refunds.', 'refund orders'), 'The [order] of [refunds].');
    assert.equal(shown('Übung macht den Meister', 'ubung'), '[Übung] macht den Meister');
    assert.equal(shown('call getUserName()', 'user'), 'call get[User]Name()');
    assert.equal(shown('call getUserName()', 'getusername'), 'call [getUserName]()');
    assert.equal(shown('it is read-only', 'read'), 'it is [read]-only');
    assert.equal(shown('東京都の天気', '天気'), '東京都の[天気]');
    assert.equal(shown('𝒳 👍 order 👍', 'order'), '𝒳 👍 [order] 👍');
  });

  it('is the part with most of the words, and says that there is more', () => {
    const snippet = shown(LONG, 'refund payment order', { length: 120 });
    assert.match(snippet, /^…/);
    assert.match(snippet, /\[Refunds\] are paid in the \[order\] of \[payment\]/);
    assert.match(snippet, /…$/);
    assert.ok(snippetOf(LONG, 'refund payment order', { length: 120 }).text.length <= 121);
  });

  it('is the part with the words that weigh most where the hit tells what they weigh, and marks what they were taken for', () => {
    const text = `order order order. ${'Filler here. '.repeat(30)}The authentication of it. ${'Filler there. '.repeat(30)}`;
    const matched = [
      { word: 'authentcation', corrected: 'authentication', fields: ['body' as const], weight: 0.8 },
      { word: 'order', fields: ['body' as const], weight: 0.2 },
    ];
    assert.match(shown(text, 'order authentcation', { matched, length: 80 }), /The \[authentication\] of it/);
    assert.match(shown(text, 'order authentcation', { length: 80 }), /^\[order\]/);
  });

  it('begins with the text where no word of the query stands', () => {
    const snippet = snippetOf(LONG, 'zebra', { length: 50 });
    assert.deepEqual(snippet.marks, []);
    assert.match(snippet.text, /^Nothing of interest .*…$/);
  });

  it('marks what a person asks for: the beginning of words, not what is excluded', () => {
    assert.equal(shown('authors and authentication', 'auth', { syntax: 'query' }), '[authors] and [authentication]');
    assert.equal(shown('authors and users', 'authors -users tag:users', { syntax: 'query' }), '[authors] and users');
    assert.equal(shown('to be or not', 'to be'), '[to] [be] or not', 'stop words when there are no others');
    assert.equal(shown('to be a user', 'to user'), 'to be a [user]');
  });

  it('is well formed for any text and query, and never longer than asked for', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(' ', 'a', 'ab ', 'é', '東', '\u0301'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
      maxLength: 400,
    });
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.integer({ min: 20, max: 120 }),
        (full, query, length) => {
          const { text: part, marks } = snippetOf(full, `${query} a`, { length });
          assert.ok(part.length <= length + 1);
          assert.doesNotMatch(part, /\p{Cs}/u);
          let before = 0;
          for (const { start, end } of marks) {
            assert.ok(before <= start && start < end && end <= part.length);
            before = end;
          }
          assert.ok(full.includes(part.replace(/^…/, '').replace(/…$/, '')));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is found in a text of a megabyte', () => {
    // Anything quadratic would take longer than a test may.
    assert.match(snippetOf('the order of refunds '.repeat(50_000), 'order refunds').text, /order of refunds/);
  });
});
