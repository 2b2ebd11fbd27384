import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { useScratch } from '../support/scratch';

interface Piece {
  id: string;
  kind: string;
  state: string;
  file: string;
  detected: boolean;
  notes: string[];
  ownSettings?: string[];
}

describe('kaizen setup', function () {
  this.timeout(60_000);
  const scratch = useScratch();
  const { tree } = scratch;
  let work = '';

  beforeEach(() => {
    work = path.join(scratch.root, 'work');
    mkdirSync(path.join(work, '.cursor'), { recursive: true });
    mkdirSync(path.join(scratch.home, '.claude'));
    writeFileSync(path.join(work, 'CLAUDE.md'), '# Mine\r\n');
  });

  const kaizen = (...args: string[]) => scratch.kaizen(work, 'setup', ...args);

  const pieces = () => JSON.parse(kaizen('--json').stdout) as Piece[];

  it('writes nothing before somebody agreed: no list, no preview, no unanswered question', () => {
    const before = tree();
    for (const words of [
      [],
      ['--list'],
      ['--json'],
      ['--show', 'claude-code'],
      ['--install', 'all-detected', '--dry-run'],
    ]) {
      const { code, stdout } = kaizen(...words);
      assert.equal(code, 0, words.join(' '));
      assert.notEqual(stdout, '');
    }
    const { code, stderr } = kaizen('--install', 'all-detected');
    assert.equal(code, 1);
    assert.match(stderr, /nobody here to ask.*\n.*--yes/);
    assert.deepEqual(tree(), before);
  });

  it('installs what is used here, and removes it again', () => {
    const before = tree().map(({ name, text }) => ({ name, text }));
    const { code, stdout, stderr } = kaizen('--install', 'all-detected', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\+<!-- kaizen:begin -->/);
    const installed = pieces()
      .filter(({ state }) => state === 'current')
      .map(({ id }) => id);
    for (const id of [
      'instructions:CLAUDE.md',
      'hooks:claude-code',
      'server:claude-code',
      'server:cursor',
      'hooks:cursor',
    ])
      assert.ok(installed.includes(id), `${id} of ${installed}`);
    assert.ok(!installed.includes('hooks:claude-code-user'));
    const removed = kaizen('--remove', 'all', '-y', '--json');
    assert.equal(removed.code, 0, removed.stderr);
    assert.equal(JSON.parse(removed.stdout).written, true);
    const after = tree().map(({ name, text }) => ({ name, text }));
    // An empty folder of the workspace goes with the last file in it.
    assert.deepEqual(
      after,
      before.filter(({ name }) => name !== path.join('work', '.cursor')),
    );
  });

  it('hands the flags on to servers and hooks', () => {
    const data = path.join(scratch.root, 'a store');
    kaizen(
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
    const [data, shared] = [path.join(scratch.root, 'its data'), path.join(scratch.root, 'shared')];
    const flags = ['--data', data, '--shared', shared];
    const rule = ['store', 'general', 'DATA', 'MIGRATIONS', 'DANGER: A migration cannot be taken back.'];
    scratch.kaizen(work, ...['scopes', 'define', 'general', '--tier', 'GENERAL', ...flags]);
    scratch.kaizen(work, ...[...rule, '--meta', 'APPLIES_TO=migrations/**', ...flags]);
    kaizen('--install', 'hooks:claude-code,hooks:cursor,hooks:copilot-cli', '--yes', ...flags);
    const read = (...names: string[]) => JSON.parse(readFileSync(path.join(...names), 'utf8')).hooks;
    const answer = (line: string, input: unknown) =>
      JSON.parse(
        execFileSync('/bin/sh', ['-c', line], {
          cwd: work,
          env: scratch.environment,
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

    const copilot = read(scratch.home, '.copilot', 'hooks', 'kaizen.json');
    const inCopilot = {
      sessionId: 'k',
      cwd: work,
      toolName: 'edit',
      toolArgs: { path: file_path, old_str: 'a', new_str: 'b' },
    };
    assert.equal(answer(copilot.preToolUse[0].bash, inCopilot).permissionDecision, 'ask');
  });

  it('takes no stores from hooks whose Kaizen has moved: they keep asking, and all-detected says why it left them', async function () {
    if (process.platform === 'win32') this.skip();
    const flags = ['--data', path.join(scratch.root, 'its data'), '--shared', path.join(scratch.root, 'shared')];
    const file = path.join(work, '.claude', 'settings.local.json');
    kaizen('--install', 'hooks:claude-code', '--yes', ...flags);
    const moved = readFileSync(file, 'utf8').replaceAll(process.execPath, '/opt/node-20/bin/node');
    assert.match(moved, /node-20/);
    writeFileSync(file, moved);
    assert.match(
      kaizen().stdout,
      /hooks:claude-code +out of date, with other flags .* set up for the store in .*its data/,
    );
    const { code, stderr } = kaizen('--install', 'all-detected', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /settings\.local\.json: These hooks are out of date, and set up for the store in .*its data/);
    assert.equal(readFileSync(file, 'utf8'), moved);
    kaizen('--install', 'all-detected', '--yes', ...flags);
    const { hooks } = JSON.parse(readFileSync(file, 'utf8'));
    assert.match(hooks.Stop[0].hooks[0].command, / hook stop --data '.*its data' --shared /);
    assert.ok(!readFileSync(file, 'utf8').includes('node-20'));
  });

  it('leaves what it cannot change, says why, and does the rest', () => {
    writeFileSync(path.join(work, 'AGENTS.md'), '<!-- kaizen:begin -->\nMine.\n');
    const pieces = 'instructions:AGENTS.md,instructions:CLAUDE.md';
    const { refused, changes, written } = JSON.parse(kaizen('--install', pieces, '--dry-run', '--json').stdout);
    assert.deepEqual([changes.length, written], [1, false]);
    assert.deepEqual(refused, [
      {
        id: 'instructions:AGENTS.md',
        file: path.join(work, 'AGENTS.md'),
        problem:
          'It has <!-- kaizen:begin --> (line 1) without <!-- kaizen:end -->. Put the other mark back, or delete this one with what belongs to it.',
      },
    ]);
    const { code, stderr } = kaizen('--install', pieces, '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /AGENTS\.md cannot be changed\. It has <!-- kaizen:begin --> \(line 1\) without/);
    assert.equal(readFileSync(path.join(work, 'AGENTS.md'), 'utf8'), '<!-- kaizen:begin -->\nMine.\n');
    assert.match(readFileSync(path.join(work, 'CLAUDE.md'), 'utf8'), /^# Mine\r\n\r\n<!-- kaizen:begin -->\r\n/);
  });

  it('says so where it is not run in the root of the repository', () => {
    execFileSync('git', ['init', '-q'], { cwd: work, env: scratch.environment });
    assert.doesNotMatch(kaizen().stderr, /repository/);
    assert.match(kaizen('--workspace', '.cursor').stderr, /^This is \.cursor in a repository\./);
  });

  it('says what an entry that counts as up to date was given by somebody, and keeps it', () => {
    const data = path.join(scratch.root, 'elsewhere');
    kaizen('--install', 'server:claude-code', '--yes');
    const file = path.join(work, '.mcp.json');
    const configuration = JSON.parse(readFileSync(file, 'utf8'));
    configuration.mcpServers.kaizen.env = { KAIZEN_DATA: data };
    writeFileSync(file, JSON.stringify(configuration));
    const before = tree();
    const told = /Settings of its own: KAIZEN_DATA\. They can lead/;
    assert.match(kaizen().stdout, told);
    const piece = pieces().find(({ id }) => id === 'server:claude-code');
    assert.deepEqual([piece?.state, piece?.ownSettings], ['current', ['KAIZEN_DATA']]);
    assert.match(piece?.notes.join(' ') ?? '', told);
    const again = kaizen('--install', 'server:claude-code', '--yes');
    assert.match(again.stderr, told);
    assert.match(again.stdout, /Nothing was written/);
    assert.deepEqual(tree(), before);
  });

  for (const [words, message] of [
    [
      ['--install', 'instructions:README.md', '--yes'],
      /no piece called "instructions:README\.md".*\nThere are: instructions:AGENTS\.md, /,
    ],
    [['--show', 'emacs'], /no client called "emacs" here\.\nThere are: claude-code, /],
    [['--workspace', 'CLAUDE.md'], /There is no folder .*CLAUDE\.md\./],
    [['--workspace', 'gone', '--install', 'all-detected', '--yes'], /There is no folder .*gone\./],
    [['--yes'], /--install or --remove is missing/],
    [['--list', '--remove', 'hooks:cursor'], /change nothing/],
  ] as const)
    it(`refuses ${words.join(' ')}`, () => {
      const before = tree();
      const { code, stderr } = kaizen(...words);
      assert.ok(code === 1 || code === 2);
      assert.match(stderr, message);
      assert.deepEqual(tree(), before);
    });
});
