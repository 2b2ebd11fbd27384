import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { sentence } from '../../src/core/sentence';
import { checkEntryRecord, parseRisks } from '../../src/knowledge';
import { openSource } from '../../src/transfer';
import { openRules, type RuleDraft, type RuleKind, type RulesReading, readRules } from '../../src/transfer/rules';

/** What one text gives, whatever its file is called. */
async function read(text: string, file = 'AGENTS.md', kind: RuleKind = 'agents', folder = ''): Promise<RulesReading> {
  return readRules(
    { kind: 'rules', name: 'x', files: [{ path: file, kind, text, folders: [folder] }], notes: [] },
    checkEntryRecord,
  );
}

const names = ({ drafts }: RulesReading) => drafts.map(({ category, keyword }) => `${category} / ${keyword}`);

describe('rules of other tools, as entries', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-rules-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function put(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  async function readRoot(from?: RuleKind, at = ''): Promise<RulesReading> {
    const source = await openRules(path.join(root, at), { from });
    assert.ok(source, 'there are files of rules');
    return readRules(source, checkEntryRecord);
  }

  describe('files', () => {
    it('are found by their names, each held to the folder that it lies in, and what others made is passed over', async () => {
      put({
        'AGENTS.md': '# Shop\n\n## Tests\n\nRun them all.',
        'packages/api/AGENTS.md': '## Tests\n\nOnly those of the API.',
        'CLAUDE.md': 'Answer briefly.',
        '.github/copilot-instructions.md': 'Use British English.',
        '.github/instructions/go.instructions.md': '---\napplyTo: "**/*.go,**/go.mod"\n---\nWrap errors.',
        '.cursor/rules/db.mdc': '---\ndescription: Migrations\nglobs: db/**/*.sql\nalwaysApply: false\n---\nNo locks.',
        'apps/web/.cursor/rules/ui.mdc': '---\nglobs: *.tsx\n---\nNo inline styles.',
        '.cursorrules': 'Prefer functions.',
        '.clinerules/01-style.md': 'Two spaces.',
        '.windsurfrules': 'Ask before deleting.',
        'docs/adr/0001-use-postgres.md': '# 1. Use PostgreSQL\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use it.',
        'docs/guide.md': '# A guide',
        'node_modules/x/AGENTS.md': 'Not ours.',
        'memory.json': '{"not":"a graph"}',
      });
      const reading = await readRoot();
      const applies = Object.fromEntries(
        reading.drafts.map(({ path: file, metaknowledge }) => [file, metaknowledge.APPLIES_TO]),
      );
      assert.deepEqual(applies, {
        '.clinerules/01-style.md': undefined,
        '.cursor/rules/db.mdc': 'db/**/*.sql',
        '.cursorrules': undefined,
        '.github/copilot-instructions.md': undefined,
        '.github/instructions/go.instructions.md': '**/*.go, **/go.mod',
        '.windsurfrules': undefined,
        'AGENTS.md': undefined,
        'CLAUDE.md': undefined,
        'apps/web/.cursor/rules/ui.mdc': 'apps/web/**/*.tsx',
        'docs/adr/0001-use-postgres.md': undefined,
        'packages/api/AGENTS.md': '/packages/api/',
      });
      assert.deepEqual(
        reading.notes.map((note) => note.path),
        ['memory.json', '.'],
      );
      assert.match(String(reading.notes[1]!.message), /^Another Markdown file/);
    });

    it('are opened by name alone, by the folder they lie in, and by what is said of them', async () => {
      put({ 'docs/decisions/use-it.md': '## Decision\n\nYes.', 'house.md': 'Knock first.', 'notes/a.md': 'A note.' });
      assert.deepEqual(names(await readRoot(undefined, 'docs/decisions')), ['decisions / use_it']);
      assert.deepEqual(names(await readRoot(undefined, 'docs/decisions/use-it.md')), ['decisions / use_it']);
      assert.deepEqual(names(await readRoot('claude', 'house.md')), ['rules / house']);
      const kinds = async (at: string, from?: RuleKind) => {
        const source = await openSource(path.join(root, at), { from });
        return source.kind === 'rules' ? source.files.map(({ kind }) => kind) : [];
      };
      assert.deepEqual(await kinds('notes'), ['markdown']);
      assert.deepEqual(await kinds('', 'markdown'), ['markdown', 'markdown', 'markdown']);
      assert.deepEqual(await kinds(''), ['adr']);
    });

    it('that lie outside are not read through links, and what cannot be read is told', async () => {
      const outside = mkdtempSync(path.join(tmpdir(), 'kaizen-outside-'));
      try {
        writeFileSync(path.join(outside, 'secret.md'), 'Mine.');
        put({ 'CLAUDE.md': `Read @../secret.md and @${outside}/secret.md and @~/x.md.`, '.cursorrules': '\xFF\xFE' });
        writeFileSync(path.join(root, '.cursorrules'), Buffer.from([0xff, 0xc0, 0x41]));
        symlinkSync(path.join(outside, 'secret.md'), path.join(root, 'AGENTS.md'));
        const { drafts, notes } = await readRoot();
        assert.ok(!JSON.stringify(drafts).includes('Mine.'));
        assert.equal(drafts.length, 1);
        assert.equal(notes.filter(({ message }) => /leads out of the folder/.test(String(message))).length, 4);
        assert.ok(notes.some(({ path: file, message }) => file === '.cursorrules' && /UTF-8/.test(String(message))));
      } finally {
        rmSync(outside, { recursive: true, force: true });
      }
    });

    it('that a CLAUDE.md imports are read with it, once each, and none that stands in code', async () => {
      put({
        'CLAUDE.md':
          '@docs/git.md\n\nSee @docs/ui.md for the looks. Mail me@example.org, use @scope/pkg.\n\n`@docs/no.md`\n',
        'docs/git.md': '@../CLAUDE.md\n@ui.md\n\nRebase.',
        'docs/ui.md': 'Blue.',
        'docs/no.md': 'Never read.',
      });
      const { drafts, leftovers, notes } = await readRoot();
      assert.deepEqual(
        drafts.map(({ path: file, content }) => [file, content.split('\n')[0]]),
        [
          ['CLAUDE.md', 'See @docs/ui.md for the looks. Mail me@example.org, use @scope/pkg.'],
          ['docs/git.md', 'Rebase.'],
          ['docs/ui.md', 'Blue.'],
        ],
      );
      assert.deepEqual(
        leftovers.map(({ path: file, line }) => [file, line]),
        [
          ['CLAUDE.md', 1],
          ['docs/git.md', 1],
          ['docs/git.md', 2],
        ],
      );
      assert.deepEqual(
        notes.map((note) => [note.path, String(note.message)]),
        [['.', "Another Markdown file in it was not looked at: it is no rules of a tool's."]],
      );
    });

    it('that a CLAUDE.md imports hold where that holds, as if they stood in it', async () => {
      put({
        'CLAUDE.md': '@docs/style.md\n@docs/AGENTS.md',
        'docs/style.md': 'Two spaces.\n\n@more/quotes.md',
        'docs/more/quotes.md': 'Single quotes.',
        'docs/AGENTS.md': 'Of the docs alone.',
        'web/CLAUDE.md': '@../docs/web.md',
        'docs/web.md': 'No tables.',
      });
      const { drafts } = await readRoot();
      assert.deepEqual(
        Object.fromEntries(drafts.map(({ path: file, metaknowledge }) => [file, metaknowledge.APPLIES_TO])),
        {
          'docs/style.md': undefined,
          'docs/more/quotes.md': undefined,
          'docs/AGENTS.md': '/docs/',
          'docs/web.md': '/web/',
        },
      );
    });

    it('that several CLAUDE.md import hold where any of those holds', async () => {
      put({
        'api/CLAUDE.md': '@../docs/style.md\n@../docs/both.md',
        'api/v2/CLAUDE.md': '@../../docs/both.md',
        'docs/both.md': 'Of both.\n\n@deep.md',
        'docs/deep.md': '@both.md\n\nOf both as well.',
        'docs/globs.md': '---\npaths: "*.ts, gen/**, !gen/x.ts"\n---\nTyped.',
        'docs/style.md': 'Two spaces.',
        'web/CLAUDE.md': '@../docs/both.md\n@../docs/globs.md',
        'zoo/CLAUDE.md': '@../docs/globs.md',
      });
      const held = async () => {
        const { drafts } = await readRoot();
        return Object.fromEntries(
          drafts.map(({ path: file, category, metaknowledge }) => [file, [category, metaknowledge.APPLIES_TO]]),
        );
      };
      const first = {
        'docs/both.md': ['rules.docs', '/api/, /web/'],
        'docs/deep.md': ['rules.docs', '/api/, /web/'],
        'docs/globs.md': [
          'rules.docs',
          'web/**/*.ts, zoo/**/*.ts, web/gen/**, zoo/gen/**, !web/gen/x.ts, !zoo/gen/x.ts',
        ],
        'docs/style.md': ['rules.docs', '/api/'],
      };
      assert.deepEqual(await held(), first);
      put({ 'z/.claude/CLAUDE.md': '@../../docs/style.md', 'CLAUDE.local.md': '@docs/style.md' });
      assert.deepEqual(await held(), { ...first, 'docs/style.md': ['rules.docs', undefined] });
      // The folders that an entry can name are limited.
      const many = Array.from({ length: 120 }, (_, index) => [`p${index}/CLAUDE.md`, '@../docs/both.md']);
      put(Object.fromEntries(many));
      const { drafts, notes } = await readRoot();
      assert.equal(drafts.find(({ path: file }) => file === 'docs/both.md')?.metaknowledge.APPLIES_TO, undefined);
      assert.deepEqual(
        notes
          .filter(({ path: file }) => file.startsWith('docs/'))
          .map(({ path: file, message }) => [file, String(message)]),
        [['docs/both.md', 'Files in more than 100 folders import it: it holds everywhere.']],
      );
    });

    it('have the lines that an editor shows, with a byte order mark as well', async () => {
      const texts = {
        'AGENTS.md': '# Title\r\n\r\nUse long names.\r\n\r\n## Two\r\n\r\nUse short files.\r\n',
        'CLAUDE.md': 'Use long names.\n',
        '.cursor/rules/x.mdc': '---\nglobs: "*.ts"\n---\nUse long names.\n',
        'docs/adr/0001-x.md': '# Use X\n\n## Context\n\nNeeded.\n\n## Decision\n\nX.\n',
        'docs/adr/0002-y.md': 'Status: accepted\n\nWe use Y, and so we do.\n',
      };
      const lines = async (mark: string) => {
        put(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, mark + text])));
        return (await readRoot()).drafts.map(({ path: file, keyword, line }) => [file, keyword, line]);
      };
      assert.deepEqual(await lines('\uFEFF'), await lines(''));
      put({ 'notes/a.md': '\uFEFFText of a note.\n' });
      assert.deepEqual(
        (await readRoot('markdown', 'notes')).drafts.map(({ line }) => line),
        [1],
      );
    });
  });

  describe('of collections of rules', () => {
    /** Shapes that such files have, each with what becomes of it. */
    const shapes: Record<string, [text: string, entries: number, appliesTo: string | undefined]> = {
      'bare glob': ['---\ndescription: "D"\nglobs: **/*\nalwaysApply: false\n---\nYou know Angular.', 1, undefined],
      'bare list': ['---\nglobs: **/*.ts, src/**/*.{js,jsx}\n---\n# A\n\nText.', 1, '**/*.ts, src/**/*.{js,jsx}'],
      array: ['---\nglobs: ["**/*.py", "Makefile"]\n---\n# A\n\nText.', 1, '**/*.py, Makefile'],
      'array of all': ['---\nglobs: ["**/*"]\n---\nText.', 1, undefined],
      'block list': ['---\nglobs:\n  - "*.rs"\n  - Cargo.toml\n---\nText.', 1, '*.rs, Cargo.toml'],
      'quoted each': ['---\nglobs: "*.go", "go.mod"\n---\nText.', 1, '*.go, go.mod'],
      always: ['---\nglobs: "*.go"\nalwaysApply: true\n---\nText.', 1, undefined],
      colons: ['---\ndescription: Use when: a test fails\nglobs: *.ts\n---\nText.', 1, '*.ts'],
      'several titles': ['---\nglobs: **/*\n---\n# Persona\n\nAn engineer.\n\n# Focus\n\nTests.', 2, undefined],
      'no front matter': ['# Title\n\n## One\n\nText.\n\n## Two\n\n- a\n- b', 2, undefined],
      windows: ['---\r\nglobs: *.cs\r\n---\r\n# A\r\n\r\nText.\r\n\r\n# B\r\n\r\nMore.', 2, '*.cs'],
      'byte order mark': ['\uFEFF---\nglobs: *.cs\n---\nText.', 1, '*.cs'],
      'front matter only': ['---\ndescription: "Nothing"\nglobs: **/*\n---\n', 0, undefined],
      comments: ['---\nglobs: **/*\n---\n# Use this\n# Use that\n# And more\n\n', 1, undefined],
      'a fence that stays open': ['# A\n\nText:\n```ts\nlet a;\n\n# B\n', 1, undefined],
      empty: ['', 0, undefined],
    };
    for (const [shape, [text, entries, globs]] of Object.entries(shapes)) {
      it(`are imported or listed with a reason: ${shape}`, async () => {
        const { drafts, files } = await read(text, 'rules/thing.mdc', 'cursor');
        assert.equal(drafts.length, entries);
        for (const { metaknowledge } of drafts) assert.equal(metaknowledge.APPLIES_TO, globs);
        assert.equal(files[0]!.entries, entries);
        assert.equal(files[0]!.reason !== undefined, entries === 0);
      });
    }

    it('tell of front matter and globs that cannot be read, and hold for no fewer files then', async () => {
      const { drafts, notes } = await read(
        '---\nglobs: "src/[a, *.ts"\nauthor: Somebody\n---\nText.',
        'a.mdc',
        'cursor',
      );
      assert.deepEqual(drafts[0]!.metaknowledge, { AUTHOR: 'Somebody', SOURCE: 'a.mdc' });
      assert.match(String(notes[0]!.message), /"\[" that is not closed/);
      const broken = await read('---\ndescription: "open\nglobs: *.ts\nauthor: [x\n: x\n---\nText.', 'a.mdc', 'cursor');
      assert.equal(broken.drafts[0]!.content, 'Text.');
      assert.ok(broken.notes.length > 0, 'it is told');
    });
  });

  describe('names', () => {
    const TEXT =
      '# Shop\n\nSells things.\n\n## Testing\n\nRun all.\n\n### Unit tests\n\nNo network.\n\n## Style\n\nTwo spaces.';

    it('come from the headings: those above are the category, the own one is the keyword', async () => {
      assert.deepEqual(names(await read(TEXT)), [
        'rules / shop',
        'rules / testing',
        'rules.testing / unit_tests',
        'rules / style',
      ]);
      assert.deepEqual(names(await read('## Straße & Öl\n\nJa.\n\n## 测试\n\n好。')), [
        'rules / straße_öl',
        'rules / 测试',
      ]);
    });

    it('say what their file is about, and where it lies', async () => {
      assert.deepEqual(names(await read('Text.', '.cursor/rules/db-migrations.mdc', 'cursor')), [
        'rules / db_migrations',
      ]);
      assert.deepEqual(names(await read(TEXT, 'go.instructions.md', 'copilot')).slice(1, 3), [
        'rules.go / go_testing',
        'rules.go.testing / go_unit_tests',
      ]);
      assert.deepEqual(names(await read('## Tests\n\nx', 'packages/api/AGENTS.md', 'agents', 'packages/api')), [
        'rules.packages.api / tests',
      ]);
    });

    it('stand for one entry each, and are the same in every import', async () => {
      const text = '## A\n\n### Why\n\nx\n\n## B\n\n### Why\n\ny\n\n## B\n\n### Why\n\nz';
      const first = await read(text);
      assert.deepEqual(
        first.drafts.map(({ keyword }) => keyword),
        ['why', 'b_why', 'b_why_2'],
      );
      assert.deepEqual(await read(text), first);
    });

    it('of one section that was cut are numbered, and do not look like another section’s', async () => {
      const paragraphs = Array.from({ length: 3 }, (_, index) => `${`Part ${index}, `.repeat(200)}end.`).join('\n\n');
      assert.deepEqual(
        names(await read(`# Rules\n\n## Money\n\n### Rounding\n\n${paragraphs}\n`, 'shop.mdc', 'cursor')),
        [
          'rules.shop.money / shop_rounding',
          'rules.shop.money / shop_rounding_2',
          'rules.shop.money / shop_rounding_3',
        ],
      );
    });

    it('are within the limits of stores, whatever the headings are', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(5), fc.string({ unit: 'binary', maxLength: 300 }))),
          async (headings) => {
            const text = headings.map(([level, title]) => `${'#'.repeat(level + 1)} ${title}\n\nText.\n`).join('\n');
            const { drafts } = await read(text, 'a.mdc', 'cursor');
            const keywords = drafts.map(({ keyword }) => keyword);
            assert.equal(new Set(keywords).size, keywords.length);
            for (const { category, keyword, metaknowledge } of drafts) {
              assert.match(category, /^[^.\s]+(?:\.[^.\s]+)*$/u);
              assert.ok(
                category.length <= 200 && keyword.length <= 200 && keyword.trim() === keyword && keyword !== '',
              );
              assert.doesNotMatch(category + keyword, /\p{Cc}|\p{Cs}/u);
              assert.ok(metaknowledge.SOURCE!.length <= 8_192);
            }
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  describe('splitting', () => {
    const long =
      'It takes some words to say what this rule is about, and why it is there, so that it stands alone. '.repeat(3);

    it('keeps a short section whole, and takes titled items of a long list apart', async () => {
      assert.deepEqual(names(await read('## Style\n\n- **Names**: short\n- **Files**: small')), ['rules / style']);
      const { drafts } = await read(
        `## Style\n\nThese hold:\n\n- **Names**: ${long}\n  More.\n- **Files**: ${long}\n- **Tests**: ${long}`,
      );
      assert.deepEqual(
        drafts.map(({ category, keyword }) => `${category} / ${keyword}`),
        ['rules.style / names', 'rules.style / files', 'rules.style / tests'],
      );
      assert.match(drafts[0]!.content, /^These hold:\n\n- \*\*Names\*\*/);
      assert.match(drafts[1]!.content, /^\*\*Files\*\*: It takes/);
    });

    it('takes lines that are titles for headings where there are none', async () => {
      const { drafts } = await read(`**Key Principles**\n\n- ${long}\n\nError handling:\n- ${long}\n- ${long}`);
      assert.deepEqual(
        drafts.map(({ keyword }) => keyword),
        ['key_principles', 'error_handling'],
      );
    });

    it('takes a few words above a list, and items with a list below them, for titles, but no sentences', async () => {
      const plain = await read(
        `You are thorough.\n\nKey Principles\n\n- ${long}\n- ${long}\n\nFolder Layout\n- ${long}`,
      );
      assert.deepEqual(
        plain.drafts.map(({ keyword }) => keyword),
        ['key_principles', 'folder_layout'],
      );
      const numbered = await read(`1. Naming:\n   - ${long}\n   - ${long}\n\n2. Tests:\n   - ${long}`);
      assert.deepEqual(
        numbered.drafts.map(({ keyword }) => keyword),
        ['naming', 'tests'],
      );
      const sentences = await read(`Keep it short, and clear\n\n- ${long}\n- ${long}\n\nName things.\n\n- ${long}`);
      assert.equal(sentences.drafts.length, 1);
    });

    it('cuts what is longer than an entry can be, between lines where it has any', async () => {
      const line = `${'word '.repeat(200).trim()}\n`;
      const { drafts } = await read(`# A\n\n\`\`\`\n${line.repeat(150)}\`\`\`\n\n# B\n\n${'x'.repeat(130_000)}`);
      for (const { content } of drafts) assert.ok(content.length <= 65_536);
      assert.equal(
        drafts
          .map(({ content }) => content)
          .join('')
          .match(/word/g)!.length,
        200 * 150,
      );
      assert.equal(drafts.map(({ content }) => content.replace(/[^x]/g, '')).join('').length, 130_000);
    });

    /** A line without what says where in a list it stands, and without what marks a risk. */
    const bare = (line: string) =>
      line
        .replace(/^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])(?:\s+|$))?/, '')
        .replace(/\[!\w+\]|(?:WARNING|DANGER):/g, '')
        .replace(/\s+/g, ' ')
        .trim();

    it('loses nothing: every line is in an entry, a heading above one, or listed', async () => {
      const word = fc.constantFrom(
        'alpha',
        'beta',
        '**Gamma**',
        'Delta:',
        'never',
        'code',
        'Æther',
        '⚠️',
        '[!WARNING]',
        'x'.repeat(300),
      );
      const words = fc.array(word, { minLength: 1, maxLength: 9 }).map((each) => each.join(' '));
      const mark = fc.constantFrom(
        '',
        '',
        '',
        '# ',
        '## ',
        '### ',
        '- ',
        '- **T**: ',
        '1. ',
        '  ',
        '    ',
        '> ',
        '```',
        '---',
        '\t',
        '<!-- ',
        '| ',
      );
      const line = fc.oneof(
        { weight: 3, arbitrary: fc.tuple(mark, words).map(([m, w]) => m + w) },
        { weight: 1, arbitrary: fc.constantFrom('', '```', '---', '===') },
      );
      const kaizen = fc.constantFrom('', '', '', '<!-- kaizen:begin -->\n\nOurs\n<!-- kaizen:end -->\n');
      await fc.assert(
        fc.asyncProperty(
          fc.array(line, { maxLength: 60 }),
          kaizen,
          fc.constantFrom('\n', '\r\n'),
          async (lines, own, eol) => {
            const text = `Preamble.\n\n${own}${lines.join('\n')}`.replaceAll('\n', eol);
            const { drafts, leftovers } = await read(text);
            const held = drafts.map(({ content }) => content.split(/\r?\n/).map(bare));
            const inEntries = new Set(held.flat());
            const above = new Set(drafts.flatMap(({ metaknowledge }) => metaknowledge.SOURCE!.split(' › ')));
            for (const [index, each] of text.split(/\r?\n/).entries()) {
              const isListed = leftovers.some((left) => left.line <= index + 1 && index + 1 <= left.endLine);
              const title = each
                .replace(/^\s*#{1,6}\s+/, '')
                .replace(/[*`]/g, '')
                .replace(/\s+/g, ' ')
                .trim();
              const isTitle =
                above.has(title) || [...above].some((shown) => shown.replace(/[*`]/g, '').includes(title));
              const isUnderline = /^\s*(?:=+|-+)\s*$/.test(each);
              assert.ok(
                isListed || isUnderline || isTitle || bare(each) === '' || inEntries.has(bare(each)),
                `lost: ${JSON.stringify(each)} of ${JSON.stringify(text)}`,
              );
            }
            assert.ok(!drafts.some(({ content }) => content.includes('Ours')));
          },
        ),
        { numRuns: 200 },
      );
    });
  });

  describe('what Kaizen itself wrote', () => {
    it('does not come back', async () => {
      const ours = '<!-- kaizen:begin -->\n## Kaizen\n\nCall get_knowledge.\n<!-- kaizen:end -->';
      const { drafts, leftovers } = await read(`Mine.\n\n${ours}\n\n## Also mine\n\nYes.`);
      assert.deepEqual(
        drafts.map(({ content, line }) => [content, line]),
        [
          ['Mine.', 1],
          ['Yes.', 11],
        ],
      );
      assert.deepEqual(leftovers, [{ path: 'AGENTS.md', line: 3, endLine: 7, why: sentence('Kaizen wrote it.') }]);
      const only = await read(ours);
      assert.equal(String(only.files[0]!.reason), 'It holds nothing but what Kaizen wrote.');
      const open = await read('<!-- kaizen:begin -->\nStill mine.');
      assert.equal(open.drafts.length, 1);
    });
  });

  describe('risks', () => {
    const levels = ({ content }: RuleDraft) => parseRisks(content).map(({ level, text }) => `${level} ${text}`);

    for (const [text, level] of [
      ['> [!WARNING]\n> Cascades.', 'WARNING Cascades.'],
      ['> [!CAUTION]\n> Cascades.', 'WARNING Cascades.'],
      ['> [!DANGER] Cascades.', 'DANGER Cascades.'],
      ['⚠️ Cascades.', 'WARNING Cascades.'],
      ['- ⚠️ **Warning:** Cascades.', 'WARNING Cascades.'],
      ['**WARNING**: Cascades.', 'WARNING Cascades.'],
      ['**Danger:** Cascades.', 'DANGER Cascades.'],
      ['Warning: Cascades.', 'WARNING Cascades.'],
      ['CAUTION: Cascades.', 'WARNING CAUTION: Cascades.'],
      ['DANGER: Cascades.', 'DANGER Cascades.'],
      ['## ⚠️ Tables\n\nCascades.', 'WARNING Cascades.'],
      ['## Danger zone\n\nCascades.', 'DANGER Cascades.'],
    ] as const) {
      it(`are taken from what says so: ${JSON.stringify(text)}`, async () => {
        const { drafts } = await read(text);
        assert.deepEqual(levels(drafts[0]!), [level]);
      });
    }

    for (const text of [
      'NEVER push to main.',
      'IMPORTANT: read this.',
      'DO NOT use any.',
      'CRITICAL: use types.',
      'Show a warning: it helps.',
      '```\n⚠️ WARNING\nWarning: in code\n```',
      'The danger - as ever - is haste.',
    ]) {
      it(`are never invented: ${JSON.stringify(text)}`, async () => {
        const { drafts } = await read(text);
        assert.deepEqual(levels(drafts[0]!), []);
        assert.equal(drafts[0]!.content, text);
        assert.equal(drafts[0]!.risk, undefined);
      });
    }
  });
});
