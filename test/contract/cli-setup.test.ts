import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CLI = path.resolve('dist/cli.js');

interface Piece {
  id: string;
  kind: string;
  state: string;
  file: string;
  detected: boolean;
}

describe('kaizen setup', function () {
  this.timeout(60_000);
  let root = '';
  let work = '';

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kaizen-cli-setup-')));
    work = path.join(root, 'work');
    mkdirSync(path.join(work, '.cursor'), { recursive: true });
    mkdirSync(path.join(root, 'home', '.claude'), { recursive: true });
    writeFileSync(path.join(work, 'CLAUDE.md'), '# Mine\r\n');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function environment(): Record<string, string> {
    const home = path.join(root, 'home');
    const { PATH = '', SystemRoot = '' } = process.env;
    return { PATH, SystemRoot, HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home };
  }

  const kaizen = (...args: string[]) => run(['setup', ...args]);

  async function run(args: string[]) {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: work,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const outcome = { code: null as number | null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
    [outcome.code] = (await once(child, 'close')) as [number | null];
    assert.doesNotMatch(outcome.stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return outcome;
  }

  const tree = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const stats = statSync(path.join(root, name));
        return [name, stats.mtimeMs, stats.isFile() ? readFileSync(path.join(root, name), 'latin1') : ''];
      });

  const pieces = async () => JSON.parse((await kaizen('--json')).stdout) as Piece[];

  it('writes nothing before somebody agreed: no list, no preview, no unanswered question', async () => {
    const before = tree();
    for (const words of [
      [],
      ['--list'],
      ['--json'],
      ['--show', 'claude-code'],
      ['--install', 'all-detected', '--dry-run'],
    ]) {
      const { code, stdout } = await kaizen(...words);
      assert.equal(code, 0, words.join(' '));
      assert.notEqual(stdout, '');
    }
    const { code, stderr } = await kaizen('--install', 'all-detected');
    assert.equal(code, 1);
    assert.match(stderr, /nobody here to ask.*\n.*--yes/);
    assert.deepEqual(tree(), before);
  });

  it('installs what is used here, and removes it again', async () => {
    const before = tree().map(([name, , text]) => [name, text]);
    const { code, stdout, stderr } = await kaizen('--install', 'all-detected', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\+<!-- kaizen:begin -->/);
    const installed = (await pieces()).filter(({ state }) => state === 'current').map(({ id }) => id);
    for (const id of [
      'instructions:CLAUDE.md',
      'hooks:claude-code',
      'server:claude-code',
      'server:cursor',
      'hooks:cursor',
    ])
      assert.ok(installed.includes(id), `${id} of ${installed}`);
    assert.ok(!installed.includes('hooks:claude-code-user'));
    const removed = await kaizen('--remove', installed.join(','), '-y', '--json');
    assert.equal(removed.code, 0, removed.stderr);
    assert.equal(JSON.parse(removed.stdout).written, true);
    const after = tree().map(([name, , text]) => [name, text]);
    // An empty folder of the workspace goes with the last file in it.
    assert.deepEqual(
      after,
      before.filter(([name]) => name !== path.join('work', '.cursor')),
    );
  });

  it('hands the flags on to servers and hooks', async () => {
    const data = path.join(root, 'a store');
    await kaizen(
      '--install',
      'hooks:claude-code',
      '--install',
      'server:claude-code',
      '--data',
      data,
      '--project',
      'checkout-api',
      '--yes',
    );
    const settings = JSON.parse(readFileSync(path.join(work, '.claude', 'settings.local.json'), 'utf8'));
    assert.match(settings.hooks.Stop[0].hooks[0].command, / hook stop --data '.*a store' --project checkout-api$/);
    const { args } = JSON.parse(readFileSync(path.join(work, '.mcp.json'), 'utf8')).mcpServers.kaizen;
    assert.deepEqual(args.slice(args.indexOf('--data'), args.indexOf('--data') + 2), ['--data', data]);
  });

  it('writes hooks that a shell can start, and that answer in the way of their client', async function () {
    if (process.platform === 'win32') this.skip();
    const [data, shared] = [path.join(root, 'its data'), path.join(root, 'shared')];
    const flags = ['--data', data, '--shared', shared];
    const rule = ['store', 'general', 'DATA', 'MIGRATIONS', 'DANGER: A migration cannot be taken back.'];
    await run(['scopes', 'define', 'general', '--tier', 'GENERAL', ...flags]);
    await run([...rule, '--meta', 'APPLIES_TO=migrations/**', ...flags]);
    await kaizen('--install', 'hooks:claude-code,hooks:cursor,hooks:copilot-cli', '--yes', ...flags);
    const read = (...names: string[]) => JSON.parse(readFileSync(path.join(...names), 'utf8')).hooks;
    const answer = (line: string, input: unknown) =>
      JSON.parse(
        execFileSync('/bin/sh', ['-c', line], {
          cwd: work,
          env: environment(),
          input: JSON.stringify(input),
          encoding: 'utf8',
        }),
      );
    const file_path = path.join(work, 'migrations', '1.sql');
    mkdirSync(path.dirname(file_path));
    writeFileSync(file_path, 'a');
    const tool_input = { file_path, old_string: 'a', new_string: 'b' };

    const claude = read(work, '.claude', 'settings.local.json');
    const call = { session_id: 's', cwd: work, hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input };
    const asked = answer(claude.PreToolUse[0].hooks[0].command, call);
    assert.equal(asked.hookSpecificOutput.permissionDecision, 'ask');
    const started = answer(claude.SessionStart[0].hooks[0].command, { session_id: 's', cwd: work, source: 'startup' });
    assert.equal(typeof started, 'object');

    const cursor = read(work, '.cursor', 'hooks.json');
    const inCursor = { conversation_id: 'c', workspace_roots: [work], tool_name: 'Write', tool_input };
    assert.equal(answer(cursor.preToolUse[0].command, inCursor).permission, 'ask');
    const command = { conversation_id: 'c', workspace_roots: [work], cwd: work, command: 'rm -rf migrations' };
    assert.equal(answer(cursor.beforeShellExecution[0].command, command).permission, 'ask');

    const copilot = read(root, 'home', '.copilot', 'hooks', 'kaizen.json');
    const inCopilot = {
      sessionId: 'k',
      cwd: work,
      toolName: 'edit',
      toolArgs: { path: file_path, old_str: 'a', new_str: 'b' },
    };
    assert.equal(answer(copilot.preToolUse[0].bash, inCopilot).permissionDecision, 'ask');
  });

  it('leaves what it cannot change, says why, and does the rest', async () => {
    writeFileSync(path.join(work, 'AGENTS.md'), '<!-- kaizen:begin -->\nMine.\n');
    const { code, stderr } = await kaizen('--install', 'instructions:AGENTS.md,instructions:CLAUDE.md', '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /AGENTS\.md cannot be changed\. It has <!-- kaizen:begin --> \(line 1\) without/);
    assert.equal(readFileSync(path.join(work, 'AGENTS.md'), 'utf8'), '<!-- kaizen:begin -->\nMine.\n');
    assert.match(readFileSync(path.join(work, 'CLAUDE.md'), 'utf8'), /^# Mine\r\n\r\n<!-- kaizen:begin -->\r\n/);
  });

  for (const [words, message] of [
    [
      ['--install', 'instructions:README.md', '--yes'],
      /no piece called "instructions:README\.md".*\nThere are: instructions:AGENTS\.md, /,
    ],
    [['--show', 'emacs'], /no client called "emacs" here\.\nThere are: claude-code, /],
    [['--yes'], /--install or --remove is missing/],
    [['--list', '--remove', 'hooks:cursor'], /change nothing/],
  ] as const)
    it(`refuses ${words.join(' ')}`, async () => {
      const before = tree();
      const { code, stderr } = await kaizen(...words);
      assert.ok(code === 1 || code === 2);
      assert.match(stderr, message);
      assert.deepEqual(tree(), before);
    });
});
