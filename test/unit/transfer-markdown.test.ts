import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { isKaizenError, type KaizenError } from '../../src/core/errors';
import { isSentence } from '../../src/core/sentence';
import { checkEntryRecord, checkKnowledgeRecords } from '../../src/knowledge';
import {
  type EntryRecord,
  markdownFiles,
  ofScopes,
  openSource,
  parseLines,
  readSource,
  serialise,
  type TextFile,
  type TransferRecord,
  writeFolder,
} from '../../src/transfer';
import { readRules, recordsOf } from '../../src/transfer/rules';
import { secondCopy } from '../support/second-copy';

const DEFAULTS = { author: 'me', at: '2026-01-01T00:00:00.000Z' };

function entry(scope: string, category: string, keyword: string, more: Partial<EntryRecord> = {}): EntryRecord {
  return {
    ...{ type: 'entry', scope, category, keyword, content: `About ${keyword}.`, metaknowledge: {}, action: 'create' },
    ...{ author: 'me', by_agent: false, at: DEFAULTS.at, project_context: '', reason: null, revisions: [] },
    ...more,
  } as EntryRecord;
}

const GENERAL: TransferRecord = {
  type: 'scope',
  id: 'general',
  tier: 'GENERAL',
  name: 'G',
  description: null,
  parents: [],
};

describe('knowledge as a folder of Markdown', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-md-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function files(records: TransferRecord[]): Promise<TextFile[]> {
    const all: TextFile[] = [];
    for await (const each of markdownFiles(records)) all.push(each);
    return all;
  }

  async function roundTrip(records: TransferRecord[]): Promise<{ paths: string[]; records: TransferRecord[] }> {
    const folder = path.join(root, 'out');
    const written = await files(records);
    await writeFolder(folder, written);
    const source = await openSource(folder);
    const read = await readSource(source, DEFAULTS);
    assert.deepEqual(read.notes, []);
    return { paths: written.map((each) => each.path), records: read.records.map(({ record }) => record) };
  }

  const byPlace = (records: TransferRecord[]) => records.map((each) => JSON.stringify(each)).sort();

  it('gives back scopes, descriptions of categories and entries as they went in', async () => {
    const records: TransferRecord[] = [
      GENERAL,
      { type: 'category', scope: 'general', category: 'git.flow', description: 'How we merge.' },
      entry('general', 'git.flow', 'commit', { metaknowledge: { REASON: 'a: b\nc' }, content: '---\nText\r\n' }),
      entry('general', 'git', 'commit'),
    ];
    const { paths, records: read } = await roundTrip(records);
    assert.deepEqual(byPlace(read), byPlace(records));
    assert.deepEqual(paths.sort(), ['general/git.flow/commit.md', 'general/git/commit.md', 'kaizen.jsonl']);
  });

  it('has names that every file system takes, and reads the true ones back', async () => {
    const long = `long ${'🙂'.repeat(190)}`;
    const keywords = [
      'Commit',
      'commit',
      'COMMIT',
      'é',
      'e\u0301',
      'É',
      'con',
      'NUL.txt',
      '.hidden',
      '..',
      'a/b',
      'a\\b',
    ];
    keywords.push(
      '50%',
      '%41',
      'what?',
      'a:b',
      '<x>|"*',
      'end.',
      'two words',
      '漢字',
      long,
      `${long}!`,
      'x'.repeat(200),
    );
    const records = [GENERAL, ...keywords.map((keyword) => entry('general', 'names', keyword))];
    records.push(...['Names', long, 'con', 'a/b.c:d'].map((category) => entry('general', category, 'k')));
    const { paths, records: read } = await roundTrip(records);
    assert.deepEqual(byPlace(read), byPlace(records));
    const folded = paths.map((each) => each.normalize('NFC').toUpperCase().toLowerCase());
    assert.equal(new Set(folded).size, paths.length, 'no two are one where cases are not told apart');
    for (const each of paths.flatMap((name) => name.split('/'))) {
      assert.ok(Buffer.byteLength(each) <= 255, each);
      assert.doesNotMatch(each, /[<>:"\\|?*]|^\.|[. ]$|^(con|nul|aux|prn)(\.|$)/i, each);
    }
  });

  it('gives the same bytes when it is imported and exported again, whatever stands in it', async () => {
    const mark = fc.constantFrom(
      ...['---', '---\n', '```', '~~~js', '<!-- kaizen:begin -->', '<!-- kaizen:end -->', '# kaizen: {"category":"x"}'],
      ...['\r\n', '\r', '\n', '\uFEFF', '\u2028', '\t', '  ', '\u0001', '🙂', 'e\u0301'],
      ...['<script>alert(1)</script>', '&amp;', '{"type":"kaizen","format":1}', '- a: [b', ': ', '# ', '> [!WARNING]'],
    );
    const text = fc
      .array(fc.oneof(mark, fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 12 })
      .map((parts) => parts.join(''))
      .filter((each) => each.trim() !== '' && !each.includes('\0'));
    const label = fc.constantFrom(
      'REASON',
      'a.b',
      'APPLIES_TO',
      'yes',
      '2024-01-10',
      'x: y',
      '#',
      '---',
      '__proto__',
      '*',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, fc.dictionary(label, text))), async (entries) => {
        const records = [
          GENERAL,
          ...entries.map(([content, metaknowledge], index) =>
            entry('general', `c${index % 2}`, `k${index}`, { content, metaknowledge: { ...metaknowledge } }),
          ),
        ];
        const first = await files(records);
        const source = { kind: 'markdown', name: 'x', files: first, notes: [] } as const;
        const read = await readSource({ ...source, notes: [] }, DEFAULTS);
        const again = read.records.map(({ record }) => record);
        assert.deepEqual(byPlace(again), byPlace(records));
        assert.deepEqual(await files(again), first);
        const lines = serialise(records);
        assert.equal(serialise(parseLines(lines, DEFAULTS).map(({ record }) => record)), lines);
      }),
      { numRuns: 150 },
    );
  });

  it('leaves out what was deleted, and what other scopes hold when some are chosen', async () => {
    const project: TransferRecord = {
      type: 'scope',
      id: 'p',
      tier: 'PROJECT',
      name: 'p',
      description: null,
      parents: ['g'],
    };
    const group: TransferRecord = { type: 'scope', id: 'g', tier: 'GROUP', name: 'g', description: null, parents: [] };
    const records = [
      ...[GENERAL, group, project],
      ...[entry('p', 'a', 'here'), entry('p', 'a', 'gone', { content: null, metaknowledge: null, action: 'delete' })],
      entry('g', 'a', 'elsewhere'),
    ];
    const chosen = await files(ofScopes(records, new Set(['p'])));
    assert.deepEqual(
      chosen.map((each) => each.path),
      ['kaizen.jsonl', 'p/a/here.md'],
    );
    assert.match(chosen[0]!.text, /"id":"g"/, 'what it inherits from is defined, so that it can be imported');
    assert.doesNotMatch(chosen[0]!.text, /"id":"general"/);
  });

  it('takes notes from elsewhere: category from the folders, keyword from the name, lists as text, and says so', async () => {
    mkdirSync(path.join(root, 'notes/git/flow'), { recursive: true });
    writeFileSync(
      path.join(root, 'notes/git/flow/Merge 100%.md'),
      '---\ntags: [a, b]\ndate: 2024-01-10\n---\nMerge it.\n',
    );
    writeFileSync(path.join(root, 'notes/top.markdown'), '\uFEFFTop.');
    writeFileSync(path.join(root, 'notes/empty.md'), '---\na: b\n---\n');
    writeFileSync(path.join(root, 'notes/.hidden.md'), 'x');
    writeFileSync(path.join(root, 'notes/picture.png'), 'x');
    const source = await openSource(path.join(root, 'notes'));
    assert.ok(source.kind === 'rules');
    const { drafts, files: read, notes } = await readRules(source, checkEntryRecord);
    assert.deepEqual(
      drafts.map(({ category, keyword, content, metaknowledge }) => [category, keyword, content, metaknowledge]),
      [
        [
          ...['git.flow', 'Merge 100%', 'Merge it.\n'],
          { SOURCE: 'git/flow/Merge 100%.md', tags: 'a, b', date: '2024-01-10' },
        ],
        ['notes', 'top', 'Top.', { SOURCE: 'top.markdown' }],
      ],
    );
    assert.deepEqual(
      read.filter(({ reason }) => reason !== undefined).map(({ path: name }) => name),
      ['empty.md'],
    );
    assert.deepEqual(
      notes.map((note) => note.path),
      ['git/flow/Merge 100%.md'],
    );
    const [top] = (await readRules({ ...source, category: 'inbox' }, checkEntryRecord)).drafts.slice(-1);
    assert.equal(top?.category, 'inbox');
  });

  it('tells notes of the same name apart, cuts what is too long, and keeps Kaizen’s own out', async () => {
    mkdirSync(path.join(root, 'notes/git'), { recursive: true });
    writeFileSync(path.join(root, 'notes/git/readme.md'), 'How we merge.');
    writeFileSync(path.join(root, 'notes/Readme.md'), `> [!WARNING]\n> It is long.\n\n${'A line.\n'.repeat(9_000)}`);
    writeFileSync(path.join(root, 'notes/own.md'), '<!-- kaizen:begin -->\nStored.\n<!-- kaizen:end -->\n');
    const source = await openSource(path.join(root, 'notes'));
    assert.ok(source.kind === 'rules');
    const { drafts, files: read } = await readRules(source, checkEntryRecord);
    assert.deepEqual(
      drafts.map(({ category, keyword, risk }) => [category, keyword, risk?.level]),
      [
        ['notes', 'Readme', 'WARNING'],
        ['notes', 'Readme_2', undefined],
        ['git', 'git_readme', undefined],
      ],
    );
    assert.equal(String(read.find(({ path: name }) => name === 'own.md')?.reason), 'It has no text.');
  });

  it('names the file and the line of front matter that cannot be read: of notes, where the others are taken', async () => {
    mkdirSync(path.join(root, 'notes/a'), { recursive: true });
    writeFileSync(path.join(root, 'notes/a/good.md'), 'Good.');
    writeFileSync(path.join(root, 'notes/a/bad.md'), '---\nA: b\nB: *.ts\n---\nText');
    writeFileSync(path.join(root, 'notes/a/code.md'), '---js\nprocess.exit(3)\n---\nText');
    writeFileSync(path.join(root, 'notes/a/open.md'), '---\nA: b\n');
    const source = await openSource(path.join(root, 'notes'));
    assert.ok(source.kind === 'rules');
    const reading = await readRules(source, checkEntryRecord);
    assert.deepEqual(
      reading.drafts.map(({ keyword }) => keyword),
      ['good'],
    );
    const reasons = reading.files.map(({ path: name, reason = '' }) => `${name}: ${reason}`);
    assert.match(reasons[0]!, /^a\/bad\.md: Line 3: /);
    assert.match(reasons[1]!, /^a\/code\.md: Line 1: /);

    // A folder that export wrote comes in whole, or not at all.
    writeFileSync(path.join(root, 'notes/kaizen.jsonl'), '{"type":"kaizen","format":1}\n');
    await assert.rejects(
      readSource(await openSource(path.join(root, 'notes')), DEFAULTS),
      ({ message, hint = '', said }: KaizenError) => {
        assert.match(message, /^a\/bad\.md, line 3: /);
        assert.match(hint, /^a\/code\.md, line 1: [^\n]+\na\/open\.md, line 1: [^\n]+$/);
        assert.ok(said.every(isSentence), 'each can be said in another language');
        return true;
      },
    );
  });

  it('names the file of what a store refuses, also where the store is another bundle', async () => {
    await writeFolder(
      path.join(root, 'out'),
      await files([entry('general', 'c', 'k', { content: 'x'.repeat(70_000) })]),
    );
    const { records, tell } = await readSource(await openSource(path.join(root, 'out')), DEFAULTS);
    const { checkKnowledgeRecords } = secondCopy<typeof import('../../src/knowledge')>('knowledge');
    const error: unknown = await checkKnowledgeRecords(records).then(undefined, (each: unknown) => each);
    const told = tell(error);
    assert.ok(isKaizenError(told));
    assert.equal(told.message, 'general/c/k.md: The content has 70000 characters; the limit is 65536.');
    assert.ok(told.said.every(isSentence), 'it can be said in another language');
  });

  const STORING = { scope: 'shop', author: 'me', at: DEFAULTS.at, project: 'shop', isNew: false };
  const notesOf = (texts: Record<string, string>) =>
    readRules(
      {
        kind: 'rules',
        name: 'notes',
        files: Object.entries(texts).map(([name, text]) => ({ path: name, kind: 'markdown', text, folders: [''] })),
        notes: [],
      },
      checkEntryRecord,
    );

  it('gives notes names that stores take, however long those of their folders are', async () => {
    const [a, k] = ['A'.repeat(100), 'k'.repeat(150)];
    const long = `${'👍'.repeat(89)}x👍👍`;
    const { drafts } = await notesOf({
      [`${a}/${k}.md`]: 'One.',
      [`b${a}/${k}.md`]: 'Two.',
      [`c${a}/${k}.md`]: 'Three.',
      [`x/${long}.md`]: 'Four.',
      [`y/${long}.md`]: 'Five.',
      'Misc./b.md': 'Six.',
      '../ . /c .md': 'Seven.',
      'd/c.md': 'Eight.',
    });
    await checkKnowledgeRecords(recordsOf(drafts, STORING));
    assert.equal(drafts.length, 8);
    assert.deepEqual(
      drafts.slice(-3).map(({ category, keyword }) => [category, keyword]),
      [
        ['Misc', 'b'],
        ['notes', 'c'],
        ['d', 'd_c'],
      ],
    );
    const keywords = drafts.map(({ keyword }) => keyword);
    assert.equal(new Set(keywords).size, 8);
    assert.equal(keywords[1], `${`b${a}`.toLowerCase().slice(0, 40)}_${k}`);
  });

  it('lists each note that breaks a limit, with the limit, and takes the others', async () => {
    const labels = Array.from({ length: 64 }, (_, index) => `K${index}: x\n`).join('');
    const { drafts, files: read } = await notesOf({
      'a/fine.md': 'Fine.',
      'a/value.md': `---\nA: ${'x'.repeat(9_000)}\n---\nText`,
      'a/labels.md': `---\n${labels}---\nText`,
      'a/key.md': `---\n${'K'.repeat(201)}: x\n---\nText`,
      'a/two\nlines.md': 'Text',
      'a\tb/tab.md': 'Text',
      'a/ .md': 'Text',
      'a/warnings.md': '⚠ a\n\n'.repeat(10_000),
    });
    assert.deepEqual(
      drafts.map(({ keyword, content }) => [keyword, content.slice(0, 5)]),
      [
        ['fine', 'Fine.'],
        ['warnings', '⚠ a\n\n'],
      ],
    );
    assert.deepEqual(
      read.map(({ path: name, entries, reason }) => [name, entries, reason && String(reason)]),
      [
        ['a/fine.md', 1, undefined],
        ['a/value.md', 0, 'The metaknowledge A has 9000 characters; the limit is 8192.'],
        ['a/labels.md', 0, 'The metaknowledge has 65 pairs; the limit is 64.'],
        ['a/key.md', 0, 'The metaknowledge key has 201 characters; the limit is 200.'],
        ['a/two\nlines.md', 0, 'The keyword contains a control character.'],
        ['a\tb/tab.md', 0, 'The category contains a control character.'],
        ['a/ .md', 0, 'The keyword is empty.'],
        ['a/warnings.md', 1, undefined],
      ],
    );
  });

  it('gives only what can be stored, whatever notes are called and hold', async () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
      fc.constantFrom('.', '..', 'Misc.', ' a ', 'A', 'a', '\uD83D', 'k'.repeat(250), '👍'.repeat(120)),
    );
    const name = fc.array(
      part.map((each) => each.replaceAll('/', '_')),
      { minLength: 1, maxLength: 4 },
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc
        .string({ unit: 'binary', maxLength: 40 })
        .map((said) => `---\n${JSON.stringify(said)}: ${JSON.stringify(said)}\n---\n${said}`),
      fc.constantFrom('⚠ a\n\n'.repeat(13_000), `---\nA: ${'x'.repeat(9_000)}\n---\nText`, '\0\uD800'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 8 }), async (notes) => {
        const texts = Object.fromEntries(notes.map(([parts, said]) => [`${parts.join('/')}.md`, said]));
        const { drafts, files: read } = await notesOf(texts);
        const { entries } = await checkKnowledgeRecords(recordsOf(drafts, STORING));
        assert.equal(entries.length, drafts.length);
        assert.deepEqual(
          read.map(({ path: each }) => each),
          Object.keys(texts),
        );
        for (const { entries: count, reason } of read) assert.equal(count === 0, reason !== undefined);
      }),
      { numRuns: 60 },
    );
  });

  it('does not follow links out of the folder, to read or to write', async () => {
    mkdirSync(path.join(root, 'secret/git'), { recursive: true });
    writeFileSync(path.join(root, 'secret/git/key.md'), 'Secret.');
    mkdirSync(path.join(root, 'notes'));
    writeFileSync(path.join(root, 'notes/own.md'), 'Own.');
    symlinkSync(path.join(root, 'secret'), path.join(root, 'notes/general'));
    symlinkSync(path.join(root, 'secret/git/key.md'), path.join(root, 'notes/key.md'));
    const source = await openSource(path.join(root, 'notes'));
    assert.ok(source.kind === 'rules');
    const { drafts, notes } = await readRules(source, checkEntryRecord);
    assert.equal(drafts.length, 1);
    assert.deepEqual(notes.map((note) => note.path).sort(), ['general', 'key.md']);
    await assert.rejects(
      writeFolder(path.join(root, 'notes'), await files([GENERAL, entry('general', 'git', 'key')])),
      /link/,
    );
    assert.equal(readFileSync(path.join(root, 'secret/git/key.md'), 'utf8'), 'Secret.');
  });

  it('replaces files only when told to, and deletes none', async () => {
    const folder = path.join(root, 'out');
    await writeFolder(
      folder,
      await files([GENERAL, entry('general', 'git', 'commit'), entry('general', 'git', 'old')]),
    );
    const changed = await files([GENERAL, entry('general', 'git', 'commit', { content: 'New.' })]);
    await assert.rejects(writeFolder(folder, changed), /general\/git\/commit\.md/);
    assert.match(readFileSync(path.join(folder, 'general/git/commit.md'), 'utf8'), /About/);
    const result = await writeFolder(folder, changed, { overwrite: true });
    assert.deepEqual(result, { written: 1, unchanged: 1, others: ['general/git/old.md'] });
    assert.equal(readFileSync(path.join(folder, 'general/git/commit.md'), 'utf8'), 'New.');
  });

  it('can be cancelled', async () => {
    const controller = new AbortController();
    controller.abort(new Error('cancelled'));
    await assert.rejects(openSource(root, { signal: controller.signal }), /cancelled/);
  });
});
