import assert from 'node:assert/strict';
import matter from 'gray-matter';
import { parse } from 'yaml';
import { formatEntryText, lineAt, parseEntryText } from '../../src/frontmatter';
import { prng } from '../faults/prng';

/** Pieces that YAML, Markdown or an editor could take for something else. */
const PIECES = [
  ...['a', 'Ünïcode', '🙂', '👩‍💻', '漢字', '0', '2024-01-10', 'true', 'null', '~', '.5', '...', '---', '--- js', '<<'],
  ...[
    ' ',
    '  ',
    '\t',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\u00a0',
    '\u0085',
    '\u2028',
    '\uFEFF',
    '\u0001',
    '\u007f',
    '\uFFFF',
  ],
  ...[
    ':',
    ': ',
    '#',
    ' # ',
    "'",
    '"',
    '\\',
    '\\n',
    '*',
    '**/*.ts',
    '&a',
    '!tag',
    '|',
    '>',
    '%',
    '@',
    '`',
    '?',
    '? ',
    '-',
    '- ',
  ],
  ...['[', ']', '{', '}', ',', 'KEY: value', '\n---\n', '\r\n---\r\n', '__proto__', 'constructor', '\n  ', '=', '<'],
];

describe('Entry text', () => {
  it('gives back every metaknowledge and content exactly as it went in', () => {
    const random = prng(20_240_110);
    const text = (most: number) =>
      Array.from(
        { length: Math.floor(random() * (most + 1)) },
        () => PIECES[Math.floor(random() * PIECES.length)],
      ).join('');
    for (let round = 0; round < 3_000; round++) {
      const pairs = Array.from({ length: Math.floor(random() * 4) }, () => [text(4), text(7)]);
      const entry = { metaknowledge: Object.fromEntries(pairs) as Record<string, string>, content: text(8) };
      const document = formatEntryText(entry);
      const { metaknowledge, content, contentStart, faults } = parseEntryText(document);
      assert.deepEqual(faults, [], JSON.stringify(document));
      assert.deepEqual(Object.entries(metaknowledge), Object.entries(entry.metaknowledge), JSON.stringify(document));
      assert.equal(content, entry.content);
      assert.equal(document.slice(contentStart), entry.content);
    }
  });

  it('gives back the largest metaknowledge that can be stored, whatever stands in it', () => {
    for (const letter of ['x', '\u0001', '🙂', '\n', '"']) {
      const metaknowledge = Object.fromEntries(
        Array.from({ length: 64 }, (_, at) => [`${at}${letter.repeat(198)}`, letter.repeat(8_192)]),
      );
      const read = parseEntryText(formatEntryText({ metaknowledge, content: 'Rule.\n' }));
      assert.deepEqual(read.faults, []);
      assert.deepEqual(read.metaknowledge, metaknowledge);
    }
  });

  it('is the content alone without metaknowledge', () => {
    assert.equal(formatEntryText({ metaknowledge: {}, content: '# Rule\n' }), '# Rule\n');
    assert.deepEqual(parseEntryText('# Rule\n').content, '# Rule\n');
  });

  it('puts an empty front matter before a content that begins like one', () => {
    assert.equal(formatEntryText({ metaknowledge: {}, content: '---\nA: b\n---\n' }), '---\n---\n---\nA: b\n---\n');
  });

  it('writes what people write: plain values plain, several lines as lines', () => {
    const document = formatEntryText({
      metaknowledge: {
        REASON: 'Lost a day.\nTwice: in March, and again.',
        DATE_ADDED: '2024-01-10',
        APPLIES_TO: '**/*.ts, src/**',
        URL: 'https://example.com/a?b=c',
        TIME: 'at: noon',
      },
      content: 'Rule.',
    });
    assert.equal(
      document,
      [
        '---',
        'REASON: |-',
        '  Lost a day.',
        '  Twice: in March, and again.',
        'DATE_ADDED: 2024-01-10',
        'APPLIES_TO: "**/*.ts, src/**"',
        'URL: https://example.com/a?b=c',
        'TIME: "at: noon"',
        '---',
        'Rule.',
      ].join('\n'),
    );
  });

  it("ends the front matter's lines as the content's lines end", () => {
    const entry = { metaknowledge: { A: 'one\ntwo', B: 'one\r\ntwo' }, content: 'First\r\nSecond\r\n' };
    const document = formatEntryText(entry);
    assert.doesNotMatch(document, /[^\r]\n/);
    const { metaknowledge, content } = parseEntryText(document);
    assert.deepEqual({ metaknowledge, content }, entry);
  });

  it('keeps every scalar as the text that was typed', () => {
    const typed = [
      'DATE: 2024-01-10',
      'N: 007',
      'B: yes',
      'E: ',
      "Q: 'it''s'",
      'F: >-',
      '  folded',
      '  text',
      'M: one',
      '  two',
    ];
    const { metaknowledge, faults } = parseEntryText(`---\n${typed.join('\n')}\n---\nText`);
    assert.deepEqual(faults, []);
    assert.deepEqual(metaknowledge, {
      DATE: '2024-01-10',
      N: '007',
      B: 'yes',
      E: '',
      Q: "it's",
      F: 'folded text',
      M: 'one two',
    });
  });

  it('is read alike by gray-matter, the tool that the form is named after', () => {
    const entry = { metaknowledge: { REASON: 'a: b\nc', GLOB: '**/*', __proto__x: 'y' }, content: '# Rule\n\nText\n' };
    const yaml = { parse: (text: string) => parse(text, { schema: 'failsafe' }) as object };
    const { data, content } = matter(formatEntryText(entry), { engines: { yaml } });
    assert.deepEqual({ metaknowledge: data, content }, entry);
  });

  for (const language of ['js', 'javascript', 'coffee', 'json', 'toml', 'constructor']) {
    it(`neither runs nor reads front matter in ${language}`, () => {
      const { faults, metaknowledge, content } = parseEntryText(`---${language}\nprocess.exit(3)\n---\nText`);
      assert.deepEqual(metaknowledge, {});
      assert.equal(content, 'Text');
      assert.deepEqual(
        faults.map(({ code }) => code),
        ['language'],
      );
    });
  }

  const FAULTS: [what: string, yaml: string, code: string, at: string][] = [
    ['a quote that is not closed', 'A: b\nB: "open', 'syntax', ''],
    ['a colon in a value', 'A: b: c', 'syntax', ''],
    ['text that is no mapping', 'Just text', 'not_a_mapping', 'Just text'],
    ['a list for a mapping', '- a', 'not_a_mapping', '- a'],
    ['a mapping in the mapping', 'A:\n  b: c', 'nested', 'A'],
    ['a list', 'A: [b, c]', 'list', '[b, c]'],
    ['a key that stands twice', 'A: b\nA: c', 'duplicate_key', 'A'],
    ['a comment', 'A: b # why', 'comment', '# why'],
    ['a glob without quotes', 'APPLIES_TO: **/*.ts, src/**', 'alias', '**/*.ts, src/**'],
    ['an anchor', 'A: &b c', 'not_kept', '&b'],
    ['a tag', 'A: !!js/function b', 'not_kept', '!!js/function'],
    ['a second document', 'A: b\n...\nB: c', 'not_kept', '...'],
    ['a key that is a list', '? [a]\n: b', 'bad_key', '[a]'],
  ];
  for (const [what, yaml, code, at] of FAULTS) {
    it(`says where there is ${what}, and leaves the content whole`, () => {
      const text = `---\n${yaml}\n---\nText\n`;
      const { faults, content } = parseEntryText(text);
      const [first] = faults;
      assert.equal(first?.code, code, JSON.stringify(faults));
      if (at) assert.ok(text.slice(first.range.start, first.range.end).includes(at), JSON.stringify(first));
      assert.match(first.message, /\.$/);
      assert.equal(content, 'Text\n');
    });
  }

  it('says that front matter has no end, and gives the text as it stands', () => {
    const { faults, content } = parseEntryText('---\nA: b\n');
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['unclosed'],
    );
    assert.equal(content, '---\nA: b\n');
  });

  it('names the line of an offset', () => {
    const text = '---\nA: b\nB: *c\n---\n';
    assert.equal(lineAt(text, parseEntryText(text).faults[0]!.range.start), 3);
  });

  it('makes text of lists and nested keys, for notes from elsewhere, and says so', () => {
    const { metaknowledge, faults } = parseEntryText(
      '---\ntags:\n  - a\n  - b\nauthor: {name: C, at: [1, {x: y}]}\n---\n',
    );
    assert.deepEqual(metaknowledge, { tags: 'a, b', 'author.name': 'C', 'author.at': '1, {"x":"y"}' });
    assert.ok(faults.every(({ lossy }) => lossy));
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['list', 'nested', 'list'],
    );
  });

  it('answers hostile front matter', () => {
    const BOMB = 'a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n';
    const hostile = [
      BOMB,
      ...['[', '{', '? ', '- ', '&a ', '\n', '# c\n', 'a: b\n', 'a: {b: ', '"', 'a:\n', '\t', ' '].map((each) =>
        each.repeat(300_000),
      ),
    ];
    for (const yaml of [...hostile, `a: "${' x'.repeat(4_000_000)}`]) {
      // Anything quadratic would take longer than a test may.
      const { faults, content } = parseEntryText(`---\n${yaml}\n---\nText`);
      assert.equal(content, 'Text');
      if (yaml.trim() !== '') assert.notDeepEqual(faults, []);
    }
  });
});
