import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../src/core/sha256';
import { guardPlace, readGuardIndex } from '../../src/guard/hooks';
import { writeGuardIndex } from '../../src/guard/kept/index-writing';
import { Kaizen } from '../../src/kaizen';
import { Lock } from '../../src/store/lock';
import { ownIdentity } from '../../src/store/process-identity';

const CLI = path.resolve('dist/cli.js');
const BY = { author: 'tester' };

/** A dozen agents begin at once, and the index that all of them need is not there. */
describe('hooks that need the index at once', function () {
  this.timeout(120_000);
  let root: string;
  let data: string;
  let shared: string;
  let workspace: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-hooks-'));
    [data, shared, workspace] = ['data', 'shared', 'work'].map((name) => path.join(root, name)) as [
      ...[string, string, string],
    ];
    mkdirSync(workspace);
    const kaizen = new Kaizen({ data, shared });
    const { knowledge } = await kaizen.parts();
    await knowledge.defineScope({ scope_id: 'shop', tier: 'PROJECT' }, BY);
    const entry = { target_scope_id: 'shop', category: 'db', keyword: 'migrations' };
    const metaknowledge = { APPLIES_TO: 'migrations/**', MATCHES: '(((' };
    await knowledge.storeOverwrite({ ...entry, content: 'DANGER: never edit one', metaknowledge }, BY);
    await kaizen.close();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });

  const guard = () => path.join(data, 'guard');
  const files = () => (existsSync(guard()) ? readdirSync(guard()) : []);
  const indexes = () => files().filter((name) => name.endsWith('.json'));
  const claims = () => files().filter((name) => name.endsWith('.building'));

  function started(session: string): { child: ChildProcess; said: Promise<string> } {
    const flags = ['--data', data, '--shared', shared, '--project', 'shop', '--workspace', workspace];
    const env = { ...process.env, HOME: root, USERPROFILE: root, CLAUDE_PROJECT_DIR: '' };
    const child = spawn(process.execPath, [CLI, 'hook', 'pre-tool-use', ...flags], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env,
    });
    children.push(child);
    let text = '';
    child.stdout!.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.stdin!.on('error', () => {});
    child.stdin!.end(
      JSON.stringify({
        hook_event_name: 'PreToolUse',
        session_id: session,
        cwd: workspace,
        tool_name: 'Edit',
        tool_use_id: 'use',
        tool_input: { file_path: path.join(workspace, 'migrations/1.sql'), old_string: 'a', new_string: 'b' },
      }),
    );
    return { child, said: new Promise((resolve) => child.on('close', () => resolve(text))) };
  }

  /** In which the processes are that make the index of these stores for a hook that gave up. */
  function foldersOfMakers(): string[] {
    return readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .flatMap((pid) => {
        try {
          const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
          return words.includes('make-index') && words.includes(data) ? [readlinkSync(`/proc/${pid}/cwd`)] : [];
        } catch {
          // It has ended.
          return [];
        }
      });
  }

  const asks = (text: string) => assert.match(text, /"permissionDecision":"ask"/);
  const many = (count: number) => Array.from({ length: count }, (_, at) => started(`session-${at}`));
  async function allAsk(calls: { said: Promise<string> }[]): Promise<void> {
    for (const { said } of calls) asks(await said);
    assert.equal(indexes().length, 1);
  }
  /** As a process would that made the index. */
  function claim(claimant: object | string): string {
    asksOnce();
    const file = path.join(guard(), `${lastIndex}.building`);
    writeFileSync(file, typeof claimant === 'string' ? claimant : JSON.stringify({ nonce: 'another', ...claimant }));
    return file;
  }
  let lastIndex = '';
  function asksOnce(): void {
    lastIndex = indexes()[0]!;
    rmSync(path.join(guard(), lastIndex));
  }

  it('all get their answer, and one index is left, with no claim', async () => {
    await allAsk(many(12));
    assert.deepEqual(claims(), []);
    assert.deepEqual(
      files().filter((name) => name.endsWith('.tmp')),
      [],
    );
  });

  it('wait for the one that makes it', async () => {
    asks(await started('first').said);
    // This process, which lives, and says so.
    const file = claim(ownIdentity());
    const beat = setInterval(() => utimesSync(file, new Date(), new Date()), 200);
    try {
      const calls = many(3);
      let answered = 0;
      for (const { said } of calls) void said.then(() => answered++);
      await sleep(2_000);
      assert.equal(answered, 0);
      clearInterval(beat);
      rmSync(file);
      await allAsk(calls);
    } finally {
      clearInterval(beat);
    }
  });

  it('get their answer where one of them is killed at any moment', async () => {
    for (let round = 0; round < 10; round++) {
      rmSync(guard(), { recursive: true, force: true });
      const calls = many(4);
      // The one that has the claim, or is about to.
      await sleep(80 + round * 40);
      calls[0]!.child.kill('SIGKILL');
      await calls[0]!.said;
      await allAsk(calls.slice(1));
    }
    assert.deepEqual(claims(), []);
  });

  it('all get their answer after one that was killed as it made the index', async () => {
    for (let round = 0; round < 3; round++) {
      rmSync(guard(), { recursive: true, force: true });
      const { child, said } = started('killed');
      while (claims().length === 0 && indexes().length === 0) await sleep(1);
      child.kill('SIGKILL');
      await said;
      rmSync(path.join(guard(), indexes()[0] ?? 'none'), { force: true });
      await allAsk(many(3));
      assert.deepEqual(claims(), []);
    }
  });

  it('do not wait for a claim whose process is dead, stands still, is another host’s, or cannot be read', async () => {
    const own = ownIdentity();
    const left = [
      { ...own, start: own.start - 1_000_000, pid: 2 ** 22 + 1 },
      '',
      'rubbish',
      { ...own, host: `${hostname()}-of-another` },
      own,
    ];
    asks(await started('first').said);
    for (const claimant of left) {
      const file = claim(claimant);
      // For longer than a living one keeps silent.
      utimesSync(file, new Date(Date.now() - 10_000), new Date(Date.now() - 10_000));
      await allAsk([started('next')]);
      assert.deepEqual(claims(), []);
    }
  });

  it('get their answer where the one that has the claim is stopped', async function () {
    // There are no signals on Windows.
    if (process.platform === 'win32') this.skip();
    const { child, said } = started('stopped');
    while (claims().length === 0 && indexes().length === 0) await sleep(1);
    child.kill('SIGSTOP');
    rmSync(path.join(guard(), indexes()[0] ?? 'none'), { force: true });
    await allAsk(many(3));
    child.kill('SIGCONT');
    asks(await said);
    asks(await started('later').said);
  });

  it('get their answer where no index can be kept', async () => {
    writeFileSync(guard(), '');
    for (const { said } of many(4)) asks(await said);
  });

  it('write through no link in the place of the folder', async function () {
    // Windows lets few people make links.
    if (process.platform === 'win32') this.skip();
    const other = path.join(root, 'other');
    mkdirSync(other);
    symlinkSync(other, guard());
    for (const { said } of many(2)) asks(await said);
    assert.deepEqual(readdirSync(other), []);
  });

  it('get their answer where what is in the place of a claim cannot be removed', async () => {
    const long = new Date(Date.now() - 10_000);
    const veryLong = new Date('2020-01-01');
    asks(await started('first').said);
    for (const since of [long, veryLong]) {
      asksOnce();
      const folder = path.join(guard(), `${lastIndex}.building`);
      mkdirSync(path.join(folder, 'more'), { recursive: true });
      utimesSync(folder, since, since);
      await allAsk(many(3));
      // The index is kept all the same, and with it goes what has been there for days.
      assert.deepEqual(claims().length, since === long ? 1 : 0);
      rmSync(folder, { recursive: true, force: true });
    }
    if (process.platform === 'win32') return;
    asksOnce();
    symlinkSync(path.join(root, 'gone'), path.join(guard(), `${lastIndex}.building`));
    lutimesSync(path.join(guard(), `${lastIndex}.building`), long, long);
    await allAsk(many(2));
    assert.deepEqual(claims(), []);
  });

  it('make an index anew that an older build made', async () => {
    asks(await started('first').said);
    const place = guardPlace({ data, shared, project: 'shop' })!;
    const index = readGuardIndex(place)!;
    await writeGuardIndex(place, { ...index, rules: [] });
    const [name] = indexes();
    const text = readFileSync(path.join(guard(), name!), 'utf8');
    rmSync(path.join(guard(), name!));
    // As the first builds named and marked it: without the rule, which they passed over.
    const former = sha256(JSON.stringify([1, place.project, place.shared])).slice(0, 24);
    writeFileSync(path.join(guard(), `${former}.json`), text.replace(/^\{"format":\d+/, '{"format":1'));
    asks(await started('second').said);
    assert.equal(indexes().length, 2);
  });

  it('end at their limit where a process of its own waits in a read that never comes back', async () => {
    const module = JSON.stringify(path.resolve('src/cli/hook/time-limit.ts'));
    const code = `require(${module}).endAfter(300); require('fs').writeSync(1, 'limited');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
    const child = spawn(process.execPath, ['--require', 'tsx/cjs', '-e', code], { stdio: 'pipe' });
    children.push(child);
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += part.toString()));
    await new Promise((resolve) => child.on('close', resolve));
    assert.equal(text, 'limited');
    assert.ok(child.signalCode !== null || child.exitCode !== 0);
  });

  it('say what was known where the stores cannot be read in time, and leave the index to another process', async () => {
    asks(await started('first').said);
    const kaizen = new Kaizen({ data, shared, keepIndex: false });
    const { knowledge } = await kaizen.parts();
    const entry = { target_scope_id: 'shop', category: 'db', keyword: 'seeds' };
    await knowledge.storeOverwrite({ ...entry, content: 'DANGER: slow', metaknowledge: { APPLIES_TO: 'x' } }, BY);
    await kaizen.close();
    const [name] = indexes();
    const before = readFileSync(path.join(guard(), name!), 'utf8');
    // A store that a living process keeps for itself.
    const snapshots = readdirSync(data).filter((each) => each.startsWith('snapshot-'));
    for (const each of snapshots) writeFileSync(path.join(data, each), 'rubbish');
    const lock = new Lock(data, 'lock');
    await lock.acquire();
    try {
      const said = await started('second').said;
      asks(said);
      assert.match(said, /could not be read within 7 seconds\. What was known before is used\./);
      assert.equal(readFileSync(path.join(guard(), name!), 'utf8'), before);
      if (process.platform === 'linux') assert.deepEqual(foldersOfMakers(), [path.dirname(process.execPath)]);
    } finally {
      lock.dispose();
    }
    while (claims().length > 0 || readFileSync(path.join(guard(), name!), 'utf8') === before) await sleep(20);
    assert.match(readFileSync(path.join(guard(), name!), 'utf8'), /DANGER: slow/);
  });

  it('have the index made by a process of its own where a hook gave it up', async () => {
    const child = spawn(process.execPath, [CLI, 'hook', 'make-index', data, shared, 'shop'], { stdio: 'pipe' });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
    assert.equal(text, '');
    assert.equal(indexes().length, 1);
    assert.deepEqual(claims(), []);
  });
});
