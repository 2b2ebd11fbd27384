import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { folded, literalOf } from '../../src/guard/hooks/patterns';

describe('the text that every match of MATCHES holds', () => {
  const table: [pattern: string, literal: string | null][] = [
    ['DROP TABLE', 'drop table'],
    ['(?i)drop\\s+table', 'table'],
    ['git push.*--force', 'git push'],
    ['rm\\s+-rf', '-rf'],
    ['charge\\(', 'charge('],
    ['a|b', null],
    ['(DROP TABLE|TRUNCATE) x', ' x'],
    ['(?:DROP TABLE)+', 'drop table'],
    ['(?:DROP TABLE)?', null],
    ['(?P<what>DROP) it', 'drop'],
    ['colou?r', 'colo'],
    ['ab{0,2}cde', 'cde'],
    ['ab{2}c', 'ab'],
    ['x{', 'x{'],
    ['[abc]def[^]x]ghij', 'ghij'],
    ['[[:alpha:]]]xyz', ']xyz'],
    ['\\x41bc', null],
    ['\\Qa.b\\E', null],
    ['\\p{L}abc', null],
    ['über alles', 'ber alles'],
    ['.*', null],
    ['(', null],
    ['', null],
  ];
  for (const [pattern, literal] of table) {
    it(`of "${pattern}" it is ${literal === null ? 'not known' : `"${literal}"`}`, () => {
      assert.equal(literalOf(pattern), literal);
    });
  }

  it('is in every line that matches', () => {
    const atom = fc.constantFrom(
      ...'abKs ('.split(''),
      '\\(',
      '.',
      '\\d',
      '\\s',
      '[ab]',
      '[^b]',
      '^',
      '$',
      'ſ',
      '1',
      'é',
      '\\b',
    );
    const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,1}', '+?');
    const pattern = fc.letrec((tie) => ({
      piece: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.tuple(atom, quantifier).map(([text, times]) => (text === '(' ? '\\(' : text) + times),
        fc
          .tuple(tie('sequence'), quantifier, fc.constantFrom('(', '(?:', '(?i:'))
          .map(([inner, times, open]) => `${open}${inner})${times}`),
        fc.tuple(tie('sequence'), tie('sequence')).map(([a, b]) => `(?:${a}|${b})`),
      ),
      sequence: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    })).sequence as fc.Arbitrary<string>;
    const flags = fc.constantFrom('', '(?i)');
    const line = fc
      .array(fc.constantFrom(...'abkKsSſ\u212A(1é '.split('')), { maxLength: 20 })
      .map((parts) => parts.join(''));
    let matched = 0;
    fc.assert(
      fc.property(flags, pattern, line, (prefix, inner, text) => {
        const expression = compile(prefix + inner);
        if (!expression?.matcher(text).find()) return;
        matched++;
        const literal = literalOf(prefix + inner);
        assert.ok(literal === null || folded(text).includes(literal), `${literal} is in ${text}`);
      }),
      { numRuns: 3_000 },
    );
    assert.ok(matched > 100, 'the property was put to the test');
  });
});

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
