import assert from 'node:assert/strict';
import type { Collection, Note, NoteProblem, SpaceStatus } from '../../src/notes';
import {
  collectionNodes,
  contentsOf,
  isLeft,
  membersOf,
  placeInCollection,
  placeOfNode,
  spaceNode,
  wayTo,
} from '../../src/vscode/views/note-branches';
import type { NoteCategoryNode, NoteCollectionsNode, NotesNode } from '../../src/vscode/views/note-nodes';

const status: SpaceStatus = { space: 'project', root: '/w/.ai/knowledge', state: 'ready', notes: 4, problems: 0 };

function note(file: string, more: Partial<Note> = {}): Note {
  const id = file.slice(file.lastIndexOf('/') + 1).replace(/\.md$/, '');
  const category = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
  return {
    zettel_id: id,
    title: `Title of ${id}`,
    tags: [],
    uri: `knowledge://notes/project/${id}`,
    space: 'project',
    category,
    file,
    content_hash: '',
    isIdDeclared: true,
    links: [],
    headings: [],
    problems: [],
    ...more,
  };
}

const notes = [note('apis/mail/001-a.md'), note('apis/002-b.md'), note('patterns/003-c.md'), note('004-d.md')];
const labels = (nodes: readonly NotesNode[]) =>
  nodes.map((node) => {
    if (node.kind === 'noteCategory') return `${node.category} (${node.notes})`;
    return node.kind === 'note' ? node.note.zettel_id : node.kind;
  });

describe('the view of notes', () => {
  it('has categories before notes, nested as their folders are', () => {
    const space = spaceNode(status);
    const top = contentsOf(space, notes);
    assert.deepEqual(labels(top), ['apis (2)', 'patterns (1)', '004-d']);
    assert.deepEqual(labels(contentsOf(top[0] as NoteCategoryNode, notes)), ['apis/mail (1)', '002-b']);
  });

  it('takes a category for no part of another one that begins alike', () => {
    const some = [note('api/001-a.md'), note('apis/002-b.md')];
    const [api] = contentsOf(spaceNode(status), some);
    assert.deepEqual(labels(contentsOf(api as NoteCategoryNode, some)), ['001-a']);
  });

  it('shows what is wrong with a space first, and its collections last', () => {
    const problems: NoteProblem[] = [
      { space: 'project', code: 'too_many_files', message: 'Too many.' },
      { space: 'project', file: 'apis/002-b.md', code: 'broken_link', message: 'Of a file.' },
      { space: 'user', code: 'too_deep', message: 'Of the other space.' },
    ];
    const shown = contentsOf(spaceNode(status), notes, { problems, collections: 2 });
    assert.deepEqual(labels(shown), ['noteProblem', 'apis (2)', 'patterns (1)', '004-d', 'noteCollections']);
  });

  it('finds the way to a note by the ids that its lines have', () => {
    const way = wayTo(notes[0]!, status);
    let shown: NotesNode[] = [spaceNode(status)];
    for (const line of way) {
      const there = shown.find(({ id }) => id === line.id);
      assert.ok(there, line.id);
      if (there.kind === 'noteSpace' || there.kind === 'noteCategory') shown = contentsOf(there, notes);
    }
    assert.deepEqual(
      way.map(({ kind }) => kind),
      ['noteSpace', 'noteCategory', 'noteCategory', 'note'],
    );
  });

  it('gives what a filter leaves ids of its own, so that it is unfolded', () => {
    const [plain, filtered] = [spaceNode(status), spaceNode(status, 1)];
    assert.notEqual(plain.id, filtered.id);
    assert.notEqual(contentsOf(plain, notes)[0]?.id, contentsOf(filtered, notes)[0]?.id);
  });

  it('filters by every word, in title, id, category, type and tags', () => {
    const one = note('patterns/042-mail.md', { title: 'Deliver Mail', tags: ['dkim'], entry_type: 'pattern' });
    for (const words of [['deliver'], ['042'], ['dkim', 'pattern'], []]) assert.ok(isLeft(words, one), words.join());
    assert.ok(!isLeft(['deliver', 'spf'], one));
  });

  it('shows the members of a collection in its order, also one that is there twice, and what is missing', () => {
    const collection: Collection = {
      id: 'all',
      name: 'All',
      description: '',
      collection_type: 'topic',
      zettel_ids: ['003-c', 'gone', '003-c'],
      location: 'project',
      file: 'collections/all.md',
    };
    const above: NoteCollectionsNode = { kind: 'noteCollections', id: 'collections', space: 'project', collections: 1 };
    const [node] = collectionNodes(above, [collection]);
    const members = membersOf(node!, (id) => notes.find(({ zettel_id }) => zettel_id === id));
    assert.deepEqual(labels(members), ['003-c', 'missingNote', '003-c']);
    assert.equal(new Set(members.map(({ id }) => id)).size, 3);
    assert.deepEqual(members.map(placeInCollection), [0, 1, 2]);
    assert.equal(placeInCollection(contentsOf(spaceNode(status), notes).at(-1)), undefined);
  });

  it('knows where something new, or something that is dropped, goes', () => {
    const space = spaceNode(status);
    const [apis, , plain] = contentsOf(space, notes);
    assert.deepEqual(placeOfNode(space), { space: 'project' });
    assert.deepEqual(placeOfNode(apis!), { space: 'project', category: 'apis' });
    assert.deepEqual(placeOfNode(plain!), { space: 'project' });
    assert.equal(placeOfNode({ kind: 'noteRegistry', id: 'registry', server: 'x' }), undefined);
  });
});
