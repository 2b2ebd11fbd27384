import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { NOTES_TOPIC, type NoteInput, type NotesPart, notesSchema } from '../../src/notes';
import { keepRevision, listRevisions, packFiles, readRevision } from '../../src/notes/revisions';
import { Store } from '../../src/store';
import { NoteFolders, noteText } from '../support/note-spaces';
import { turnsDuring } from '../support/turns';

const NOW = Date.parse('2025-01-15T10:00:00Z');
const ADA = { author: 'Ada' };
const mail: NoteInput = { zettel_id: '042-mail', title: 'Mail', content: 'Content.', entry_type: 'pattern' };
const MAIL = 'patterns/042-mail.md';
const refused = (code: string, message?: RegExp) => ({ name: 'KaizenError', code, ...(message ? { message } : {}) });

describe('Changes of notes', () => {
  let folders: NoteFolders;

  beforeEach(() => {
    folders = new NoteFolders();
  });
  afterEach(() => folders.remove());

  const open = () => folders.indexed({ clock: { now: () => NOW } });
  const read = (file: string) => readFileSync(join(folders.project, ...file.split('/')), 'utf8');
  const has = (file: string) => existsSync(join(folders.project, ...file.split('/')));
  const create = (notes: NotesPart) => notes.write({ action: 'create', location: 'project', input: mail }, ADA);
  const update = (notes: NotesPart, patch: object) =>
    notes.write({ action: 'update', zettel_id: mail.zettel_id, patch }, ADA);

  it('are kept with what was there before and after, by whom, when and why', async () => {
    const notes = await open();
    await notes.write(
      { action: 'create', location: 'project', input: mail },
      { author: 'claude-code', by_agent: true, reason: 'Asked to.' },
    );
    const first = read(MAIL);
    await update(notes, { title: 'Post' });
    await notes.write({ action: 'delete', zettel_id: mail.zettel_id }, ADA);
    const common = { space: 'project', zettel_id: '042-mail', at: '2025-01-15T10:00:00.000Z' };
    const second = first.replace('title: Mail', 'title: Post');
    const file = { space: 'project', file: MAIL };
    assert.deepEqual(notes.revisions(), [
      {
        id: 3,
        ...common,
        action: 'delete',
        author: 'Ada',
        by_agent: false,
        files: [{ ...file, before: second, after: null }],
      },
      {
        id: 2,
        ...common,
        action: 'update',
        author: 'Ada',
        by_agent: false,
        files: [{ ...file, before: first, after: second }],
      },
      {
        id: 1,
        ...common,
        action: 'create',
        author: 'claude-code',
        by_agent: true,
        reason: 'Asked to.',
        files: [{ ...file, before: null, after: first }],
      },
    ]);
    assert.deepEqual(
      notes.revisions({ limit: 1 }).map(({ id }) => id),
      [3],
    );
    assert.deepEqual(notes.revisions({ zettel_id: 'other' }), []);
  });

  it('are undone one after another, and undoing is undone', async () => {
    const notes = await open();
    await create(notes);
    const first = read(MAIL);
    await update(notes, { content: 'Other.' });
    const second = read(MAIL);
    await notes.write({ action: 'delete', zettel_id: mail.zettel_id }, ADA);

    const undone = await notes.undo(3, { author: 'Bo' });
    assert.deepEqual([undone.id, undone.action, undone.author], [4, 'undo', 'Bo']);
    assert.equal(read(MAIL), second);
    assert.equal(notes.resolve({ zettel_id: mail.zettel_id }).title, 'Mail');
    await notes.undo(2, ADA);
    assert.equal(read(MAIL), first);
    await notes.undo(1, ADA);
    assert.ok(!has(MAIL));
    await notes.undo(6, ADA);
    assert.equal(read(MAIL), first);
    await notes.undo(5, ADA);
    assert.equal(read(MAIL), second);
  });

  it('put a note that was moved back where it was', async () => {
    const notes = await open();
    await create(notes);
    const before = read(MAIL);
    await update(notes, { category: 'concepts', title: 'Moved' });
    const { files } = notes.revisions()[0]!;
    assert.deepEqual(
      files.map(({ file, before, after }) => [file, before !== null, after !== null]),
      [
        [MAIL, true, false],
        ['concepts/042-mail.md', false, true],
      ],
    );
    await notes.undo(2, ADA);
    assert.equal(read(MAIL), before);
    assert.ok(!has('concepts/042-mail.md'));
    assert.equal(notes.resolve({ zettel_id: mail.zettel_id }).category, 'patterns');
    await notes.undo(3, ADA);
    assert.match(read('concepts/042-mail.md'), /title: Moved/);
  });

  it('are not undone over what somebody wrote since', async () => {
    const notes = await open();
    await create(notes);
    await update(notes, { title: 'Post' });
    const theirs = `${read(MAIL)}By hand.\n`;
    folders.write({ [MAIL]: theirs });
    await assert.rejects(notes.undo(2, ADA), refused('conflict', /was changed since/));
    await assert.rejects(notes.undo(1, ADA), refused('conflict'));
    assert.equal(read(MAIL), theirs);
    rmSync(join(folders.project, MAIL));
    await assert.rejects(notes.undo(2, ADA), refused('conflict'));
    assert.equal(notes.revisions().length, 2);
  });

  it('say so when there is nothing of them to undo', async () => {
    const notes = await open();
    await create(notes);
    await notes.undo(1, ADA);
    await assert.rejects(notes.undo(1, ADA), refused('conflict', /as they were before/));
    await assert.rejects(notes.undo(99, ADA), refused('unknown_revision'));
    await assert.rejects(notes.undo(-1, ADA), refused('unknown_revision'));
  });

  it('do not undo a deletion onto another file', async () => {
    const notes = await open();
    await create(notes);
    await notes.write({ action: 'delete', zettel_id: mail.zettel_id }, ADA);
    folders.write({ [MAIL]: noteText('somebody-else') });
    await assert.rejects(notes.undo(2, ADA), refused('conflict'));
    assert.equal(read(MAIL), noteText('somebody-else'));
  });

  it('are told to everybody on the store', async () => {
    const directory = join(folders.path, 'told');
    mkdirSync(directory);
    const store = await Store.open(directory, { schemas: [notesSchema] });
    try {
      const notes = await folders.indexed({ store });
      const before = store.read().versionOf(NOTES_TOPIC);
      await create(notes);
      assert.ok(store.read().versionOf(NOTES_TOPIC) > before);
    } finally {
      await store.close();
    }
  });

  it('are put back whole when one of several files cannot be written', async () => {
    folders.write({
      'patterns/a.md': noteText('a'),
      'patterns/b.md': noteText('b', 'See [[a]].'),
      'patterns/c.md': noteText('c', 'See [[a]].'),
    });
    // The clock is asked when all was compared and nothing is written yet.
    const strike = () => folders.write({ 'patterns/c.md': 'By an editor.' });
    let armed = false;
    const notes = await folders.indexed({
      clock: {
        now: () => {
          if (armed) strike();
          return NOW;
        },
      },
    });
    armed = true;
    await assert.rejects(
      notes.write({ action: 'rename', zettel_id: 'a', new_zettel_id: 'z' }, ADA),
      refused('conflict'),
    );
    assert.deepEqual(['patterns/a.md', 'patterns/b.md', 'patterns/c.md'].map(read), [
      noteText('a'),
      noteText('b', 'See [[a]].'),
      'By an editor.',
    ]);
    assert.ok(!has('patterns/z.md'));
    assert.deepEqual(notes.revisions(), []);
  });

  describe('that are kept', () => {
    const revision = async (text: string) => ({
      space: 'project' as const,
      zettel_id: 'a',
      action: 'update' as const,
      author: 'Ada',
      by_agent: false,
      at: NOW,
      files: await packFiles([{ space: 'project', file: 'a.md', before: text, after: text }]),
    });
    let store: Store;
    beforeEach(async () => {
      const directory = join(folders.path, 'kept');
      mkdirSync(directory);
      store = await Store.open(directory, { schemas: [notesSchema] });
    });
    afterEach(() => store.close());

    it('are the last thousand', async () => {
      const small = await revision('x');
      for (let index = 0; index < 1_005; index++) await keepRevision(store, small);
      const ids = listRevisions(store.read(), { limit: 5_000 }).map(({ id }) => id);
      assert.deepEqual([ids.length, ids[0], ids.at(-1)], [1_000, 1_005, 6]);
      assert.throws(() => readRevision(store.read(), 5), refused('unknown_revision'));
    });

    /** Deflating hardly shortens it. */
    const noise = (length: number) => randomBytes((length * 3) / 4).toString('base64');

    it('are no more than 8 MB as they are stored, and the latest in any case', async () => {
      const megabyte = await revision(noise(512 * 1024));
      assert.ok(megabyte.files.size > 1024 * 1024 * 0.9 && megabyte.files.size < 1024 * 1024 * 1.4);
      for (let index = 0; index < 8; index++) await keepRevision(store, megabyte);
      assert.equal(listRevisions(store.read())[0]!.files[0]!.after?.length, 512 * 1024);
      const kept = listRevisions(store.read()).length;
      assert.equal(kept, Math.floor((8 * 1024 * 1024) / megabyte.files.size));
      const huge = await revision(noise(5 * 1024 * 1024));
      await keepRevision(store, huge);
      assert.deepEqual(
        listRevisions(store.read()).map(({ id }) => id),
        [9],
      );
    });

    it('hold nobody up while they are stored', async () => {
      const huge = await revision(noise(4 * 1024 * 1024));
      await store.checkpoint();
      const turns = await turnsDuring(() => keepRevision(store, huge));
      assert.ok(turns > 20, `${turns} turns of the event loop for 4 MB`);
    });

    it('that were cut off while they were stored have no files', async () => {
      const large = await revision(noise(192 * 1024));
      const directory = join(folders.path, 'kept');
      await keepRevision(store, await revision('x'));
      const journal = readdirSync(directory).find((name) => name.startsWith('journal'))!;
      const before = statSync(join(directory, journal)).size;
      await keepRevision(store, large);
      await store.close();
      truncateSync(join(directory, journal), before + 200 * 1024);
      store = await Store.open(directory, { schemas: [notesSchema] });
      const [cut, whole] = listRevisions(store.read());
      assert.deepEqual([cut?.id, cut?.files.length, whole?.files.length], [2, 0, 1]);
    });

    it('take little room where texts say the same again', async () => {
      const { files } = await revision('Sign with DKIM, and tell the receivers so. '.repeat(1_000));
      assert.ok(files.size < 2_000, `${files.size} bytes`);
    });

    it('are refused where they would be more than anybody can hold', async () => {
      await assert.rejects(revision('x'.repeat(40 * 1024 * 1024)), refused('invalid_argument'));
      await assert.rejects(revision(noise(13 * 1024 * 1024)), refused('invalid_argument'));
    });
  });
});
