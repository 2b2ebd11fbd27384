import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type GuardedWorkspace, guardedWorkspace } from './support/guarded-workspace';

/** What the built hook says where it cannot know. */
describe('a hook that cannot tell', function () {
  this.timeout(60_000);
  let guarded: GuardedWorkspace;

  beforeEach(() => {
    guarded = guardedWorkspace();
  });
  afterEach(() => guarded.remove());

  const say = (tool_name: string, tool_input: Record<string, string>, session_id = 's1') =>
    guarded.hook('pre-tool-use', {
      hook_event_name: 'PreToolUse',
      session_id,
      cwd: guarded.folder,
      tool_name,
      tool_input,
    });
  const file_path = 'a.txt';
  const edit = { file_path, old_string: 'a', new_string: 'b' };

  for (const [why, pattern] of [
    ['cannot be read', '((('],
    ['is too long', `one ${'x'.repeat(500)}`],
  ] as const) {
    it(`asks for a file whose rule has a MATCHES that ${why}`, async () => {
      const danger = ['store', 'general', 'DATA', 'BAD', 'DANGER: it is kept by hand'];
      guarded.kaizen(...danger, '--meta', `MATCHES=${pattern}`, '--meta', `APPLIES_TO=${file_path}`);
      const calls = [
        ['Edit', edit],
        ['Write', { file_path, content: 'two' }],
        ['Bash', { command: `rm ${file_path}` }],
      ] as const;
      for (const [tool, input] of calls) {
        const { permissionDecision, permissionDecisionReason } = (await say(tool, input)).hookSpecificOutput;
        assert.equal(permissionDecision, 'ask', tool);
        assert.match(permissionDecisionReason, /The regular expression in its MATCHES cannot be read/);
      }
    });
  }

  it('tells once of a rule that names no files and has a MATCHES that cannot be read', async () => {
    guarded.kaizen('store', 'general', 'DATA', 'BAD', 'DANGER: it is kept by hand', '--meta', 'MATCHES=(((');
    const { permissionDecision, additionalContext } = (await say('Edit', edit)).hookSpecificOutput;
    assert.equal(permissionDecision, undefined);
    assert.match(additionalContext, /DANGER: "it is kept by hand".*cannot be read, so whether it is about this/);
    assert.deepEqual(await say('Edit', edit), {});
  });

  it('leads to the doctor where the stores are closed to it, and says that they cannot be read', async function () {
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    // Windows has no such rights.
    if (process.platform === 'win32') this.skip();
    const data = path.join(guarded.root, 'shared');
    mkdirSync(data, { recursive: true });
    chmodSync(guarded.root, 0o755);
    chmodSync(data, 0o000);
    const run = (...args: string[]) => {
      const options = { cwd: '/', env: guarded.env, input: '{}', encoding: 'utf8', ...nobody } as const;
      try {
        return execFileSync(process.execPath, [path.resolve('dist/cli.js'), ...args, ...guarded.flags], options);
      } catch (error) {
        return (error as { stderr: string }).stderr;
      }
    };
    try {
      assert.match(run('hook', 'pre-tool-use'), /could not do its work \(EACCES, .*`kaizen doctor` says what is wrong/);
      assert.match(run('get', 'general'), /cannot be read: EACCES/);
    } finally {
      chmodSync(data, 0o700);
    }
  });
});
