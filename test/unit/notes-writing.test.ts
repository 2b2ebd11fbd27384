import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { NoteInput, NotesPart } from '../../src/notes';
import { NoteFolders, noteText } from '../support/note-spaces';

const NOW = Date.parse('2025-01-15T10:00:00.500Z');
const ADA = { author: 'Ada' };
const AGENT = { author: 'claude-code', by_agent: true };
const isRoot = process.getuid?.() === 0;
const mail: NoteInput = {
  zettel_id: '042-email-deliverability',
  title: 'Email Deliverability Best Practices',
  content: '# Email Deliverability\n\nContent.',
  entry_type: 'pattern',
  tags: ['email', 'deliverability'],
  source_type: 'experiment',
  source_url: 'https://example.com',
};
const MAIL = 'patterns/042-email-deliverability.md';
const refused = (code: string, message?: RegExp) => ({ name: 'KaizenError', code, ...(message ? { message } : {}) });
const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

describe('Writing notes', () => {
  let folders: NoteFolders;
  let now: number;

  beforeEach(() => {
    folders = new NoteFolders();
    now = NOW;
  });
  afterEach(() => folders.remove());

  const open = () => folders.indexed({ clock: { now: () => now } });
  const read = (file: string, root = folders.project) => readFileSync(join(root, ...file.split('/')), 'utf8');
  const listed = (root = folders.project) =>
    readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort();
  const create = (notes: NotesPart, input: Partial<NoteInput> = {}, location: 'project' | 'user' = 'project') =>
    notes.write({ action: 'create', location, input: { ...mail, ...input } }, ADA);

  describe('creating', () => {
    it('makes the file that seed 004 shows, and answers where it is', async () => {
      const notes = await open();
      const result = await create(notes);
      const text = read(MAIL);
      assert.equal(
        text,
        `---
zettel_id: 042-email-deliverability
title: Email Deliverability Best Practices
entry_type: pattern
tags: [email, deliverability]
source_type: experiment
source_url: https://example.com
created_at: 2025-01-15T10:00:00Z
updated_at: 2025-01-15T10:00:00Z
---

# Email Deliverability

Content.
`,
      );
      assert.deepEqual(result, {
        action: 'create',
        zettel_id: '042-email-deliverability',
        location: 'project',
        path: `.ai/knowledge/${MAIL}`,
        content_hash: hash(text),
      });
      // Everybody sees it at once.
      const note = notes.resolve({ zettel_id: mail.zettel_id });
      assert.deepEqual(
        [note.file, note.category, note.content_hash, note.problems],
        [MAIL, 'patterns', hash(text), []],
      );
    });

    it('puts it into the category that is named, a folder that there is already whatever its case', async () => {
      folders.write({ 'Apis/Mail/x.md': noteText('x') });
      const notes = await open();
      await create(notes, { category: 'apis/mail' });
      assert.ok(existsSync(join(folders.project, 'Apis', 'Mail', `${mail.zettel_id}.md`)));
      assert.deepEqual(readdirSync(folders.project), ['Apis']);
      await create(notes, { zettel_id: 'v2', category: 'APIS/mail/v2' });
      assert.ok(existsSync(join(folders.project, 'Apis', 'Mail', 'v2', 'v2.md')));
      await create(notes, { zettel_id: 'other', category: 'apis/other' });
      assert.deepEqual(readdirSync(join(folders.project, 'Apis')).sort(), ['Mail', 'other']);
      await create(notes, { zettel_id: 'root', category: '' });
      assert.ok(existsSync(join(folders.project, 'root.md')));
    });

    it('writes to the user space, whose paths are absolute', async () => {
      const { path } = await create(await open(), {}, 'user');
      assert.equal(path, join(folders.user, ...MAIL.split('/')));
      assert.ok(existsSync(path!));
      assert.ok(!existsSync(folders.project));
    });

    it('refuses an id that the space has, in whatever case and folder, as an id or as the name of a file', async () => {
      folders.write({ 'apis/taken.md': noteText('other'), 'concepts/Mail.md': 'no front matter' });
      const notes = await open();
      for (const zettel_id of ['taken', 'TAKEN', 'other', 'Other', 'mail', 'MAIL']) {
        await assert.rejects(create(notes, { zettel_id }), refused('conflict', /has ".*" already: .*\.md/), zettel_id);
      }
      assert.deepEqual(listed(), ['Mail.md', 'taken.md']);
      // The other space is another matter.
      await create(notes, { zettel_id: 'taken' }, 'user');
    });

    it('never replaces a file that nobody has seen yet', async () => {
      const notes = await open();
      folders.write({ [MAIL]: 'just made' });
      await assert.rejects(create(notes), refused('conflict'));
      assert.equal(read(MAIL), 'just made');
      assert.deepEqual(notes.revisions(), []);
    });

    const bad: [string, Partial<Record<keyof NoteInput, unknown>>][] = [
      ['an id that leads out', { zettel_id: '../042' }],
      ['a device as an id', { zettel_id: 'aux' }],
      ['a category that leads out', { category: '../x' }],
      ['an absolute category', { category: '/etc' }],
      ['a type that there is not', { entry_type: 'idea' }],
      ['a source type that there is not', { source_type: 'rumour' }],
      ['an address that runs', { source_url: 'javascript:alert(1)' }],
      ['no title', { title: ' ' }],
      ['a title of two lines', { title: 'a\nb' }],
      ['a long title', { title: 'x'.repeat(301) }],
      ['too many tags', { tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }],
      ['a long tag', { tags: ['x'.repeat(61)] }],
      ['too much content', { content: 'é'.repeat(131_073) }],
      ['half a character', { content: '\ud800' }],
      ['a NUL', { content: 'a\0b' }],
    ];
    for (const [what, input] of bad) {
      it(`refuses ${what}`, async () => {
        const notes = await open();
        await assert.rejects(create(notes, input as Partial<NoteInput>), refused('invalid_argument'));
        assert.ok(!existsSync(folders.project) || listed().length === 0);
        assert.deepEqual(notes.revisions(), []);
      });
    }

    it('refuses a folder in which nobody would find it: node_modules, and the other space', async () => {
      const inside = join(folders.project, 'mine');
      const notes = await folders.indexed({ spaces: { project: folders.project, user: inside } });
      for (const category of ['node_modules', 'apis/node_modules/x', 'mine', 'mine/deep']) {
        await assert.rejects(create(notes, { category }), refused('invalid_argument', new RegExp(category)));
      }
      assert.ok(!existsSync(folders.project) || listed().length === 0);
      await create(notes);
      const { zettel_id } = mail;
      for (const patch of [{ category: 'mine' }, { category: 'node_modules', title: 'x' }]) {
        await assert.rejects(
          notes.write({ action: 'update', zettel_id, patch }, ADA),
          refused('invalid_argument', /cannot have a note at/),
        );
      }
      assert.deepEqual(listed(), ['042-email-deliverability.md']);
      await create(notes, { zettel_id: '043-mine', category: 'deep' }, 'user');
      assert.equal(notes.note('user', '043-mine')?.category, 'deep');
    });

    it('needs a space', async () => {
      const notes = await folders.indexed({ spaces: { user: folders.user } });
      await assert.rejects(create(notes), refused('invalid_argument', /no project space/));
    });

    it('can be looked at before', async () => {
      const notes = await open();
      const { files } = await notes.preview({ action: 'create', location: 'project', input: mail });
      assert.ok(!existsSync(folders.project));
      await create(notes);
      assert.deepEqual(files, [{ space: 'project', file: MAIL, before: undefined, after: read(MAIL) }]);
      await assert.rejects(notes.preview({ action: 'create', location: 'project', input: mail }), refused('conflict'));
    });
  });

  describe('updating', () => {
    const update = (notes: NotesPart, patch: object, more: object = {}, who: object = ADA) =>
      notes.write({ action: 'update', zettel_id: mail.zettel_id, patch, ...more }, who as typeof ADA);
    const foreign =
      '\uFEFF---\r\n# mine\r\nzettel_id: 042-email-deliverability   # id\r\ntitle: "Old"\r\nentry_type: pattern\r\naliases: [ x ]\r\ntags:\r\n  - a # one\r\n---\r\n# Old\r\n\r\nText\nmixed\r\n';

    it('changes what is named and leaves every other byte', async () => {
      folders.write({ [MAIL]: foreign });
      const notes = await open();
      await update(notes, { title: 'New', tags: ['a', 'b'], content: '# Old\n\nText\nmixed\nmore' });
      assert.equal(
        read(MAIL),
        foreign
          .replace('"Old"', 'New')
          .replace('# one\r\n', '# one\r\n  - b\r\nupdated_at: 2025-01-15T10:00:00Z\r\n')
          .replace('mixed\r\n', 'mixed\r\nmore\r\n'),
      );
    });

    it('sets updated_at by the clock, and leaves created_at', async () => {
      const notes = await open();
      await create(notes);
      now += 60_000;
      await update(notes, { entry_type: 'concept', source_url: null, source_type: null, tags: null });
      const { fields } = notes.parse(read(MAIL), 'project', MAIL);
      assert.deepEqual(
        [fields.created_at, fields.updated_at, fields.entry_type, fields.source_url, fields.source_type, fields.tags],
        ['2025-01-15T10:00:00Z', '2025-01-15T10:01:00Z', 'concept', undefined, undefined, []],
      );
    });

    it('writes nothing when nothing changes', async () => {
      const notes = await open();
      await create(notes);
      const before = read(MAIL);
      now += 60_000;
      const result = await update(notes, { title: mail.title, tags: mail.tags, content: `\n${mail.content}\n\n` });
      assert.equal(read(MAIL), before);
      assert.equal((result as { content_hash?: string }).content_hash, hash(before));
      assert.equal(notes.revisions().length, 1);
      await assert.rejects(update(notes, {}), refused('invalid_argument', /nothing to update/));
    });

    it('moves the file into another category', async () => {
      const notes = await open();
      await create(notes);
      const { path } = (await update(notes, { category: 'apis/mail', title: 'Moved' })) as { path?: string };
      assert.equal(path, `.ai/knowledge/apis/mail/${mail.zettel_id}.md`);
      assert.match(read(`apis/mail/${mail.zettel_id}.md`), /title: Moved\n/);
      assert.ok(!existsSync(join(folders.project, MAIL)));
      assert.equal(notes.resolve({ zettel_id: mail.zettel_id }).category, 'apis/mail');
      assert.equal(notes.notes().length, 1);
    });

    it('moves the file into another space as it is, never over another one, and back by undoing', async () => {
      const notes = await open();
      await create(notes);
      const odd = read(MAIL).replace('title:', '# mine\r\ntitle:');
      writeFileSync(join(folders.project, ...MAIL.split('/')), odd);
      const move = () =>
        notes.write({ action: 'update', zettel_id: mail.zettel_id, patch: { space: 'user', category: 'mail' } }, ADA);
      mkdirSync(join(folders.user, 'mail'), { recursive: true });
      const there = join(folders.user, 'mail', `${mail.zettel_id}.md`);
      writeFileSync(there, 'Somebody else’s.');
      await assert.rejects(move, refused('conflict'));
      assert.equal(readFileSync(there, 'utf8'), 'Somebody else’s.');
      assert.equal(read(MAIL), odd);
      rmSync(there);
      const moved = await move();
      assert.equal(readFileSync(there, 'utf8'), odd);
      assert.ok(!existsSync(join(folders.project, ...MAIL.split('/'))));
      assert.equal('location' in moved && moved.location, 'user');
      assert.equal(notes.note('user', mail.zettel_id)?.category, 'mail');
      assert.equal(notes.note('project', mail.zettel_id), undefined);
      const [revision] = notes.revisions({ zettel_id: mail.zettel_id, limit: 1 });
      await notes.undo(revision!.id, ADA);
      assert.equal(read(MAIL), odd);
      assert.ok(!existsSync(there));
      assert.equal(notes.note('project', mail.zettel_id)?.category, 'patterns');
    });

    it('does not move it onto another file', async () => {
      folders.write({ [MAIL]: noteText(mail.zettel_id), [`apis/${mail.zettel_id}.md`]: noteText('other') });
      const notes = await open();
      const before = read(MAIL);
      await assert.rejects(update(notes, { category: 'apis', title: 'x' }), refused('conflict'));
      assert.deepEqual([read(MAIL), read(`apis/${mail.zettel_id}.md`)], [before, noteText('other')]);
      assert.deepEqual(notes.revisions(), []);
    });

    it('finds it in project, then in user, unless the space is named', async () => {
      folders.write({ [MAIL]: noteText(mail.zettel_id) });
      folders.write({ [MAIL]: noteText(mail.zettel_id) }, folders.user);
      const notes = await open();
      assert.equal(((await update(notes, { title: 'one' })) as { location: string }).location, 'project');
      assert.equal(
        ((await update(notes, { title: 'two' }, { location: 'user' })) as { location: string }).location,
        'user',
      );
      assert.match(read(MAIL), /title: one/);
      assert.match(read(MAIL, folders.user), /title: two/);
      await assert.rejects(
        notes.write({ action: 'update', zettel_id: '042-email', patch: { title: 'x' } }, ADA),
        refused('unknown_note'),
      );
    });

    it('refuses front matter that cannot be read, with its line, and files that are not UTF-8', async () => {
      const broken = '---\nzettel_id: 042-email-deliverability\ntitle: [a\n---\ntext\n';
      const latin = Buffer.from('caf\xe9', 'latin1');
      folders.write({ [MAIL]: broken, 'concepts/latin.md': latin });
      const notes = await open();
      await assert.rejects(update(notes, { title: 'x' }), refused('unreadable_note', /line 4/));
      await assert.rejects(
        notes.write({ action: 'update', zettel_id: 'latin', patch: { content: 'x' } }, ADA),
        refused('invalid_argument', /not UTF-8/),
      );
      assert.equal(read(MAIL), broken);
      assert.deepEqual(readFileSync(join(folders.project, 'concepts/latin.md')), latin);
    });

    it('gives Markdown without front matter none for the sake of a time', async () => {
      folders.write({ 'plain.md': '# Plain\n\nText\n' });
      const notes = await open();
      await notes.write({ action: 'update', zettel_id: 'plain', patch: { content: '# Plain\n\nOther' } }, ADA);
      assert.equal(read('plain.md'), '# Plain\n\nOther\n');
    });
  });

  describe('deleting', () => {
    it('takes the file away and leaves its folder, which is a category', async () => {
      const notes = await open();
      await create(notes);
      const result = await notes.write({ action: 'delete', zettel_id: mail.zettel_id }, ADA);
      assert.deepEqual(result, {
        action: 'delete',
        zettel_id: mail.zettel_id,
        location: 'project',
        path: `.ai/knowledge/${MAIL}`,
      });
      assert.deepEqual(readdirSync(join(folders.project, 'patterns')), []);
      assert.throws(() => notes.resolve({ zettel_id: mail.zettel_id }), refused('unknown_note'));
      assert.equal(notes.revisions()[0]?.files[0]?.after, null);
    });
  });

  describe('over what somebody else wrote', () => {
    it('is refused by the hash that the caller knows', async () => {
      const notes = await open();
      const { content_hash } = (await create(notes)) as { content_hash: string };
      folders.write({ [MAIL]: `${read(MAIL)}\nBy an editor.\n` });
      const theirs = read(MAIL);
      const write = { zettel_id: mail.zettel_id, content_hash };
      await assert.rejects(
        notes.write({ action: 'update', ...write, patch: { title: 'x' } }, ADA),
        refused('conflict', /changed since you got it/),
      );
      await assert.rejects(notes.write({ action: 'delete', ...write }, ADA), refused('conflict'));
      assert.equal(read(MAIL), theirs);
      await notes.write(
        { action: 'update', zettel_id: mail.zettel_id, patch: { title: 'x' }, content_hash: hash(theirs) },
        ADA,
      );
      assert.match(read(MAIL), /By an editor\./);
    });

    it('is refused to an agent that was given another text, until it gets it again', async () => {
      folders.write({ [MAIL]: noteText(mail.zettel_id, 'One.') });
      const notes = await open();
      const get = () => notes.get({ zettel_id: mail.zettel_id, sources: ['local'] }, AGENT);
      const rewrite = () =>
        notes.write({ action: 'update', zettel_id: mail.zettel_id, patch: { content: 'Mine.' } }, AGENT);
      await get();
      folders.write({ [MAIL]: noteText(mail.zettel_id, 'Two.') });
      await assert.rejects(rewrite(), refused('conflict', /changed since you got it/));
      await assert.rejects(notes.write({ action: 'delete', zettel_id: mail.zettel_id }, AGENT), refused('conflict'));
      assert.match(read(MAIL), /Two\./);
      // What changes fields alone loses nothing of it.
      await notes.write({ action: 'update', zettel_id: mail.zettel_id, patch: { title: 'T' } }, AGENT);
      await get();
      await rewrite();
      assert.match(read(MAIL), /Mine\./);
      // Its own writes it knows.
      await rewrite();
      await notes.write({ action: 'update', zettel_id: mail.zettel_id, patch: { content: 'Again.' } }, AGENT);
      await notes.write({ action: 'delete', zettel_id: mail.zettel_id }, AGENT);
    });

    it('is noticed when it happens in the middle', async () => {
      folders.write({ [MAIL]: noteText(mail.zettel_id, 'One.') });
      // The clock is asked right before the revision is kept, after everything was compared.
      let strike: (() => void) | undefined;
      const notes = await folders.indexed({
        clock: {
          now: () => {
            strike?.();
            return NOW;
          },
        },
      });
      let times = 0;
      strike = () => {
        times++;
        if (times === 2) folders.write({ [MAIL]: noteText(mail.zettel_id, 'An editor saved.') });
      };
      await assert.rejects(
        notes.write({ action: 'update', zettel_id: mail.zettel_id, patch: { content: 'Mine.' } }, ADA),
        refused('conflict', /changed just now/),
      );
      assert.equal(times, 2);
      assert.match(read(MAIL), /An editor saved\./);
      assert.deepEqual(notes.revisions(), [], 'what was not written is no change');
      assert.deepEqual(listed(), [`${mail.zettel_id}.md`], 'and leaves nothing behind');
    });

    it('loses nothing when many write at once', async () => {
      const notes = await open();
      await create(notes, { content: 'Start.' });
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          notes.write({ action: 'update', zettel_id: mail.zettel_id, patch: { tags: [`t${index}`] } }, ADA),
        ),
      );
      const done = results.filter(({ status }) => status === 'fulfilled').length;
      for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'conflict');
      assert.ok(done >= 1);
      // Each that was answered is one change, each based on the one before.
      const revisions = notes.revisions({ zettel_id: mail.zettel_id }).reverse();
      assert.equal(revisions.length, 1 + done);
      for (const [index, { files }] of revisions.entries()) {
        assert.equal(files[0]?.before, index === 0 ? null : revisions[index - 1]!.files[0]!.after);
      }
      assert.equal(read(MAIL), revisions.at(-1)!.files[0]!.after);
    });
  });

  describe('where the system does not let us', () => {
    it('says so of a file that is read-only, and changes nothing', async () => {
      const notes = await open();
      await create(notes);
      const before = read(MAIL);
      chmodSync(join(folders.project, MAIL), 0o444);
      for (const write of [
        { action: 'update', zettel_id: mail.zettel_id, patch: { title: 'x' } } as const,
        { action: 'delete', zettel_id: mail.zettel_id } as const,
        { action: 'update', zettel_id: mail.zettel_id, patch: { category: 'apis' } } as const,
      ]) {
        await assert.rejects(notes.write(write, ADA), refused('read_only', /may not be written/));
      }
      assert.equal(read(MAIL), before);
      assert.deepEqual(listed(), [`${mail.zettel_id}.md`]);
      assert.equal(notes.revisions().length, 1);
    });

    it('says so of a folder that is read-only', async function () {
      if (isRoot || process.platform === 'win32') return this.skip();
      folders.write({ 'patterns/x.md': noteText('x') });
      const notes = await open();
      chmodSync(join(folders.project, 'patterns'), 0o555);
      try {
        await assert.rejects(create(notes), refused('read_only'));
      } finally {
        chmodSync(join(folders.project, 'patterns'), 0o755);
      }
      assert.deepEqual([listed(), notes.revisions()], [['x.md'], []]);
    });

    it('never writes through a link that leads out', async function () {
      const elsewhere = join(folders.path, 'elsewhere');
      mkdirSync(elsewhere);
      mkdirSync(folders.project, { recursive: true });
      try {
        symlinkSync(elsewhere, join(folders.project, 'patterns'), 'dir');
      } catch {
        return this.skip();
      }
      const notes = await open();
      await assert.rejects(create(notes), refused('outside_root'));
      assert.deepEqual(readdirSync(elsewhere), []);
      assert.deepEqual(notes.revisions(), []);
    });

    it('says so when a file stands where a folder is to be', async () => {
      folders.write({ patterns: 'a file' });
      const notes = await open();
      await assert.rejects(create(notes), refused('conflict'));
      assert.equal(readFileSync(join(folders.project, 'patterns'), 'utf8'), 'a file');
    });

    it('stops before it begins when it is cancelled', async () => {
      const notes = await open();
      await assert.rejects(
        notes.write({ action: 'create', location: 'project', input: mail }, { ...ADA, signal: AbortSignal.abort() }),
      );
      assert.ok(!existsSync(join(folders.project, MAIL)));
      assert.deepEqual(notes.revisions(), []);
    });
  });

  it('knows what was renamed outside a moment ago', async () => {
    const notes = await open();
    await create(notes);
    mkdirSync(join(folders.project, 'apis'));
    renameSync(join(folders.project, MAIL), join(folders.project, 'apis', `${mail.zettel_id}.md`));
    await notes.rescan();
    await notes.write({ action: 'update', zettel_id: mail.zettel_id, patch: { title: 'x' } }, ADA);
    assert.match(read(`apis/${mail.zettel_id}.md`), /title: x/);
    rmSync(join(folders.project, 'apis'), { recursive: true });
    await assert.rejects(notes.write({ action: 'delete', zettel_id: mail.zettel_id }, ADA), refused('unknown_note'));
    // And its id is free again, before anybody has looked.
    await create(notes);
    writeFileSync(join(folders.project, MAIL), noteText('another-id'));
    await create(notes, { category: 'apis' }).then(
      () => assert.fail('the name of the file is taken'),
      (error) => assert.equal(error.code, 'conflict'),
    );
  });
});
