import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { NotesPart } from '../../src/notes';
import { eventually } from '../support/base-folders';
import { inGerman } from '../support/german';
import { NoteFolders, noteText } from '../support/note-spaces';

const isWindows = process.platform === 'win32';
const SOON = 10_000;
/** Where it takes a look that comes every few seconds. */
const LATER = 25_000;

describe('The folders of spaces', () => {
  let folders: NoteFolders;

  beforeEach(() => {
    folders = new NoteFolders();
  });
  afterEach(() => folders.remove());

  const ids = (notes: NotesPart) =>
    notes
      .notes()
      .map(({ space, zettel_id }) => `${space}:${zettel_id}`)
      .join();
  const titles = (notes: NotesPart) => new Set(notes.notes().map(({ title }) => title));

  for (const [name, watch] of [
    ['by themselves', true],
    ['where they are told', false],
  ] as const) {
    describe(`are followed ${name}`, () => {
      const path = (file: string) => join(folders.project, ...file.split('/'));
      let notes: NotesPart;
      const told = (...files: string[]) => {
        for (const file of watch ? [] : files) notes.touched(path(file));
      };
      const opened = async () => {
        notes = await folders.indexed({ watch, rescanInterval: 600_000 });
      };

      it('when a folder with links into it gets another name, and when that differs in case alone', async () => {
        folders.write({
          'apis/a.md': noteText('a', '[[b]] [[apis/c]]'),
          'apis/c.md': noteText('c'),
          'b.md': noteText('b', '[[a]]'),
        });
        await opened();
        renameSync(path('apis'), path('patterns'));
        told('apis', 'patterns');
        await eventually(() => notes.note('project', 'a')?.category === 'patterns', SOON);
        assert.equal(ids(notes), 'project:b,project:a,project:c');
        assert.deepEqual(
          notes.problems().map(({ code, detail }) => `${code} ${detail}`),
          ['broken_link apis/c'],
        );
        assert.deepEqual(
          notes
            .relationships(notes.note('project', 'b')!)
            .map(({ direction, zettel_id }) => `${direction} ${zettel_id}`),
          ['outgoing a', 'incoming a'],
        );
        renameSync(path('patterns'), path('Patterns'));
        told('patterns', 'Patterns');
        await eventually(() => notes.note('project', 'a')?.category === 'Patterns', SOON);
        renameSync(path('b.md'), path('B.md'));
        told('b.md', 'B.md');
        await eventually(() => notes.note('project', 'b')?.file === 'B.md', SOON);
        assert.equal(ids(notes), 'project:b,project:a,project:c');
        assert.deepEqual(
          notes
            .relationships(notes.note('project', 'a')!)
            .map(({ direction, zettel_id }) => `${direction} ${zettel_id}`),
          ['outgoing b', 'outgoing c', 'incoming b'],
        );
      });
    });
  }

  for (const space of ['project', 'user'] as const) {
    describe(`are followed where they come and go as a whole, in the ${space} space`, () => {
      let notes: NotesPart;
      const path = (...names: string[]) => join(folders[space], ...names);
      const put = (file: string) => {
        folders.write({ [file]: noteText(file.slice(file.lastIndexOf('/') + 1).replace('.md', '')) }, folders[space]);
      };
      const finds = (...found: string[]) =>
        eventually(() => notes.notes().length === found.length && found.every((id) => notes.note(space, id)), LATER);
      const opened = async () => {
        // What is found is found by what the system tells, and by a look at the root.
        notes = await folders.indexed({ watch: true, rescanInterval: 600_000 });
      };

      it('when the root was not there, and folders in folders are made in one go before their notes', async function () {
        this.timeout(60_000);
        await opened();
        mkdirSync(path('a', 'b', 'c'), { recursive: true });
        await eventually(() => notes.spaces().some((each) => each.space === space && each.state === 'ready'), LATER);
        for (const name of ['one', 'two', 'three']) mkdirSync(path(name, 'n', 'o'), { recursive: true });
        await sleep(1_000);
        for (const file of ['a/b/c/x.md', 'one/n/o/y.md', 'two/n/z.md', 'three/n/o/w.md']) put(file);
        await finds('x', 'y', 'z', 'w');
        put('one/n/o/later.md');
        await finds('x', 'y', 'z', 'w', 'later');
      });

      it('when the root is removed and made anew at once, and again', async function () {
        this.timeout(60_000);
        put('first.md');
        await opened();
        for (const name of ['second', 'third']) {
          rmSync(folders[space], { recursive: true });
          put(`${name}.md`);
          await finds(name);
          put(`sub/${name}-later.md`);
          await finds(name, `${name}-later`);
        }
      });

      it('when a folder above the root is moved away, and the root made anew', async function () {
        this.timeout(60_000);
        put('first.md');
        await opened();
        renameSync(dirname(folders[space]), `${dirname(folders[space])}-before`);
        put('second.md');
        await finds('second');
        put('third.md');
        await finds('second', 'third');
      });

      it('when a folder with folders in it is moved away, and another takes its place', async function () {
        this.timeout(60_000);
        put('a/b/first.md');
        await opened();
        renameSync(path('a'), path('z'));
        put('a/b/second.md');
        await eventually(() => notes.note(space, 'first')?.category === 'z/b', LATER);
        await finds('first', 'second');
        put('a/b/third.md');
        put('z/b/fourth.md');
        await finds('first', 'second', 'third', 'fourth');
      });
    });
  }

  it('are followed in few steps when thousands of their notes become others at once', async function () {
    this.timeout(60_000);
    const size = 2_000;
    const texts = (round: number) => {
      for (let at = 0; at < size; at++) {
        const text = noteText(`n${at}`, `[[n${(at + round) % size}]]`).replace('Title of', `Round ${round} of`);
        folders.write({ [`many/n${at}.md`]: text });
      }
    };
    texts(1);
    const notes = await folders.indexed();
    let changes = 0;
    notes.onDidChange(() => changes++);
    texts(2);
    notes.touched(join(folders.project, 'many'));
    await eventually(() => [...titles(notes)].every((title) => title.startsWith('Round 2')), 30_000);
    assert.equal(notes.size, size);
    assert.ok(changes < 60, `${changes} changes`);
    await eventually(() => notes.relationships(notes.note('project', 'n7')!)[0]?.zettel_id === 'n9', SOON);
    assert.deepEqual(notes.problems(), []);
  });

  it('may be replaced by a link to another folder, go, and come back', async function () {
    if (isWindows) this.skip();
    folders.write({ 'a.md': noteText('a') });
    const other = join(folders.path, 'other');
    folders.write({ 'b.md': noteText('b') }, other);
    const notes = await folders.indexed();
    const away = join(folders.path, 'away');
    renameSync(folders.project, away);
    symlinkSync(other, folders.project);
    await notes.rescan();
    assert.equal(ids(notes), 'project:b');
    const input = { zettel_id: 'c', title: 'C', content: 'C', entry_type: 'concept' } as const;
    await notes.write({ action: 'create', location: 'project', input }, { author: 'ada' });
    assert.ok(readdirSync(other, { recursive: true, encoding: 'utf8' }).some((file) => file.endsWith('c.md')));
    rmSync(folders.project);
    await notes.rescan();
    assert.equal(ids(notes), '');
    assert.equal(notes.spaces()[0]?.state, 'missing');
    cpSync(away, folders.project, { recursive: true });
    await notes.rescan();
    assert.equal(ids(notes), 'project:a');
  });

  it('have problems that can be said in another language', async () => {
    folders.write({ [`${'f/'.repeat(34)}a.md`]: noteText('a') });
    const notes = await folders.indexed();
    const [problem] = notes.problems();
    assert.equal(problem?.code, 'too_deep');
    assert.match(String(problem.message), /^The folder lies more than 32 folders deep/);
    assert.doesNotMatch(inGerman(problem.message), /folders/);
  });

  it('belong to one space only, whatever links lead there', async function () {
    if (isWindows) this.skip();
    folders.write({ 'a.md': noteText('a'), 'mine/b.md': noteText('b', '[[a]]') });
    mkdirSync(dirname(folders.user), { recursive: true });
    for (const target of [folders.project, join(folders.project, 'mine'), folders.workspace]) {
      symlinkSync(target, folders.user);
      const notes = await folders.indexed();
      assert.equal(ids(notes), 'project:a,project:b', target);
      assert.deepEqual(
        notes.problems().map(({ space, code }) => `${space} ${code}`),
        ['user unreadable'],
      );
      const input = { zettel_id: 'c', title: 'C', content: 'C', entry_type: 'concept' } as const;
      const create = { action: 'create', location: 'user', input } as const;
      await assert.rejects(notes.write(create, { author: 'ada' }), { code: 'invalid_argument' });
      rmSync(folders.user);
      folders.write({ 'd.md': noteText('d') }, folders.user);
      await notes.rescan();
      assert.equal(ids(notes), 'project:a,project:b,user:d');
      assert.deepEqual(notes.problems(), []);
      rmSync(folders.user, { recursive: true });
    }
  });

  it('keep what they know of notes in memory, but not their texts', async function () {
    this.timeout(30_000);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const megabytes = () => {
      collect();
      return process.memoryUsage().heapUsed / 1_048_576;
    };
    const prose = 'Some words that nobody has to keep. '.repeat(5_000);
    for (let at = 0; at < 300; at++) {
      const body = `# A heading that is longer than a few letters ${at}\n\n[[another-note-with-a-long-name-${at}]]\n\n${prose}`;
      folders.write({ [`n${at}.md`]: noteText(`n${at}`, body) });
    }
    const notes = await folders.open();
    const before = megabytes();
    notes.start();
    assert.ok(await notes.ready(20_000));
    assert.equal(notes.notes().length, 300);
    const held = megabytes() - before;
    // Their texts have 54 MB.
    assert.ok(held < 15, `${held.toFixed(1)} MB`);
  });

  it('are told where a file takes their place', async () => {
    mkdirSync(dirname(folders.project), { recursive: true });
    writeFileSync(folders.project, 'no folder');
    const notes = await folders.indexed();
    assert.equal(notes.spaces()[0]?.state, 'missing');
    rmSync(folders.project);
    folders.write({ 'a.md': noteText('a') });
    await notes.rescan();
    assert.equal(ids(notes), 'project:a');
  });
});
