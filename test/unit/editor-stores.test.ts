import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../src/cli/command';
import { LOCATION_OPTIONS, locate } from '../../src/cli/locating';
import {
  type EditorStores,
  editorStoresFor,
  forgetEditorStores,
  rememberEditorStores,
} from '../../src/core/editor-stores';
import { dataDirectories, type Platform, realPath } from '../../src/core/locations';

describe("the editor's stores", () => {
  let root: string;
  let platform: Platform;
  let record: EditorStores;
  beforeEach(() => {
    root = realPath(mkdtempSync(join(tmpdir(), 'kaizen-editor-stores-')));
    platform = { platform: process.platform, env: { XDG_DATA_HOME: join(root, 'data') }, home: join(root, 'home') };
    for (const folder of ['shop/src/deep', 'storage', 'other']) mkdirSync(join(root, folder), { recursive: true });
    record = {
      format: 1,
      workspace: join(root, 'shop'),
      data: join(root, 'storage'),
      shared: join(root, 'shared'),
      project: 'shop',
      agentWrites: 'review',
      hooks: { budget: 900, reminder: false },
    };
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const folder = () => join(root, 'data', 'kaizen', 'editor-stores');
  const file = () => join(folder(), readdirSync(folder())[0]!);

  (process.platform === 'linux' ? describe : describe.skip)('told by files', () => {
    it('are found from the folder and from every folder in it, by any name that it has', async () => {
      await rememberEditorStores(record, { platform });
      assert.deepEqual(editorStoresFor(join(root, 'shop'), platform), record);
      assert.deepEqual(editorStoresFor(join(root, 'shop/src/deep'), platform), record);
      assert.deepEqual(editorStoresFor(join(root, 'shop/not/there'), platform), record);
      symlinkSync(join(root, 'shop/src'), join(root, 'link'));
      assert.deepEqual(editorStoresFor(join(root, 'link'), platform), record);
      assert.equal(editorStoresFor(join(root, 'other'), platform), undefined);
      assert.equal(editorStoresFor(root, platform), undefined);
    });

    it('are those of the nearest folder', async () => {
      const inner = { ...record, workspace: join(root, 'shop/src'), project: 'inner' };
      await rememberEditorStores(record, { platform });
      await rememberEditorStores(inner, { platform });
      assert.equal(editorStoresFor(join(root, 'shop/src/deep'), platform)?.project, 'inner');
      assert.equal(editorStoresFor(join(root, 'shop'), platform)?.project, 'shop');
      forgetEditorStores(join(root, 'shop/src'), inner.data, platform);
      assert.equal(editorStoresFor(join(root, 'shop/src/deep'), platform)?.project, 'shop');
      forgetEditorStores(join(root, 'shop/src'), inner.data, platform);
    });

    it("are the person's own to read, written whole, and only when they differ", async () => {
      await rememberEditorStores(record, { platform });
      assert.equal(statSync(file()).mode & 0o777, 0o600);
      assert.equal(statSync(folder()).mode & 0o777, 0o700);
      const { ino } = statSync(file());
      await rememberEditorStores(record, { platform });
      assert.equal(statSync(file()).ino, ino);
      await rememberEditorStores({ ...record, project: 'renamed' }, { platform });
      assert.notEqual(statSync(file()).ino, ino);
      assert.equal(readdirSync(folder()).length, 1);
      assert.equal(editorStoresFor(record.workspace, platform)?.project, 'renamed');
    });

    it('of a folder of its own window stay when a window of several folders comes or goes, unless a person says so', async () => {
      const several = { ...record, data: join(root, 'other'), project: 'several' };
      const told = () => editorStoresFor(record.workspace, platform)?.project;
      await rememberEditorStores(several, { yields: true, platform });
      assert.equal(told(), 'several', 'there were none');
      await rememberEditorStores(record, { platform });
      assert.equal(told(), 'shop');
      await rememberEditorStores(several, { yields: true, platform });
      assert.equal(told(), 'shop');
      forgetEditorStores(record.workspace, several.data, platform);
      assert.equal(told(), 'shop');
      await rememberEditorStores(several, { platform });
      assert.equal(told(), 'several');
      await rememberEditorStores({ ...several, project: 'renamed' }, { yields: true, platform });
      assert.equal(told(), 'renamed', 'its own');
      await rememberEditorStores(record, { platform });
      rmSync(record.data, { recursive: true });
      await rememberEditorStores(several, { yields: true, platform });
      assert.equal(told(), 'several', 'the other store is gone');
      forgetEditorStores(record.workspace, several.data, platform);
      assert.deepEqual(readdirSync(folder()), []);
    });

    it('are passed over when the data directory is gone', async () => {
      await rememberEditorStores(record, { platform });
      rmSync(record.data, { recursive: true });
      assert.equal(editorStoresFor(record.workspace, platform), undefined);
      writeFileSync(record.data, '');
      assert.equal(editorStoresFor(record.workspace, platform), undefined);
    });

    it('are passed over when the file is damaged, foreign or about another folder', async () => {
      await rememberEditorStores(record, { platform });
      const text = readFileSync(file(), 'utf8');
      const bad: unknown[] = [
        { ...record, format: 2 },
        { ...record, workspace: join(root, 'other') },
        { ...record, data: 'storage' },
        { ...record, shared: 7 },
        { ...record, shared: '/a\0b' },
        { ...record, project: '' },
        { ...record, project: undefined },
        [],
        null,
        'x',
      ];
      for (const each of [
        text.slice(0, -10),
        '',
        ' '.repeat(600_000) + text,
        ...bad.map((each) => JSON.stringify(each)),
      ]) {
        writeFileSync(file(), each);
        assert.equal(editorStoresFor(record.workspace, platform), undefined, each.slice(0, 200));
      }
      const hooks = { budget: -1, reminder: 'no', more: 1 };
      writeFileSync(file(), JSON.stringify({ ...record, hooks, more: 1 }));
      assert.deepEqual(editorStoresFor(record.workspace, platform), { ...record, hooks: {} });
      writeFileSync(file(), JSON.stringify({ ...record, agentWrites: 'Allow' }));
      assert.equal(editorStoresFor(record.workspace, platform)?.agentWrites, 'deny', 'what is misspelt allows nothing');
      rmSync(file());
      mkdirSync(join(folder(), 'x'));
      assert.equal(editorStoresFor(record.workspace, platform), undefined);
    });
  });

  describe('for a command', () => {
    const VARIABLES = [
      'XDG_DATA_HOME',
      'KAIZEN_STORES',
      'KAIZEN_DATA',
      'KAIZEN_SHARED',
      'KAIZEN_PROJECT',
      'LOCALAPPDATA',
      'HOME',
    ];
    let before: Record<string, string | undefined>;
    beforeEach(async () => {
      before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
      for (const name of VARIABLES) delete process.env[name];
      Object.assign(process.env, {
        XDG_DATA_HOME: join(root, 'data'),
        LOCALAPPDATA: join(root, 'data'),
        HOME: join(root, 'home'),
      });
      await rememberEditorStores(record);
    });
    afterEach(() => {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });

    const command = { name: 'x', usage: [], summary: '', options: LOCATION_OPTIONS, run: async () => 0 };
    const located = (...words: string[]) => {
      const { workspace, data, shared, project } = locate(readArguments(command, words));
      return { workspace, data, shared, project };
    };
    const deep = () => join(root, 'shop/src/deep');

    it('are taken when the launcher asks for them, and only then', () => {
      const { workspace, data, shared, project } = record;
      assert.equal(located('--workspace', workspace).data, dataDirectories(workspace).data);
      process.env.KAIZEN_STORES = 'editor';
      assert.deepEqual(located('--workspace', workspace), { workspace, data, shared, project });
      assert.deepEqual(located('--workspace', deep()), { workspace: deep(), data, shared, project });
      assert.equal(located('--workspace', join(root, 'other')).data, dataDirectories(join(root, 'other')).data);
    });

    it('give way to flags, and these to nothing', () => {
      process.env.KAIZEN_STORES = 'editor';
      const { workspace, data, shared } = record;
      const other = join(root, 'elsewhere');
      assert.deepEqual(located('--workspace', workspace, '--shared', other, '--project', 'p'), {
        workspace,
        data,
        shared: other,
        project: 'p',
      });
      process.env.KAIZEN_SHARED = join(root, 'by variable');
      assert.equal(located('--workspace', workspace).shared, join(root, 'by variable'));
      assert.equal(located('--workspace', workspace, '--shared', other).shared, other);
      process.env.KAIZEN_PROJECT = 'by-variable';
      assert.equal(located('--workspace', workspace).project, 'by-variable');
      delete process.env.KAIZEN_SHARED;
      delete process.env.KAIZEN_PROJECT;
      // Another store than the editor's: its shared store and its project are none of that store's.
      assert.deepEqual(located('--workspace', workspace, '--data', other), {
        workspace,
        data: other,
        shared: dataDirectories(workspace).shared,
        project: 'shop',
      });
      assert.ok(!existsSync(shared) && !existsSync(other), 'nothing is made');
    });
  });
});
