import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { launcherCommand, launcherPath, readLauncher, writeLauncher } from '../../src/agents/launcher';
import { ownCommand } from '../../src/agents/own-command';
import { type Platform, realPath } from '../../src/core/locations';

describe('the launcher', () => {
  let root: string;
  let linux: Platform;
  beforeEach(() => {
    root = realPath(mkdtempSync(join(tmpdir(), "kaizen launcher's $(x) `y` %z% ")));
    linux = { platform: 'linux', env: {}, home: join(root, 'home') };
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** An installed version whose command line prints what it was started with. */
  function install(version: string): string {
    const cli = join(root, 'extensions', `kaizen.kaizen-knowledge-${version}`, 'dist', 'cli.js');
    mkdirSync(dirname(cli), { recursive: true });
    writeFileSync(
      cli,
      `const { ELECTRON_RUN_AS_NODE, KAIZEN_STORES, XDG_DATA_HOME } = process.env;
       const input = process.argv[2] === 'hook' ? require('node:fs').readFileSync(0, 'utf8') : '';
       console.log(JSON.stringify({ version: '${version}', args: process.argv.slice(2), input, ELECTRON_RUN_AS_NODE, KAIZEN_STORES, XDG_DATA_HOME }));`,
    );
    return cli;
  }

  function start(args: string[], more: { env?: Record<string, string>; input?: string } = {}) {
    const { status, stdout, stderr } = spawnSync(launcherPath(linux), args, {
      env: { PATH: '/usr/bin:/bin', ...more.env },
      input: more.input ?? '',
      encoding: 'utf8',
    });
    return { status, stderr, said: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>) };
  }

  (process.platform === 'win32' ? describe.skip : describe)('as a POSIX script', () => {
    it("starts the command line that it names with the editor's Node, arguments and input as they are", async () => {
      await writeLauncher(linux, { node: process.execPath, cli: install('0.1.0'), isElectron: true });
      const args = ['hook', 'stop', '--data', `a b"c'd $HOME \`e\` \\ %f%`, ''];
      const { status, said } = start(args, { input: '{"a": "ü"}' });
      assert.equal(status, 0);
      assert.deepEqual(said, {
        version: '0.1.0',
        args,
        input: '{"a": "ü"}',
        ELECTRON_RUN_AS_NODE: '1',
        KAIZEN_STORES: 'editor',
      });
      assert.equal(start(['mcp'], { env: { KAIZEN_STORES: '' } }).said?.KAIZEN_STORES, '');
    });

    it("looks for data where the editor does, whatever the client's environment says", async () => {
      const target = { node: process.execPath, cli: install('0.1.0'), isElectron: false };
      const foreign = { env: { XDG_DATA_HOME: '/of/the/terminal' } };
      await writeLauncher(linux, target);
      assert.equal(start(['mcp'], foreign).said?.XDG_DATA_HOME, undefined);
      linux = { ...linux, env: { XDG_DATA_HOME: join(root, "da'ta") } };
      await writeLauncher(linux, target);
      assert.equal(start(['mcp'], foreign).said?.XDG_DATA_HOME, join(root, "da'ta"));
      assert.equal(start(['mcp']).said?.XDG_DATA_HOME, join(root, "da'ta"));
    });

    it('starts the newest version beside the one that is gone', async () => {
      const cli = install('0.1.0');
      await writeLauncher(linux, { node: process.execPath, cli, isElectron: false });
      const newer = [install('0.10.0'), install('0.9.0')];
      for (const [index, each] of newer.entries()) utimesSync(each, 1_700_000_000 - index, 1_700_000_000 - index);
      assert.equal(start(['mcp']).said?.version, '0.1.0');
      rmSync(dirname(dirname(cli)), { recursive: true });
      mkdirSync(join(root, 'extensions', 'kaizen.kaizen-knowledge-0.11.0'));
      assert.equal(start(['mcp']).said?.version, '0.10.0');
      assert.equal(start(['mcp']).said?.ELECTRON_RUN_AS_NODE, undefined);
    });

    it('takes the Node on the PATH where the one that it names is gone', async () => {
      await writeLauncher(linux, { node: join(root, 'gone'), cli: install('0.1.0'), isElectron: true });
      const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
      assert.equal(start(['mcp'], { env: { PATH: path } }).said?.version, '0.1.0');
    });

    it('says what to do where nothing is left, and lets a hook pass without a word', async () => {
      await writeLauncher(linux, {
        node: process.execPath,
        cli: join(root, 'gone/x-1.0.0/dist/cli.js'),
        isElectron: true,
      });
      const refused = start(['mcp']);
      assert.equal(refused.status, 127);
      assert.match(refused.stderr, /^kaizen: Kaizen was removed or updated\. Open VS Code once/);
      const hook = start(['hook', 'pre-tool-use'], { input: '{}' });
      assert.deepEqual(hook, { status: 0, stderr: '', said: undefined });
    });
  });

  it('is written once, may be executed, and says what it starts', async () => {
    const target = { node: process.execPath, cli: install('0.1.0'), isElectron: true };
    assert.equal(await readLauncher(linux), undefined);
    assert.equal(await writeLauncher(linux, target), true);
    assert.equal(await writeLauncher(linux, target), false);
    assert.deepEqual(await readLauncher(linux), target);
    const file = launcherPath(linux);
    assert.deepEqual(launcherCommand(linux), { command: file, args: [], flags: [] });
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o755);
    const moved = { ...target, cli: install('0.2.0'), isElectron: false };
    assert.equal(await writeLauncher(linux, moved), true);
    assert.deepEqual(await readLauncher(linux), moved);
    assert.deepEqual(readdirSync(dirname(file)), ['kaizen']);
  });

  it("reads nothing out of somebody else's script", async () => {
    mkdirSync(dirname(launcherPath(linux)), { recursive: true });
    writeFileSync(launcherPath(linux), '#!/bin/sh\nexec kaizen "$@"\n');
    assert.equal(await readLauncher(linux), undefined);
  });

  it('is a script for cmd on Windows, with percent signs doubled and people found by variables', async () => {
    const home = 'C:\\Users\\Jörg 100%';
    const windows: Platform = {
      platform: 'win32',
      env: { LOCALAPPDATA: join(root, 'local'), USERPROFILE: home },
      home,
    };
    const target = {
      node: 'C:\\Program Files\\VS Code & more\\50% Code.exe',
      cli: `${home}\\.vscode\\extensions\\kaizen.kaizen-knowledge-0.1.0\\dist\\cli.js`,
      isElectron: true,
    };
    await writeLauncher(windows, target);
    assert.equal(launcherPath(windows), join(root, 'local', 'Kaizen', 'bin', 'kaizen.cmd'));
    const lines = readFileSync(launcherPath(windows), 'latin1').split('\r\n');
    assert.equal(lines[0], '@echo off');
    assert.ok(!lines.some((line) => line.includes('chcp')), 'all of it is ASCII');
    assert.ok(lines.includes('set "kaizen_node=C:\\Program Files\\VS Code & more\\50%% Code.exe"'));
    assert.ok(
      lines.includes(
        'set "kaizen_cli=%USERPROFILE%\\.vscode\\extensions\\kaizen.kaizen-knowledge-0.1.0\\dist\\cli.js"',
      ),
    );
    assert.ok(lines.some((line) => line.includes('\\kaizen.kaizen-knowledge-*" 2^>nul')));
    assert.ok(lines.includes('set "ELECTRON_RUN_AS_NODE=1"'));
    assert.ok(lines.includes('"%kaizen_node%" "%kaizen_cli%" %*'));
    assert.ok(lines.includes('if "%~1"=="hook" exit /b 0'));
    assert.deepEqual(readdirSync(dirname(launcherPath(windows))).sort(), ['kaizen', 'kaizen.cmd']);
    assert.deepEqual(await readLauncher(windows), target);

    await writeLauncher(windows, { ...target, node: 'D:\\Müller\\Code.exe' });
    assert.match(
      readFileSync(launcherPath(windows), 'utf8'),
      /^@echo off\r\n"%SystemRoot%\\System32\\chcp\.com" 65001 >nul\r\n/,
    );
  });
});

describe('the command by which a client starts this Kaizen', () => {
  let root: string;
  let platform: Platform;
  beforeEach(() => {
    root = realPath(mkdtempSync(join(tmpdir(), 'kaizen-own-')));
    platform = { platform: 'linux', env: {}, home: join(root, 'home') };
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function script(...path: string[]): string {
    const file = join(root, ...path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    return file;
  }

  it('is this script with this Node, where nothing else is known to last', () => {
    const cli = script('repo/dist/cli.js');
    assert.deepEqual(ownCommand(cli, '/usr/bin/node', platform), {
      command: '/usr/bin/node',
      args: [cli],
      flags: [],
    });
  });

  it('is npx where it is kept to be run once', () => {
    for (const folder of [
      '.npm/_npx/0a1b',
      '.cache/pnpm/dlx/0a1b',
      'xfs-1/dlx-2',
      'bunx-1000-kaizen-knowledge@latest',
    ]) {
      const cli = script(folder, 'node_modules/kaizen-knowledge/dist/cli.js');
      const expected = { command: 'npx', args: ['-y', 'kaizen-knowledge'], flags: [] };
      assert.deepEqual(ownCommand(cli, 'node', platform), expected, folder);
    }
  });

  it('is the script of the package that a project holds, which nothing else of that name is fetched for', () => {
    const cli = script('shop/node_modules/kaizen-knowledge/dist/cli.js');
    const expected = { command: '/opt/node', args: [cli], flags: [], ofProject: true };
    assert.deepEqual(ownCommand(cli, '/opt/node', platform), expected);
    if (process.platform === 'win32') return;
    const called = join(root, 'shop/node_modules/.bin/kaizen');
    mkdirSync(dirname(called));
    symlinkSync(cli, called);
    assert.deepEqual(ownCommand(called, '/opt/node', platform), expected);
  });

  it('is the command of a global installation that no PATH leads to', () => {
    const windows = { ...platform, platform: 'win32' } as const;
    const inPrefix = script('npm/node_modules/kaizen-knowledge/dist/cli.js');
    const command = script('npm/kaizen.cmd');
    assert.deepEqual(ownCommand(inPrefix, 'node', windows), { command, args: [], flags: [] });
    if (process.platform === 'win32') return;
    const cli = script('prefix/lib/node_modules/kaizen-knowledge/dist/cli.js');
    mkdirSync(join(root, 'prefix/bin'));
    symlinkSync(cli, join(root, 'prefix/bin/kaizen'));
    const expected = { command: join(root, 'prefix/bin/kaizen'), args: [], flags: [] };
    for (const called of [cli, join(root, 'prefix/bin/kaizen')])
      assert.deepEqual(ownCommand(called, 'node', { ...platform, env: { PATH: '/usr/bin' } }), expected);
    // What was linked there lies among its sources.
    const sources = script('repo/dist/cli.js');
    mkdirSync(join(root, 'other/bin'), { recursive: true });
    symlinkSync(sources, join(root, 'other/bin/kaizen'));
    assert.equal(ownCommand(join(root, 'other/bin/kaizen'), 'node', platform).command, join(root, 'other/bin/kaizen'));
  });

  it("is not another's command of that name", function () {
    if (process.platform === 'win32') this.skip();
    const cli = script('prefix/lib/node_modules/kaizen-knowledge/dist/cli.js');
    script('prefix/bin/kaizen');
    assert.deepEqual(ownCommand(cli, 'node', platform).args, [cli]);
  });

  (process.platform === 'win32' ? it.skip : it)(
    'is the command of a global installation, never that of a project',
    () => {
      const cli = script('lib/node_modules/kaizen-knowledge/dist/cli.js');
      for (const folder of ['bin', 'node_modules/.bin']) {
        mkdirSync(join(root, folder), { recursive: true });
        symlinkSync(cli, join(root, folder, 'kaizen'));
      }
      const folders = ['', join(root, 'node_modules/.bin'), join(root, 'nowhere'), join(root, 'bin')];
      const env = { PATH: folders.join(delimiter) };
      const found = ownCommand(join(root, 'bin/kaizen'), 'node', { ...platform, env });
      assert.deepEqual(found, { command: join(root, 'bin/kaizen'), args: [], flags: [] });
    },
  );

  it('is the launcher where that started it', async () => {
    const cli = script('extensions/kaizen.kaizen-knowledge-0.1.0/dist/cli.js');
    const editor = { ...platform, env: { KAIZEN_STORES: 'editor' } };
    assert.equal(ownCommand(cli, 'node', editor).command, 'node');
    await writeLauncher(editor, { node: 'node', cli, isElectron: true });
    assert.deepEqual(ownCommand(cli, 'node', editor), launcherCommand(editor));
  });
});
