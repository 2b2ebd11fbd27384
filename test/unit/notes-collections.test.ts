import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CollectionInput, NotesPart, Registry } from '../../src/notes';
import { error, TestClock } from '../support/hall';
import { NoteFolders, noteText } from '../support/note-spaces';

const BY = { author: 'alice' };
const INPUT: CollectionInput = {
  name: 'Email Infrastructure',
  description: 'All entries about email setup',
  zettel_ids: ['042-mail', '043-spf'],
  collection_type: 'topic',
};

describe('Collections of notes', () => {
  let folders: NoteFolders;
  beforeEach(() => {
    folders = new NoteFolders();
    folders.write({
      'patterns/042-mail.md': noteText('042-mail'),
      'apis/043-spf.md': noteText('043-spf'),
      'apis/045-dns.md': noteText('045-dns'),
    });
    folders.write({ 'concepts/044-dkim.md': noteText('044-dkim') }, folders.user);
  });
  afterEach(() => folders.remove());

  const FILE = 'collections/email-infrastructure.md';
  const text = () => readFileSync(join(folders.project, FILE), 'utf8');
  const open = () => folders.indexed({ clock: new TestClock() });
  const create = (notes: NotesPart, more: Partial<CollectionInput> = {}, location: 'project' | 'user' = 'project') =>
    notes.write({ action: 'create_collection', location, input: { ...INPUT, ...more } }, BY);
  const update = (notes: NotesPart, patch: Partial<CollectionInput>, id = 'email-infrastructure') =>
    notes.write({ action: 'update_collection', id, patch }, BY);

  it('are files that each Markdown tool shows, with a link for each note, in order', async () => {
    const notes = await open();
    const { action, collection, path } = await create(notes);
    assert.deepEqual(
      [action, collection, path],
      [
        'create_collection',
        { ...INPUT, id: 'email-infrastructure', location: 'project', file: FILE },
        `.ai/knowledge/${FILE}`,
      ],
    );
    assert.equal(
      text(),
      [
        '---',
        'name: Email Infrastructure',
        'description: All entries about email setup',
        'collection_type: topic',
        'created_at: 2026-05-04T09:00:00Z',
        '---',
        '',
        '- [[042-mail]] Title of 042-mail',
        '- [[043-spf]] Title of 043-spf',
        '',
      ].join('\n'),
    );
    assert.deepEqual(notes.collections(), [collection]);
    for (const name of [
      'email-infrastructure',
      'EMAIL-Infrastructure',
      'email infrastructure',
      ' Email Infrastructure ',
    ]) {
      assert.deepEqual(notes.collection(name), collection, name);
    }
    assert.throws(() => notes.collection('x'), error('unknown_collection', '"email-infrastructure"'));
    assert.throws(() => notes.collection('email-infrastructure', 'user'), error('unknown_collection', 'user space'));
    assert.equal(notes.note('project', 'email-infrastructure'), undefined, 'a collection is no note');
    assert.deepEqual(notes.problems(), []);
  });

  it('are no relationships between notes, and no nodes of the graph', async () => {
    const notes = await open();
    await create(notes);
    assert.deepEqual(notes.relationships(notes.resolve({ zettel_id: '042-mail' })), []);
    assert.equal(notes.graph().edges.length, 0);
    assert.ok(notes.graph().nodes.every(({ zettel_id }) => zettel_id !== 'email-infrastructure'));
  });

  it('that hold a note are told, of both spaces, whatever its links are called', async () => {
    const notes = await open();
    await create(notes);
    await create(notes, { name: 'Other', zettel_ids: ['043-spf'] });
    folders.write(
      { 'x/mine.md': '---\nname: Mine\ncollection_type: topic\n---\n\n- [[project:042-MAIL|Mail]]\n' },
      folders.user,
    );
    await notes.rescan();
    const held = () => notes.collectionsOf(notes.resolve({ zettel_id: '042-mail' })).map(({ id }) => id);
    assert.deepEqual(held(), ['email-infrastructure', 'mine']);
    await notes.write({ action: 'update_collection', id: 'mine', patch: { zettel_ids: [] } }, { author: 'alice' });
    assert.deepEqual(held(), ['email-infrastructure']);
  });

  it('take in notes of both spaces, and of the registry where it is named', async () => {
    const notes = await open();
    const { collection } = await create(notes, {
      zettel_ids: [
        '044-dkim',
        'user:044-dkim',
        'registry:099-shared',
        'project:999-later',
        '042-MAIL',
        '042-MAIL',
        '042-mail',
      ],
    });
    assert.deepEqual(collection.zettel_ids.slice(0, 4), [
      '044-dkim',
      'user:044-dkim',
      'registry:099-shared',
      'project:999-later',
    ]);
    assert.equal(collection.zettel_ids.length, 5);
    assert.match(
      text(),
      /- \[\[044-dkim\]\] Title of 044-dkim\n- \[\[user:044-dkim\]\] Title of 044-dkim\n- \[\[registry:099-shared\]\]\n/,
    );
    assert.deepEqual(notes.collection('email-infrastructure').zettel_ids, collection.zettel_ids);
  });

  it('refuse notes that nobody has, names that are taken, and types that there are not', async () => {
    const notes = await open();
    await assert.rejects(create(notes, { zettel_ids: ['042-mail', '042-nail'] }), error('unknown_note', '042-mail'));
    await assert.rejects(create(notes, { zettel_ids: ['../x'] }), error('invalid_argument', 'zettel_id'));
    await assert.rejects(
      create(notes, { collection_type: 'playlist' as 'topic' }),
      error('invalid_argument', 'learning_path'),
    );
    for (const name of ['', '  ', '../..', '***', 'con', 'two\nlines', 'x'.repeat(301)]) {
      await assert.rejects(create(notes, { name }), error('invalid_argument', 'name'), JSON.stringify(name));
    }
    const many = Array.from({ length: 1_001 }, (_, at) => `registry:n${at}`);
    await assert.rejects(create(notes, { zettel_ids: many }), error('invalid_argument', 'at most 1000 notes'));
    assert.deepEqual(notes.collections(), []);
    await create(notes);
    await assert.rejects(create(notes, { name: 'email  INFRASTRUCTURE' }), error('conflict', 'called the same'));
    await assert.rejects(create(notes, { name: '042-Mail' }), error('conflict', 'patterns/042-mail.md'));
    await create(notes, {}, 'user');
    assert.equal(notes.collections().length, 2, 'names are unique in their space');
    assert.equal(notes.collection('Email Infrastructure').location, 'project');
  });

  it('say what was typed, whatever it is', async () => {
    const notes = await open();
    folders.write({ 'x.md': noteText('x').replace('Title of x', '"a [[042-mail]] `b <!-- c"') });
    await notes.rescan();
    const name = 'Ä: "quoted" # 1 [x]';
    const { collection } = await create(notes, { name, description: 'a: b\n\n# c', zettel_ids: ['x', '043-spf'] });
    assert.deepEqual([collection.id, collection.zettel_ids], ['ä-quoted-1-x', ['x', '043-spf']]);
    const { zettel_ids, description } = notes.collection(name);
    assert.deepEqual([zettel_ids, description], [['x', '043-spf'], 'a: b # c']);
    const written = readFileSync(join(folders.project, `collections/${collection.id}.md`), 'utf8');
    assert.deepEqual(parse(written.split('---')[1]!), {
      name,
      description: 'a: b # c',
      collection_type: 'topic',
      created_at: '2026-05-04T09:00:00Z',
    });
  });

  it('get and lose notes line by line, and everything else stays', async () => {
    const notes = await open();
    const before =
      '---\r\nname: Mail\r\ncollection_type: learning_path # for new people\r\nowner: ann\r\n---\r\nFirst read\r\n\r\n* [[042-mail|Mail]] – begin here\r\n\r\n## Then\r\n\r\n1. [[043-spf]]\r\n2. [[gone]] was here\r\n\r\nThe end';
    folders.write({ 'collections/mail.md': before });
    await notes.rescan();
    assert.deepEqual(notes.collection('mail').zettel_ids, ['042-mail', '043-spf', 'gone']);
    const file = () => readFileSync(join(folders.project, 'collections/mail.md'), 'utf8');
    const { collection } = await update(notes, { zettel_ids: ['042-mail', '045-dns', '043-spf', 'gone'] }, 'mail');
    assert.deepEqual(collection.zettel_ids, ['042-mail', '045-dns', '043-spf', 'gone']);
    const dns = '- [[045-dns]] Title of 045-dns\r\n';
    assert.equal(file(), before.replace('begin here\r\n', `begin here\r\n${dns}`));
    await update(notes, { zettel_ids: ['gone', '045-dns', '042-mail'] }, 'mail');
    assert.equal(
      file(),
      before
        .replace('* [[042-mail|Mail]] – begin here\r\n', '2. [[gone]] was here\r\n')
        .replace('1. [[043-spf]]\r\n2. [[gone]] was here\r\n', '* [[042-mail|Mail]] – begin here\r\n')
        .replace('was here\r\n', `was here\r\n${dns}`),
    );
    await update(notes, { name: 'E-Mail', description: 'What one needs', zettel_ids: [] }, 'mail');
    assert.equal(
      file(),
      before.replace('name: Mail', 'name: E-Mail\r\ndescription: What one needs').replace(/[*12.]+ \[\[.*\r\n/g, ''),
    );
    await update(notes, { zettel_ids: ['043-spf'], description: '' }, 'mail');
    assert.ok(file().endsWith('The end\r\n- [[043-spf]] Title of 043-spf\r\n'));
    assert.deepEqual(notes.collection('E-MAIL').zettel_ids, ['043-spf']);
    assert.equal(notes.collection('mail').description, '');
    for (let left = notes.revisions().length; left > 0; left--) {
      await notes.undo(notes.revisions({ limit: 8 }).filter(({ action }) => action !== 'undo')[4 - left]!.id, BY);
    }
    assert.equal(file(), before);
  });

  it('are not written over what somebody else wrote, and can be deleted and put back', async () => {
    const notes = await open();
    await create(notes);
    await assert.rejects(update(notes, {}), error('invalid_argument', 'nothing to update'));
    await assert.rejects(update(notes, { zettel_ids: ['042-nail'] }), error('unknown_note'));
    await assert.rejects(update(notes, { name: '' }), error('invalid_argument', 'name'));
    await assert.rejects(update(notes, { name: 'x' }, 'nothing'), error('unknown_collection'));
    const before = text();
    writeFileSync(join(folders.project, FILE), before.replace('All entries', 'Each entry'));
    await update(notes, { zettel_ids: ['043-spf', '042-mail'] });
    assert.match(text(), /Each entry/, 'it works with the file as it is');
    assert.match(text(), /- \[\[043-spf\]\] Title of 043-spf\n- \[\[042-mail\]\] Title of 042-mail\n$/);
    await notes.write({ action: 'delete_collection', id: 'Email Infrastructure' }, BY);
    assert.equal(existsSync(join(folders.project, FILE)), false);
    assert.deepEqual(notes.collections(), []);
    await notes.undo(notes.revisions()[0]!.id, BY);
    assert.deepEqual(notes.collection('email-infrastructure').zettel_ids, ['043-spf', '042-mail']);
  });

  it('of the registry are made there, checked as those of a space', async () => {
    const notes = await open();
    const asked: unknown[] = [];
    const registry: Pick<Registry, 'createCollection'> = {
      createCollection: async (input, author) => {
        asked.push([input, author]);
        return { ...input, id: 'x', location: 'registry' };
      },
    };
    Object.assign(notes, { registry: async () => registry });
    const make = (input: CollectionInput) =>
      notes.write({ action: 'create_collection', location: 'registry', input }, BY);
    assert.equal((await make(INPUT)).collection.location, 'registry');
    assert.deepEqual(asked, [[INPUT, 'alice']]);
    await assert.rejects(make({ ...INPUT, name: ' ' }), error('invalid_argument'));
    assert.equal(asked.length, 1);
    assert.equal(existsSync(join(folders.project, 'collections')), false);
  });
});
