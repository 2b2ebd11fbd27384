import assert from 'node:assert/strict';
import fc from 'fast-check';
import { literalOf } from '../../src/guard/hooks/patterns';
import { occursPlainly } from '../../src/guard/hooks/plain-patterns';
import { findOccurrences } from '../../src/knowledge/applicability-occurrences';

describe('MATCHES in the engine of JavaScript', () => {
  const told: [pattern: string, text: string, occurs: boolean | undefined][] = [
    ['DROP TABLE', 'x DROP TABLE y', true],
    ['DROP TABLE', 'drop table', false],
    ['(?i)drop table', 'Drop TABLE', true],
    ['\\bDROP\\s+TABLE\\s+orders\\b', 'DROP  TABLE\torders;', true],
    ['\\bDROP\\s+TABLE\\s+orders\\b', 'DROP TABLE orders_old', false],
    ['\\b(DROP|TRUNCATE)\\s+TABLE', 'TRUNCATE TABLE x', true],
    ['rm\\s+-rf', 'rm -rf /', true],
    ['git push.*--force', 'git push origin main --force', true],
    ['git push.*--force', 'git push\n--force', false],
    ['charge\\(', 'charge(1)', true],
    ['DROP|TRUNCATE', 'TRUNCATE', true],
    // JavaScript's blanks are more than RE2's.
    ['DROP\\s+TABLE', 'DROP\u00A0TABLE', false],
    ['DROP\\s+TABLE', 'DROP\nTABLE', false],
    ['a.*b', 'a\u2028b', true],
    // What could take long, or means something else there, is left to RE2.
    ['(?i)task', 'tas\u212A', undefined],
    ['\\s+\\s+x', 'x', undefined],
    ['(a+)+b', 'b', undefined],
    ['.*a.*b', 'b', undefined],
    ['ab.*\\s+c', 'c', undefined],
    ['(DROP|TRUNCATE)\\s+(TABLE|SCHEMA)', 'DROP SCHEMA', true],
    ['(a|aa)(a|aa)(a|aa)zz', 'zz', undefined],
    ['(a|aa).*(a|aa)zz', 'zz', undefined],
    ['ab.*c|ab.*d|ab.*e', 'abe', undefined],
    [`ab.*${'a'.repeat(51)}`, 'ab', undefined],
    [Array.from({ length: 7 }, () => '\\s+x').join(''), 'x', undefined],
    ['[a-z]+', 'a', undefined],
    ['colou?r', 'color', undefined],
    ['a{2}', 'aa', undefined],
    ['^a', 'a', undefined],
    ['a.c', 'abc', undefined],
    ['\\pL', 'a', undefined],
    ['x\\1', 'x', undefined],
    ['über', 'über', undefined],
    ['(', '(', undefined],
    ['DROP', 'DROP'.padEnd(4_001), undefined],
  ];
  for (const [pattern, text, occurs] of told) {
    it(`"${pattern}" in ${JSON.stringify(text.slice(0, 40))}: ${occurs ?? 'is left to RE2'}`, () => {
      assert.equal(occursPlainly(pattern, text), occurs);
    });
  }

  it('says what RE2 says', async () => {
    const piece = fc.constantFrom(
      ...[
        'DROP',
        'ab',
        'k',
        's',
        ' ',
        'a',
        '-',
        '(DROP|ab)',
        '(?:k|s)',
        '\\(',
        '\\.',
        '|',
        '.*',
        '.+',
        '.',
        '"',
        '_',
        '1',
      ],
      ...['\\b', '\\d', '\\w', '\\s', '\\s+', '\\s*', ' +', '+', '?', '\\S', '[ab]', '^', '\\/', '\\-', '(?i)'],
    );
    const patterns = fc
      .tuple(fc.constantFrom('', '', '(?i)'), fc.array(piece, { minLength: 1, maxLength: 6 }))
      .map(([flags, pieces]) => flags + pieces.join(''));
    const sign = fc.constantFrom(
      ...[
        'DROP',
        'drop',
        'ab',
        'AB',
        'a',
        'k',
        'K',
        '\u212A',
        's',
        '\u017F',
        ' ',
        '\t',
        '\v',
        '\f',
        '\r',
        '\u00A0',
        '\u2028',
      ],
      ...['(', '.', '-', '1', '_', 'é', '😀', '\uD83D', '"', '/', 'İ', 'ı', '\n'],
    );
    const texts = fc.array(sign, { maxLength: 12 }).map((signs) => signs.join('').replace(/\r+(?=\n|$)/g, ''));
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(patterns, texts, async (pattern, text) => {
        const plainly = occursPlainly(pattern, text);
        // An expression that may match nothing at all is not asked for.
        if (plainly === undefined || literalOf(pattern)?.trim() === '' || literalOf(pattern) === null) return;
        decided++;
        const { ranges, unsearched } = await findOccurrences(text, pattern);
        assert.equal(unsearched, undefined);
        assert.equal(plainly, ranges.length > 0);
      }),
      { numRuns: 20_000 },
    );
    assert.ok(decided > 1_000, `${decided}`);
  });
});
