import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ANALYSIS, wordsOf } from '../../src/search/analysis';

function words(text: string): string[] {
  return wordsOf(text, ANALYSIS).map(({ word }) => word);
}

describe('the words of a text', () => {
  const table: [what: string, text: string, expected: string][] = [
    [
      'names are found whole and by their parts',
      'getUserName HTTPServer',
      'getusername get user name httpserver http server',
    ],
    [
      'so are names with joints',
      'server_core read-only turns.ts',
      'servercore server core readonly read only turnsts turns ts',
    ],
    ['dotted names keep the names between their dots', 'meta_mcp.server', 'metamcpserver metamcp meta mcp server'],
    ['plural capitals are one word', 'URLs and IDs', 'urls and ids'],
    ['single letters are no parts', 'OAuth2 iOS v2', 'oauth2 auth ios os v2'],
    ['numbers keep their dots', '1.105 in 2026-01-05', '1.105 in 20260105 2026 01 05'],
    ['possessives and contractions are one word', "the user's own, don't", 'the user own dont'],
    ['languages with signs are words', 'C++, C# and F#, but not x#y', 'c++ c# and f# but not x y'],
    ['case, accents and compatibility forms make no difference', 'Über CAFÉ ﬁle Ａpi', 'uber cafe file api'],
    ['decomposed accents neither', 'u\u0308ber', 'uber'],
    ['letters without a plain form have one', 'Straße Ærø Œuvre Łódź ısı', 'strasse aero oeuvre lodz isi'],
    ['other alphabets are words', 'Привет мир ελληνικά', 'привет мир ελληνικα'],
    ['scripts without spaces are read by pairs', '東京都', '東京 京都 都'],
    ['beside words of other scripts', 'VS Codeの設定', 'vs code の設 設定 定'],
    ['Thai vowels belong to their words', 'ไทย', 'ไท ทย ย'],
    ['marks and pictures are no words', '— 👍 *** …', ''],
    ['letters beyond the basic plane are words', '𝒳yz', 'xyz'],
  ];
  for (const [what, text, expected] of table) {
    it(`${what}: ${text}`, () => assert.deepEqual(words(text).join(' '), expected));
  }

  it('stand where they say, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        let before = 0;
        for (const { word, start, end } of wordsOf(text, ANALYSIS)) {
          assert.ok(word.length > 0 && start < end && end <= text.length);
          assert.ok(end >= before - 64, 'in order');
          before = end;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('of ordinary text are the text between their offsets', () => {
    for (const { word, start, end } of wordsOf('The quick, brown fox.', ANALYSIS)) {
      assert.equal('The quick, brown fox.'.slice(start, end).toLowerCase(), word);
    }
  });

  it('are read however long the text is', () => {
    // Anything quadratic would take longer than a test may.
    for (const unit of ['a', 'aB', 'a.', '1a', '東', "a'", '_', 'ab-', '\u0301', '𝒳']) {
      const text = unit.repeat(200_000);
      assert.ok(Array.isArray(wordsOf(text, ANALYSIS)), unit);
    }
  });

  it('of one long name are all there', () => {
    const parts = Array.from({ length: 300 }, (_, index) => `part${index}x`);
    const found = new Set(words(parts.join('.')));
    for (const part of parts.slice(0, 20)) assert.ok(found.has(part), part);
    assert.ok(found.has('part299x'));
  });
});
