import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { NotesPart } from '../../src/notes';
import { NoteFolders, noteText } from '../support/note-spaces';

const BY = { author: 'alice' };

describe('Moving a note to another category', () => {
  let folders: NoteFolders;
  beforeEach(() => {
    folders = new NoteFolders();
  });
  afterEach(() => folders.remove());

  const read = (file: string, root = folders.project) => readFileSync(join(root, file), 'utf8');
  const move = (notes: NotesPart, category: string, zettel_id = '042-mail') =>
    notes.write({ action: 'update', zettel_id, patch: { category } }, BY);
  /** Where each link of all notes and collections leads to. */
  const ends = (notes: NotesPart) =>
    notes
      .notes()
      .map(({ space, file, zettel_id, links }) => ({
        zettel_id,
        ends: links.map((link) => {
          const end = notes.resolveLink({ space, file }, link);
          return end.kind === 'note' ? end.note.title : end.kind === 'file' ? end.file : end.kind;
        }),
      }))
      .sort((a, b) => (a.zettel_id < b.zettel_id ? -1 : 1));

  it('takes the links along that lead to it by path, and no others', async () => {
    folders.write({
      'patterns/042-mail.md': noteText('042-mail', '[[patterns/042-mail#Top]].'),
      'apis/043-spf.md': noteText(
        '043-spf',
        '[[042-mail]], [[patterns/042-mail|it]], [[../patterns/042-mail.md#A|b]], [[/patterns/042-mail]],\r\n[[project:patterns/042-mail]].',
        ['relationships:', '  extends: [patterns/042-mail, 042-mail]'],
      ),
      'collections/all.md': '---\nname: All\ncollection_type: topic\n---\n\n- [[patterns/042-mail]] Mail\n',
    });
    folders.write({ 'concepts/044-dkim.md': noteText('044-dkim', '[[patterns/042-mail]]') }, folders.user);
    const notes = await folders.indexed();
    const before = ends(notes);
    const result = await move(notes, 'concepts/mail');
    assert.deepEqual('also' in result && result.also, [
      '.ai/knowledge/apis/043-spf.md',
      '.ai/knowledge/collections/all.md',
      join(folders.user, 'concepts/044-dkim.md'),
    ]);
    assert.match(read('concepts/mail/042-mail.md'), /\n\[\[concepts\/mail\/042-mail#Top\]\]\.\n$/);
    assert.equal(
      read('apis/043-spf.md'),
      noteText(
        '043-spf',
        '[[042-mail]], [[concepts/mail/042-mail|it]], [[../concepts/mail/042-mail.md#A|b]], [[/concepts/mail/042-mail]],\r\n[[project:concepts/mail/042-mail]].',
        ['relationships:', '  extends: [concepts/mail/042-mail, 042-mail]'],
      ),
    );
    assert.ok(read('collections/all.md').endsWith('- [[concepts/mail/042-mail]] Mail\n'));
    assert.equal(read('concepts/044-dkim.md', folders.user), noteText('044-dkim', '[[concepts/mail/042-mail]]'));
    assert.deepEqual(ends(notes), before);
    assert.deepEqual(notes.problems(), []);
    await notes.undo(notes.revisions()[0]!.id, BY);
    assert.equal(existsSync(join(folders.project, 'concepts/mail/042-mail.md')), false);
    assert.deepEqual(ends(notes), before);
    assert.match(read('apis/043-spf.md'), /\[\[patterns\/042-mail\|it\]\]/);
  });

  it('has its own links go on leading where they led', async () => {
    folders.write({
      'patterns/042-mail.md': noteText('042-mail', '[[./043-spf]], ![[../img/a.png]], [[../apis/044]], [[../gone]].'),
      'patterns/043-spf.md': noteText('043-spf'),
      'apis/044.md': noteText('"044"'),
      'img/a.png': 'PNG',
    });
    const notes = await folders.indexed();
    const before = ends(notes);
    await move(notes, 'apis/mail');
    assert.match(
      read('apis/mail/042-mail.md'),
      /\[\[\.\.\/\.\.\/patterns\/043-spf\]\], !\[\[\.\.\/\.\.\/img\/a\.png\]\], \[\[\.\.\/044\]\], \[\[\.\.\/gone\]\]\./,
    );
    assert.deepEqual(ends(notes), before);
  });

  it('leaves content that is given with it as it is given', async () => {
    folders.write({ 'patterns/042-mail.md': noteText('042-mail', '[[./x]]'), 'patterns/x.md': noteText('x') });
    const notes = await folders.indexed();
    const patch = { category: 'apis', content: 'See [[../patterns/x]].' };
    await notes.write({ action: 'update', zettel_id: '042-mail', patch }, BY);
    assert.match(read('apis/042-mail.md'), /\nSee \[\[\.\.\/patterns\/x\]\]\.\n$/);
    assert.deepEqual(notes.problems(), []);
  });

  it('shows in advance what it does to which files', async () => {
    folders.write({
      'a/042-mail.md': noteText('042-mail'),
      'b/x.md': noteText('x', '[[a/042-mail]]'),
      'b/y.md': Buffer.from('[[a/042-mail]] caf\xe9', 'latin1'),
    });
    const notes = await folders.indexed();
    const { files } = await notes.preview({ action: 'update', zettel_id: '042-mail', patch: { category: 'c' } });
    assert.deepEqual(
      files.map(({ file }) => file),
      ['a/042-mail.md', 'c/042-mail.md', 'b/x.md'],
    );
    const result = await move(notes, 'c');
    assert.equal('message' in result && result.message, '"b/y.md" is not UTF-8, and its links stay as they were.');
    assert.equal(notes.problems().filter(({ code }) => code === 'broken_link').length, 1);
  });

  it('of any note between any folders leaves no link of others behind', async function () {
    this.timeout(60_000);
    const folder = fc.constantFrom('', 'a', 'b', 'a/b', 'b/a', 'c/a/b');
    const style = fc.constantFrom('path', 'relative', 'root', 'named', 'ending');
    await fc.assert(
      fc.asyncProperty(
        folder,
        folder,
        fc.array(fc.tuple(folder, style), { maxLength: 6 }),
        async (from, to, others) => {
          fc.pre(from !== to);
          const own = new NoteFolders();
          try {
            const at = (place: string, name: string) => (place === '' ? name : `${place}/${name}`);
            const path = at(from, 'hub');
            own.write({ [`${path}.md`]: noteText('hub', `[[${path}]] [[./hub]]`) });
            for (const [index, [place, how]] of others.entries()) {
              const up = '../'.repeat(place === '' ? 0 : place.split('/').length) || './';
              const link = {
                path,
                relative: up + path,
                root: `/${path}`,
                named: `project:${path}`,
                ending: `${path}.md`,
              };
              own.write({ [`${at(place, `n${index}`)}.md`]: noteText(`n${index}`, `[[${link[how as 'path']}]]`) });
            }
            const notes = await own.indexed();
            assert.deepEqual(notes.problems(), []);
            const before = ends(notes);
            await move(notes, to, 'hub');
            assert.deepEqual(notes.problems(), []);
            assert.deepEqual(ends(notes), before);
          } finally {
            await own.remove();
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
