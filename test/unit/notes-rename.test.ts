import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type NotesPart, notesSchema, type Space } from '../../src/notes';
import { Store } from '../../src/store';
import { error } from '../support/hall';
import { NoteFolders, noteText } from '../support/note-spaces';

const BY = { author: 'alice' };
const OLD = '042-mail';

describe('Renaming a note', () => {
  let folders: NoteFolders;
  beforeEach(() => {
    folders = new NoteFolders();
  });
  afterEach(() => folders.remove());

  const read = (file: string, root = folders.project) => readFileSync(join(root, file), 'utf8');
  const rename = (notes: NotesPart, new_zettel_id: string, zettel_id = OLD, location?: Space) =>
    notes.write({ action: 'rename', zettel_id, new_zettel_id, ...(location ? { location } : {}) }, BY);
  /** Where each link of all notes and collections leads to. */
  const ends = (notes: NotesPart) =>
    notes.notes().flatMap(({ space, file, links }) =>
      links.map((link) => {
        const target = notes.resolveLink({ space, file }, link);
        return `${target.kind} ${target.kind === 'note' ? `${target.note.space} ${target.note.title}` : ''}`;
      }),
    );

  it('takes the file, the id and every link to it along, and no other byte', async () => {
    folders.write({
      'patterns/042-mail.md': noteText(OLD, '# 042-mail\n\nAs [[042-mail#Top|above]].', ['mine: 042-mail # kept']),
      'apis/043-spf.md': noteText(
        '043-spf',
        'See [[042-mail]], [[042-MAIL#Key Points|it]],\r\n[[patterns/042-mail]], [[../patterns/042-mail.md]], ![[042-mail]],\r\n[[user:042-mail]], `[[042-mail]]`, [[042-mailbox]]. 042-mail.',
        ['relationships:', '  extends: [042-mail, "[[042-mail]]"]', '  related:', "    - 'project:042-mail'"],
      ),
      'collections/all.md': '---\nname: All\ncollection_type: topic\n---\n\n- [[042-mail]] Mail\n- [[043-spf]] SPF\n',
    });
    folders.write(
      { 'concepts/044-dkim.md': noteText('044-dkim', '[[042-mail]] and [[project:042-mail|x]]') },
      folders.user,
    );
    const notes = await folders.indexed();
    const before = ends(notes);
    const preview = await notes.preview({ action: 'rename', zettel_id: OLD, new_zettel_id: '042-e-mail' });
    const result = await rename(notes, '042-e-mail');
    assert.deepEqual(
      { ...result, content_hash: '' },
      {
        action: 'rename',
        zettel_id: '042-e-mail',
        location: 'project',
        path: '.ai/knowledge/patterns/042-e-mail.md',
        content_hash: '',
        also: [
          '.ai/knowledge/apis/043-spf.md',
          '.ai/knowledge/collections/all.md',
          join(folders.user, 'concepts/044-dkim.md'),
        ],
      },
    );
    assert.equal(existsSync(join(folders.project, 'patterns/042-mail.md')), false);
    assert.equal(
      read('patterns/042-e-mail.md'),
      noteText('042-e-mail', '# 042-mail\n\nAs [[042-e-mail#Top|above]].', ['mine: 042-mail # kept']).replace(
        'Title of 042-e-mail',
        'Title of 042-mail',
      ),
    );
    assert.equal(
      read('apis/043-spf.md'),
      noteText(
        '043-spf',
        'See [[042-e-mail]], [[042-e-mail#Key Points|it]],\r\n[[patterns/042-e-mail]], [[../patterns/042-e-mail.md]], ![[042-e-mail]],\r\n[[user:042-mail]], `[[042-mail]]`, [[042-mailbox]]. 042-mail.',
        ['relationships:', '  extends: [042-e-mail, "[[042-e-mail]]"]', '  related:', "    - 'project:042-e-mail'"],
      ),
    );
    assert.match(read('collections/all.md'), /- \[\[042-e-mail\]\] Mail\n- \[\[043-spf\]\] SPF\n$/);
    assert.match(read('concepts/044-dkim.md', folders.user), /\[\[042-e-mail\]\] and \[\[project:042-e-mail\|x\]\]/);
    assert.deepEqual(ends(notes), before);
    assert.deepEqual(notes.collection('all').zettel_ids, ['042-e-mail', '043-spf']);
    const after = new Map(preview.files.map(({ space, file, after: text }) => [`${space}:${file}`, text]));
    assert.equal(after.get('project:patterns/042-e-mail.md'), read('patterns/042-e-mail.md'));
    assert.equal(after.get('project:apis/043-spf.md'), read('apis/043-spf.md'));
    assert.equal(preview.files.length, 5, 'both names of the note, and what follows');
  });

  it('is one change, which is undone as one', async () => {
    const files = {
      'patterns/042-mail.md': noteText(OLD),
      'apis/043-spf.md': noteText('043-spf', '[[042-mail]]'),
    };
    folders.write(files);
    folders.write({ 'x.md': noteText('x', '[[042-mail]]') }, folders.user);
    const notes = await folders.indexed();
    await rename(notes, '042-e-mail');
    const [revision, ...others] = notes.revisions();
    assert.equal(others.length, 0);
    assert.deepEqual([revision?.action, revision?.zettel_id], ['rename', OLD]);
    assert.deepEqual(
      revision?.files.filter(({ after }) => after !== null).map(({ file }) => file),
      ['patterns/042-e-mail.md', 'apis/043-spf.md', 'x.md'],
    );
    await notes.undo(revision!.id, BY);
    for (const [file, text] of Object.entries(files)) assert.equal(read(file), text);
    assert.equal(read('x.md', folders.user), noteText('x', '[[042-mail]]'));
    assert.deepEqual(
      notes.notes().map(({ zettel_id }) => zettel_id),
      ['043-spf', OLD, 'x'],
    );
  });

  it('that was cut off is put back by its revision, however far it got', async () => {
    const files = {
      'patterns/042-mail.md': noteText(OLD),
      'a.md': noteText('a', '[[042-mail]]'),
      'b.md': noteText('b', '[[042-mail]]'),
    };
    folders.write(files);
    const notes = await folders.indexed();
    await rename(notes, '042-e-mail');
    const { id } = notes.revisions()[0]!;
    // As if the process had ended before the last file was written.
    writeFileSync(join(folders.project, 'b.md'), files['b.md']);
    await notes.rescan();
    assert.equal(notes.problems().filter(({ code }) => code === 'broken_link').length, 1, 'it is told meanwhile');
    await notes.undo(id, BY);
    for (const [file, text] of Object.entries(files)) assert.equal(read(file), text);
    assert.deepEqual(notes.problems(), []);
  });

  it('keeps links on their notes where the other space has one of the new name', async () => {
    folders.write({
      'old.md': noteText('old', '[[new]]'),
      'a.md': noteText('a', '[[new|the user’s]] and [[old]]', ['relationships: { extends: [new, old] }']),
    });
    folders.write(
      { 'new.md': noteText('new', '[[old]] and [[new]]'), 'b.md': noteText('b', '[[old]], [[new]]') },
      folders.user,
    );
    const notes = await folders.indexed();
    const before = ends(notes);
    assert.ok(before.every((end) => end.startsWith('note ')));
    await rename(notes, 'new', 'old');
    assert.deepEqual(ends(notes), before);
    assert.match(read('a.md'), /\[\[user:new\|the user’s\]\] and \[\[new\]\]/);
    assert.match(read('b.md', folders.user), /\[\[project:new\]\], \[\[new\]\]/);
    assert.match(read('new.md'), /\[\[user:new\]\]/, 'its own link to the other one');
  });

  it('changes letters from small to capital ones, and a file’s name that is not its id', async () => {
    folders.write({ 'patterns/anything.md': noteText(OLD), 'a.md': noteText('a', '[[042-mail]] [[anything]]') });
    const notes = await folders.indexed();
    await rename(notes, '042-Mail');
    assert.deepEqual(readdirSync(join(folders.project, 'patterns')), ['042-Mail.md']);
    assert.match(read('a.md'), /\[\[042-Mail\]\] \[\[042-Mail\]\]/);
    await rename(notes, '042-MAIL', '042-Mail');
    assert.deepEqual(readdirSync(join(folders.project, 'patterns')), ['042-MAIL.md']);
    assert.deepEqual(
      notes.problems().map(({ code }) => code),
      [],
    );
  });

  it('gives a file of Markdown alone another name, and no front matter', async () => {
    folders.write({ 'plain.md': '# Plain\r\n', 'a.md': '[[plain]]' });
    const notes = await folders.indexed();
    await rename(notes, 'simple', 'plain');
    assert.equal(read('simple.md'), '# Plain\r\n');
    assert.equal(read('a.md'), '[[simple]]');
  });

  it('writes ids that look like numbers so that every reader takes them for text', async () => {
    folders.write({ 'a.md': noteText('a'), 'b.md': noteText('b', '', ['relationships:', '  extends: [a]']) });
    const notes = await folders.indexed();
    await rename(notes, '2024', 'a');
    assert.match(read('b.md'), /extends: \["2024"\]/);
    assert.match(read('2024.md'), /^zettel_id: "2024"$/m);
    assert.deepEqual(
      ends(notes).map((end) => end.split(' ')[0]),
      ['note'],
    );
  });

  it('says that the registry keeps the old id, and which files it had to leave', async () => {
    folders.write({
      'a.md': noteText('a', '', ['version: 1.0.0']),
      'b.md': Buffer.from('caf\xe9 [[a]]', 'latin1'),
    });
    const notes = await folders.indexed();
    const { message = '' } = await rename(notes, 'c', 'a');
    assert.match(message, /registry goes on having it as "a"/);
    assert.match(message, /"b.md" is not UTF-8/);
    assert.equal(readFileSync(join(folders.project, 'b.md'), 'latin1'), 'caf\xe9 [[a]]');
  });

  it('is refused for ids that are taken or unsafe; nothing has changed then', async () => {
    folders.write({
      'a.md': noteText('a', '[[b]]'),
      'x/b.md': noteText('b'),
      'x/other-name.md': noteText('c'),
      'collections/list.md': '---\nname: List\ncollection_type: topic\n---\n\n- [[a]]\n',
    });
    const notes = await folders.indexed();
    const before = folders.project && ends(notes);
    for (const taken of ['b', 'B', 'c', 'other-name', 'list']) {
      await assert.rejects(rename(notes, taken, 'a'), error('conflict', 'Choose another'), taken);
    }
    for (const bad of ['../a', 'a/b', 'con', '', '.a', 'a.md', 'ä'.normalize('NFD'), 'x'.repeat(121), 'a\0']) {
      await assert.rejects(rename(notes, bad, 'a'), error('invalid_argument', 'new zettel_id'), JSON.stringify(bad));
    }
    await assert.rejects(rename(notes, 'a', 'a'), error('invalid_argument', 'already'));
    await assert.rejects(rename(notes, 'd', 'nothing'), error('unknown_note'));
    assert.deepEqual(ends(notes), before);
    assert.deepEqual(notes.revisions(), []);
  });

  it('notices what was written to the files a moment ago, and works with that', async () => {
    folders.write({ 'a.md': noteText('a'), 'b.md': noteText('b', '[[a]]') });
    const notes = await folders.indexed();
    folders.write({ 'b.md': noteText('b', 'Written just now, [[a|and later]].') });
    await rename(notes, 'c', 'a');
    assert.equal(read('b.md'), noteText('b', 'Written just now, [[c|and later]].'));
  });

  it('leaves everything as it was when a file cannot be written', async function () {
    if (process.platform === 'win32') this.skip();
    const files = { 'a.md': noteText('a'), 'b.md': noteText('b', '[[a]]'), 'c.md': noteText('c', '[[a]]') };
    folders.write(files);
    chmodSync(join(folders.project, 'c.md'), 0o444);
    const notes = await folders.indexed();
    await assert.rejects(rename(notes, 'd', 'a'), error('read_only', 'c.md'));
    for (const [file, text] of Object.entries(files)) assert.equal(read(file), text);
    assert.deepEqual(readdirSync(folders.project).sort(), ['a.md', 'b.md', 'c.md']);
    assert.deepEqual(notes.revisions(), []);
  });

  it('leaves each link on its note, whatever links and names there are', async function () {
    this.timeout(60_000);
    const name = fc.constantFrom('a', 'b', 'A', 'n', 'new', 'New');
    const link = fc
      .tuple(
        fc.constantFrom('', 'project:', 'user:'),
        fc.constantFrom('', 'x/', '../x/', './'),
        name,
        fc.constantFrom('', '.md', '#s', '|t', '#s|t'),
      )
      .map(([place, folder, target, rest]) => `[[${place}${folder}${target}${rest}]]`);
    const file = fc.tuple(fc.constantFrom('', 'x/'), name, fc.array(link, { maxLength: 5 }));
    const files = fc.uniqueArray(file, { selector: ([, id]) => id.toLowerCase(), maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(files, files, async (project, user) => {
        const own = new NoteFolders();
        try {
          const texts = (all: typeof project) =>
            Object.fromEntries(all.map(([folder, id, links]) => [`${folder}${id}.md`, noteText(id, links.join(' '))]));
          own.write({ ...texts(project), 'x/old.md': noteText('old', '[[old]] [[new]]') });
          own.write(
            { 'from.md': noteText('from', '[[old]] [[x/old]] [[new]] [[project:old]]'), ...texts(user) },
            own.user,
          );
          const notes = await own.indexed();
          const before = ends(notes);
          if (project.some(([, id]) => id.toLowerCase() === 'new')) {
            await assert.rejects(rename(notes, 'new', 'old'), error('conflict'));
            return;
          }
          await rename(notes, 'new', 'old');
          const after = ends(notes);
          assert.equal(after.length, before.length);
          // What led nowhere may lead to the note of that name now.
          const meant = before.sort().filter((end) => !end.startsWith('broken'));
          const found = after.filter((end) => !end.startsWith('broken'));
          for (const end of meant) {
            const at = found.indexOf(end);
            assert.ok(at >= 0, `${end} is lost`);
            found.splice(at, 1);
          }
        } finally {
          await own.remove();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('that was cut off when the file had both names is put back by undoing', async () => {
    folders.write({ 'patterns/042-mail.md': noteText(OLD), 'apis/043-spf.md': noteText('043-spf', '[[042-mail]]') });
    const notes = await folders.indexed();
    await rename(notes, '042-e-mail');
    writeFileSync(join(folders.project, 'apis/043-spf.md'), noteText('043-spf', '[[042-mail]]'));
    writeFileSync(join(folders.project, 'patterns/042-mail.md'), noteText(OLD));
    writeFileSync(join(folders.project, 'patterns/042-e-mail.md'), noteText(OLD));
    await notes.rescan();
    await notes.undo(notes.revisions()[0]!.id, BY);
    assert.equal(read('patterns/042-mail.md'), noteText(OLD));
    assert.equal(existsSync(join(folders.project, 'patterns/042-e-mail.md')), false);
    assert.deepEqual(notes.problems(), []);
  });

  it('of a note that a thousand others link to lets everybody else run', async function () {
    this.timeout(120_000);
    const many = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [
        `x/n${at}.md`,
        noteText(`n${at}`, `${'word '.repeat(200)}[[042-mail]]`),
      ]),
    );
    folders.write({ 'patterns/042-mail.md': noteText(OLD), ...many });
    const directory = join(folders.path, 'shared-store');
    mkdirSync(directory);
    const stores = [await Store.open(directory, { schemas: [notesSchema] })];
    stores.push(await Store.open(directory, { schemas: [notesSchema] }));
    const [store, peer] = stores as [Store, Store];
    const notes = await folders.indexed({ store });
    let isRenaming = true;
    const renaming = rename(notes, '042-e-mail').finally(() => {
      isRenaming = false;
    });
    let written = 0;
    let turns = 0;
    const counting = (async () => {
      for (; isRenaming; turns++) await new Promise((resolve) => setImmediate(resolve));
    })();
    while (isRenaming) {
      await peer.write((transaction) => transaction.touch('x'));
      written++;
      await sleep(20);
    }
    const { also } = await renaming;
    await counting;
    await peer.close();
    assert.ok(written > 3, `others wrote ${written} times meanwhile`);
    assert.ok(turns > 200, `${turns} turns of the event loop for 1,000 files`);
    assert.equal(also?.length, 1_000);
    assert.deepEqual(notes.problems(), []);
  });
});
