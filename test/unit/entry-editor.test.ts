import assert from 'node:assert/strict';
import { formatEntryText, parseEntryText } from '../../src/frontmatter';
import { readContent } from '../../src/vscode/editors/content-passages';
import { editsFor, formValues } from '../../src/vscode/editors/entry-edits';
import type { Row } from '../../webview-ui/protocol/entry';
import { applySplices, spliceBetween } from '../../webview-ui/protocol/text-splices';

/** A sequence of numbers that look random, the same each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const edited = (text: string, values: { content?: string; rows?: Row[] }) => applySplices(text, editsFor(text, values));

describe('what the entry form makes of a document', () => {
  const text = '---\nREASON: money was lost\nSEVERITY: High\n---\n# Refunds\r\n\r\nDANGER: never\nplain\r\n';

  it('touches the content alone when the content is edited, and of that only what changed', () => {
    const { content } = formValues(parseEntryText(text));
    const edits = editsFor(text, { content: content.replace('never', 'never ever') });
    assert.deepEqual(edits, [{ start: text.indexOf('never') + 5, end: text.indexOf('never') + 5, text: ' ever' }]);
  });

  it('touches the front matter alone when metaknowledge is edited', () => {
    const rows = [
      { key: 'REASON', value: 'money was lost' },
      { key: 'SEVERITY', value: 'Critical' },
    ];
    const edits = editsFor(text, { rows });
    assert.equal(edits.length, 1);
    assert.ok(edits[0]!.start >= text.indexOf('High') && edits[0]!.end <= text.indexOf('High') + 4);
    assert.equal(parseEntryText(applySplices(text, edits)).metaknowledge.SEVERITY, 'Critical');
  });

  it('gives no edit when the form says what the document says', () => {
    assert.deepEqual(editsFor(text, formValues(parseEntryText(text))), []);
  });

  it('writes the line breaks that the document uses', () => {
    const windows = formatEntryText({ metaknowledge: { REASON: 'x' }, content: 'one\r\ntwo\r\n' });
    const after = edited(windows, { content: 'one\nand a half\ntwo\n', rows: [{ key: 'REASON', value: 'a\nb' }] });
    assert.doesNotMatch(after, /[^\r]\n/);
    assert.equal(parseEntryText(after).content, 'one\r\nand a half\r\ntwo\r\n');
    assert.deepEqual(formValues(parseEntryText(after)).rows, [{ key: 'REASON', value: 'a\nb' }]);
  });

  it('adds front matter to a document without, and takes it away with the last row', () => {
    const withRow = edited('plain\n', { rows: [{ key: 'REASON', value: 'why' }] });
    assert.deepEqual(parseEntryText(withRow).metaknowledge, { REASON: 'why' });
    assert.equal(edited(withRow, { rows: [] }), 'plain\n');
  });

  it('keeps content that looks like front matter content', () => {
    for (const start of ['plain\n', formatEntryText({ metaknowledge: { A: 'b' }, content: 'plain\n' })]) {
      for (const content of ['---\nA: 1\n---\nx', '---', '--- \n', '---js\n', '']) {
        const after = parseEntryText(edited(start, { content }));
        assert.equal(after.content, content);
        assert.deepEqual(after.metaknowledge, parseEntryText(start).metaknowledge);
        const bare = parseEntryText(edited(edited(start, { content }), { rows: [] }));
        assert.deepEqual([bare.content, bare.metaknowledge], [content, {}]);
      }
    }
  });

  it('changes only the content where the front matter cannot be read', () => {
    const broken = '---\nREASON: [unclosed\n---\ncontent\n';
    assert.ok(parseEntryText(broken).faults.length > 0);
    assert.equal(edited(broken, { content: 'new\n', rows: [] }), '---\nREASON: [unclosed\n---\nnew\n');
    assert.deepEqual(editsFor(broken, { rows: [{ key: 'A', value: 'b' }] }), []);
  });

  it('never divides a character or a line break', () => {
    assert.deepEqual(spliceBetween('a😀b', 'a😁b'), { start: 1, end: 3, text: '😁' });
    assert.deepEqual(spliceBetween('a\r\nb', 'a\rb'), { start: 1, end: 3, text: '\r' });
    for (const [before, after] of [
      ['😀😀', '😀'],
      ['x', 'x\r\n'],
      ['\r\n\r\n', '\r\n'],
    ] as const) {
      assert.equal(applySplices(before, [spliceBetween(before, after)!]), after);
    }
  });

  it('says after any sequence of edits what the form says, and leaves the rest as it is', () => {
    const pieces = [
      'word',
      ' ',
      '\n',
      '---\n',
      '---',
      'DANGER: x',
      '😀',
      'KEY: v',
      '"',
      "'",
      ': ',
      '#',
      '\t',
      '`',
      '- ',
    ];
    const keys = ['REASON', 'SEVERITY', 'a key', '1', 'DATE_ADDED', '#odd', 'x:y', '__proto__'];
    for (let seed = 1; seed <= 150; seed++) {
      const random = randomNumbers(seed);
      const one = <T>(list: readonly T[]): T => list[random(list.length)]!;
      const words = (most: number) => Array.from({ length: random(most) }, () => one(pieces)).join('');
      const lineBreak = one(['\n', '\r\n']);
      const start = { content: words(12).replaceAll('\n', lineBreak), metaknowledge: { REASON: words(5), B: 'c' } };
      let document = formatEntryText(start);
      let form = formValues(parseEntryText(document));
      for (let step = 0; step < 8; step++) {
        const before = parseEntryText(document);
        const head = document.slice(0, before.contentStart);
        const isContent = random(2) === 0;
        if (isContent) {
          const at = random(form.content.length + 1);
          const content = form.content.slice(0, at) + words(4) + form.content.slice(at + random(6));
          form = { ...form, content: content.replace(/[\ud800-\udfff]/g, '').replace(/\r/g, '') };
          document = edited(document, { content: form.content });
        } else {
          const kept = form.rows.filter(() => random(4) > 0);
          const key = one(keys);
          const rows = [...kept.filter((row) => row.key !== key), { key, value: words(4) }];
          form = { ...form, rows };
          document = edited(document, { rows });
        }
        const after = parseEntryText(document);
        const said = formValues(after);
        assert.deepEqual(after.faults, [], `seed ${seed}`);
        assert.equal(said.content, form.content, `seed ${seed}`);
        const pairs = (rows: readonly Row[]) => rows.map(({ key, value }) => `${key}=${value}`).sort();
        assert.deepEqual(pairs(said.rows), pairs(form.rows), `seed ${seed}`);
        if (isContent && head) assert.ok(document.startsWith(head), `seed ${seed}: the front matter is as it was`);
        if (!isContent) assert.equal(after.content, before.content, `seed ${seed}: the content is as it was`);
      }
    }
  });
});

describe('how the entry form shows what will be read', () => {
  it('shows each risk in the order found, all of the text, and code as code', () => {
    const content =
      'Intro `WARNING: no` text.\n\nDANGER: really `bad` things.\n\n```\nDANGER: example\n```\nLAST TIME: it burned.\n';
    const { risks, passages } = readContent(content);
    assert.deepEqual(
      risks.map(({ level, text }) => `${level}|${text}`),
      ['DANGER|really `bad` things.', 'LAST TIME|it burned.'],
    );
    assert.equal(passages.map(({ text }) => text).join(''), content);
    assert.deepEqual(
      passages.filter(({ kind }) => kind !== 'text').map(({ kind, text }) => [kind, text.trim()]),
      [
        ['code', '`WARNING: no`'],
        ['DANGER', 'DANGER: really `bad` things.'],
        ['code', '```\nDANGER: example\n```'],
        ['LAST TIME', 'LAST TIME: it burned.'],
      ],
    );
  });

  it('reads however much there is', () => {
    // Anything quadratic would take longer than a test may.
    const content = '`a` DANGER: b\n\n'.repeat(50_000);
    assert.equal(readContent(content).risks.length, 50_000);
  });
});
