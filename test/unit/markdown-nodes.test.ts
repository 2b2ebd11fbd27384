import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { KnowledgeNode } from '../../src/bases';
import { editNode, MAX_NODES, parseFile } from '../../src/bases/markdown';
import { turnsDuring } from '../support/turns';

async function parse(text: string, file = 'guidelines/SECURITY.md') {
  const { nodes, problems } = await parseFile(text, { base: 'docs', file });
  return { nodes: nodes.map(({ node }) => node), contents: nodes.map(({ content }) => content), problems };
}

async function titles(text: string): Promise<string[]> {
  return (await parse(text)).nodes.map(({ level, title }) => `${level} ${title}`);
}

const lines = (...all: string[]) => all.join('\n');

describe('a file in the hybrid schema', () => {
  const TEXT = lines(
    '# Harbour Protocol',
    '- id: harbour',
    '- status: active',
    '- type: protocol',
    '- owner: pilots',
    '- last_checked: 2026-01-29',
    '<!-- content -->',
    'How ships come in.',
    '',
    '## Berths',
    '- id: harbour.berths',
    '- status: todo',
    '- type: task',
    '- estimate: 2d',
    '- blocked_by: []',
    '- berth_count: 12',
    '<!-- content -->',
    'Assign a **berth plan** with `assignBerth`.',
    '',
    '### Tugs',
    '- id: harbour.berths.tugs',
    '- blocked_by: [harbour.berths, "harbour.pilots"]',
    '- keywords: [tow, Schlepper]',
    '<!-- content -->',
    '- first: not metadata',
    '',
  );

  it('has the ids, fields and texts that its headings and metadata say', async () => {
    const { nodes, contents, problems } = await parse(TEXT, 'protocols/HARBOUR.md');
    assert.deepEqual(problems, []);
    const [root, berths, tugs] = nodes as [KnowledgeNode, KnowledgeNode, KnowledgeNode];
    const { token_count, content_hash, ...rest } = root;
    assert.deepEqual(rest, {
      id: 'harbour',
      base: 'docs',
      uri: 'knowledge://docs/protocols/HARBOUR.md',
      file: 'protocols/HARBOUR.md',
      anchor: '',
      path: 'protocols/HARBOUR.md',
      title: 'Harbour Protocol',
      level: 1,
      type: 'protocol',
      status: 'active',
      owner: 'pilots',
      last_checked: '2026-01-29',
      metadata: { id: 'harbour', status: 'active', type: 'protocol', owner: 'pilots', last_checked: '2026-01-29' },
      keywords: [],
      parent_id: null,
      children_ids: ['harbour.berths'],
      blocked_by: [],
      line: 0,
      end_line: 9,
    });
    assert.match(content_hash, /^[0-9a-f]{64}$/);
    assert.ok(token_count >= 4 && token_count <= 7, String(token_count));
    assert.deepEqual(
      [berths.id, berths.parent_id, berths.children_ids],
      ['harbour.berths', 'harbour', ['harbour.berths.tugs']],
    );
    assert.deepEqual([berths.type, berths.status, berths.estimate, berths.blocked_by], ['task', 'todo', '2d', []]);
    assert.equal(berths.metadata.berth_count, '12');
    assert.deepEqual(berths.keywords, ['berth plan', 'assignBerth']);
    assert.deepEqual(
      [tugs.path, tugs.uri],
      ['protocols/HARBOUR.md#berths.tugs', 'knowledge://docs/protocols/HARBOUR.md#berths.tugs'],
    );
    assert.deepEqual(tugs.blocked_by, ['harbour.berths', 'harbour.pilots']);
    assert.deepEqual(tugs.metadata.keywords, ['tow', 'Schlepper']);
    assert.deepEqual(tugs.keywords, ['tow', 'Schlepper']);
    assert.deepEqual(contents, [
      'How ships come in.',
      'Assign a **berth plan** with `assignBerth`.',
      '- first: not metadata',
    ]);
  });

  it('hands type, status, owner and date down to headings that say nothing, and nothing else', async () => {
    const { nodes } = await parse(
      lines(
        '# A',
        '- id: a',
        '- type: Agent Skill',
        '- status: Draft',
        '- owner: me',
        '- estimate: 1d',
        '<!-- content -->',
        '## B',
        'text',
      ),
    );
    const [, b] = nodes;
    assert.deepEqual([b?.type, b?.status, b?.owner, b?.estimate], ['agent_skill', 'draft', 'me', undefined]);
    assert.deepEqual(b?.metadata, {});
  });

  it('takes lists below a key, quotes, blank lines and any case of its words', async () => {
    const { nodes, contents, problems } = await parse(
      lines(
        '# A',
        '',
        '- Id: a.b',
        '- Last-Checked: 2026-02-01',
        '- blocked_by:',
        '  - x',
        '  - "y"',
        '',
        '<!--content-->',
        'text',
      ),
    );
    assert.deepEqual([nodes[0]?.id, nodes[0]?.last_checked, nodes[0]?.blocked_by], ['a.b', '2026-02-01', ['x', 'y']]);
    assert.deepEqual([contents, problems], [['text'], []]);
  });

  it('leaves a list without the comment where it is, and says so when it looks like metadata', async () => {
    const plain = await parse(lines('## Style', '- Variables: [pattern]', '- Indentation: 2', '', 'text'));
    assert.deepEqual([plain.nodes[0]?.metadata, plain.problems], [{}, []]);
    assert.match(plain.contents[0]!, /^- Variables: \[pattern\]/);
    const forgotten = await parse(lines('# A', 'text', '## B', '- id: b', '- type: task', '', 'text'));
    assert.equal(forgotten.nodes[1]?.id, 'guidelines.security.b');
    assert.match(forgotten.contents[1]!, /- id: b/);
    assert.deepEqual(
      forgotten.problems.map(({ code, line, file, base }) => [code, line, file, base]),
      [['metadata', 3, 'guidelines/SECURITY.md', 'docs']],
    );
  });

  it('tells of lines and ids that it cannot take, and takes the others', async () => {
    const { nodes, problems } = await parse(
      lines(
        '# A',
        '- id: has space',
        '- this is nothing',
        '- type: task',
        '- type: plan',
        '<!-- content -->',
        '## B',
        '- id: b',
        '<!-- content -->',
        '## C',
        '- id: b',
        '<!-- content -->',
      ),
    );
    assert.deepEqual(
      nodes.map(({ id, type }) => [id, type]),
      [
        ['guidelines.security', 'task'],
        ['b', 'task'],
        ['guidelines.security.c', 'task'],
      ],
    );
    assert.deepEqual(
      problems.map(({ code, line }) => [code, line]),
      [
        ['metadata', 0],
        ['metadata', 2],
        ['metadata', 4],
        ['duplicate_id', 9],
      ],
    );
  });
});

describe('a file without metadata', () => {
  it('has nodes with ids from its path and its headings', async () => {
    const { nodes } = await parse(
      lines('# Security', 'text', '## Authentication', '### JWT tokens', '## Services & API'),
    );
    assert.deepEqual(
      nodes.map(({ id, anchor, level, type, status }) => [id, anchor, level, type, status]),
      [
        ['guidelines.security', '', 1, 'guideline', 'active'],
        ['guidelines.security.authentication', 'authentication', 2, 'guideline', 'active'],
        ['guidelines.security.authentication.jwt-tokens', 'authentication.jwt-tokens', 3, 'guideline', 'active'],
        ['guidelines.security.services--api', 'services--api', 2, 'guideline', 'active'],
      ],
    );
  });

  it('has the type that its name or its nearest folder tells, and context where neither does', async () => {
    const types: Record<string, string[]> = {
      agent_skill: [
        '.github/skills/deploy/SKILL.md',
        'SKILL.md',
        'skills/review.md',
        'Skills/deploy/references/aws.md',
      ],
      guideline: [
        'AGENTS.md',
        'packages/api/CLAUDE.md',
        'docs/plans/gemini.md',
        '.github/copilot-instructions.md',
        '.github/instructions/tests.instructions.md',
        '.cursor/rules/style.mdc',
        '.windsurf/rules/style.md',
        '.clinerules/style.md',
        'context/guidelines/api.md',
      ],
      protocol: ['protocols/release.md', 'guidelines/protocols/release.md'],
      plan: ['docs/PLANS/2026.md'],
      log: ['logs/2026/01.md'],
      context: ['context/glossary.md', 'README.md', 'skills.md', 'docs/rules.md', 'my-rules/x.md', 'agents/x.md'],
    };
    for (const [type, files] of Object.entries(types)) {
      for (const file of files) assert.deepEqual([file, (await parse('# A', file)).nodes[0]?.type], [file, type]);
    }
  });

  it('has the type that it says itself, wherever it stands', async () => {
    const types = async (text: string) => (await parse(text, 'skills/SKILL.md')).nodes.map(({ type }) => type);
    assert.deepEqual(await types(lines('---', 'type: plan', '---', '# A', '## B')), ['plan', 'plan']);
    assert.deepEqual(await types(lines('# A', '## B', '- type: task', '<!-- content -->', '### C', '## D')), [
      'agent_skill',
      'task',
      'task',
      'agent_skill',
    ]);
  });

  it('is its own root where it has several top headings, none, or text above them', async () => {
    assert.deepEqual(await titles(lines('## A', 'a', '## B')), ['0 SECURITY', '2 A', '2 B']);
    assert.deepEqual(await titles('only text'), ['0 SECURITY']);
    assert.deepEqual(await titles(''), ['0 SECURITY']);
    assert.deepEqual(await titles(lines('Read this first.', '', '# A', '## B')), ['0 SECURITY', '1 A', '2 B']);
    assert.deepEqual(await titles(lines('## Early', '# Late')), ['0 SECURITY', '2 Early', '1 Late']);
    const badges = lines(
      '<!-- markdownlint-disable -->',
      '[![build](b.svg)](ci) ![x](y.png)',
      '<p align="center"><img src="logo.png"></p>',
      '',
      '# A',
      '## B',
    );
    assert.deepEqual(await titles(badges), ['1 A', '2 B']);
  });

  it('is called as its front matter, its name or its folder says', async () => {
    const title = async (file: string, text = 'x') => (await parse(text, file)).nodes[0]?.title;
    assert.equal(await title('clean-code_rules.mdc'), 'Clean code rules');
    assert.equal(await title('team/README.md'), 'Team');
    assert.equal(await title('README.md'), 'README');
    assert.equal(await title('a.md', lines('---', 'title: "Named: here"', '---', 'x', '## B', '## C')), 'Named: here');
    assert.equal(await title('skills/x/SKILL.md', lines('---', 'name: deploy', '---', 'x')), 'deploy');
  });

  it('has ids that keep their folders apart, a README standing for its folder', async () => {
    const id = async (file: string) => (await parse('# A', file)).nodes[0]?.id;
    assert.equal(await id('guidelines/README.md'), 'guidelines');
    assert.equal(await id('README.md'), 'readme');
    assert.equal(await id('.github/instructions/ts.instructions.md'), 'github.instructions.ts-instructions');
    assert.equal(await id('Über uns/私達.md'), 'über-uns.私達');
    assert.equal(await id('!!!/???.md'), 'file.file');
  });

  it('numbers headings of one name, and keeps letters of every script', async () => {
    const { nodes } = await parse(
      lines('# A', '## Usage', '## Usage', '## Usage-1', '## Größe & Maß', '## 使い方', '## Привет, мир', '## 🎉'),
    );
    assert.deepEqual(
      nodes.slice(1).map(({ anchor }) => anchor),
      ['usage', 'usage-1', 'usage-1-1', 'größe--maß', '使い方', 'привет-мир', 'section'],
    );
    assert.equal(nodes[5]?.uri, `knowledge://docs/guidelines/SECURITY.md#${encodeURIComponent('使い方')}`);
    assert.equal(new Set(nodes.map(({ id }) => id)).size, nodes.length);
  });

  it('shows titles without their markup', async () => {
    const text = lines(
      '# The `parse()` **bold** [link](http://x) ##',
      '## snake_case_name and _this_',
      '## a # b #',
      '## [[wiki|Shown]] <b>x</b> \\*literal\\* ~~gone~~',
      '## `a*b*c` ![alt](pic.png)',
    );
    assert.deepEqual(
      (await parse(text)).nodes.map(({ title }) => title),
      ['The parse() bold link', 'snake_case_name and this', 'a # b', 'Shown x *literal* gone', 'a*b*c alt'],
    );
  });
});

describe('headings', () => {
  it('are ATX and setext, as CommonMark has them', async () => {
    assert.deepEqual(
      await titles(
        lines(
          'Title',
          '=====',
          '',
          'Two',
          'lines',
          '---',
          '#tag is text',
          '####### seven',
          '   ### Three ###',
          '#\tTab',
          '##',
        ),
      ),
      ['0 SECURITY', '1 Title', '2 Two lines', '3 Three', '1 Tab', '2 section'],
    );
  });

  it('are none in code, comments, HTML, lists and quotations', async () => {
    const text = lines(
      '# A',
      '```sh',
      '# no',
      '~~~',
      '# no',
      '```',
      '~~~~',
      '# no',
      '~~~',
      '```',
      '# no',
      '~~~~~',
      '    # no',
      '<!-- # no',
      '# no',
      '',
      '# no -->',
      '<div>',
      '# no',
      '</div>',
      '',
      '<pre>',
      '',
      '# no',
      '</pre>',
      '- item',
      '',
      '  # no',
      '',
      '      # no',
      '- ```',
      '  # no',
      '  ```',
      '1. x',
      '   ```',
      '   # no',
      '   ```',
      '> # no',
      '> text',
      'lazy',
      '---',
      '- a',
      '---',
      '| a | b |',
      '|---|---|',
      '`` ``` ``',
      '## B',
    );
    assert.deepEqual(await titles(text), ['1 A', '2 B']);
  });

  it('are underlined where the line above is a paragraph of the document, not of a list or a quotation', async () => {
    assert.deepEqual(await titles(lines('> # q', 'B', '==')), ['0 SECURITY', '1 B']);
    assert.deepEqual(await titles(lines('# A', '> ```', 'B', '--')), ['1 A', '2 B']);
    assert.deepEqual(await titles(lines('# A', '> text', 'B', '--')), ['1 A']);
    assert.deepEqual(await titles(lines('# A', '- text', 'B', '--')), ['1 A']);
    assert.deepEqual(await titles(lines('# A', '-', '', '  ## B')), ['1 A', '2 B']);
    assert.deepEqual(await titles(lines('# A', '- text', '-', '  ## no')), ['1 A']);
  });

  it('end what was left open in a list, but not what was left open on top', async () => {
    assert.deepEqual(await titles(lines('# A', '- ```', '  code', '## B')), ['1 A', '2 B']);
    assert.deepEqual(await titles(lines('# A', '```', 'code', '## B')), ['1 A']);
    assert.deepEqual(await titles(lines('# A', '<!-- open', '## B')), ['1 A']);
    assert.deepEqual(await titles(lines('# A', '<details>', '<summary>x</summary>', '', '## B', '</details>')), [
      '1 A',
      '2 B',
    ]);
  });

  it('are found whatever the line ends, the byte order mark and NUL', async () => {
    const text = lines('# A', '- id: a', '<!-- content -->', 'x', '', 'B', '---', 'y\0z');
    const unix = await parse(text);
    assert.deepEqual(
      unix.nodes.map(({ id, line, end_line }) => [id, line, end_line]),
      [
        ['a', 0, 5],
        ['guidelines.security.b', 5, 8],
      ],
    );
    assert.equal(unix.contents[1], 'y\uFFFDz');
    for (const other of [text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r'), `\uFEFF${text}`, `${text}\n`]) {
      const { nodes, contents } = await parse(other);
      assert.deepEqual([nodes, contents], [unix.nodes, unix.contents], JSON.stringify(other));
    }
  });
});

describe('front matter', () => {
  it('belongs to the root, where its list does not say otherwise', async () => {
    const { nodes, problems, contents } = await parse(
      lines(
        '---',
        'title: T',
        'description: >-',
        '  Two',
        '  lines',
        'tags: [one, two three]',
        'type: guideline',
        'status: draft',
        'nested:',
        '  a: 1',
        '---',
        '# Heading',
        '- status: active',
        '<!-- content -->',
        'text',
        '## B',
        '`x.y`',
      ),
    );
    assert.deepEqual(problems, []);
    const [root, b] = nodes;
    assert.equal(root?.title, 'Heading');
    assert.deepEqual(root?.metadata, {
      title: 'T',
      description: 'Two lines',
      tags: ['one', 'two three'],
      type: 'guideline',
      status: 'active',
      'nested.a': '1',
    });
    assert.deepEqual([root?.keywords, b?.keywords], [['one', 'two three'], ['x.y']]);
    assert.deepEqual([root?.line, root?.end_line, contents[0]], [11, 15, 'text']);
    assert.deepEqual([b?.type, b?.status, b?.metadata], ['guideline', 'active', {}]);
  });

  it('is read as rules and notes write it', async () => {
    const meta = async (...head: string[]) => {
      const { nodes, problems } = await parse(lines('---', ...head, '---', '# A'));
      assert.deepEqual(problems, [], head.join());
      return nodes[0]?.metadata;
    };
    assert.deepEqual(await meta('description:', 'globs: **/*', 'alwaysApply: false'), {
      description: '',
      globs: '**/*',
      alwaysApply: 'false',
    });
    assert.deepEqual(await meta('globs: *.ts,*.tsx'), { globs: '*.ts,*.tsx' });
    assert.deepEqual(await meta('globs: **/*.{ts,tsx}', "applyTo: '**'"), { globs: '**/*.{ts,tsx}', applyTo: '**' });
    assert.deepEqual(await meta('applyTo: {src,test}/**'), { applyTo: '{src,test}/**' });
    assert.deepEqual(await meta('paths:', '  - **/*.ts', '  - "b"'), { paths: ['**/*.ts', 'b'] });
    assert.deepEqual(await meta('description: Use when: testing'), { description: 'Use when: testing' });
    assert.deepEqual(await meta('x: @you', 'y: %a', 'z: `c`'), { x: '@you', y: '%a', z: '`c`' });
    assert.deepEqual(await meta('text: |', '  - *not* an alias', '  a: b: c', 'k: v'), {
      text: '- *not* an alias\na: b: c\n',
      k: 'v',
    });
    assert.deepEqual(await meta('# a comment', 'a: 1'), { a: '1' });
    assert.deepEqual(await meta('date: 2026-01-10', 'yes: no'), { date: '2026-01-10', yes: 'no' });
  });

  it('that cannot be read is told with its line, and the text is there all the same', async () => {
    const { nodes, problems, contents } = await parse(
      lines('---', 'type: task', 'bad: "open', 'owner: me', '---', '# A', 'text'),
    );
    assert.deepEqual(
      problems
        .map(({ code, line }) => [code, line])
        .slice(0, 1)
        .map(([code]) => code),
      ['front_matter'],
    );
    assert.ok(problems[0]!.line! >= 1 && problems[0]!.line! <= 4);
    assert.deepEqual([nodes[0]?.type, nodes[0]?.owner, nodes[0]?.title, contents[0]], ['task', 'me', 'A', 'text']);
    const other = await parse(lines('---toml', 'a = 1', '---', '# A', 'text'));
    assert.deepEqual(
      [other.problems[0]?.code, other.nodes[0]?.title, other.contents[0]],
      ['front_matter', 'A', 'text'],
    );
  });

  it('is none where two thematic breaks stand around text, or nothing closes it, which is told', async () => {
    const broken = await parse(lines('---', '', 'Some words of text.', '', '---', '', 'more'));
    assert.deepEqual([broken.problems, broken.nodes.length], [[], 1]);
    assert.match(broken.contents[0]!, /Some words of text\.[\s\S]*more/);
    const open = await parse(lines('---', 'a: b', '# A', 'text'));
    assert.match(open.contents[0]!, /a: b/);
    assert.deepEqual(
      open.problems.map(({ code, line }) => [code, line]),
      [['front_matter', 1]],
    );
    assert.deepEqual((await parse(lines('---', '', 'Note: text', '# A'))).problems, []);
  });

  it('does no harm by aliases, depth or size', async () => {
    const bombs = [
      lines('---', 'a: &a [x,x]', 'b: &b [*a,*a]', 'c: [*b,*b]', '---', '# A'),
      lines('---', `a: ${'['.repeat(50_000)}`, '---', '# A'),
      lines('---', ...Array.from({ length: 50_000 }, (_, index) => `k${index}: v`), '---', '# A'),
      lines('---', `k: ${'*'.repeat(500_000)}`, '---', '# A'),
    ];
    for (const bomb of bombs) {
      const { nodes } = await parse(bomb);
      assert.equal(nodes[0]?.title, 'A');
      assert.ok(Object.keys(nodes[0]!.metadata).length <= 100);
    }
  });
});

describe('what a file holds', () => {
  it('is at most 500 nodes: the rest is part of the last one, and told', async () => {
    const text = lines('# A', ...Array.from({ length: 600 }, (_, index) => `## H${index}\n\ntext ${index}`));
    const { nodes, contents, problems } = await parse(text);
    assert.equal(nodes.length, MAX_NODES);
    assert.deepEqual(
      problems.map(({ code, line }) => [code, line]),
      [['too_many_nodes', 1 + 3 * 499]],
    );
    assert.match(contents.at(-1)!, /^text 498\n## H499[\s\S]*text 599$/);
    assert.equal(nodes.at(-1)?.end_line, 1 + 3 * 600);
    const flat = await parse(lines(...Array.from({ length: 600 }, (_, index) => `# H${index}`)));
    assert.deepEqual([flat.nodes.length, flat.nodes[0]?.level], [MAX_NODES, 0]);
  });

  const piece = fc.constantFrom(
    '# A',
    '## B b',
    '### `c`',
    'text',
    'Two',
    '===',
    '---',
    '',
    '',
    '```',
    '~~~',
    '````sh',
    '    code',
    '- id: x',
    '- type: task',
    '- no',
    '<!-- content -->',
    '<!--',
    '-->',
    '<div>',
    '> quote',
    '1. one',
    '  more',
    '\tx',
    '| a |',
    '***',
    '\uFEFF',
    '\0',
    'ü 私',
    '- [ ] a',
    '<pre>',
    '</pre>',
    '* * *',
    'key: value',
  );

  it('loses nothing and never throws: every line belongs to one node, in order', async () => {
    const document = fc
      .array(
        fc.tuple(
          fc.oneof(
            { weight: 5, arbitrary: piece },
            { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
          ),
          fc.constantFrom('\n', '\n', '\r\n', '\r'),
        ),
        { maxLength: 40 },
      )
      .map((pieces) => pieces.flat().join(''));
    await fc.assert(
      fc.asyncProperty(document, async (text) => {
        const { nodes, contents } = await parse(text);
        const all = text.split(/\r\n|\r|\n/);
        if (all.at(-1) === '') all.pop();
        assert.ok(nodes.length >= 1);
        assert.equal(nodes.at(-1)!.end_line, all.length);
        for (const [index, { line, end_line }] of nodes.entries()) {
          assert.ok(line <= end_line);
          if (index > 0) assert.equal(line, nodes[index - 1]!.end_line);
          const own = all.slice(line, end_line).map((each) => each.replaceAll('\0', '\uFFFD'));
          // What is read is the end of what stands there: above it are the heading and its metadata.
          const read = contents[index]!.split('\n')
            .map((each) => each.trimEnd())
            .join('\n');
          assert.ok(
            own
              .map((each) => each.trimEnd())
              .join('\n')
              .trimEnd()
              .endsWith(read),
          );
        }
        const ids = new Set(nodes.map(({ id }) => id));
        assert.equal(ids.size, nodes.length);
        assert.equal(new Set(nodes.map(({ uri }) => uri)).size, nodes.length);
        for (const { parent_id } of nodes) assert.ok(parent_id === null || ids.has(parent_id));
      }),
      { numRuns: 1_500, seed: 2 },
    );
  });

  it('is whole: headings and contents together are all lines that say something', async () => {
    const line = fc.constantFrom(
      '# A',
      '## B',
      '### C',
      'text one',
      '- item',
      '```',
      '~~~',
      'Under',
      '---',
      '> q',
      '',
      '    code',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (all) => {
        // That is front matter.
        fc.pre(all[0] !== '---');
        const text = all.join('\n');
        const { nodes, contents } = await parse(text, 'x.md');
        const said = (part: string) => part.split('\n').filter((each) => each.trim() !== '').length;
        const headings = nodes.map(({ level, line: at, end_line }, index) =>
          level === 0 ? 0 : said(all.slice(index === 0 ? 0 : at, end_line).join('\n')) - said(contents[index]!),
        );
        assert.ok(headings.every((count) => count >= 0 && count <= 30));
        assert.equal(
          headings.reduce((sum, count) => sum + count, 0) + contents.reduce((sum, content) => sum + said(content), 0),
          said(text),
        );
      }),
      { numRuns: 1_000, seed: 3 },
    );
  });

  const MB = 1_048_576;
  const fill = (unit: string) => unit.repeat(Math.ceil(MB / unit.length)).slice(0, MB);
  const MONSTERS: Record<string, string> = {
    fences: fill('```\n~~~\n````\n'),
    'unclosed fence': `\`\`\`\n${fill('# x\n')}`,
    comments: fill('<!-- \n'),
    'comments in lines': fill('a <!-- b\n'),
    'html blocks': fill('<div a="\n<pre\n</x\n<!a\n<?x\n'),
    brackets: fill('['),
    'lines of brackets': fill(`# ${'['.repeat(900)}\n`),
    images: `${fill('[![a](')}\n# A`,
    hashes: fill('#'),
    'closing hashes': `# ${fill('#')}x`,
    'headings of hashes': fill(`# ${'# '.repeat(300)}x\n`),
    hyphens: fill('-'),
    'hyphens with blanks': fill('- '),
    'lines of hyphens': fill(`${'- '.repeat(400)}x\n`),
    backticks: fill('`'),
    'headings of backticks': fill(`# ${'`'.repeat(250)}a${'` '.repeat(100)}\n`),
    quotes: fill('> '),
    'deep quotes': fill(`${'>'.repeat(500)} x\n`),
    'deep lists': fill(Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}- x\n`).join('')),
    stars: fill(`# ${'*'.repeat(300)}a${'*_'.repeat(200)}\n`),
    metadata: fill('# A\n- key: value\n- other: [a, b]\n'),
    'metadata of quotes': fill(`# A\n- key: [${'"a", '.repeat(500)}"]\n<!-- content -->\n`),
    'metadata without end': `# A\n${fill('- key: value\n')}`,
    'open metadata lists': fill(`# A\n- a:\n${'  - b\n'.repeat(390)}<!-- content -->\n`),
    'front matter': `---\n${fill('a: b\n')}---\n# A`,
    'metadata of separators': fill(`# A\n- id:${' '.repeat(2_000)}\u2028x\n`),
    'metadata of one key': fill(`# A\n${'- a: b\n'.repeat(290)}<!-- content -->\n`),
    'front matter of separators': `---\na:${fill(' ')}\u2028x\n---\n# A`,
    'lines of front matter and separators': `---\na: b\nc:${' '.repeat(30_000)}\u2028x\nd: [\n---\n# A`,
    'front matter of globs': `---\n${'k: **/*.{a,b}: [\n'.repeat(3_000)}---\n${fill('# A\n')}`,
    'blank lines': fill('\n'),
    blanks: fill(' '),
    tabs: fill('\t\n'),
    returns: fill('\r'),
    'one paragraph': fill('word '),
    underlined: fill('a\n---\n'),
    'long underlined': `${fill('a\n')}---\n`,
    surrogates: fill('# \u{1F600}\uD83D\n'),
    nul: fill('\0'),
    tables: fill('| a | b |\n|---|---|\n'),
    bold: fill('**a'),
    tags: fill('# <a <b <c\n'),
  };

  // Whatever takes time with the square of a megabyte takes longer than these two may.
  it('is read however hostile a megabyte is', async () => {
    for (const [name, text] of Object.entries(MONSTERS)) {
      const { nodes } = await parse(text);
      assert.ok(nodes.length >= 1 && nodes.length <= MAX_NODES, name);
    }
  }).timeout(240_000);

  it('is edited however hostile a megabyte is', async () => {
    for (const text of [fill('# a\n'), fill('a\n=\n'), fill('- a\n'), MONSTERS['metadata of separators']!]) {
      assert.ok(await editNode(text, { base: 'docs', file: 'x.md' }, () => true, 'new'));
    }
  }).timeout(240_000);

  it('is read and edited in turns', async () => {
    const place = { base: 'docs', file: 'x.md' };
    const headings = fill(`# ${Array.from({ length: 30 }, (_, run) => `${'`'.repeat(run + 1)}a`).join('')}\n`);
    for (const whole of [fill('# a\n'), fill('- a\n'), fill('a\n=\n'), headings, MONSTERS.metadata!]) {
      const text = whole.slice(0, MB / 4);
      // A turn for each 16 KB at least; who edits reads all of it twice.
      const least = Math.floor(text.length / 16_384);
      const reading = await turnsDuring(() => parseFile(text, place));
      const editing = await turnsDuring(() => editNode(text, place, () => true, 'new'));
      assert.ok(reading >= least, `${reading} turns for reading ${JSON.stringify(text.slice(0, 9))}`);
      assert.ok(editing >= 2 * least, `${editing} turns for editing ${JSON.stringify(text.slice(0, 9))}`);
    }
  }).timeout(240_000);

  it('has the same hash until its own text changes, whatever its children and line ends', async () => {
    const hashes = async (text: string) => (await parse(text)).nodes.map(({ content_hash }) => content_hash);
    const [root, child] = await hashes('# A\n\ntext\n\n## B\n\nb\n');
    assert.deepEqual(await hashes('# A\r\n\r\ntext\r\n\r\n## B\r\n\r\nb\r\n'), [root, child]);
    assert.deepEqual(await hashes('# A\n\ntext\n\n\n## B\n\nb\n'), [root, child]);
    const [same, other] = await hashes('# A\n\ntext\n\n## B\n\nchanged\n');
    assert.equal(same, root);
    assert.notEqual(other, child);
    assert.notEqual((await hashes('# A\n- type: task\n<!-- content -->\n\ntext\n\n## B\n\nb\n'))[0], root);
  });

  it('has keywords from its metadata and its text, few and short', async () => {
    const { nodes } = await parse(
      lines(
        '---',
        'tags: "#a-tag #other"',
        '---',
        '# A',
        'Use `parseFile` and `parsefile`, the **hybrid schema**, **Note:** and `x`.',
        '```',
        '`hidden`',
        '```',
        ...Array.from({ length: 100 }, (_, index) => `\`word${index}\``),
      ),
    );
    const [{ keywords }] = nodes as [KnowledgeNode];
    assert.deepEqual(keywords.slice(0, 5), ['a-tag', 'other', 'parseFile', 'hybrid schema', 'word0']);
    assert.ok(keywords.length <= 40);
  });
});
