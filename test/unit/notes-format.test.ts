import assert from 'node:assert/strict';
import fc from 'fast-check';
import matter from 'gray-matter';
import { parse as parseYaml } from 'yaml';
import {
  checkCategory,
  checkId,
  contentOf,
  editFrontMatter,
  type FrontMatterChanges,
  formatNote,
  idKey,
  isCollection,
  parseCollection,
  parseNote,
  replaceContent,
} from '../../src/notes/format';
import { ENTRY_TYPES, RELATIONSHIP_TYPES, SOURCE_TYPES } from '../../src/notes/model';

/** Seed 004, "File Format". */
const SEED = `---
zettel_id: 042-email-deliverability
title: Email Deliverability Best Practices
entry_type: pattern
tags: [email, deliverability, infrastructure]
source_type: experiment
source_url: https://example.com
created_at: 2025-01-15T10:00:00Z
updated_at: 2025-01-15T10:00:00Z
---

# Email Deliverability Best Practices

Content here...

## Key Points

- Point 1
- Point 2

## Related Entries

- [[043-spf-records]] - SPF record setup
- [[044-dkim-setup]] - DKIM configuration
`;
const NOW = Date.parse('2025-01-15T10:00:00Z');
const FIELDS = {
  zettel_id: '042-email-deliverability',
  title: 'Email Deliverability Best Practices',
  entry_type: 'pattern',
  tags: ['email', 'deliverability', 'infrastructure'],
  source_type: 'experiment',
  source_url: 'https://example.com',
} as const;
const body = SEED.slice(SEED.indexOf('# Email'));
const invalid = { name: 'KaizenError', code: 'invalid_argument' };

/** `code` and line, from 1, of each problem. */
const told = (text: string, file = 'patterns/x.md') =>
  parseNote(text, file).problems.map(({ code, line, detail }) => `${(line ?? -1) + 1} ${code} ${detail}`);
const targets = (text: string) => parseNote(text, 'x.md').links.map(({ target }) => target);

describe('the file of a note', () => {
  it('is read as seed 004 has it', () => {
    const note = parseNote(SEED, 'patterns/042-email-deliverability.md');
    assert.deepEqual(note.fields, {
      ...FIELDS,
      created_at: '2025-01-15T10:00:00Z',
      updated_at: '2025-01-15T10:00:00Z',
      version: undefined,
    });
    assert.deepEqual([note.isIdDeclared, note.others, note.problems], [true, {}, []]);
    assert.equal(SEED.slice(note.bodyStart), `\n${body}`);
    assert.deepEqual(
      note.headings.map(({ level, title, line }) => [level, title, line]),
      [
        [1, 'Email Deliverability Best Practices', 11],
        [2, 'Key Points', 15],
        [2, 'Related Entries', 20],
      ],
    );
    assert.deepEqual(
      note.links.map(({ target, type, origin, line }) => [target, type, origin, line]),
      [
        ['043-spf-records', 'references', 'wikilink', 22],
        ['044-dkim-setup', 'references', 'wikilink', 23],
      ],
    );
  });

  it('is written as seed 004 has it', () => {
    assert.equal(formatNote({ ...FIELDS, content: body }, { now: NOW }), SEED);
  });

  it('is read the same with a byte order mark and with other line ends, offsets exact', () => {
    for (const text of [`\uFEFF${SEED}`, SEED.replaceAll('\n', '\r\n'), `\uFEFF${SEED.replaceAll('\n', '\r\n')}`]) {
      const note = parseNote(text, 'x.md');
      assert.deepEqual(note.problems, []);
      assert.equal(note.fields.title, FIELDS.title);
      for (const { range, target, targetRange } of note.links) {
        assert.equal(text.slice(range.start, range.end), `[[${target}]]`);
        assert.equal(text.slice(targetRange.start, targetRange.end), target);
      }
      assert.equal(contentOf(text, note.bodyStart), body.trimEnd());
    }
  });

  it('takes its title from the first heading, else from the name of the file', () => {
    assert.equal(parseNote('text\n\n## On *mail*\n', 'a/b.md').fields.title, 'On mail');
    assert.equal(parseNote('text', 'a/my notes.md').fields.title, 'my notes');
    const note = parseNote('text', 'a/my notes.md');
    assert.deepEqual([note.fields.zettel_id, note.isIdDeclared], ['my notes', false]);
  });

  it('may have tags as text with commas, and keys of somebody else', () => {
    const note = parseNote(
      '---\nzettel_id: a\ntitle: A\nentry_type: concept\ntags: "#one, two , one"\naliases:\n  - x\nlint: off\n---\n',
      'a.md',
    );
    assert.deepEqual(note.fields.tags, ['one', 'two']);
    assert.deepEqual(note.others, { aliases: ['x'], lint: 'off' });
    assert.deepEqual(note.problems, []);
  });

  it('tells each fault of a field at its line', () => {
    assert.deepEqual(told('no front matter at all'), ['1 missing_field zettel_id']);
    assert.deepEqual(told('---\naliases: [x]\n---\n'), [
      '1 missing_field zettel_id',
      '1 missing_field title',
      '1 missing_field entry_type',
    ]);
    assert.deepEqual(
      told(`---
title:
zettel_id: ../etc/passwd
entry_type: patern
source_type: rumour
tags: [${'x'.repeat(61)}]
source_url: javascript:alert(1)
created_at: 2025-02-30T10:00:00Z
updated_at: yesterday
relationships:
  extends: [a, "b/../con"]
  likes: [c]
  related: []
---
`),
      [
        '2 missing_field title',
        '3 bad_id ../etc/passwd',
        '4 bad_value entry_type',
        '5 bad_value source_type',
        '6 bad_value tags',
        '7 bad_value source_url',
        '8 bad_value created_at',
        '9 bad_value updated_at',
        '11 bad_id b/../con',
        '12 bad_value relationships.likes',
      ],
    );
  });

  it('says which values there are', () => {
    const [problem] = parseNote('---\nzettel_id: a\ntitle: A\nentry_type: idea\n---\n', 'a.md').problems;
    for (const type of ENTRY_TYPES) assert.ok(String(problem?.message).includes(type), type);
    assert.deepEqual(problem?.range, { start: 38, end: 42 });
  });

  it('tells where front matter cannot be read, and reads what it can', () => {
    const text = '---\ntitle: Mail\nentry_type: pattern\ntags: [a\nzettel_id: 042-mail\n---\n\n[[b]]\n';
    const note = parseNote(text, 'x.md');
    assert.equal(note.fields.zettel_id, '042-mail');
    assert.equal(note.fields.title, 'Mail');
    assert.deepEqual(note.problems.map(({ code, line }) => [code, (line ?? -1) + 1]).slice(0, 1), [
      ['front_matter', 5],
    ]);
    assert.deepEqual(targets(text), ['b']);
    assert.deepEqual(told('---\ntitle: x\n\n[[b]]'), ['2 front_matter ']);
    assert.deepEqual(targets('---\ntitle: x\n\n[[b]]'), ['b']);
  });

  it('reads values that YAML refuses although everybody writes them, and tells where others cannot', () => {
    const note = parseNote(
      '---\nzettel_id: a\ntitle: Use when: never\nentry_type: concept\nglobs: *.ts\n---\n',
      'a.md',
    );
    assert.equal(note.fields.title, 'Use when: never');
    assert.deepEqual(note.others, { globs: '*.ts' });
    assert.deepEqual(
      note.problems.map(({ code, line }) => [code, line]),
      [['front_matter', 4]],
    );
    assert.deepEqual(told('---\nzettel_id: a\ntitle: A\nentry_type: concept\ntitle: B\n---\n'), [
      '5 front_matter title',
    ]);
  });
});

describe('links of a note', () => {
  it('stand in the text, with space, section and alias, and as embeds', () => {
    const text = 'See [[user:042-mail#Key Points|mail]], ![[a/pic.png]] and | [[t\\|x]] |. 😀 [[ b ]] [[#here]] [[]]';
    const links = parseNote(text, 'x.md').links.map(({ range, targetRange, line, type, origin, ...link }) => ({
      ...link,
      whole: text.slice(range.start, range.end),
      part: text.slice(targetRange.start, targetRange.end),
    }));
    assert.deepEqual(links, [
      {
        target: '042-mail',
        location: 'user',
        section: 'Key Points',
        alias: 'mail',
        isEmbed: false,
        whole: '[[user:042-mail#Key Points|mail]]',
        part: '042-mail',
      },
      { target: 'a/pic.png', isEmbed: true, whole: '![[a/pic.png]]', part: 'a/pic.png' },
      { target: 't', alias: 'x', isEmbed: false, whole: '[[t\\|x]]', part: 't' },
      { target: 'b', isEmbed: false, whole: '[[ b ]]', part: 'b' },
    ]);
  });

  it('stand in lists, quotations, headings, tables and HTML', () => {
    const text =
      '# [[a]]\n\n- [[b]]\n  - [[c]]\n\n    [[d]]\n\n> [[e]]\n> - [[f]]\n\n| x |\n|-|\n| [[g]] |\n\n<div>\n[[h]]\n</div>\n\nText\n    [[i]]\n<!-- x --> [[j]]\n';
    assert.deepEqual(targets(text), [...'abcdefghij']);
  });

  const none: Record<string, string> = {
    'a code span': '`[[x]]` ``a ` [[x]]``',
    'a code span over two lines': '`a\n[[x]]`',
    'a fence': '```md\n[[x]]\n```\n~~~\n[[x]]\n```\n~~~',
    'a fence that nothing closes': '```\n[[x]]\n\n[[x]]',
    'a fence in a list': '- a\n\n  ```\n  [[x]]\n  ```\n',
    'a fence in a quotation': '> ```\n> [[x]]\n> ```\n',
    'indented code': 'a\n\n    [[x]]\n\tb [[x]]\n',
    'a comment': '<!-- [[x]] -->\n\na <!-- [[x]]\n[[x]] --> b',
    'a comment over paragraphs': '<!--\n\n[[x]]\n\n-->',
    'a script': '<script>\n[[x]]\n</script>',
    'the front matter': '---\ntitle: "[[x]]"\n---\n',
    'brackets that are escaped': '\\[[x]] [\\[x]]',
    'brackets over two lines': '[[x\ny]]',
    'brackets with brackets': '[[x[y]] [[x]y]]',
  };
  for (const [what, text] of Object.entries(none)) {
    it(`are none in ${what}`, () => assert.deepEqual(targets(text), []));
  }

  it('go on behind what only looks like code or a comment', () => {
    assert.deepEqual(targets('a ` [[a]]\n\n`b` [[b]] <!-- [[c]]\n\n\\` [[d]] \\`\n\n[[[e]]'), [
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
  });

  it('stand in the front matter, one list for each type', () => {
    const text = `---
zettel_id: a
relationships:
  extends: [043-spf-records, "[[user:x/y#s|z]]"]
  depends_on:
    - user:044-dkim-setup # because
  related: single
---
`;
    const { links } = parseNote(text, 'a.md');
    assert.deepEqual(
      links.map(({ type, target, location, line, targetRange }) => [
        type,
        target,
        location,
        line,
        text.slice(targetRange.start, targetRange.end) === target,
      ]),
      [
        ['extends', '043-spf-records', undefined, 3, true],
        ['extends', 'x/y', 'user', 3, true],
        ['depends_on', '044-dkim-setup', 'user', 5, true],
        ['related', 'single', undefined, 6, true],
      ],
    );
    assert.ok(links.every(({ origin }) => origin === 'front_matter'));
  });

  it('have exact offsets and lines in any text', () => {
    const piece = fc.constantFrom(
      ...'[[',
      ']]',
      '[[a|b]]',
      '![[c]]',
      '`',
      '\n',
      '\r\n',
      '<!--',
      '-->',
      '😀',
      '- ',
      '> ',
      '    ',
      '```',
      '#',
      '|',
      '\\',
      'x',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        for (const { range, target, targetRange, isEmbed, line } of parseNote(text, 'x.md').links) {
          const whole = text.slice(range.start, range.end);
          assert.match(whole, isEmbed ? /^!\[\[[^[\]\r\n]+\]\]$/ : /^\[\[[^[\]\r\n]+\]\]$/);
          assert.equal(text.slice(targetRange.start, targetRange.end), target);
          assert.equal(text.slice(0, range.start).split(/\r\n|\n|\r/).length - 1, line);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are found whatever stands in a long text', () => {
    // Anything quadratic would take longer than a test may.
    const hostile = [
      '[[',
      '[[a',
      '`',
      '`a``b```',
      '<!--',
      '<!-- -->',
      '[[a`',
      '![[',
      '\\[[',
      '- [[a]]\n',
      '> ',
      '- ',
      '\n\n`x ',
      '[[a|',
    ];
    for (const each of hostile) {
      assert.equal(parseNote(each.repeat(1_000_000 / each.length), 'x.md').bodyStart, 0, JSON.stringify(each));
    }
  });
});

describe('an id', () => {
  for (const id of [
    '042-email-deliverability',
    'a',
    'Ümlaut_1.2',
    '日本語',
    'हिन्दी',
    'ภาษาไทย-ที่-๑',
    'a'.repeat(120),
    'console',
    'com10',
    'é',
  ]) {
    it(`may be ${id.slice(0, 30)}`, () => assert.equal(checkId(id), id));
  }
  const refused = [
    '',
    '.',
    '..',
    'a/b',
    'a\\b',
    '../a',
    '-a',
    '.a',
    '_a',
    'a b',
    'a.',
    'a.md',
    'a.MD',
    'con',
    'NUL',
    'com1.txt',
    'lpt\u00b9',
    'a:b',
    'a\0',
    'a\nb',
    'a?',
    'a'.repeat(121),
    '日'.repeat(70),
    'e\u0301',
    '%2e%2e',
    'a\u202eb',
    '😀',
    'a\ufe0f',
    '\u3164',
    '\u0301a',
  ];
  for (const id of refused) {
    it(`may not be ${JSON.stringify(id.slice(0, 30))}`, () => {
      assert.throws(() => checkId(id), { ...invalid, hint: /letter or a digit/ });
    });
  }

  it('differs from another one by more than case', () => {
    assert.equal(idKey('Mail-É'), idKey('mail-e\u0301'));
    assert.notEqual(idKey('mail'), idKey('mail2'));
  });

  it('is what a category is made of, folder by folder', () => {
    for (const category of ['', 'patterns', 'apis/mail/v2']) assert.equal(checkCategory(category), category);
    for (const category of [
      '/',
      '/a',
      'a/',
      'a//b',
      '..',
      'a/../b',
      '.git',
      'a\\b',
      'con',
      'a/aux.x',
      'x/x/x/x/x/x/x/x/x',
      'C:/a',
      '~',
    ])
      assert.throws(() => checkCategory(category), invalid, category);
  });
});

const text = (max = 40) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max })
    .map((each) => each.replace(/[\p{C}\r\n\u2028\u2029]/gu, ' ').trim())
    .filter((each) => each !== '');
const tricky = fc.constantFrom(
  'yes',
  '042',
  '1e3',
  '2025-01-15',
  '~',
  'null',
  'a: b',
  'x #y',
  '- a',
  '*a',
  '&a',
  '!t',
  '%d',
  '@a',
  '`a',
  '"q"',
  "it's",
  '[a]',
  '{a}',
  'a, b',
  '12:30:45',
  '0x1F',
  '.5',
  '1_000',
  '<<',
  '=',
  '---',
  '...',
  '?',
  'a:',
  ':a',
  '|',
  '>',
  'true',
  'No',
  'a\ttab',
  '日本語',
  '😀',
  'C:\\x',
  '12e03',
  '1.0.0',
  '<b>',
);
const title = fc.oneof(text(), tricky);
const id = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}[a-z0-9]$/).filter((each) => {
  try {
    return checkId(each) === each;
  } catch {
    return false;
  }
});

describe('front matter that is written here', () => {
  it('is read as it was written, by this and by other libraries', () => {
    const input = fc.record({
      zettel_id: id,
      title,
      entry_type: fc.constantFrom(...ENTRY_TYPES),
      tags: fc.uniqueArray(title, { minLength: 1, maxLength: 5 }),
      source_type: fc.constantFrom(...SOURCE_TYPES),
      source_url: fc.webUrl({ withFragments: true, withQueryParameters: true }),
      content: fc.string(),
    });
    fc.assert(
      fc.property(input, fc.constantFrom('\n' as const, '\r\n' as const), (note, lineEnd) => {
        const file = formatNote(note, {
          now: NOW,
          lineEnd,
          relationships: { extends: ['a', 'user:b'] },
          others: { x: note.title },
        });
        const parsed = parseNote(file, 'x.md');
        const expected = { zettel_id: note.zettel_id, title: note.title, source_url: note.source_url };
        const { zettel_id, title, source_url } = parsed.fields;
        assert.deepEqual({ zettel_id, title, source_url }, expected);
        assert.deepEqual(parsed.others, { x: note.title });
        assert.equal(contentOf(file, parsed.bodyStart), contentOf(note.content, 0));
        const yaml = file.slice(4, file.indexOf('\n---', 4) + 1).replaceAll('\r\n', '\n');
        for (const data of [parseYaml(yaml), matter(file).data]) {
          assert.deepEqual(
            { zettel_id: data.zettel_id, title: data.title, source_url: data.source_url, tags: data.tags, x: data.x },
            { ...expected, tags: note.tags, x: note.title },
          );
          assert.deepEqual(data.relationships, { extends: ['a', 'user:b'] });
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('editing front matter', () => {
  const comment = fc.constantFrom('', '  # keep: [this]', ' # "so"');
  const ws = fc.constantFrom(' ', '  ', '\t');
  /** A key as somebody wrote it: the lines of it, whole. */
  const known = (key: string, value: string) =>
    fc.tuple(ws, fc.constantFrom(value, `"${value}"`, `'${value}'`), comment).map(([space, written, note]) => ({
      key,
      lines: `${key}:${space}${written}${note}\n`,
    }));
  const list = (key: string, items: readonly string[]) =>
    fc
      .tuple(fc.constantFrom('flow', 'block', 'indented', 'multiline', 'text'), comment)
      .map(([style, note]) => {
        if (style === 'flow') return `${key}: [${items.join(', ')}]${note}\n`;
        if (style === 'text') return `${key}: ${items.join(', ')}\n`;
        if (style === 'multiline') return `${key}: [\n  ${items.join(',\n  ')}\n  ]\n`;
        const indent = style === 'block' ? '' : '  ';
        return `${key}:\n${items.map((item) => `${indent}- ${item}${note}\n`).join('')}`;
      })
      .map((lines) => ({ key, lines }));
  const other = fc.constantFrom(
    { key: 'aliases', lines: 'aliases: [ "a", \'b\' ] # x\n' },
    { key: 'text', lines: 'text: |\n  one: two\n\n  # three\n' },
    { key: 'folded', lines: 'folded: >-\n  one\n  two\n' },
    { key: 'nested', lines: 'nested:\n    deep:   1 # one\n    list:\n    - a\n' },
    { key: '#', lines: '# a comment of its own\n' },
    { key: '#', lines: '\n' },
    { key: 'glob', lines: 'glob: *.ts\n' },
    { key: 'loose', lines: 'loose: Use when: never\n' },
    { key: 'empty', lines: 'empty:\n' },
  );
  const segments = fc
    .tuple(
      fc.option(known('zettel_id', '042-mail'), { nil: undefined }),
      fc.option(known('title', 'On mail'), { nil: undefined }),
      fc.option(list('tags', ['one', 'two', 'three']), { nil: undefined }),
      fc.option(known('source_url', 'https://example.com'), { nil: undefined }),
      fc.uniqueArray(other, { selector: ({ key }) => key, maxLength: 5 }),
    )
    .chain(([one, two, three, four, others]) =>
      fc.shuffledSubarray(
        [one, two, three, four, ...others].filter((each) => each !== undefined),
        { minLength: 0 },
      ),
    )
    // The first line of front matter says that it is some.
    .map((all) => [{ key: 'first', lines: 'first: 1\n' }, ...all]);
  const change: fc.Arbitrary<[string, FrontMatterChanges]> = fc.oneof(
    title.map((value): [string, FrontMatterChanges] => ['title', { title: value }]),
    id.map((value): [string, FrontMatterChanges] => ['zettel_id', { zettel_id: value }]),
    fc.constantFrom<[string, FrontMatterChanges]>(
      ['source_url', { source_url: null }],
      ['source_url', { source_url: 'https://x.org/#a' }],
      ['tags', { tags: null }],
    ),
    fc
      .oneof(
        fc.constantFrom(
          ['one', 'three'],
          ['one', 'two', 'three', 'four'],
          ['two'],
          ['three', 'one'],
          ['one', 'x', 'three'],
          ['a, b', 'one'],
        ),
        fc.uniqueArray(title, { minLength: 1, maxLength: 6 }),
      )
      .map((tags): [string, FrontMatterChanges] => ['tags', { tags }]),
    fc
      .constantFrom(...RELATIONSHIP_TYPES)
      .map((type): [string, FrontMatterChanges] => ['relationships', { relationships: { [type]: ['a', 'user:b'] } }]),
    fc.constant<[string, FrontMatterChanges]>(['updated_at', { updated_at: '2026-01-01T00:00:00Z' }]),
  );
  const frame = fc.record({
    bom: fc.boolean(),
    crlf: fc.boolean(),
    body: fc.constantFrom('', 'x', '\n# A\n\n[[b]]\n', 'no end', '---\n'),
  });

  it('changes nothing but what is to change, which is read as it was written', () => {
    fc.assert(
      fc.property(segments, change, frame, (parts, [key, changes], { bom, crlf, body: below }) => {
        const dress = (raw: string) => (crlf ? raw.replaceAll('\n', '\r\n') : raw);
        const index = parts.findIndex((part) => part.key === key);
        const head = (from: number, to?: number) =>
          dress(
            parts
              .slice(from, to)
              .map(({ lines }) => lines)
              .join(''),
          );
        const before = `${bom ? '\uFEFF' : ''}${dress('---\n')}`;
        const file = before + head(0) + dress('---\n') + dress(below);
        const edited = editFrontMatter(file, changes);
        const after = parseNote(edited, 'x.md');
        const value = Object.values(changes)[0];
        const expected: unknown =
          key === 'relationships' ? undefined : value === null ? (key === 'tags' ? [] : undefined) : value;
        if (key === 'relationships') {
          const links = after.links.filter(({ origin }) => origin === 'front_matter');
          assert.deepEqual(
            links.map(({ target }) => target),
            ['a', 'b'],
          );
        } else if (!(key === 'tags' && value !== null)) {
          assert.equal(JSON.stringify(after.fields[key as 'title']), JSON.stringify(expected));
        }
        // Every other part stands there byte for byte, in its order.
        if (index === -1) {
          const lines = (each: string) => each.match(/[^\n]*\n|[^\n]+$/g) ?? [];
          const [old, now] = [lines(file), lines(edited)];
          let at = 0;
          for (const line of now) if (line === old[at]) at++;
          assert.equal(at, old.length, 'lines are only added');
        } else {
          const [above, rest] = [before + head(0, index), head(index + 1) + dress('---\n') + dress(below)];
          assert.ok(edited.startsWith(above), 'above');
          assert.ok(edited.endsWith(rest), 'below');
          const note = / {1,2}#.*/.exec(parts[index]!.lines)?.[0];
          if (note && value !== null && key !== 'tags') assert.ok(edited.includes(note), 'the comment behind it');
        }
        if (crlf) assert.ok(!/(^|[^\r])\n/.test(edited), 'line ends');
        assert.deepEqual(
          { ...after.others, relationships: 0 },
          { ...parseNote(file, 'x.md').others, relationships: 0 },
        );
      }),
      { numRuns: 500 },
    );
  });

  it('takes no sign between quotes for a comment, beside what is no YAML', () => {
    const file = '---\nfirst: 1\nglob: *.ts\n---\n';
    for (const tags of [['[a]', 'x #y'], ['x #y', 'b'], ['{a', "it's #b"], ['"a" #b', '\\'], ['a']]) {
      const edited = editFrontMatter(file, { tags });
      assert.deepEqual(parseNote(edited, 'x.md').fields.tags, tags);
      assert.ok(edited.startsWith('---\nfirst: 1\nglob: *.ts\n'));
    }
  });

  it('gives the same values to other libraries', () => {
    const values = fc.record({ title, tags: fc.uniqueArray(title, { minLength: 1, maxLength: 5 }) });
    fc.assert(
      fc.property(fc.constantFrom('flow', 'block'), values, (style, { title, tags }) => {
        const list = style === 'flow' ? 'tags: [one, two]\n' : 'tags:\n  - one\n  - two\n';
        const edited = editFrontMatter(`---\nzettel_id: a\ntitle: x\n${list}---\n`, { title, tags });
        const { data } = matter(edited);
        assert.deepEqual([data.title, data.tags], [title, tags]);
        const yaml = parseYaml(edited.split('---\n')[1]!);
        assert.deepEqual([yaml.title, yaml.tags], [title, tags]);
      }),
      { numRuns: 300 },
    );
  });

  it('changes items of a list where they stand', () => {
    const head = (tags: string) => `---\nzettel_id: a\n${tags}---\n`;
    const edit = (tags: string, to: string[]) => editFrontMatter(head(tags), { tags: to }).slice(17, -4);
    assert.equal(
      edit('tags:\n  - a # one\n  # two\n  - b\n', ['a', 'b', 'c d']),
      'tags:\n  - a # one\n  # two\n  - b\n  - c d\n',
    );
    assert.equal(edit('tags:\n  - a # one\n  # two\n  - b\n', ['b']), 'tags:\n  # two\n  - b\n');
    assert.equal(edit('tags: ["a",  b , c] # x\n', ['a', 'c', 'd']), 'tags: ["a" , c, d] # x\n');
    assert.equal(edit('tags: ["a",  b , c] # x\n', ['a', 'B', 'c']), 'tags: ["a",  B , c] # x\n');
    assert.equal(edit('tags: [a, b]\n', ['b', 'a', 'c']), 'tags: [b, a, c]\n');
    assert.equal(edit('tags: []\n', ['a']), 'tags: [a]\n');
    assert.equal(edit('tags:\n', ['a']), 'tags: [a]\n');
  });

  it('keeps relationships in one list for each type, and takes away what is empty', () => {
    const base = '---\nzettel_id: a # id\n---\n';
    const one = editFrontMatter(base, { relationships: { extends: ['043-spf-records'] } });
    assert.equal(one, '---\nzettel_id: a # id\nrelationships:\n  extends: [043-spf-records]\n---\n');
    const two = editFrontMatter(one, { relationships: { depends_on: ['user:044-dkim-setup'] } });
    assert.equal(
      two,
      '---\nzettel_id: a # id\nrelationships:\n  extends: [043-spf-records]\n  depends_on: [user:044-dkim-setup]\n---\n',
    );
    assert.equal(editFrontMatter(two, { relationships: { depends_on: [] } }), one);
    assert.equal(editFrontMatter(two, { relationships: { depends_on: [], extends: [] } }), base);
    const flow = '---\na: 1\nrelationships: { extends: [x], related: y }\n---\n';
    assert.equal(
      editFrontMatter(flow, { relationships: { extends: [], implements: ['z'] } }),
      '---\na: 1\nrelationships: { related: y, implements: [z] }\n---\n',
    );
  });

  it('gives a file without front matter some, above all that it has', () => {
    assert.equal(editFrontMatter('# A\n', { title: 'A' }), '---\ntitle: A\n---\n\n# A\n');
    assert.equal(editFrontMatter('\uFEFF\r\n# A\r\n', { title: 'A' }), '\uFEFF---\r\ntitle: A\r\n---\r\n\r\n# A\r\n');
    assert.equal(editFrontMatter('', { title: 'A' }), '---\ntitle: A\n---\n');
    // A thematic break is no front matter.
    assert.equal(
      editFrontMatter('---\nSome text.\n---\n', { title: 'A' }),
      '---\ntitle: A\n---\n\n---\nSome text.\n---\n',
    );
    assert.equal(editFrontMatter('---\n---\nx', { title: 'A' }), '---\ntitle: A\n---\nx');
  });

  it('refuses what it cannot read, with the line', () => {
    const unreadable = (line: number) => ({
      name: 'KaizenError',
      code: 'unreadable_note',
      message: new RegExp(`line ${line}:`),
    });
    assert.throws(() => editFrontMatter('---\ntitle: a\ntags: [a\n---\n', { title: 'b' }), unreadable(4));
    assert.throws(() => editFrontMatter('---\ntitle: a\n', { title: 'b' }), unreadable(2));
    assert.throws(
      () => editFrontMatter('---\nzettel_id: a\nrelationships: [x]\n---\n', { relationships: { extends: ['b'] } }),
      unreadable(3),
    );
  });

  it('never loses or spoils anything of any text, or refuses', () => {
    const line = fc.constantFrom(
      '---',
      'title: a',
      'title:',
      '  - b',
      '- c',
      'tags: [x, y]',
      'tags:',
      'relationships:',
      '  extends: [q]',
      ' related: r',
      'a: |',
      '   text',
      '# c',
      '',
      '? k',
      ': v',
      '"title": t',
      'title : u',
      '{a: b}',
      'tags: {a: b}',
      "'tags': [",
      ']',
      'b: &x 1',
      'x',
    );
    const edits: FrontMatterChanges = {
      title: 'NEW',
      tags: ['n', 'm'],
      relationships: { extends: ['e'] },
      source_url: null,
    };
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const file = ['---', ...lines, '---', 'body'].join('\n');
        let edited: string;
        try {
          edited = editFrontMatter(file, edits);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'unreadable_note');
          return;
        }
        const [before, after] = [parseNote(file, 'x.md'), parseNote(edited, 'x.md')];
        assert.deepEqual([after.fields.title, after.fields.tags], ['NEW', ['n', 'm']]);
        assert.deepEqual(after.others, before.others);
        assert.equal(edited.slice(after.bodyStart).trimStart(), file.slice(before.bodyStart).trimStart());
      }),
      { numRuns: 300 },
    );
  });
});

describe('another content', () => {
  const line = fc.constantFrom('a', 'b', '', '  c', '# d', '- [[e]]', '😀');
  const end = fc.constantFrom('\n', '\r\n', '\r');

  it('takes the place of the old one, and nothing else changes', () => {
    const mixed = fc
      .array(fc.tuple(line, end), { maxLength: 10 })
      .map((all) => all.map((each) => each.join('')).join(''));
    const content = fc.array(line, { maxLength: 10 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(
        fc.constantFrom('', '\uFEFF', '---\ntitle: a\n---\n\n', '---\r\ntitle: a\r\n---\r\n'),
        mixed,
        content,
        (head, old, now) => {
          const file = head + old;
          const { bodyStart } = parseNote(file, 'x.md');
          const replaced = replaceContent(file, bodyStart, now);
          assert.ok(replaced.startsWith(head));
          assert.equal(contentOf(replaced, bodyStart), contentOf(now, 0));
          assert.equal(replaceContent(file, bodyStart, contentOf(file, bodyStart)), file);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps the line ends of lines that stay', () => {
    const file = '---\r\na: b\r\n---\r\n\r\na\r\nb\nc\r\n\r\n';
    assert.equal(replaceContent(file, 17, 'a\nb\nX\nc\n'), '---\r\na: b\r\n---\r\n\r\na\r\nb\nX\r\nc\r\n\r\n');
  });
});

describe('the file of a collection', () => {
  const file = `---
name: Email Infrastructure
description: All entries about email setup
collection_type: topic
created_at: 2025-01-15T10:00:00Z
---

- [[042-email-deliverability]] Email Deliverability Best Practices
- [[user:043-spf-records]] SPF
- [[042-email-deliverability]] again
`;

  it('is told from a note, and read in its order', () => {
    assert.ok(isCollection(file));
    assert.ok(!isCollection(SEED));
    assert.ok(!isCollection(file.replace('name:', 'zettel_id: x\nname:')));
    assert.ok(!isCollection('collection_type: topic'));
    const { links, bodyStart, ...collection } = parseCollection(file, 'collections/email.md');
    assert.deepEqual(collection, {
      name: 'Email Infrastructure',
      description: 'All entries about email setup',
      collection_type: 'topic',
      created_at: '2025-01-15T10:00:00Z',
      zettel_ids: ['042-email-deliverability', 'user:043-spf-records'],
      problems: [],
    });
    assert.equal(links.length, 3);
  });

  it('tells what is wrong with it at its line', () => {
    const { problems, name, collection_type } = parseCollection(
      '---\ncollection_type: heap\n---\n',
      'collections/mail.md',
    );
    assert.deepEqual([name, collection_type], ['mail', 'topic']);
    assert.deepEqual(
      problems.map(({ code, line }) => [code, line]),
      [
        ['missing_field', 0],
        ['bad_value', 1],
      ],
    );
  });
});
