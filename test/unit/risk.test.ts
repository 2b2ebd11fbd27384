import assert from 'node:assert/strict';
import { parseRisks } from '../../src/knowledge';

/** What a person sees of the risks: `DANGER: never do this`. */
function told(content: string): string[] {
  return parseRisks(content).map(({ level, text }) => `${level}: ${text}`);
}

describe('risk indicators', () => {
  it('are told with level, text and range, as in the seed', () => {
    const content = 'WARNING: Cascade deletes affect 5 tables. LAST TIME: Required 2-hour maintenance window.';
    const risks = parseRisks(content);
    assert.deepEqual(risks, [
      { level: 'WARNING', text: 'Cascade deletes affect 5 tables.', range: { start: 0, end: 41 } },
      { level: 'LAST TIME', text: 'Required 2-hour maintenance window.', range: { start: 42, end: content.length } },
    ]);
    assert.deepEqual(
      risks.map(({ range }) => content.slice(range.start, range.end)),
      ['WARNING: Cascade deletes affect 5 tables.', 'LAST TIME: Required 2-hour maintenance window.'],
    );
  });

  it('are found anywhere in the content: at its start, in a sentence, on a later line', () => {
    assert.deepEqual(told('DANGER: a'), ['DANGER: a']);
    assert.deepEqual(told('Mind this (WARNING: b), please.'), ['WARNING: b), please.']);
    assert.deepEqual(told('Ordinary.\n\nMore. DANGER: c'), ['DANGER: c']);
    assert.deepEqual(told('"LAST TIME: d"'), ['LAST TIME: d"']);
  });

  it('are none in ordinary prose: another case, inside of a word, without a colon', () => {
    for (const prose of [
      'The dangers: many.',
      'Danger: low.',
      'warning: x',
      'FOREWARNING: x',
      'DANGERS: x',
      'MY_WARNING: x',
      'X__DANGER: x',
      'pre-WARNING: x',
      '2WARNING: x',
      'ÄDANGER: x',
      'DANGER ahead',
      'LASTTIME: x',
      'LAST  TIME: x',
      'The LAST TIME we did this: it broke.',
      '',
    ]) {
      assert.deepEqual(told(prose), [], prose);
    }
  });

  it('are none in code spans', () => {
    assert.deepEqual(told('Write `WARNING: text` for cautions.'), []);
    assert.deepEqual(told('``a ` DANGER: b`` is code, DANGER: this is not'), ['DANGER: this is not']);
    assert.deepEqual(told('`over\nDANGER: lines`'), []);
    assert.deepEqual(told('`a` DANGER: between `b`'), ['DANGER: between `b`']);
  });

  it('are not hidden by backticks that make no code span', () => {
    assert.deepEqual(told('a stray ` here. DANGER: x'), ['DANGER: x']);
    assert.deepEqual(told('a ` stray\n\nDANGER: x ` y'), ['DANGER: x ` y']);
    assert.deepEqual(told('a ` stray\r\n\r\nDANGER: x ` y'), ['DANGER: x ` y']);
    assert.deepEqual(told('- a ` stray\n- DANGER: x ` y'), ['DANGER: x ` y']);
    assert.deepEqual(told('\\`DANGER: x\\`'), ['DANGER: x\\`']);
    assert.deepEqual(told('`` DANGER: x `'), ['DANGER: x `']);
  });

  it('are none in fenced code', () => {
    assert.deepEqual(told('```\nDANGER: a\n```'), []);
    assert.deepEqual(told('~~~ log\nDANGER: a\n```\nDANGER: b\n~~~'), []);
    assert.deepEqual(told('````\n```\nDANGER: a\n```\n````\nDANGER: out'), ['DANGER: out']);
    assert.deepEqual(told('```\r\nDANGER: a\r\n```\r\nDANGER: out\r\n'), ['DANGER: out']);
    assert.deepEqual(told('> ```\n> DANGER: a\n> ```\n> DANGER: out'), ['DANGER: out']);
    assert.deepEqual(told('- ```sh\n  DANGER: a\n  ```\n- DANGER: out'), ['DANGER: out']);
    assert.deepEqual(told('1. Run:\n   ```sh\n   DANGER: a\n   ```\n2. DANGER: out'), ['DANGER: out']);
    assert.deepEqual(told('```\nnever closed\nDANGER: a'), []);
  });

  it('are not hidden by a fence that ends with its quote or list item', () => {
    assert.deepEqual(told('> ```\n> code\n\nDANGER: out'), ['DANGER: out']);
    assert.deepEqual(told('- ```\n  code\n\nDANGER: out'), ['DANGER: out']);
    assert.deepEqual(told('``` not a fence ```\nDANGER: out'), ['DANGER: out']);
  });

  it('have a text without the marks of emphasis around it', () => {
    assert.deepEqual(told('**DANGER:** never do this.'), ['DANGER: never do this.']);
    assert.deepEqual(told('**DANGER: never do this.**'), ['DANGER: never do this.']);
    assert.deepEqual(told('__WARNING:__ a'), ['WARNING: a']);
    assert.deepEqual(told('_WARNING: a_'), ['WARNING: a']);
    assert.deepEqual(told('**WARNING:** a. **LAST TIME:** b.'), ['WARNING: a.', 'LAST TIME: b.']);
  });

  it('keep the emphasis that is in the text', () => {
    assert.deepEqual(told('DANGER: *never* do this'), ['DANGER: *never* do this']);
    assert.deepEqual(told('DANGER: do this *never*'), ['DANGER: do this *never*']);
    assert.deepEqual(told('WARNING: set `a_b` and MAX_'), ['WARNING: set `a_b` and MAX_']);
  });

  it('have a text that ends with the paragraph, the list item or the heading', () => {
    assert.deepEqual(told('DANGER: over\ntwo lines\n\nnot this'), ['DANGER: over two lines']);
    assert.deepEqual(told('DANGER: over\r\ntwo lines\r\n\r\nnot this'), ['DANGER: over two lines']);
    assert.deepEqual(told('- DANGER: one\n- WARNING: two\n  goes on\n- three'), [
      'DANGER: one',
      'WARNING: two goes on',
    ]);
    assert.deepEqual(told('1. DANGER: one\n2) two'), ['DANGER: one']);
    assert.deepEqual(told('DANGER: one\n# Next'), ['DANGER: one']);
    assert.deepEqual(told('# DANGER: one\n\nnot this'), ['DANGER: one']);
    assert.deepEqual(told('DANGER: one\n---\nnot this'), ['DANGER: one']);
    assert.deepEqual(told('DANGER: one\n```\ncode\n```'), ['DANGER: one']);
    assert.deepEqual(told('DANGER: one\n> not this'), ['DANGER: one']);
    assert.deepEqual(told('> DANGER: one\n> goes on\n>\n> not this'), ['DANGER: one goes on']);
  });

  it('count even without a text', () => {
    assert.deepEqual(parseRisks('DANGER:'), [{ level: 'DANGER', text: '', range: { start: 0, end: 7 } }]);
    assert.deepEqual(told('DANGER: WARNING: x'), ['DANGER: ', 'WARNING: x']);
    assert.deepEqual(told('**DANGER:**'), ['DANGER: ']);
  });

  it('have ranges that slice the content exactly, whatever is around them', () => {
    const contents = [
      'é\u{1F4A5} **DANGER:** \u{1F4A5} mine `code` end  \n\nWARNING: x\r\ny\r\n\r\nz',
      '> LAST TIME: a\n> b\n\n- **WARNING: c**\n\t- DANGER:\td\te ',
      '```\n\u{1F4A5}DANGER: a\n```\n\u{1F4A5} DANGER: b',
    ];
    for (const content of contents) {
      const risks = parseRisks(content);
      assert.ok(risks.length > 0);
      for (const { level, text, range } of risks) {
        const slice = content.slice(range.start, range.end);
        assert.ok(slice.startsWith(`${level}:`), slice);
        const plain = slice
          .slice(level.length + 1)
          .replace(/^[*_]+(?=\s|$)/u, '')
          .replace(/\n[ \t]*>/g, '\n');
        assert.equal(plain.trim().replace(/\s+/g, ' '), text);
        assert.equal(slice, slice.trim());
      }
    }
  });

  it('are found in the longest content too, even in one that is made to be slow', () => {
    const size = 65_536;
    // Anything quadratic would take longer than a test may.
    for (const unit of ['` ', '`a``b', ' ', '_', '*', '\n', '\n ', '\\`', '> ', 'WARNING:', '- ', '`\n\n', '#']) {
      const content = `DANGER: ${unit.repeat(size / unit.length).slice(0, size - 20)} x\n\nDANGER: y`;
      assert.equal(told(content).at(-1), 'DANGER: y', JSON.stringify(unit));
    }
  });
});
