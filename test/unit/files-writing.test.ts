import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFile, makeRoot, moveFile, removeFile, removeLeftover, replaceFile } from '../../src/files';

const isWindows = process.platform === 'win32';
const isAdministrator = process.getuid?.() === 0;

describe('Files written with care', () => {
  let outside: string;
  let root: string;

  beforeEach(() => {
    outside = realpathSync.native(mkdtempSync(join(tmpdir(), 'kaizen-files-')));
    root = join(outside, 'root');
    mkdirSync(join(root, 'sub'), { recursive: true });
    writeFileSync(join(root, 'a.md'), 'before');
  });
  afterEach(() => rmSync(outside, { recursive: true, force: true }));

  const text = (file: string) => readFileSync(join(root, ...file.split('/')), 'utf8');
  const before = Buffer.from('before');
  const all = () =>
    readdirSync(outside, { recursive: true, encoding: 'utf8' })
      .filter((file) => lstatSync(join(outside, file)).isFile())
      .map((file) => file.replaceAll('\\', '/'))
      .sort();

  it('are replaced when they are what was read, and keep their mode', async () => {
    if (!isWindows) chmodSync(join(root, 'a.md'), 0o640);
    await replaceFile(root, 'a.md', before, 'after');
    assert.equal(text('a.md'), 'after');
    if (!isWindows) assert.equal(statSync(join(root, 'a.md')).mode & 0o777, 0o640);
    assert.deepEqual(all(), ['root/a.md']);
  });

  it('are left alone when they are not what was read, or are gone', async () => {
    writeFileSync(join(root, 'a.md'), 'of somebody else');
    await assert.rejects(replaceFile(root, 'a.md', before, 'after'), { code: 'conflict' });
    await assert.rejects(removeFile(root, 'a.md', before), { code: 'conflict' });
    await assert.rejects(moveFile(root, 'a.md', 'b.md', before), { code: 'conflict' });
    await assert.rejects(replaceFile(root, 'none.md', before, 'after'), { code: 'conflict' });
    await assert.rejects(removeFile(root, 'none.md', before), { code: 'conflict' });
    await assert.rejects(moveFile(root, 'none.md', 'b.md', before), { code: 'conflict' });
    assert.equal(text('a.md'), 'of somebody else');
    assert.deepEqual(all(), ['root/a.md']);
  });

  it('are made with the folders that they lie in, and never in the place of another', async () => {
    await createFile(root, 'x/y/new.md', 'new');
    assert.equal(text('x/y/new.md'), 'new');
    await assert.rejects(createFile(root, 'x/y/new.md', 'newer'), { code: 'conflict' });
    await assert.rejects(createFile(root, 'sub', 'a folder has the name'), { code: 'conflict' });
    await assert.rejects(createFile(root, 'a.md/b.md', 'a file is no folder'), { code: 'conflict' });
    assert.equal(text('x/y/new.md'), 'new');
    assert.deepEqual(all(), ['root/a.md', 'root/x/y/new.md']);
  });

  it('of two that make the same file one does, and the other is told', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => createFile(root, 'deep/er/one.md', `by ${at}`)),
    );
    const made = tries.filter(({ status }) => status === 'fulfilled');
    assert.equal(made.length, 1);
    assert.equal(text('deep/er/one.md'), `by ${tries.indexOf(made[0]!)}`);
    assert.deepEqual(all(), ['root/a.md', 'root/deep/er/one.md']);
  });

  it('are moved, never onto another', async () => {
    await moveFile(root, 'a.md', 'x/b.md', before);
    assert.equal(text('x/b.md'), 'before');
    assert.deepEqual(all(), ['root/x/b.md']);
    writeFileSync(join(root, 'c.md'), 'another');
    await assert.rejects(moveFile(root, 'x/b.md', 'c.md', before), { code: 'conflict' });
    if (!isWindows) {
      linkSync(join(root, 'x/b.md'), join(root, 'same.md'));
      await assert.rejects(moveFile(root, 'x/b.md', 'same.md', before), { code: 'conflict' });
    }
    assert.equal(text('c.md'), 'another');
    assert.equal(text('x/b.md'), 'before');
  });

  it('get a name that differs in case alone', async () => {
    await moveFile(root, 'a.md', 'A.md', before);
    assert.deepEqual(all(), ['root/A.md']);
    assert.equal(text('A.md'), 'before');
  });

  it('are deleted', async () => {
    await removeFile(root, 'a.md', before);
    assert.deepEqual(all(), []);
  });

  it('never lie outside of the folder', async () => {
    for (const bad of ['../x.md', 'sub/../../x.md', '/x.md', 'a\0.md', '..%2fx.md', 'C:x.md', 'sub//x.md', '']) {
      await assert.rejects(createFile(root, bad, 'x'), { code: 'outside_root' }, bad);
      await assert.rejects(replaceFile(root, bad, before, 'x'), { code: 'outside_root' }, bad);
      await assert.rejects(removeFile(root, bad, before), { code: 'outside_root' }, bad);
      await assert.rejects(moveFile(root, bad, 'b.md', before), { code: 'outside_root' }, bad);
      await assert.rejects(moveFile(root, 'a.md', bad, before), { code: 'outside_root' }, bad);
    }
    if (isWindows) return;
    mkdirSync(join(outside, 'elsewhere'));
    writeFileSync(join(outside, 'elsewhere/a.md'), 'before');
    symlinkSync(join(outside, 'elsewhere'), join(root, 'out'));
    await assert.rejects(createFile(root, 'out/b.md', 'x'), { code: 'outside_root' });
    await assert.rejects(replaceFile(root, 'out/a.md', before, 'x'), { code: 'outside_root' });
    await assert.rejects(removeFile(root, 'out/a.md', before), { code: 'outside_root' });
    await assert.rejects(moveFile(root, 'out/a.md', 'b.md', before), { code: 'outside_root' });
    await assert.rejects(moveFile(root, 'a.md', 'out/b.md', before), { code: 'outside_root' });
    rmSync(join(root, 'out'));
    assert.deepEqual(all(), ['elsewhere/a.md', 'root/a.md']);
    symlinkSync(join(outside, 'elsewhere/a.md'), join(root, 'linked.md'));
    await assert.rejects(replaceFile(root, 'linked.md', before, 'x'), { code: 'outside_root' });
    assert.equal(readFileSync(join(outside, 'elsewhere/a.md'), 'utf8'), 'before');
  });

  it('never lie outside of it, nor leave a word there, where a folder on the way becomes a link meanwhile', async function () {
    if (isWindows) this.skip();
    const elsewhere = join(outside, 'elsewhere');
    const [sub, away, link] = ['sub', 'away', 'link'].map((name) => join(root, name)) as [string, string, string];
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, link);
    let isOver = false;
    const writing = (async () => {
      for (let at = 0; !isOver; at++) {
        await createFile(root, `sub/n${at}.md`, 'new').catch(() => undefined);
        await moveFile(root, `sub/n${at}.md`, `sub/m${at}.md`, Buffer.from('new')).catch(() => undefined);
      }
    })();
    const strangers = new Set<string>();
    let made = 0;
    const becomes = (from: string): void => {
      try {
        renameSync(from, sub);
      } catch {
        // The writer made the folder itself, where it found none just then.
        renameSync(sub, join(root, `made-${made++}`));
        becomes(from);
      }
    };
    for (const end = performance.now() + 1_500; performance.now() < end; await nextTurn()) {
      renameSync(sub, away);
      becomes(link);
      await nextTurn();
      for (const name of readdirSync(elsewhere)) {
        const { size } = statSync(join(elsewhere, name), { throwIfNoEntry: false }) ?? { size: 0 };
        // An empty file of no name may be there for the blink of an eye.
        if (!name.startsWith('.kaizen-') || size > 0) strangers.add(name.startsWith('.kaizen-') ? 'a text' : name);
      }
      renameSync(sub, link);
      becomes(away);
    }
    isOver = true;
    await writing;
    assert.deepEqual([...strangers], []);
    assert.ok(readdirSync(sub).some((name) => name.endsWith('.md')));
  });

  it('stay as they are where they or their folder may not be written', async function () {
    if (isWindows) this.skip();
    chmodSync(join(root, 'a.md'), 0o444);
    await assert.rejects(replaceFile(root, 'a.md', before, 'after'), { code: 'read_only' });
    await assert.rejects(removeFile(root, 'a.md', before), { code: 'read_only' });
    await assert.rejects(moveFile(root, 'a.md', 'b.md', before), { code: 'read_only' });
    if (!isAdministrator) {
      chmodSync(join(root, 'sub'), 0o555);
      await assert.rejects(createFile(root, 'sub/b.md', 'x'), { code: 'read_only' });
      chmodSync(join(root, 'sub'), 0o755);
    }
    assert.deepEqual(all(), ['root/a.md']);
  });

  it('with names too long for the system are refused', async () => {
    await assert.rejects(createFile(root, `${'x'.repeat(300)}.md`, 'x'), { code: 'invalid_argument' });
    assert.deepEqual(all(), ['root/a.md']);
  });

  it('a pipe keeps nobody waiting', async function () {
    if (isWindows) this.skip();
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    await assert.rejects(replaceFile(root, 'pipe.md', Buffer.alloc(0), 'x'));
    await assert.rejects(createFile(root, 'pipe.md', 'x'), { code: 'conflict' });
  });

  it('what a process left behind goes, and what is just being written stays', async () => {
    const name = 'sub/.kaizen-0123456789abcdef.tmp';
    writeFileSync(join(root, name), 'half');
    await removeLeftover(root, name, Date.now() - 3_600_000);
    assert.ok(existsSync(join(root, name)));
    const old = Date.now() / 1000 - 7_200;
    utimesSync(join(root, name), old, old);
    await removeLeftover(root, name, Date.now() - 3_600_000);
    await removeLeftover(root, 'a.md', Date.now() + 1_000);
    assert.deepEqual(all(), ['root/a.md']);
  });

  it('their root is made when it is missing', async () => {
    const fresh = join(outside, 'not/yet/there');
    assert.equal(await makeRoot(fresh), fresh);
    await createFile(fresh, 'a.md', 'a');
    assert.equal(readFileSync(join(fresh, 'a.md'), 'utf8'), 'a');
  });
});
