import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launcherPath } from '../../src/agents';
import { userDataDirectory } from '../../src/core/locations';
import { HOOK_EVENTS } from '../../src/guard';
import { isAllowedByAll } from '../../src/vscode/agents/allowed-by-all';

const root = path.resolve(__dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

interface Command {
  command: string;
  osx: string;
  windows: string;
  timeout: number;
}

const { hooks } = read('agent-plugin/guard/hooks/hooks.json') as { hooks: Record<string, Command[]> };

/** As editors name the event: `SessionStart`. */
const named = (event: string) => event.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase());

describe('the chat plugin', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'kaizen-plugin-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const run = (command: string, env: Record<string, string> = {}) =>
    spawnSync('/bin/sh', ['-c', command], {
      input: '{"said":"ä"}',
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', ...env },
    });
  /** Says how it was called and hands back what it was told. */
  const writeLauncher = (file: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '#!/bin/sh\necho "$*"\nexec cat\n');
    chmodSync(file, 0o755);
  };

  it('has the version of the package, and a command for each event and platform', () => {
    assert.equal(read('agent-plugin/guard/.claude-plugin/plugin.json').version, read('package.json').version);
    assert.deepEqual(Object.keys(hooks), HOOK_EVENTS.map(named));
    for (const event of HOOK_EVENTS) {
      const [command, ...more] = hooks[named(event)]!;
      assert.deepEqual(more, []);
      for (const key of ['command', 'osx', 'windows'] as const) assert.ok(command![key].includes(`hook ${event}`), key);
      assert.equal(command!.timeout, 15);
    }
  });

  it('is switched by the setting, and contributes the skill and the instructions apart from it', () => {
    const { contributes } = read('package.json');
    const [plugin] = contributes.chatPlugins;
    assert.deepEqual(plugin, { path: './agent-plugin/guard', when: 'config.kaizen.agents.hooks && !kaizen.hooksOff' });
    assert.equal(contributes.configuration.properties['kaizen.agents.hooks'].default, true);
    const [skill] = contributes.chatSkills;
    const text = readFileSync(path.join(root, skill.path), 'utf8');
    assert.equal(/^name: (.*)$/m.exec(text)?.[1], path.basename(path.dirname(skill.path)));
    assert.match(readFileSync(path.join(root, contributes.chatInstructions[0].path), 'utf8'), /^applyTo: '\*\*'$/m);
  });

  it('calls the launcher where Kaizen keeps it, with what the editor says', function () {
    if (process.platform === 'win32') this.skip();
    const on = (platform: NodeJS.Platform, env: Record<string, string>) => ({ platform, env, home });
    const data = path.join(home, 'data of mine');
    for (const [key, platform, env] of [
      ['command', 'linux', {}],
      ['command', 'linux', { XDG_DATA_HOME: data }],
      ['command', 'linux', { XDG_DATA_HOME: 'relative' }],
      ['osx', 'darwin', {}],
    ] as const) {
      writeLauncher(launcherPath(on(platform, env)));
      const { status, stdout, stderr } = run(hooks.PreToolUse![0]![key], { HOME: home, ...env });
      assert.deepEqual([status, stdout, stderr], [0, 'hook pre-tool-use\n{"said":"ä"}', '']);
      rmSync(userDataDirectory(on(platform, env)), { recursive: true });
    }
  });

  it('is silent and no failure where there is no launcher', function () {
    if (process.platform === 'win32') this.skip();
    for (const key of ['command', 'osx'] as const) {
      const { status, stdout, stderr } = run(hooks.PreToolUse![0]![key], { HOME: home });
      assert.deepEqual([status, stdout, stderr], [0, '', '']);
    }
  });

  it('names the launcher of Windows for PowerShell, which hands on what it was told', () => {
    const env = { LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local' };
    const file = userDataDirectory({ platform: 'win32', env, home: 'C:\\Users\\ann' });
    const { windows } = hooks.Stop![0]!;
    assert.match(file, /Kaizen$/);
    assert.match(windows, /Join-Path \$d 'Kaizen\\bin\\kaizen\.cmd'/);
    assert.match(windows, /\{ \$input \| & \$k hook stop \}; exit 0$/);
  });
});

describe('who may switch hooks on', () => {
  it('is the person alone: a workspace can switch them off', () => {
    assert.equal(isAllowedByAll([undefined, undefined, undefined]), true);
    assert.equal(isAllowedByAll([true, true, undefined]), true);
    assert.equal(isAllowedByAll([false, true, undefined]), false);
    assert.equal(isAllowedByAll([undefined, false, undefined]), false);
    assert.equal(isAllowedByAll([undefined, undefined, false]), false);
    assert.equal(isAllowedByAll(['yes', undefined, undefined]), false);
  });
});
