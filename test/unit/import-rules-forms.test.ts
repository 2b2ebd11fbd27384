import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkEntryRecord } from '../../src/knowledge';
import { openSource } from '../../src/transfer';
import {
  compareDrafts,
  type RuleDraft,
  type RuleKind,
  type RulesReading,
  readRules,
  reviewDrafts,
  type StoredText,
} from '../../src/transfer/rules';

async function read(text: string, file = 'AGENTS.md', kind: RuleKind = 'agents'): Promise<RulesReading> {
  return readRules(
    { kind: 'rules', name: 'x', files: [{ path: file, kind, text, folders: [''] }], notes: [] },
    checkEntryRecord,
  );
}

/** As they are stored by an import. */
const stored = (drafts: readonly RuleDraft[]): StoredText[] =>
  drafts.map(({ category, keyword, content, metaknowledge }) => {
    return { scope_id: 'shop', category, keyword, content, metaknowledge };
  });

const review = (drafts: readonly RuleDraft[], there: readonly StoredText[] = []) =>
  reviewDrafts(drafts, there, 'shop', () => []);

describe('forms of what other tools keep', () => {
  const long = 'It takes some words to say what this rule is about, and why it is there, so that it stands alone. '
    .repeat(4)
    .trim();

  describe('numbers of lists', () => {
    it('stay with the items that become entries, so that what refers to a step says which', async () => {
      const { drafts } = await read(
        `## Release\n\n1. **Tag**: ${long}\n   - as v1\n   - as latest\n2. **Build**: ${long}\n 10) **Publish**: see step 2. ${long}\n      More.`,
      );
      assert.deepEqual(
        drafts.map(({ keyword, content }) => [keyword, content.replaceAll(long, '…')]),
        [
          ['tag', '1. **Tag**: …\n   - as v1\n   - as latest'],
          ['build', '2. **Build**: …'],
          ['publish', '10) **Publish**: see step 2. …\n     More.'],
        ],
      );
    });

    it('are counted where each is written as the first', async () => {
      const written = (numbers: string[]) =>
        read(`## Release\n\n${numbers.map((each) => `${each} **Step**: ${long}\n   - a\n\n     b`).join('\n\n')}`);
      for (const [numbers, counted] of [
        [Array(11).fill('1.'), Array.from({ length: 11 }, (_, index) => `${index + 1}.`)],
        [Array(3).fill('0)'), ['0)', '1)', '2)']],
        [
          ['1.', '1.', '1)', '1)'],
          ['1.', '2.', '1)', '2)'],
        ],
        [
          ['1.', '2.', '2.', '5.', '1.', '2.'],
          ['1.', '2.', '2.', '5.', '1.', '2.'],
        ],
      ]) {
        const { drafts } = await written(numbers!);
        assert.deepEqual(
          drafts.map(({ content }) => content.replace(long, '…')),
          counted!.map((each) => {
            const column = ' '.repeat(each.length + 1);
            return `${each} **Step**: …\n${column}- a\n\n${column}  b`;
          }),
        );
      }
    });

    it('are counted in what is cut off a list as well, and the list that stands whole is as it was written', async () => {
      const item = (index: number) => `1. Item ${index}. ${long}\n   More.`;
      const items = Array.from({ length: 14 }, (_, index) => item(index + 1));
      const { drafts } = await read(`## Release\n\n${items.join('\n')}`);
      assert.ok(drafts.length > 2);
      assert.equal(drafts[0]!.content, items.slice(0, 4).join('\n'));
      assert.match(drafts.at(-1)!.content, /^13\. Item 13\. .*\n {4}More\.\n14\. Item 14\. .*\n {4}More\.$/);
      const short = '## Release\n\n1. **One**\n1. **Two**\n1. **Three**, and no more of them than these';
      assert.equal((await read(short)).drafts[0]!.content, short.slice(12));
    });

    it('are no part of names, and a bullet says nothing', async () => {
      const { drafts } = await read(`## Style\n\n- **Names**: ${long}\n- **Files**: ${long}\n- **Tests**: ${long}`);
      assert.deepEqual(
        drafts.map(({ keyword, content }) => [keyword, content.slice(0, 4)]),
        [
          ['names', '**Na'],
          ['files', '**Fi'],
          ['tests', '**Te'],
        ],
      );
    });
  });

  describe('ends of lines', () => {
    const TEXT = [
      '---\nglobs: "*.ts"\nowner: Ada\n---\n# Rules\n\nFirst line.\nSecond line.\n\n## Steps\n\n> [!WARNING]\n> Never twice.\n>\n> Or so.\n',
      `\n## Long\n\n1. **One**: ${long}\n   More of it.\n2. **Two**: ${long}\n\n## Danger\n\n| a | b |\n|---|---|\n| c | d |\n`,
    ].join('');
    const withEnds = (end: string) => TEXT.replaceAll('\n', end);

    it('are no other text: what was imported with others is there already', async () => {
      for (const [before, after] of [
        ['\n', '\r\n'],
        ['\r\n', '\n'],
        ['\n', '\r'],
      ] as const) {
        const first = await read(withEnds(before), 'a.mdc', 'cursor');
        const again = await read(withEnds(after), 'a.mdc', 'cursor');
        assert.equal(first.drafts.length, 5);
        const standings = (await review(again.drafts, stored(first.drafts))).map(({ standing }) => standing);
        assert.deepEqual(new Set(standings), new Set(['same']), JSON.stringify([before, after]));
      }
      const [changed] = (await read('First line.\r\nThird line.')).drafts;
      const there = stored([{ ...changed!, content: 'First line.\nSecond line.' }]);
      assert.equal((await review([changed!], there))[0]!.standing, 'differs');
    });

    it('make no text longer: a file falls into the same parts', async () => {
      const items = Array.from({ length: 20 }, (_, index) => `- **Item ${index}**: ${'x'.repeat(16)}`).join('\n');
      const first = await read(`## A\n\n${items}`);
      assert.deepEqual([first.drafts.length, items.length < 700], [1, true]);
      const again = await read(`## A\n\n${items}`.replaceAll('\n', '\r\n'));
      assert.deepEqual(
        (await review(again.drafts, stored(first.drafts))).map(({ standing }) => standing),
        ['same'],
      );
    });

    it('are stored as they were written, where a callout became a word as well', async () => {
      const { drafts } = await read(withEnds('\r\n'), 'a.mdc', 'cursor');
      for (const { content } of drafts) assert.doesNotMatch(content, /(?<!\r)\n/, JSON.stringify(content));
      assert.ok(drafts.some(({ content }) => content === '> WARNING: Never twice.\r\n>\r\n> Or so.'));
      assert.ok(drafts.some(({ content }) => content.startsWith('DANGER: Danger\r\n\r\n| a | b |\r\n')));
    });

    it('of the old kind hide no front matter', async () => {
      const { drafts, leftovers } = await read(withEnds('\r'), 'a.mdc', 'cursor');
      assert.deepEqual(leftovers, []);
      for (const { metaknowledge } of drafts) {
        assert.deepEqual([metaknowledge.APPLIES_TO, metaknowledge.OWNER], ['*.ts', 'Ada']);
      }
      assert.equal(drafts[0]!.content, 'First line.\nSecond line.');
    });
  });

  it('are not like another part of the same text that was cut, but of what stands elsewhere', async () => {
    const paragraph = 'the same words over and over again, '.repeat(50).trim();
    const text = `## Over\n\n${paragraph}\n\n${paragraph}\n\n${paragraph}\n`;
    const { drafts } = await read(text);
    assert.equal(drafts.length, 3);
    assert.deepEqual(
      (await review(drafts)).map(({ standing, isProposed }) => [standing, isProposed]),
      Array(3).fill(['new', true]),
    );
    const both = await readRules(
      {
        kind: 'rules',
        name: 'x',
        files: ['a/AGENTS.md', 'b/AGENTS.md'].map((file) => ({ path: file, kind: 'agents', text, folders: [''] })),
        notes: [],
      },
      checkEntryRecord,
    );
    assert.deepEqual(
      (await compareDrafts(both.drafts, [], 'shop')).map(({ standing }) => standing),
      ['new', 'new', 'new', 'duplicate', 'duplicate', 'duplicate'],
    );
    const line = `${'word '.repeat(200).trim()}\n`;
    for (const [file, kind, whole] of [
      ['a.md', 'markdown', line.repeat(180)],
      ['memory.jsonl', 'memory', JSON.stringify({ type: 'entity', name: 'x', observations: [line.repeat(180)] })],
      ['a.jsonl', 'lines', JSON.stringify({ name: 'x', content: line.repeat(180) })],
      ['0001-x.md', 'adr', `# X\n\n## Decision\n\n${line.repeat(180)}`],
    ] as const) {
      const parts = await review((await read(whole, file, kind)).drafts);
      assert.ok(parts.length > 1, file);
      for (const { standing } of parts) assert.equal(standing, 'new', file);
    }
  });

  it('with globs that cannot be read hold for no fewer files, and are not proposed', async () => {
    for (const globs of ['[a, b', '"src/[a, *.ts"', '"*.ts, !src/{a"']) {
      const { drafts, notes } = await read(`---\nglobs: ${globs}\n---\nText.`, 'a.mdc', 'cursor');
      assert.ok(notes.length > 0, 'it is told');
      const [only] = await review(drafts);
      assert.deepEqual([only!.draft.metaknowledge.APPLIES_TO, only!.isProposed], [undefined, false], globs);
      assert.equal(String(only!.flags[0]!.text), 'Which files it holds for could not be read.');
    }
  });

  it('of a decision that adr-tools calls "Superceded" are not proposed', async () => {
    const text =
      '# 1. X\n\nDate: 2024-01-02\n\n## Status\n\nSuperceded by [2. Y](0002-y.md)\n\n## Decision\n\nWe use X.';
    const [only] = await review((await read(text, 'doc/adr/0001-x.md', 'adr')).drafts);
    assert.equal(only!.isProposed, false);
    const good = text.replace('Superceded by', 'Supercedes');
    assert.equal((await review((await read(good, 'doc/adr/0001-x.md', 'adr')).drafts))[0]!.isProposed, true);
  });

  it('of a decision say what became of it in the heading as well, and past ones are not proposed', async () => {
    const past = (status: string) => `# Use X\n\n${status}\n\n## Decision: X\n\nWe use X.`;
    for (const [status, said] of [
      ['## Status: Superseded by [2. Y](0002-y.md)', 'Superseded by 2. Y'],
      ['### Status: **Deprecated**', 'Deprecated'],
      ['## Status:\n\nRejected', 'Rejected'],
      ['## Decision and rationale\n\nNo.\n\n* Status: superseded', 'superseded'],
    ] as const) {
      const [only] = await review((await read(past(status), '0001-x.md', 'adr')).drafts);
      assert.deepEqual([only!.draft.metaknowledge.STATUS, only!.isProposed], [said, false], status);
      assert.match(String(only!.flags[0]!.text), /^Its status is "/);
    }
    const [good] = await review((await read(past('## Status: Accepted'), '0001-x.md', 'adr')).drafts);
    assert.deepEqual([good!.draft.metaknowledge.STATUS, good!.isProposed], ['Accepted', true]);
    // A heading that says it is no title, where there is none.
    const [untitled] = (await read('## Status: Accepted\n\n## Decision: X\n\nWe do.', '0003-use-z.md', 'adr')).drafts;
    assert.deepEqual([untitled!.keyword, untitled!.metaknowledge.TITLE], ['use_z', undefined]);
    const dated = await read('# X\n\n## Date: 2024-01-02\n\n## Decision\n\nYes.', '0004-x.md', 'adr');
    assert.equal(dated.drafts[0]!.metaknowledge.DATE, '2024-01-02');
  });

  it('of a memory lose no observation that is no text', async () => {
    const graph = { type: 'entity', name: 'x', entityType: 't', observations: ['a', 7, true, { b: 1 }, null] };
    const { drafts } = await read(JSON.stringify(graph), 'memory.jsonl', 'memory');
    assert.equal(drafts[0]!.content, '- a\n- 7\n- true\n- {"b":1}');
    const one = await read(JSON.stringify({ ...graph, observations: 'alone' }), 'memory.jsonl', 'memory');
    assert.equal(one.drafts[0]!.content, '- alone');
  });

  describe('in files', () => {
    let root: string;
    beforeEach(() => {
      root = mkdtempSync(path.join(tmpdir(), 'kaizen-forms-'));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    const put = (name: string, text: string | Buffer) => {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    };
    const opened = async (target: string) => {
      const source = await openSource(target);
      assert.equal(source.kind, 'rules');
      return source.kind === 'rules' ? source : assert.fail();
    };

    it('may be UTF-16 with its mark, and nothing else', async () => {
      const little = Buffer.from('\uFEFFGrüße – 你好.', 'utf16le');
      const big = Buffer.from(little).swap16();
      for (const [index, bytes] of [little, big].entries()) {
        const [rules, note] = [put(`r${index}/AGENTS.md`, bytes), put(`n${index}/a.md`, bytes)];
        for (const target of [rules, path.dirname(rules), note, path.dirname(note)]) {
          const { drafts } = await readRules(await opened(target), checkEntryRecord);
          assert.deepEqual(
            drafts.map(({ content }) => content),
            ['Grüße – 你好.'],
            target,
          );
        }
      }
      const odd = Buffer.concat([little, Buffer.from([0x41])]);
      put('odd/AGENTS.md', odd);
      put('odd/CLAUDE.md', 'Fine.');
      const { files, notes } = await opened(path.join(root, 'odd'));
      assert.deepEqual([files.length, notes.map((note) => note.path)], [1, ['AGENTS.md']]);
      await assert.rejects(openSource(put('odd.md', odd)), /not UTF-8/);
    });

    it('are decisions by their number and headings, or by their folder, each of them alone as well', async () => {
      const text = '# Use X\n\n## Status\n\nAccepted\n\n## Decision\n\nWe do.';
      const kindOf = async (target: string) => (await opened(target)).files.map(({ kind }) => kind);
      assert.deepEqual(await kindOf(put('choices/0001-use-x.md', text)), ['adr']);
      const madr = '# Use X\n\n## Context and Problem Statement\n\nWhat?\n\n## Decision Outcome\n\nX.';
      assert.deepEqual(await kindOf(put('choices/adr-2024-use-x.md', madr)), ['adr']);
      const line = '# Use X\n\n* Status: accepted\n\n## Decision ##\n\nWe do.';
      assert.deepEqual(await kindOf(put('choices/0003-use-z.md', line)), ['adr']);
      assert.deepEqual(await kindOf(put('choices/use-x.md', text)), ['markdown']);
      for (const [name, note] of [
        ['2024-05-retro.md', '# Retro\n\n## Context\n\nMay.\n\n## Decision log\n\nMany.'],
        ['2024-05-review.md', text],
        ['0004-retro.md', '# Retro\n\n## Status\n\nDone.\n\n## Decision log\n\nMany.'],
        ['0005-retro.md', '# Retro\n\n## Status of the project\n\nDone.\n\n## Decision\n\nOne.'],
        ['0006-retro.md', '# Retro\n\n## Context\n\nMay.\n\n## Decision\n\nOne.'],
        ['0007-retro.md', '# Retro\n\n## Status: Done\n\n## Decisions: many\n\nAll.'],
        ['0008-retro.md', '# Retro\n\n## Status report: Done\n\n## Decision\n\nOne.'],
      ] as const) {
        assert.deepEqual(await kindOf(put(`choices/${name}`, note)), ['markdown'], name);
      }
      assert.deepEqual(await kindOf(put('choices/0002-notes.md', '# Notes\n\nOf a meeting.')), ['markdown']);
      for (const [index, [status, decision]] of (
        [
          ['## Status: Accepted', '## Decision'],
          ['## Status : Accepted ##', '### Decision: We do it'],
          ['Accepted on Monday.\n\n## **Status:** Accepted', '## Decision:'],
          ['## Status:\n\nAccepted', '## Decision and rationale'],
          ['- Status: Accepted', '## Decision & Rationale:'],
          ['## Status: Angenommen', '## Entscheidung: Ja'],
        ] as const
      ).entries()) {
        const form = `# Use X\n\n${status}\n\n${decision}\n\nWe do.`;
        const target = put(`choices/00${20 + index}-use-x.md`, form);
        assert.deepEqual(await kindOf(target), ['adr'], form);
        const { drafts } = await readRules(await opened(target), checkEntryRecord);
        assert.deepEqual(
          drafts.map(({ category, keyword, metaknowledge }) => [category, keyword, metaknowledge.STATUS]),
          [['decisions', 'use_x', /Angenommen/.test(status) ? 'Angenommen' : 'Accepted']],
          form,
        );
      }
      const folder = path.dirname(put('my/architecture-decisions/use-y.md', text));
      assert.deepEqual(await kindOf(folder), ['adr']);
      assert.deepEqual(await kindOf(path.join(folder, 'use-y.md')), ['adr']);
      assert.deepEqual(await kindOf(path.join(root, 'my')), ['adr']);
    });
  });
});
