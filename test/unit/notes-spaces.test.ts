import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { NotesPart } from '../../src/notes';
import { eventually } from '../support/base-folders';
import { NoteFolders, noteText } from '../support/note-spaces';
import { turnsDuring } from '../support/turns';

const isWindows = process.platform === 'win32';
/** What is promised, with room for a machine that is busy. */
const SOON = 10_000;

describe('Spaces of notes', () => {
  let folders: NoteFolders;

  beforeEach(() => {
    folders = new NoteFolders();
  });
  afterEach(() => folders.remove());

  const ids = (notes: NotesPart) => notes.notes().map(({ space, zettel_id }) => `${space}:${zettel_id}`);
  const problems = (notes: NotesPart) =>
    notes.problems().map(({ code, file, line }) => `${code} ${file ?? ''} ${line ?? ''}`.trim());

  describe('hold', () => {
    it('every Markdown file, in folders of any depth, with its fields', async () => {
      folders.write({
        'patterns/042-mail.md': noteText('042-mail', '# Mail\n\nSee [[043-spf]].', ['tags: [mail, dns]']),
        'apis/mail/043-spf.md': noteText('043-spf'),
        'root.md': noteText('root'),
        'not-a-note.txt': 'text',
        '.hidden/x.md': noteText('x'),
        '.y.md': noteText('y'),
        'node_modules/z/readme.md': noteText('z'),
      });
      folders.write({ 'learnings/001-mine.md': noteText('001-mine') }, folders.user);
      const notes = await folders.indexed();
      assert.deepEqual(ids(notes), ['project:043-spf', 'project:042-mail', 'project:root', 'user:001-mine']);
      const { links, headings, content_hash, ...mail } = notes.resolve({ zettel_id: '042-mail' });
      assert.deepEqual(mail, {
        zettel_id: '042-mail',
        title: 'Title of 042-mail',
        entry_type: 'concept',
        tags: ['mail', 'dns'],
        uri: 'knowledge://notes/project/042-mail',
        space: 'project',
        category: 'patterns',
        file: 'patterns/042-mail.md',
        isIdDeclared: true,
        problems: [],
      });
      assert.match(content_hash, /^[0-9a-f]{64}$/);
      assert.deepEqual(
        links.map(({ target }) => target),
        ['043-spf'],
      );
      assert.deepEqual(
        headings.map(({ title }) => title),
        ['Mail'],
      );
      assert.equal(notes.note('project', '043-spf')?.category, 'apis/mail');
      assert.equal(notes.note('project', 'root')?.category, '');
      assert.deepEqual(
        notes.categories().filter((name) => name.startsWith('ap') || name === 'learnings'),
        ['apis', 'apis/mail', 'learnings'],
      );
      assert.deepEqual(problems(notes), []);
      assert.deepEqual(
        notes.spaces().map(({ space, root, state, notes, problems }) => [space, root, state, notes, problems]),
        [
          ['project', folders.project, 'ready', 3, 0],
          ['user', folders.user, 'ready', 1, 0],
        ],
      );
      assert.equal(notes.size, 4);
    });

    it('notes that are found by address and by path', async () => {
      folders.write({ 'patterns/042-mail.md': noteText('042-mail') });
      const notes = await folders.indexed();
      const note = notes.resolve({ zettel_id: '042-mail' });
      assert.equal(notes.noteByUri('knowledge://notes/project/042-mail'), note);
      assert.equal(notes.noteByUri('knowledge://notes/user/042-mail'), undefined);
      assert.equal(notes.noteByUri('knowledge://scopes/a/b/c'), undefined);
      assert.equal(notes.noteAt(join(folders.project, 'patterns', '042-mail.md')), note);
      assert.equal(notes.noteAt(join(folders.path, '042-mail.md')), undefined);
      assert.equal(await notes.locate('project', note.file), join(folders.project, 'patterns', '042-mail.md'));
      await assert.rejects(notes.locate('project', '../../x.md'), { code: 'outside_root' });
      await assert.rejects(notes.locate('project', 'patterns/none.md'), { code: 'unknown_note' });
    });

    it('the project before the user, and either where it is named', async () => {
      folders.write({ 'a.md': noteText('a'), 'b.md': noteText('b') });
      folders.write({ 'a.md': noteText('a'), 'c.md': noteText('c') }, folders.user);
      const notes = await folders.indexed();
      assert.equal(notes.resolve({ zettel_id: 'a' }).space, 'project');
      assert.equal(notes.resolve({ zettel_id: 'a', space: 'user' }).space, 'user');
      assert.equal(notes.resolve({ zettel_id: 'c' }).space, 'user');
      assert.throws(() => notes.resolve({ zettel_id: 'c', space: 'project' }), { code: 'unknown_note' });
    });

    it('no id that was mistyped, but name those that are near', async () => {
      folders.write({ 'a.md': noteText('042-email-deliverability'), 'b.md': noteText('043-spf-records') });
      const notes = await folders.indexed();
      assert.equal(notes.resolve({ zettel_id: '043-SPF-records' }).zettel_id, '043-spf-records');
      assert.throws(() => notes.resolve({ zettel_id: '042-email-deliverabilty' }), {
        code: 'unknown_note',
        hint: 'Did you mean 042-email-deliverability?',
      });
      assert.throws(() => notes.resolve({ zettel_id: 'x'.repeat(100_000) }), { code: 'unknown_note' });
    });

    it('texts as they are, byte for byte', async () => {
      const text = `\uFEFF${noteText('a', 'One\nTwo \u{1F600}').replaceAll('\n', '\r\n')}`;
      folders.write({ 'a.md': text });
      const notes = await folders.indexed();
      const got = await notes.text(notes.resolve({ zettel_id: 'a' }));
      assert.equal(got.text, text);
      assert.equal(got.body.trim(), 'One\r\nTwo \u{1F600}');
      folders.write({ 'a.md': noteText('a', 'Changed') });
      const changed = await notes.text(got.note);
      assert.equal(changed.body.trim(), 'Changed');
      assert.notEqual(changed.note.content_hash, got.note.content_hash);
      assert.equal(notes.resolve({ zettel_id: 'a' }).content_hash, changed.note.content_hash);
      rmSync(join(folders.project, 'a.md'));
      await assert.rejects(notes.text(got.note), { code: 'unknown_note' });
    });

    it('collections apart from notes', async () => {
      folders.write({
        'a.md': noteText('a'),
        'collections/mail.md':
          '---\nname: Mail\ndescription: All of it\ncollection_type: topic\n---\n\n- [[a]] Title\n',
      });
      const notes = await folders.indexed();
      assert.deepEqual(ids(notes), ['project:a']);
      assert.deepEqual(notes.collections(), [
        {
          id: 'mail',
          name: 'Mail',
          description: 'All of it',
          collection_type: 'topic',
          zettel_ids: ['a'],
          location: 'project',
          file: 'collections/mail.md',
        },
      ]);
      assert.deepEqual(notes.collections('user'), []);
    });
  });

  describe('tell what is wrong', () => {
    it('with a file without front matter, and with front matter that cannot be read, by line; their text is there', async () => {
      const broken = '---\nzettel_id: b\ntitle: [open\n  nothing: closes\n---\n\nBody with words.\n';
      folders.write({ 'plain text.md': '# Heading\n\nWords.\n', 'b.md': broken });
      const notes = await folders.indexed();
      const plain = notes.note('project', 'plain text');
      assert.equal(plain?.title, 'Heading');
      assert.equal(plain?.isIdDeclared, false);
      assert.ok(plain?.problems.every(({ code, line }) => code === 'missing_field' && line !== undefined));
      const unread = notes.notes().find(({ file }) => file === 'b.md')!;
      assert.ok(unread.problems.some(({ code, line }) => code === 'front_matter' && line !== undefined && line < 5));
      assert.match((await notes.text(unread)).body, /Body with words/);
    });

    it('with an id that two have: the first by path has it, and it passes on', async () => {
      folders.write({ 'a/x.md': noteText('same'), 'b/x.md': noteText('same'), 'c/x.md': noteText('SAME') });
      const notes = await folders.indexed();
      assert.deepEqual(
        notes.notes().map(({ file, zettel_id, uri }) => `${file} ${zettel_id} ${uri}`),
        [
          'a/x.md same knowledge://notes/project/same',
          'b/x.md same~2 knowledge://notes/project/same~2',
          'c/x.md SAME knowledge://notes/project/SAME',
        ],
      );
      const duplicates = () => problems(notes).filter((problem) => problem.startsWith('duplicate_id'));
      assert.deepEqual(duplicates(), ['duplicate_id b/x.md', 'duplicate_id c/x.md']);
      assert.match(
        notes
          .note('project', 'same~2')!
          .problems.map(({ message }) => message)
          .join(),
        /taken by a\/x\.md/,
      );
      assert.match(
        notes
          .note('project', 'SAME')!
          .problems.map(({ message }) => message)
          .join(),
        /case alone/,
      );
      rmSync(join(folders.project, 'a/x.md'));
      await notes.rescan();
      assert.equal(notes.note('project', 'same')?.file, 'b/x.md');
      assert.equal(notes.note('project', 'same~2'), undefined);
      assert.deepEqual(duplicates(), ['duplicate_id c/x.md']);
      folders.write({ 'c/x.md': noteText('other') });
      await notes.rescan();
      assert.deepEqual(duplicates(), []);
    });

    it('with a file that is called otherwise than its note', async () => {
      folders.write({ 'a.md': noteText('b') });
      const notes = await folders.indexed();
      assert.deepEqual(problems(notes), ['id_and_name_differ a.md 0']);
    });

    it('with files too large, in foreign letters, or not to be read', async () => {
      folders.write({
        'large.md': Buffer.alloc(2 * 1_048_576 + 1, 'x'),
        'latin.md': Buffer.concat([Buffer.from(noteText('latin', 'Gr')), Buffer.from([0xfc, 0xdf])]),
      });
      const notes = await folders.indexed();
      assert.deepEqual(problems(notes), ['too_large large.md', 'not_utf8 latin.md']);
      assert.deepEqual(ids(notes), ['project:large', 'project:latin']);
      await assert.rejects(notes.text(notes.resolve({ zettel_id: 'large' })), { code: 'invalid_argument' });
      assert.match((await notes.text(notes.resolve({ zettel_id: 'latin' }))).body, /Gr\u00FC\u00DF|Gr\s+\u00FC\u00DF/);
    });

    it('with links out of the space, pipes, and circles, none of which are followed', async function () {
      if (isWindows) this.skip();
      folders.write({ 'in/a.md': noteText('a'), '../secret/s.md': noteText('s') });
      symlinkSync(join(folders.project, '../secret'), join(folders.project, 'out'));
      symlinkSync(join(folders.project, '../secret/s.md'), join(folders.project, 's.md'));
      symlinkSync(folders.project, join(folders.project, 'in/up'));
      execFileSync('mkfifo', [join(folders.project, 'pipe.md')]);
      const notes = await folders.indexed();
      assert.deepEqual(ids(notes), ['project:a']);
      assert.deepEqual(problems(notes), ['outside_root out', 'outside_root s.md']);
    });

    it('with roots that cannot be', async () => {
      const notes = await folders.open();
      for (const spaces of [{ project: 'relative' }, { user: '' }, { project: folders.user, user: folders.user }]) {
        assert.throws(() => notes.define(spaces), { code: 'invalid_argument' }, JSON.stringify(spaces));
      }
    });
  });

  for (const { name, watch } of [
    { name: 'by themselves', watch: true },
    { name: 'where they are told', watch: false },
  ]) {
    describe(`follow their files ${name}`, () => {
      let notes: NotesPart;
      let changes: string[];
      const path = (file: string) => join(folders.project, ...file.split('/'));
      const told = (...files: string[]) => {
        for (const file of watch ? [] : files) notes.touched(path(file));
      };
      const becomes = (...expected: string[]) => eventually(() => ids(notes).join() === expected.join(), SOON);

      beforeEach(async () => {
        folders.write({ 'a.md': noteText('a'), 'sub/b.md': noteText('b') });
        notes = await folders.indexed({ watch, rescanInterval: 600_000 });
        changes = [];
        notes.onDidChange(({ space, files }) => changes.push(`${space}: ${files.join(' ')}`));
      });

      it('when one is changed, added, renamed or removed', async () => {
        folders.write({ 'c.md': noteText('c') });
        told('c.md');
        await becomes('project:a', 'project:c', 'project:b');
        appendFileSync(path('a.md'), '\nMore\n');
        told('a.md');
        await eventually(() => changes.includes('project: a.md'), SOON);
        renameSync(path('c.md'), path('sub/c.md'));
        told('c.md', 'sub/c.md');
        await eventually(() => notes.note('project', 'c')?.category === 'sub', SOON);
        rmSync(path('a.md'));
        told('a.md');
        await becomes('project:b', 'project:c');
        assert.ok(changes.every((change) => change.startsWith('project: ')));
      });

      it('when an editor saves by writing beside and renaming', async () => {
        writeFileSync(path('.a.md.swp'), noteText('a', 'New').replace('Title of a', 'New title'));
        renameSync(path('.a.md.swp'), path('a.md'));
        told('a.md');
        await eventually(() => notes.note('project', 'a')?.title === 'New title', SOON);
      });

      it('through the checkout of another branch', async () => {
        const git = (...args: string[]) =>
          execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
            cwd: folders.project,
            stdio: 'pipe',
          });
        git('init', '-q', '-b', 'one');
        git('add', '-A');
        git('commit', '-qm', 'one');
        git('checkout', '-qb', 'two');
        for (let at = 0; at < 300; at++) folders.write({ [`many/n${at}.md`]: noteText(`n${at}`) });
        rmSync(path('a.md'));
        git('add', '-A');
        git('commit', '-qm', 'two');
        told('many', 'a.md');
        await eventually(() => notes.size === 301, SOON);
        git('checkout', '-q', 'one');
        told('many', 'a.md');
        await becomes('project:a', 'project:b');
        // Files that come together are told of together.
        assert.ok(changes.length < 60, `${changes.length} changes`);
      });
    });
  }

  it('that are not there yet are found when they come, and missed when they go', async () => {
    const notes = await folders.indexed({ watch: true, rescanInterval: 200 });
    assert.deepEqual(
      notes.spaces().map(({ state }) => state),
      ['missing', 'missing'],
    );
    assert.deepEqual(problems(notes), []);
    folders.write({ 'a.md': noteText('a') });
    await eventually(() => notes.size === 1, SOON);
    rmSync(folders.project, { recursive: true });
    await eventually(() => notes.size === 0 && notes.spaces()[0]?.state === 'missing', SOON);
  });

  it('are others from now on where others are defined, links from one to the other included', async () => {
    folders.write({ 'a.md': noteText('a', '[[mine]]') });
    folders.write({ 'mine.md': noteText('mine') }, folders.user);
    const other = join(folders.path, 'other');
    folders.write({ 'b.md': noteText('b', '[[mine]]') }, other);
    const notes = await folders.indexed();
    const changes: string[] = [];
    notes.onDidChange(({ space, files }) => changes.push(`${space}: ${files.join(' ')}`));
    notes.define({ project: other, user: folders.user });
    assert.deepEqual(ids(notes), ['user:mine']);
    assert.ok(await notes.ready(SOON));
    assert.deepEqual(ids(notes), ['project:b', 'user:mine']);
    assert.deepEqual(changes.slice(0, 2), ['project: a.md', 'project: b.md']);
    notes.define({ project: other });
    assert.deepEqual(ids(notes), ['project:b']);
    await eventually(() => problems(notes).join() === 'broken_link b.md 6', SOON);
    notes.define({});
    assert.equal(notes.size, 0);
    assert.deepEqual(notes.spaces(), []);
  });

  it('lose what a killed process left behind, with the next that is written, and not before', async () => {
    const left = '.kaizen-0123456789abcdef.tmp';
    const young = 'sub/.kaizen-fedcba9876543210.tmp';
    folders.write({ 'a.md': noteText('a'), [left]: 'half', [young]: 'half' });
    const old = Date.now() / 1000 - 7_200;
    utimesSync(join(folders.project, left), old, old);
    const notes = await folders.indexed();
    assert.deepEqual(ids(notes), ['project:a']);
    assert.ok(existsSync(join(folders.project, left)));
    const input = { zettel_id: 'b', title: 'B', content: 'B', entry_type: 'concept' } as const;
    await notes.write({ action: 'create', location: 'project', input }, { author: 'ada' });
    assert.deepEqual(ids(notes), ['project:a', 'project:b']);
    assert.ok(!existsSync(join(folders.project, left)));
    assert.ok(existsSync(join(folders.project, young)), 'it may be in use');
  });

  it('do not take what lies in the other', async () => {
    folders.write({ 'a.md': noteText('a'), 'inner/b.md': noteText('b') });
    const notes = await folders.indexed({ spaces: { project: folders.project, user: join(folders.project, 'inner') } });
    assert.deepEqual(ids(notes), ['project:a', 'user:b']);
  });

  describe('are kept between runs', () => {
    const caches = () => readdirSync(folders.cacheDirectory).filter((name) => name.startsWith('notes-'));

    async function once(): Promise<void> {
      folders.write({ 'a.md': noteText('a', '[[b]] [[none]]'), 'b.md': noteText('b') });
      const old = Date.now() / 1000 - 60;
      for (const file of ['a.md', 'b.md']) utimesSync(join(folders.project, file), old, old);
      const notes = await folders.indexed();
      await notes.close();
    }

    it('and say the same', async () => {
      await once();
      const before = await folders.indexed({ cacheDirectory: undefined });
      const after = await folders.indexed();
      for (const said of [
        (notes: NotesPart) => notes.notes(),
        (notes: NotesPart) => [notes.problems(), notes.graph()],
      ]) {
        assert.equal(JSON.stringify(said(after)), JSON.stringify(said(before)));
      }
    });

    it('but not where what was kept is damaged: the files are read again', async () => {
      await once();
      assert.equal(caches().length, 1);
      const cache = join(folders.cacheDirectory, caches()[0]!);
      writeFileSync(cache, readFileSync(cache, 'utf8').replaceAll('Title of', 'Titel von'));
      const notes = await folders.indexed();
      assert.equal(notes.note('project', 'a')?.title, 'Title of a');
    });

    it('and not where nothing is to be kept', async () => {
      folders.write({ 'a.md': noteText('a') });
      const notes = await folders.indexed({ cacheDirectory: undefined });
      await notes.close();
      assert.ok(!readdirSync(folders.path).includes('cache'));
    });
  });

  it('hold nobody up, however many and however bad their files are', async function () {
    this.timeout(120_000);
    const notes = await folders.indexed({ cacheDirectory: undefined });
    const rescanning = () => turnsDuring(() => notes.rescan());
    folders.write({
      'links.md': noteText('links', Array.from({ length: 100_000 }, (_, at) => `[[none-${at}]]`).join(' ')),
      'same.md': noteText('same', '[[links]] '.repeat(100_000)),
      'brackets.md': '[['.repeat(500_000),
      'headings.md': '# x\n'.repeat(400_000),
      'nested.md': `---\nrelationships:\n  extends: ${'['.repeat(20_000)}\n---\n`,
    });
    const first = await rescanning();
    assert.equal(notes.size, 5);
    // One for each 200 links of the two files that have 100,000 each, when they are read and when their ends are found.
    assert.ok(first > 2_000, `${first} turns for hostile files`);
    assert.ok(notes.note('project', 'links')!.problems.length <= 600);
    assert.ok(notes.note('project', 'headings')!.headings.length <= 2_000);
    for (let at = 0; at < 1_000; at++) {
      folders.write({
        [`n/${at}.md`]: noteText(`n${at}`, `[[n${at + 1}]] [[links]] [[gone]]`),
        [`d/${at}/index.md`]: '[[index]] [[../1/index]]',
      });
    }
    const many = await rescanning();
    assert.equal(notes.size, 2_005);
    assert.ok(many > 2_000, `${many} turns for 2,000 files`);
    folders.write({ 'links.md': noteText('links-2') });
    rmSync(join(folders.project, 'd/0/index.md'));
    const again = await rescanning();
    assert.ok(again > 2_000, `${again} turns for all that was linked to them`);
    assert.equal(notes.note('project', 'index')?.file, 'd/1/index.md');
  });
});
