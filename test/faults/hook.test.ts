import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kaizen } from '../../src/kaizen';
import { decodeFrame, encodeFrame, parseHeader } from '../../src/store/journal';
import { fingerprint } from '../support/stores';

const CLI = path.resolve('dist/cli.js');
const BY = { author: 'tester' };

/** Whatever is wrong, a hook answers, the agent goes on, and what is stored stays whole. */
describe('a hook whose files are at fault', function () {
  this.timeout(60_000);
  let root: string;
  let data: string;
  let shared: string;
  let workspace: string;

  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-hook-'));
    [data, shared, workspace] = ['data', 'shared', 'work'].map((name) => path.join(root, name)) as [
      ...[string, string, string],
    ];
    mkdirSync(workspace);
    const kaizen = new Kaizen({ data, shared });
    const { knowledge } = await kaizen.parts();
    await knowledge.defineScope({ scope_id: 'shop', tier: 'PROJECT' }, BY);
    const entry = { target_scope_id: 'shop', category: 'db', keyword: 'migrations' };
    const metaknowledge = { APPLIES_TO: 'migrations/**' };
    await knowledge.storeOverwrite({ ...entry, content: 'DANGER: never edit one', metaknowledge }, BY);
    await kaizen.close();
  });
  afterEach(() => {
    for (const each of [data, path.join(data, 'guard')]) {
      try {
        chmodSync(each, 0o700);
      } catch {
        // It need not be there.
      }
    }
    rmSync(root, { recursive: true, force: true });
  });

  const flags = () => ['--data', data, '--shared', shared, '--project', 'shop', '--workspace', workspace];
  const environment = () => ({
    ...process.env,
    HOME: root,
    USERPROFILE: root,
    XDG_DATA_HOME: path.join(root, 'xdg'),
    CLAUDE_PROJECT_DIR: '',
  });
  const edit = (session = 'one') =>
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: session,
      cwd: workspace,
      tool_name: 'Edit',
      tool_use_id: 'use',
      tool_input: { file_path: path.join(workspace, 'migrations/1.sql'), old_string: 'a', new_string: 'b' },
    });

  function hook(input: string | Buffer = edit(), event = 'pre-tool-use', more: string[] = []) {
    const args = [CLI, 'hook', event, ...flags(), ...more];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, env: environment() });
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.equal(stderr.toString(), '');
    return JSON.parse(stdout.toString()) as {
      systemMessage?: string;
      hookSpecificOutput?: { permissionDecision?: string };
    };
  }
  const asks = () => assert.equal(hook().hookSpecificOutput?.permissionDecision, 'ask');
  const stored = () =>
    Object.fromEntries(Object.entries({ ...fingerprint(data) }).filter(([name]) => !name.startsWith('guard')));
  const indexFile = () => {
    const guard = path.join(data, 'guard');
    return path.join(guard, readdirSync(guard).find((name) => name.endsWith('.json'))!);
  };

  it('asks all the same where the index is torn, damaged or of a foreign format, and makes it anew', () => {
    const before = stored();
    asks();
    const whole = readFileSync(indexFile(), 'utf8');
    for (const text of [
      '',
      whole.slice(0, 200),
      '{"format":2}',
      whole.replace('"format":1', '"format":7'),
      '\0\0\0',
      whole.replaceAll('"level":"DANGER"', '"level":7'),
    ]) {
      writeFileSync(indexFile(), text);
      asks();
      assert.equal(readFileSync(indexFile(), 'utf8'), whole);
    }
    assert.deepEqual(stored(), before);
  });

  it('asks all the same where nothing can be written', () => {
    // A file where the folder should be: nobody can write below it, whoever they are.
    writeFileSync(path.join(data, 'guard'), '');
    asks();
    rmSync(path.join(data, 'guard'));
    mkdirSync(path.join(data, 'guard'), { mode: 0o500 });
    asks();
  });

  it('says that a store is newer than this build, and leaves it as it is', () => {
    const journal = path.join(data, 'journal-000001');
    const bytes = readFileSync(journal);
    const frame = decodeFrame(bytes, 0)!;
    const header = parseHeader(frame)!;
    const newer = encodeFrame(0, { ...header, schema: { ...header.schema, knowledge: 99 } });
    writeFileSync(journal, Buffer.concat([newer, bytes.subarray(frame.end)]));
    const before = stored();
    assert.match(hook().systemMessage ?? '', /newer version of Kaizen.*Update Kaizen/);
    assert.deepEqual(stored(), before);
  });

  it('goes on with what it knew where a store cannot be opened any more', () => {
    asks();
    const journal = path.join(data, 'journal-000001');
    writeFileSync(journal, '');
    rmSync(path.join(data, 'snapshot-000001.sqlite'));
    const { systemMessage, hookSpecificOutput } = hook();
    assert.match(systemMessage ?? '', /^Kaizen: .*What was known before is used\.$/);
    assert.equal(hookSpecificOutput?.permissionDecision, 'ask');
  });

  it('lets the agent go on when what it is told makes no sense', () => {
    const garbage = [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '\0\0',
      Buffer.from([0xff, 0xfe, 0x00]),
      '{"tool_name":7,"tool_input":[]}',
    ];
    for (const input of garbage) {
      const { systemMessage, hookSpecificOutput } = hook(input);
      assert.equal(hookSpecificOutput, undefined);
      assert.ok(systemMessage === undefined || /^Kaizen: (What|Nothing) came on standard input/.test(systemMessage));
    }
  });

  it('puts a call that cannot be read into the log, with the reason and without its text', () => {
    hook('{"tool_name": "Write", "secret-text');
    hook('');
    hook(`{"tool_input": "secret-text${'x'.repeat(32_000_000)}"}`, 'post-tool-use');
    const log = execFileSync(process.execPath, [CLI, 'hook', 'log', ...flags()], {
      env: environment(),
      encoding: 'utf8',
    });
    assert.match(log, /other {2}post-tool-use {2}failed {2}What came on standard input is larger than 32 MB\..*\n/);
    assert.match(log, /other {2}pre-tool-use {2}failed {2}Nothing came on standard input\..*\n/);
    assert.match(log, /other {2}pre-tool-use {2}failed {2}What came on standard input is not JSON\..*\n/);
    assert.doesNotMatch(log, /secret-text/);
  });

  it('asks about a call of many megabytes, and says so where it is too large to be looked at', () => {
    const write = (bytes: number) => {
      const tool_input = { file_path: path.join(workspace, 'migrations/1.sql'), content: '}\n'.repeat(bytes / 3) };
      return hook(JSON.stringify({ ...JSON.parse(edit()), tool_name: 'Write', tool_input }));
    };
    assert.equal(write(6_000_000).hookSpecificOutput?.permissionDecision, 'ask');
    const { systemMessage, ...rest } = write(34_000_000);
    assert.match(systemMessage ?? '', /larger than 32 MB.*look at what the agent is about to do yourself/);
    assert.deepEqual(rest, {});
  });

  it('lets the agent go on when the call itself is wrong', () => {
    assert.match(hook(edit(), 'subagent-stop').systemMessage ?? '', /no hook "subagent-stop"/);
    assert.match(hook(edit(), 'stop', ['--bugdet', '5']).systemMessage ?? '', /--bugdet/);
    assert.match(hook(edit(), 'session-start', ['--budget', '5']).systemMessage ?? '', /100 to 20000/);
  });

  it('answers when standard input is closed, and ends when nobody reads the answer', async () => {
    const args = [CLI, 'hook', 'pre-tool-use', ...flags()];
    const closed = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment() });
    assert.equal(closed.status, 0);
    assert.match(closed.stdout.toString(), /systemMessage/);
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env: environment() });
    child.stdout.destroy();
    child.stdin.on('error', () => {});
    // It is not closed: the object's end is the call's.
    child.stdin.write(edit());
    const code = await new Promise((resolve) => child.on('exit', resolve));
    assert.equal(code, 0);
  });

  /** What a client is answered that says this and then keeps silent, without closing anything. */
  async function answerTo(said: string): Promise<string> {
    const args = [CLI, 'hook', 'pre-tool-use', ...flags()];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], env: environment() });
    let answer = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        answer += text;
      });
    }
    child.stdin.on('error', () => {});
    if (said !== '') child.stdin.write(said);
    const code = await new Promise((resolve) => child.on('close', resolve));
    child.stdin.destroy();
    assert.equal(code, 0);
    return answer;
  }

  it('answers a client that stops in the middle of its call and closes nothing', async () => {
    assert.match(
      await answerTo(edit().slice(0, 20)),
      /^\{"systemMessage":"Kaizen: What came on standard input is not JSON/,
    );
  });

  it('answers a client that says nothing at all and closes nothing', async function () {
    // There a client that says nothing is waited for.
    if (process.platform === 'win32') this.skip();
    assert.match(await answerTo(''), /^\{"systemMessage":"Kaizen: Nothing came on standard input\./);
  });

  it('makes no store and no file where nothing is stored', () => {
    rmSync(data, { recursive: true });
    rmSync(shared, { recursive: true });
    for (const event of ['session-start', 'pre-tool-use', 'post-tool-use', 'pre-compact', 'stop']) {
      assert.deepEqual(hook(edit(), event), {});
    }
    assert.deepEqual(readdirSync(root).sort(), ['work']);
  });

  it('leaves the store and a usable index when it is killed while it writes', async () => {
    const before = stored();
    for (let round = 0; round < 12; round++) {
      rmSync(path.join(data, 'guard'), { recursive: true, force: true });
      const child = spawn(process.execPath, [CLI, 'hook', 'pre-tool-use', ...flags()], {
        stdio: ['pipe', 'ignore', 'ignore'],
        env: environment(),
      });
      child.stdin.on('error', () => {});
      child.stdin.end(edit(`session-${round}`));
      const ended = new Promise((resolve) => child.on('exit', resolve));
      await sleep(60 + round * 25);
      child.kill('SIGKILL');
      await ended;
      asks();
    }
    assert.deepEqual(stored(), before);
  });
});
