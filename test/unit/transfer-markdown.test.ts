import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type EntryRecord,
  markdownFiles,
  ofScopes,
  openSource,
  readSource,
  type TextFile,
  type TransferRecord,
  writeFolder,
} from '../../src/transfer';

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
    assert.ok(source.kind === 'markdown' && !source.isOwn);
    const { records, notes } = await readSource(source, { ...DEFAULTS, scope: 'general' });
    assert.deepEqual(
      records.map(({ record }) => record),
      [
        entry('general', 'git.flow', 'Merge 100%', {
          content: 'Merge it.\n',
          metaknowledge: { tags: 'a, b', date: '2024-01-10' },
        }),
        entry('general', 'notes', 'top', { content: 'Top.' }),
      ],
    );
    assert.deepEqual(
      notes.map((note) => note.path),
      ['empty.md', 'git/flow/Merge 100%.md'],
    );
    await assert.rejects(readSource(source, DEFAULTS), /scope/);
  });

  it('names the file and the line of front matter that cannot be read, and takes nothing', async () => {
    mkdirSync(path.join(root, 'notes/a'), { recursive: true });
    writeFileSync(path.join(root, 'notes/a/good.md'), 'Good.');
    writeFileSync(path.join(root, 'notes/a/bad.md'), '---\nA: b\nB: *.ts\n---\nText');
    writeFileSync(path.join(root, 'notes/a/code.md'), '---js\nprocess.exit(3)\n---\nText');
    const source = await openSource(path.join(root, 'notes'));
    await assert.rejects(
      readSource(source, { ...DEFAULTS, scope: 'general' }),
      ({ message, hint }: Error & { hint: string }) => {
        assert.match(message, /^a\/bad\.md, line 3: /);
        assert.match(hint, /^a\/code\.md, line 1: /);
        return true;
      },
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
    const { records, notes } = await readSource(source, { ...DEFAULTS, scope: 'general' });
    assert.equal(records.length, 1);
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
