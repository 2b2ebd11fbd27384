import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NotesPart, Space } from '../../src/notes';
import { eventually } from '../support/base-folders';
import { NoteFolders, noteText } from '../support/note-spaces';

describe('Links between notes', () => {
  let folders: NoteFolders;

  beforeEach(() => {
    folders = new NoteFolders();
  });
  afterEach(() => folders.remove());

  /** Where a link leads, in one word. */
  function end(notes: NotesPart, file: string, target: string, space: Space = 'project'): string {
    const [, location, name] = /^(?:(project|user|registry):)?(.*)$/.exec(target)!;
    const link = { target: name!, ...(location ? { location: location as Space } : {}) };
    const found = notes.resolveLink({ space, file }, link);
    if (found.kind === 'note') return `${found.note.space}:${found.note.file}`;
    if (found.kind === 'collection') return `collection ${found.collection.id}`;
    if (found.kind === 'file') return `file ${found.space}:${found.file}`;
    return found.kind === 'registry' ? `registry ${found.zettel_id}` : 'nothing';
  }

  const problems = (notes: NotesPart) =>
    notes
      .problems()
      .filter(({ code }) => code === 'broken_link')
      .map(({ space, file, line, detail }) => `${space}:${file}:${line} ${detail}`);

  it('lead to the id first, then to the file of that name, then to the end of a path; case comes last', async () => {
    folders.write({
      'from.md': noteText('from'),
      'a/042-x.md': noteText('042-x'),
      'named.md': noteText('999-other'),
      'Told.md': noteText('Told'),
      'b/told.md': noteText('000'),
      'deep/er/name.md': noteText('d1'),
    });
    const notes = await folders.indexed();
    const lead = (target: string) => end(notes, 'from.md', target);
    assert.equal(lead('042-x'), 'project:a/042-x.md');
    assert.equal(lead('042-X'), 'project:a/042-x.md');
    assert.equal(lead('999-other'), 'project:named.md');
    assert.equal(lead('named'), 'project:named.md');
    assert.equal(lead('named.md'), 'project:named.md');
    assert.equal(lead('Told'), 'project:Told.md');
    assert.equal(lead('told'), 'project:Told.md');
    assert.equal(lead('b/told'), 'project:b/told.md');
    assert.equal(lead('er/name'), 'project:deep/er/name.md');
    assert.equal(lead('ER/Name.md'), 'project:deep/er/name.md');
    assert.equal(lead('r/name'), 'nothing');
    assert.equal(lead('none'), 'nothing');
  });

  it('take paths that begin with a dot from their own file, and never lead out', async () => {
    folders.write({
      'a/from.md': noteText('from'),
      'a/x.md': noteText('ax'),
      'b/x.md': noteText('bx'),
      'x.md': noteText('rx'),
      '../secret.md': noteText('secret'),
    });
    const notes = await folders.indexed();
    const lead = (target: string) => end(notes, 'a/from.md', target);
    assert.equal(lead('./x'), 'project:a/x.md');
    assert.equal(lead('../b/x.md'), 'project:b/x.md');
    assert.equal(lead('../x'), 'project:x.md');
    assert.equal(lead('/x'), 'project:x.md');
    assert.equal(lead('x'), 'project:a/x.md');
    for (const out of ['../../secret', '../../../../etc/passwd', '/../secret', '..', '.', '/', '../..']) {
      assert.equal(lead(out), 'nothing', out);
    }
  });

  it('choose the nearest of files with the same name, then the first by path', async () => {
    folders.write({ 'a/index.md': '# A\n', 'b/index.md': '# B\n', 'b/c/from.md': '# F\n', 'from.md': '# F\n' });
    const notes = await folders.indexed();
    assert.equal(end(notes, 'b/c/from.md', 'index'), 'project:b/index.md');
    assert.equal(end(notes, 'from.md', 'index'), 'project:a/index.md');
    assert.equal(end(notes, 'b/index.md', 'index'), 'project:b/index.md');
  });

  it('lead from their own space to the others, and to the one that they name', async () => {
    folders.write({ 'a.md': noteText('a'), 'both.md': noteText('both') });
    folders.write({ 'both.md': noteText('both'), 'mine.md': noteText('mine') }, folders.user);
    const notes = await folders.indexed();
    assert.equal(end(notes, 'a.md', 'both'), 'project:both.md');
    assert.equal(end(notes, 'mine.md', 'both', 'user'), 'user:both.md');
    assert.equal(end(notes, 'a.md', 'mine'), 'user:mine.md');
    assert.equal(end(notes, 'mine.md', 'a', 'user'), 'project:a.md');
    assert.equal(end(notes, 'a.md', 'user:both'), 'user:both.md');
    assert.equal(end(notes, 'mine.md', 'project:both', 'user'), 'project:both.md');
    assert.equal(end(notes, 'a.md', 'project:mine'), 'nothing');
    assert.equal(end(notes, 'a.md', 'registry:both'), 'registry both');
  });

  it('lead to pictures and other files that there are, and to collections', async () => {
    folders.write({
      'a/from.md': noteText('from', '![[shot.png]] [[plan.canvas]] ![[none.png]]'),
      'a/img/shot.png': 'png',
      'plan.canvas': '{}',
      'collections/mail.md': '---\nname: Mail\ndescription: x\ncollection_type: topic\n---\n\n- [[from]]\n',
    });
    const notes = await folders.indexed();
    assert.equal(end(notes, 'a/from.md', 'shot.png'), 'file project:a/img/shot.png');
    assert.equal(end(notes, 'a/from.md', './img/SHOT.png'), 'file project:a/img/shot.png');
    assert.equal(end(notes, 'a/from.md', 'mail'), 'collection mail');
    assert.deepEqual(problems(notes), ['project:a/from.md:6 none.png']);
    assert.deepEqual(notes.relationships(notes.resolve({ zettel_id: 'from' })), []);
    writeFileSync(join(folders.project, 'none.png'), 'png');
    notes.touched(join(folders.project, 'none.png'));
    await eventually(() => problems(notes).length === 0);
    rmSync(join(folders.project, 'none.png'));
    notes.touched(join(folders.project, 'none.png'));
    await eventually(() => problems(notes).length === 1);
  });

  it('are relationships of two notes, told from both ends, each once', async () => {
    folders.write({
      'a.md': noteText('a', '[[b]] [[b#part|again]] [[a]] [[gone]] [[registry:far]] ![[b]]', [
        'relationships:',
        '  extends: [b]',
        '  depends_on: [user:m]',
      ]),
      'b.md': noteText('b', '[[a]]'),
    });
    folders.write({ 'm.md': noteText('m', '[[b]]') }, folders.user);
    const notes = await folders.indexed();
    const told = (id: string) =>
      notes
        .relationships(notes.resolve({ zettel_id: id }))
        .map(({ zettel_id, relationship_type, direction, source_location, missing }) =>
          [direction, relationship_type, source_location, zettel_id, missing ? 'missing' : ''].join(' ').trim(),
        );
    assert.deepEqual(told('a').sort(), [
      'incoming references project b',
      'outgoing depends_on user m',
      'outgoing extends project b',
      'outgoing references  gone missing',
      'outgoing references project b',
      'outgoing references registry far',
    ]);
    assert.deepEqual(told('b').sort(), [
      'incoming extends project a',
      'incoming references project a',
      'incoming references user m',
      'outgoing references project a',
    ]);
    assert.deepEqual(told('m').sort(), ['incoming depends_on project a', 'outgoing references project b']);
    assert.equal(notes.relationships(notes.resolve({ zettel_id: 'm' }))[0]?.title, 'Title of b');
  });

  it('that lead nowhere are problems, until there is what they name', async () => {
    folders.write({ 'a.md': noteText('a', '[[later]]\n[[user:mine]] and ![[picture.png]]'), 'b.md': noteText('b') });
    const notes = await folders.indexed();
    assert.deepEqual(problems(notes), ['project:a.md:6 later', 'project:a.md:7 mine', 'project:a.md:7 picture.png']);
    const note = notes.resolve({ zettel_id: 'a' });
    const text = (await notes.text(note)).text;
    const ranges = note.problems.map(({ range }) => text.slice(range!.start, range!.end));
    assert.deepEqual(ranges, ['later', 'mine', 'picture.png']);

    const changes: string[] = [];
    notes.onDidChange(({ space, files }) => changes.push(`${space}: ${files.join(' ')}`));
    folders.write({ 'mine.md': noteText('mine') }, folders.user);
    folders.write({ 'later.md': noteText('later') });
    await notes.rescan();
    assert.deepEqual(problems(notes), ['project:a.md:7 picture.png']);
    assert.ok(changes.some((change) => change.includes('a.md')));

    rmSync(join(folders.project, 'later.md'));
    await notes.rescan();
    assert.deepEqual(problems(notes), ['project:a.md:6 later', 'project:a.md:7 picture.png']);
    folders.write({ 'b.md': noteText('later') });
    await notes.rescan();
    assert.deepEqual(problems(notes), ['project:a.md:7 picture.png']);
  });

  it('are a graph, with what is missing as nodes', async () => {
    folders.write({
      'p/a.md': noteText('a', '[[b]] [[Gone]] [[gone]]'),
      'b.md': noteText('b', '[[gone]] [[registry:far]]'),
    });
    folders.write({ 'm.md': noteText('m', '', ['relationships:', '  implements: [b]']) }, folders.user);
    const { nodes, edges } = (await folders.indexed()).graph();
    const name = (at: number) => nodes[at]!.id;
    assert.deepEqual(edges.map(({ from, to, type }) => `${name(from)} ${type} ${name(to)}`).sort(), [
      'knowledge://notes/project/a references knowledge://notes/project/b',
      'knowledge://notes/project/a references missing:gone',
      'knowledge://notes/project/b references missing:gone',
      'knowledge://notes/project/b references registry:far',
      'knowledge://notes/user/m implements knowledge://notes/project/b',
    ]);
    assert.deepEqual(nodes.filter(({ missing }) => missing).length, 1);
    assert.deepEqual(
      nodes.find(({ zettel_id }) => zettel_id === 'a'),
      {
        id: 'knowledge://notes/project/a',
        zettel_id: 'a',
        title: 'Title of a',
        space: 'project',
        category: 'p',
        entry_type: 'concept',
        missing: false,
      },
    );
  });

  it('after any change are what they would be if all were read anew', async function () {
    this.timeout(60_000);
    const notes = await folders.indexed({ cacheDirectory: undefined });
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const folder = () => ['', 'a/', 'b/', 'a/c/'][random(4)];
    const name = () => `n${random(12)}`;
    const target = () =>
      [name(), name().toUpperCase(), `${folder()}${name()}`, `../${name()}`, `user:${name()}`][random(5)];
    const written = new Set<string>();
    for (let round = 0; round < 25; round++) {
      for (let change = 0; change < 6; change++) {
        const root = random(3) === 0 ? folders.user : folders.project;
        const file = `${folder()}${name()}.md`;
        const path = join(root, ...file.split('/'));
        if (random(4) === 0 && written.delete(path)) {
          rmSync(path);
          continue;
        }
        const body = Array.from({ length: random(4) }, () => `[[${target()}]]`).join(' ');
        folders.write({ [file]: random(3) === 0 ? body : noteText(name(), body) }, root);
        written.add(path);
      }
      await notes.rescan();
      const anew = await folders.indexed({ cacheDirectory: undefined });
      const all = (part: NotesPart) => [
        part.notes(),
        part.problems(),
        part
          .graph()
          .nodes.map(({ id }) => id)
          .sort(),
        part.notes().map((note) => part.relationships(note)),
      ];
      assert.deepEqual(JSON.parse(JSON.stringify(all(notes))), JSON.parse(JSON.stringify(all(anew))), `round ${round}`);
      await anew.close();
    }
  });
});
