import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type AgentSurroundings,
  apply,
  type FileChange,
  inspect,
  plan,
  planKnowledgeSection,
  WRITERS,
} from '../../src/agents';
import { launcherCommand } from '../../src/agents/launcher';
import { isSentence } from '../../src/core/sentence';
import { inGerman } from '../support/german';

const NOT_WINDOWS = process.platform !== 'win32';

let root = '';
let around: AgentSurroundings;

const inWorkspace = (...names: string[]) => path.join(around.workspace, ...names);
const inHome = (...names: string[]) => path.join(around.platform.home, ...names);

function put(file: string, text: string | Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Every file and link below a folder with what is in it. */
function tree(folder = root): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) found[name] = `-> ${readlinkSync(file)}`;
    else found[name] = stats.isFile() ? readFileSync(file, 'latin1') : 'folder';
  }
  return found;
}

const piece = async (id: string) => {
  const found = (await inspect(around)).find((each) => each.id === id);
  assert.ok(found, id);
  // The editor says them in its own language.
  inGerman(found.title);
  for (const said of found.problem === undefined ? found.notes : [found.problem, ...found.notes]) {
    assert.ok(isSentence(said), `in English only: ${said}`);
    inGerman(said);
  }
  return found;
};

const install = async (...ids: string[]) => plan(around, { install: ids, remove: [] });
const remove = async (...ids: string[]) => plan(around, { install: [], remove: ids });

describe('setting agents up', () => {
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kaizen-agents-')));
    const platform = { platform: process.platform, env: {}, home: path.join(root, 'home') };
    around = {
      workspace: path.join(root, 'workspace'),
      project: 'checkout-api',
      platform,
      kaizen: launcherCommand(platform),
    };
    mkdirSync(around.workspace);
    mkdirSync(around.platform.home);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('finds the server of a client that opens no folder right in each, and turns it only by name', async () => {
    const other = { ...around, workspace: path.join(root, 'other') };
    mkdirSync(other.workspace);
    const id = 'server:claude-desktop';
    await apply(await plan(other, { install: [id], remove: [] }), other);
    const found = await piece(id);
    assert.deepEqual([found.state, found.servesFolder, found.isCovered], ['current', other.workspace, true]);
    assert.match(found.notes.join(' '), /^It serves another folder \(/);
    const [change] = await install(id);
    assert.ok(change?.after?.includes(JSON.stringify(around.workspace)));
    assert.ok(!change?.after?.includes(JSON.stringify(other.workspace)));
    // Of a folder that is gone it is not right.
    rmSync(other.workspace, { recursive: true });
    assert.equal((await piece(id)).state, 'outdated');
  });

  it('lists every piece, absent, and writes nothing by looking and planning', async () => {
    const before = tree();
    const pieces = await inspect(around);
    const known = WRITERS.filter((writer) => !writer.isOnlyTaken && writer.place(around)).map(({ id }) => id);
    assert.deepEqual(
      pieces.map(({ id }) => id),
      known,
    );
    assert.equal(new Set(known).size, known.length);
    for (const { state, id, detected } of pieces) assert.deepEqual([id, state, detected], [id, 'absent', false]);
    await install(...pieces.map(({ id }) => id));
    assert.deepEqual(tree(), before);
  });

  it('writes all of it, finds it current, and takes all of it away again', async () => {
    put(inWorkspace('CLAUDE.md'), '# Mine\r\n\r\nText.');
    put(inWorkspace('.claude', 'settings.local.json'), '{\n  // mine\n  "model": "opus" // best\n}\n');
    put(inHome('.copilot', 'mcp-config.json'), '{"mcpServers": {"other": {"command": "other"}}}');
    const before = tree();
    const all = (await inspect(around)).map(({ id }) => id);
    await apply(await install(...all), around);
    for (const { id, state, detected } of await inspect(around))
      assert.deepEqual([id, state, detected], [id, 'current', true]);
    assert.deepEqual(await install(...all), []);
    await apply(await remove(...all), around);
    const after = tree();
    // A person's own folders stay; the workspace is as it was.
    for (const [name, text] of Object.entries(after)) if (text === 'folder' && !(name in before)) delete after[name];
    assert.deepEqual(after, before);
    assert.deepEqual(
      tree(around.workspace),
      Object.fromEntries(
        Object.entries(before)
          .filter(([name]) => name.startsWith(`workspace${path.sep}`))
          .map(([name, text]) => [name.slice(10), text]),
      ),
    );
  });

  it('does not take the folder that VS Code makes for a sign that Copilot CLI is used', async () => {
    const copilot = async () =>
      (await inspect(around)).filter(({ client }) => client === 'copilot-cli').map(({ detected }) => detected);
    put(inHome('.copilot', 'ide', 'window.lock'), '{}');
    assert.deepEqual(await copilot(), [false, false]);
    put(inHome('.copilot', 'settings.json'), '{}');
    assert.deepEqual(await copilot(), [true, true]);
  });

  it('makes one change of a file that two pieces are in', async () => {
    put(inHome('.copilot', 'hooks', 'kaizen.json'), '{}');
    put(inWorkspace('.claude', 'settings.json'), '{}');
    if (!NOT_WINDOWS) return;
    put(inWorkspace('AGENTS.md'), 'Mine.\n');
    symlinkSync('AGENTS.md', inWorkspace('CLAUDE.md'));
    const claude = await piece('instructions:CLAUDE.md');
    assert.equal(claude.isCovered, true);
    assert.match(claude.notes.join(' '), /link to the file of AGENTS\.md/);
    const changes = await install('instructions:AGENTS.md', 'instructions:CLAUDE.md');
    assert.equal(changes.length, 1);
    assert.equal(changes[0]!.file, inWorkspace('AGENTS.md'));
    await apply(changes, around);
    assert.equal(readlinkSync(inWorkspace('CLAUDE.md')), 'AGENTS.md');
    assert.equal((await piece('instructions:CLAUDE.md')).state, 'current');
    await apply(await remove('instructions:CLAUDE.md'), around);
    assert.equal(readFileSync(inWorkspace('AGENTS.md'), 'utf8'), 'Mine.\n');
  });

  it('works in a workspace that is opened by a link', async function () {
    if (!NOT_WINDOWS) this.skip();
    symlinkSync(around.workspace, path.join(root, 'link'));
    const real = around.workspace;
    around = { ...around, workspace: path.join(root, 'link') };
    const changes = await install('instructions:AGENTS.md', 'hooks:cursor');
    assert.deepEqual(
      changes.map(({ file }) => path.dirname(file)),
      [path.join(root, 'link'), path.join(root, 'link', '.cursor')],
    );
    await apply(changes, around);
    assert.ok(existsSync(path.join(real, '.cursor', 'hooks.json')));
    await apply(await remove('instructions:AGENTS.md', 'hooks:cursor'), around);
    assert.deepEqual(readdirSync(real), []);
  });

  it('does not propose to tell an agent twice that reads AGENTS.md as well', async () => {
    const ids = ['instructions:.cursor/rules/kaizen.mdc', 'instructions:.github/copilot-instructions.md'];
    put(inWorkspace('.github', 'copilot-instructions.md'), 'Mine.\n');
    for (const id of ids) assert.ok(!(await piece(id)).isCovered, id);
    put(inWorkspace('.cursorrules'), 'Mine.\n');
    // What Cursor is there for is AGENTS.md: nothing else of the two is there.
    mkdirSync(inWorkspace('.cursor'));
    for (const id of ids) {
      const { detected, isCovered, notes } = await piece(id);
      assert.deepEqual([detected, isCovered], [true, true], id);
      assert.match(notes.join(' '), /^Told twice with AGENTS\.md: /);
    }
    // Who wants both may have both, and is told.
    await apply(await install('instructions:AGENTS.md', ...ids), around);
    for (const id of ids) {
      const { state, isCovered, notes } = await piece(id);
      assert.deepEqual([state, isCovered], ['current', false], id);
      assert.match(notes.join(' '), /^Told twice with AGENTS\.md: /);
    }
  });

  it('says so where another file has the hooks already', async () => {
    await apply(await install('hooks:claude-code'), around);
    const shared = await piece('hooks:claude-code-shared');
    assert.equal(shared.isCovered, true);
    assert.match(shared.notes.join(' '), /twice/);
    assert.doesNotMatch((await piece('hooks:claude-code')).notes.join(' '), /twice/);
    // With both there it is so already.
    await apply(await install('hooks:claude-code-shared'), around);
    for (const id of ['hooks:claude-code', 'hooks:claude-code-shared']) {
      const { state, notes } = await piece(id);
      assert.equal(state, 'current');
      assert.match(notes.join(' '), /twice/);
    }
  });

  it('has one piece for a file, also in the home directory', async () => {
    const inHomeDirectory = { ...around, workspace: around.platform.home };
    const files = (await inspect(inHomeDirectory)).map(({ file }) => file);
    assert.deepEqual([...new Set(files)], files);
  });

  it("does not share a person's own settings for those of a team, however their home directory is called", async () => {
    const ids = async (of: AgentSurroundings) => (await inspect(of)).map(({ id }) => id);
    const shared = 'hooks:claude-code-shared';
    assert.ok((await ids(around)).includes(shared));
    const windows = { platform: 'win32', env: {}, home: 'C:\\Users\\Ada' } as const;
    assert.ok(!(await ids({ ...around, platform: windows, workspace: 'c:\\Users\\Ada' })).includes(shared));
    if (process.platform === 'win32') return;
    symlinkSync(around.platform.home, path.join(root, 'other-home'));
    assert.ok(!(await ids({ ...around, workspace: path.join(root, 'other-home') })).includes(shared));
  });

  describe('exported knowledge', () => {
    const exportTo = async (...names: string[]) => {
      const change = await planKnowledgeSection(inWorkspace(...names), '# What is known\n\n> Rebase first.\n', around);
      assert.ok(change);
      await apply([change], around);
    };
    const listed = async () => (await inspect(around)).filter(({ kind }) => kind === 'knowledge');

    it('is a piece where it is there, and only there, beside what is set up', async () => {
      put(inWorkspace('AGENTS.md'), 'Mine.\n');
      assert.deepEqual(await listed(), []);
      await exportTo('AGENTS.md');
      assert.deepEqual(
        (await listed()).map(({ id, state, isThere, file }) => ({ id, state, isThere, file })),
        [{ id: 'knowledge:AGENTS.md', state: 'current', isThere: true, file: inWorkspace('AGENTS.md') }],
      );
      const instructions = await piece('instructions:AGENTS.md');
      assert.deepEqual([instructions.state, instructions.hasFile], ['absent', true]);
      assert.equal((await piece('instructions:CLAUDE.md')).hasFile, false);
      await piece('knowledge:AGENTS.md');
      assert.deepEqual(await install('knowledge:AGENTS.md'), []);
    });

    it('goes without the instructions, and these without it, each to the byte', async () => {
      put(inWorkspace('AGENTS.md'), 'Mine.\r\n');
      await exportTo('AGENTS.md');
      const exported = readFileSync(inWorkspace('AGENTS.md'), 'utf8');
      await apply(await install('instructions:AGENTS.md'), around);
      await apply(await remove('instructions:AGENTS.md'), around);
      assert.equal(readFileSync(inWorkspace('AGENTS.md'), 'utf8'), exported);
      await apply(await remove('knowledge:AGENTS.md'), around);
      assert.equal(readFileSync(inWorkspace('AGENTS.md'), 'utf8'), 'Mine.\r\n');
      // Once more is no mistake; what there never is one.
      assert.deepEqual(await remove('knowledge:AGENTS.md'), []);
      await assert.rejects(remove('knowledge:README.md'), { code: 'invalid_argument' });
      await assert.rejects(install('knowledge:AGENTS.md'), { code: 'invalid_argument' });
    });

    it('leaves no file behind that Kaizen made, whichever of its sections came first', async () => {
      for (const names of [['AGENTS.md'], ['.cursor', 'rules', 'kaizen.mdc']]) {
        const file = names.join('/');
        for (const isFirst of [true, false]) {
          if (isFirst) await exportTo(...names);
          await apply(await install(`instructions:${file}`), around);
          if (!isFirst) await exportTo(...names);
          await apply(await remove(`instructions:${file}`, `knowledge:${file}`), around);
          assert.deepEqual(readdirSync(around.workspace), [], `${file}, ${isFirst}`);
        }
      }
    });

    it('is told where its marks are damaged, and not where the file is what cannot be read', async () => {
      put(inWorkspace('AGENTS.md'), '<!-- kaizen:knowledge:begin -->\n');
      const [found] = await listed();
      assert.equal(found?.state, 'unreadable');
      inGerman(found?.problem ?? '');
      await assert.rejects(exportTo('AGENTS.md'), {
        code: 'invalid_argument',
        message: /AGENTS\.md cannot be changed\. It has/,
      });
      for (const text of [
        Buffer.from([0x68, 0xff, 0xfe]),
        'Of `<!-- kaizen:knowledge:begin -->`.\n\n```\nnever closed\n',
      ]) {
        put(inWorkspace('AGENTS.md'), text);
        assert.deepEqual(await listed(), []);
      }
    });

    it('does not go through a link that leads out of the workspace', async function () {
      if (!NOT_WINDOWS) this.skip();
      put(path.join(root, 'outside'), 'theirs');
      symlinkSync(path.join(root, 'outside'), inWorkspace('AGENTS.md'));
      await assert.rejects(exportTo('AGENTS.md'), { message: /leads out of the workspace/ });
    });
  });

  it('writes only what the preview showed', async () => {
    put(inWorkspace('AGENTS.md'), 'Mine.\n');
    const changes = await install('instructions:CLAUDE.md', 'instructions:AGENTS.md');
    put(inWorkspace('AGENTS.md'), 'Mine, and changed since.\n');
    const before = tree();
    await assert.rejects(apply(changes, around), { code: 'conflict', message: /AGENTS\.md is not what was shown/ });
    assert.deepEqual(tree(), before);
    rmSync(inWorkspace('AGENTS.md'));
    await assert.rejects(apply(changes, around), { code: 'conflict' });
    put(inWorkspace('CLAUDE.md'), 'made since');
    await assert.rejects(
      apply(
        changes.filter(({ before: text }) => text === undefined),
        around,
      ),
      { code: 'conflict' },
    );
    assert.equal(readFileSync(inWorkspace('CLAUDE.md'), 'utf8'), 'made since');
  });

  it('takes away what a process left behind that was killed while it wrote', async () => {
    const [old, young] = [inWorkspace(`.kaizen-${'0'.repeat(16)}.tmp`), inWorkspace(`.kaizen-${'1'.repeat(16)}.tmp`)];
    put(old, 'half of it');
    put(young, 'being written');
    const before = new Date(Date.now() - 3_600_000);
    utimesSync(old, before, before);
    await apply(await install('instructions:AGENTS.md'), around);
    assert.deepEqual([existsSync(old), existsSync(young)], [false, true]);
  });

  it('keeps the mode of a file', async function () {
    if (!NOT_WINDOWS) this.skip();
    put(inWorkspace('AGENTS.md'), 'Mine.\n');
    chmodSync(inWorkspace('AGENTS.md'), 0o640);
    await apply(await install('instructions:AGENTS.md'), around);
    assert.equal(statSync(inWorkspace('AGENTS.md')).mode & 0o777, 0o640);
  });

  it('says which files were written before one could not be', async () => {
    put(inWorkspace('CLAUDE.md'), 'Mine.\n');
    const changes = await install('instructions:AGENTS.md', 'instructions:CLAUDE.md');
    chmodSync(inWorkspace('CLAUDE.md'), 0o444);
    await assert.rejects(apply(changes, around), { code: 'read_only', hint: /Written before it: .*AGENTS\.md/ });
    assert.equal(readFileSync(inWorkspace('CLAUDE.md'), 'utf8'), 'Mine.\n');
    assert.equal((await piece('instructions:AGENTS.md')).state, 'current');
  });

  it('refuses a piece that there is not, and one that is to come and to go', async () => {
    await assert.rejects(install('instructions:README.md'), {
      code: 'invalid_argument',
      hint: /instructions:AGENTS\.md/,
    });
    const both = { install: ['hooks:cursor'], remove: ['hooks:cursor'] };
    await assert.rejects(plan(around, both), { code: 'invalid_argument', message: /at once/ });
  });

  it("follows a link of a person's own configuration, and writes behind it", async function () {
    if (!NOT_WINDOWS) this.skip();
    put(path.join(root, 'dotfiles', 'settings.json'), '{"model": "opus"}');
    mkdirSync(inHome('.claude'));
    symlinkSync(path.join(root, 'dotfiles', 'settings.json'), inHome('.claude', 'settings.json'));
    await apply(await install('hooks:claude-code-user'), around);
    assert.ok(lstatSync(inHome('.claude', 'settings.json')).isSymbolicLink());
    assert.match(readFileSync(path.join(root, 'dotfiles', 'settings.json'), 'utf8'), /hook session-start/);
    await apply(await remove('hooks:claude-code-user'), around);
    assert.equal(readFileSync(path.join(root, 'dotfiles', 'settings.json'), 'utf8'), '{"model": "opus"}');
  });

  describe('leaves alone, and says why', () => {
    const outside = () => path.join(root, 'outside');
    const cases: [name: string, make: () => void, problem: RegExp, id?: string][] = [
      [
        'a link out of the workspace',
        () => {
          put(outside(), 'theirs');
          symlinkSync(outside(), inWorkspace('AGENTS.md'));
        },
        /leads out of the workspace/,
      ],
      [
        'a folder that is a link out of the workspace',
        () => {
          mkdirSync(outside());
          symlinkSync(outside(), inWorkspace('.github'));
        },
        /leads out of the workspace/,
        'instructions:.github/copilot-instructions.md',
      ],
      ['a link to nowhere', () => symlinkSync('nowhere', inWorkspace('AGENTS.md')), /leads nowhere/],
      [
        'a folder that is a link to nowhere',
        () => symlinkSync('nowhere', inWorkspace('.cursor')),
        /leads nowhere/,
        'hooks:cursor',
      ],
      ['a link in a circle', () => symlinkSync('AGENTS.md', inWorkspace('AGENTS.md')), /circle|nowhere/],
      ['a folder', () => mkdirSync(inWorkspace('AGENTS.md')), /is a folder/],
      [
        'a file in the place of a folder',
        () => put(inWorkspace('.github'), ''),
        /\.github is a file/,
        'instructions:.github/copilot-instructions.md',
      ],
      ['a file of 50 MB', () => put(inWorkspace('AGENTS.md'), Buffer.alloc(50_000_000, 'x')), /larger than 5 MB/],
      ['what is not UTF-8', () => put(inWorkspace('AGENTS.md'), Buffer.from([0x68, 0xff, 0xfe])), /not UTF-8/],
      ['damaged marks', () => put(inWorkspace('AGENTS.md'), '<!-- kaizen:begin -->\n'), /without <!-- kaizen:end -->/],
      [
        'JSON that is none',
        () => put(inWorkspace('.claude', 'settings.local.json'), '{"a": '),
        /not JSON/,
        'hooks:claude-code',
      ],
    ];
    for (const [name, make, problem, id = 'instructions:AGENTS.md'] of cases) {
      it(name, async function () {
        if (!NOT_WINDOWS && name.includes('link')) this.skip();
        make();
        const before = tree();
        const found = await piece(id);
        assert.equal(found.state, 'unreadable');
        assert.match(String(found.problem), problem);
        assert.deepEqual(await install(id), []);
        const change: FileChange = { file: found.file, before: undefined, after: 'Obey.', pieces: [id] };
        await assert.rejects(apply([change], around));
        assert.deepEqual(tree(), before);
        assert.ok(!existsSync(outside()) || !existsSync(path.join(outside(), 'copilot-instructions.md')));
      });
    }
  });
});
