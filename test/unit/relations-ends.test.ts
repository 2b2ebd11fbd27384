import assert from 'node:assert/strict';
import { existsSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { entryUri, learningUri, libraryUri, noteUri } from '../../src/core/knowledge-uri';
import type { RelationInput, RelationType } from '../../src/relations';
import type { Store } from '../../src/store';
import { BY_TESTER, error, type Hall, type HallOptions, useHalls } from '../support/hall';
import { NoteFolders } from '../support/note-folders';

/** What follows a change is heard of at once, or within about a second from another process. */
const PATIENCE = 15_000;

const HANDBOOK = `# Handbook

## Pumps

The pump shall be primed before it is started, and vented after each change of the filter.

## Valves

The relief valve shall open at five bar, and be looked at once a year by a competent person.
`;

describe('What relations lead to', () => {
  const openHall = useHalls();
  let folders: NoteFolders;
  beforeEach(() => {
    folders = new NoteFolders();
  });
  afterEach(() => folders.remove());

  async function open(options: HallOptions = {}): Promise<Hall> {
    const hall = await openHall({
      workspace: folders.workspace,
      notes: folders.roots,
      bases: [{ name: 'docs', root: path.join(folders.workspace, 'docs') }],
      web: { enabled: false },
      ...options,
    });
    await hall.define('general', 'GENERAL');
    await hall.define('pump', 'PROJECT', ['general']);
    return hall;
  }

  const entry = (keyword: string, scope_id = 'general', category = 'rules') =>
    entryUri({ scope_id, category, keyword });
  const say = (
    { relations }: Hall,
    source: string,
    type: RelationType,
    target: string,
    more?: Partial<RelationInput>,
  ) => relations.add({ source, target, type, ...more }, BY_TESTER);
  const write = (file: string, text: string) => folders.file('project', `../../docs/${file}`, text);

  async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const until = Date.now() + PATIENCE;
    while (!(await isSo())) {
      assert.ok(Date.now() < until, 'it has not come about');
      await sleep(10);
    }
  }

  /** How many relations are stored and answered, and how many are put aside. */
  async function rows({ kaizen }: Hall): Promise<[answered: number, aside: number]> {
    const { workspace, shared } = (await kaizen.parts()) as unknown as { workspace: Store; shared: Store };
    const counts = [workspace, shared].map((store) =>
      store
        .read()
        .get<{ answered: number; aside: number }>(
          'SELECT count(*) - count(gone_at) AS answered, count(gone_at) AS aside FROM relation',
        ),
    );
    return [counts[0]!.answered + counts[1]!.answered, counts[0]!.aside + counts[1]!.aside];
  }

  const are = async (hall: Hall, ...expected: [number, number]) =>
    eventually(async () => String(await rows(hall)) === String(expected));

  it('is told with its title and kind, its address in the usual form', async () => {
    folders.note('project', 'patterns/042-mail', { title: 'Mail' });
    write('guide.md', '# Guide\n\nText.\n\n## Priming\n\nMore.\n');
    const hall = await open();
    await hall.put('general', 'rules', 'vent first');
    const { document } = await hall.library.ingest({ source: `content:${HANDBOOK}` }, BY_TESTER);
    const chunks = await hall.library.chunks(document!.document_id);
    const chunk = chunks.find(({ content }) => content.includes('relief valve'))!;
    const pattern = await hall.learning.write(
      {
        operation: 'capture_pattern',
        pattern: {
          name: 'Late venting',
          pattern_type: 'antipattern',
          domain: 'process',
          description: 'Too late.',
          indicators: ['Noise'],
        },
      },
      BY_TESTER,
    );
    const ends = [
      [entry('vent first'), 'vent first', 'entry'],
      [noteUri('project', '042-mail'), 'Mail', 'note'],
      ['knowledge://docs/guide.md#priming', 'Priming', 'node'],
      [libraryUri(document!.document_id), 'Handbook', 'document'],
      [libraryUri(chunk.document_id, chunk.id), `Handbook: ${chunk.section_title}`, 'chunk'],
      [learningUri('pattern', pattern.record.id), 'Late venting', 'pattern'],
    ] as const;
    for (const [uri, title, kind] of ends) {
      assert.deepEqual(await hall.relations.resolve(uri), { uri, title, kind }, uri);
    }
    assert.equal((await hall.relations.locate(chunk.id)).uri, ends[4][0]);
    assert.equal((await hall.relations.locate(pattern.record.id)).uri, ends[5][0]);
    assert.equal((await hall.relations.resolve('knowledge://scopes/general/rules/vent first'))?.uri, ends[0][0]);
    for (const nothing of [
      entry('nothing'),
      entry('x', 'nowhere'),
      noteUri('user', '042-mail'),
      'knowledge://docs/guide.md#nothing',
      'knowledge://other/guide.md',
      libraryUri('nothing'),
      libraryUri(document!.document_id, chunks[0]!.id.replace(/./g, '0')),
      learningUri('pattern', 'nothing'),
      'knowledge://proposals/1/x',
      'https://example.org/',
    ]) {
      assert.equal(await hall.relations.resolve(nothing), undefined, nothing);
    }
    for (const [uri] of ends.slice(1)) await say(hall, ends[0][0], 'references', uri);
    const { ends: reached } = await hall.relations.traverse({ from: [ends[0][0]] });
    assert.deepEqual(
      reached.slice(1).map((end) => end.uri),
      ends
        .slice(1)
        .map(([uri]) => uri)
        .sort(),
    );
  });

  describe('an entry', () => {
    it('takes its relations along when it moves, from one store to the other as well', async () => {
      const hall = await open();
      await hall.put('general', 'rules', 'vent');
      await hall.put('general', 'rules', 'prime');
      const { relation } = await say(hall, entry('vent'), 'supports', entry('prime'));
      const general = { scope_id: 'general', category: 'rules', keyword: 'vent' };
      const project = { scope_id: 'pump', category: 'habits', keyword: 'vent first' };
      await hall.knowledge.move(general, project, BY_TESTER);
      await eventually(async () => (await hall.relations.find({}))[0]?.source === entryUri(project));
      assert.deepEqual(await hall.relations.find({}), [{ ...relation, source: entryUri(project) }]);
      await hall.knowledge.move(project, general, BY_TESTER);
      await eventually(async () => (await hall.relations.find({}))[0]?.source === entryUri(general));
      assert.deepEqual(await rows(hall), [1, 0]);
    });

    it('takes them along although everything is closed just then', async () => {
      const hall = await open();
      await hall.put('general', 'rules', 'vent');
      await hall.put('general', 'rules', 'prime');
      await say(hall, entry('vent'), 'supports', entry('prime'));
      const from = { scope_id: 'general', category: 'rules', keyword: 'vent' };
      await hall.knowledge.move(from, { ...from, keyword: 'vent first' }, BY_TESTER);
      await hall.kaizen.close();
      const again = await openHall({ data: hall.data, shared: hall.shared });
      assert.deepEqual(
        (await again.relations.find({})).map(({ source }) => source),
        [entry('vent first')],
      );
    });

    it('loses them when it is deleted, and has them back with itself', async () => {
      const hall = await open();
      await hall.put('general', 'rules', 'vent');
      await hall.put('general', 'rules', 'prime');
      await say(hall, entry('vent'), 'supports', entry('prime'));
      const key = { scope_id: 'general', category: 'rules', keyword: 'vent' };
      await hall.knowledge.delete(key, BY_TESTER);
      assert.deepEqual(await hall.relations.find({}), []);
      await are(hall, 0, 1);
      await hall.knowledge.restore(key, 1, BY_TESTER);
      await are(hall, 1, 0);
      await hall.knowledge.deleteScope('general', { confirmed: true }, BY_TESTER).catch(() => undefined);
    });

    it('is followed when another process deletes it, and its scope', async () => {
      const hall = await open();
      for (const keyword of ['vent', 'prime']) await hall.put('pump', 'rules', keyword);
      await hall.put('general', 'rules', 'prime');
      await say(hall, entry('vent', 'pump'), 'supports', entry('prime', 'pump'));
      await say(hall, entry('prime', 'pump'), 'supports', entry('prime'));
      const other = await openHall({ data: hall.data, shared: hall.shared });
      const key = { scope_id: 'pump', category: 'rules', keyword: 'vent' };
      await other.knowledge.delete(key, BY_TESTER);
      await are(hall, 1, 1);
      await other.knowledge.deleteScope('pump', { confirmed: true }, BY_TESTER);
      await are(hall, 0, 2);
    });
  });

  describe('a note', () => {
    it('takes its relations along when it is renamed, moved to the other space, and back', async () => {
      folders.note('project', 'patterns/042-mail');
      const hall = await open();
      await hall.put('general', 'rules', 'prime');
      await say(hall, noteUri('project', '042-mail'), 'implements', entry('prime'), {
        evidence: [noteUri('project', '042-mail')],
      });
      const isAt = (uri: string) =>
        eventually(async () => {
          const [relation] = await hall.relations.find({});
          return relation?.source === uri && relation.evidence[0] === uri;
        });
      await hall.notes.write({ action: 'rename', zettel_id: '042-mail', new_zettel_id: '043-post' }, BY_TESTER);
      await isAt(noteUri('project', '043-post'));
      const [renamed] = hall.notes.revisions();
      await hall.notes.write({ action: 'update', zettel_id: '043-post', patch: { space: 'user' } }, BY_TESTER);
      await isAt(noteUri('user', '043-post'));
      await hall.notes.write({ action: 'update', zettel_id: '043-post', patch: { space: 'project' } }, BY_TESTER);
      await isAt(noteUri('project', '043-post'));
      await hall.notes.undo(renamed!.id, BY_TESTER);
      await isAt(noteUri('project', '042-mail'));
      assert.deepEqual(await rows(hall), [1, 0]);
    });

    it('loses them with its file, and has them back with it', async () => {
      const file = folders.note('project', 'patterns/042-mail');
      const hall = await open();
      await hall.put('general', 'rules', 'prime');
      await say(hall, noteUri('project', '042-mail'), 'implements', entry('prime'));
      unlinkSync(file);
      await hall.notes.rescan();
      assert.deepEqual(await hall.relations.find({}), []);
      await are(hall, 0, 1);
      folders.note('project', 'patterns/042-mail', { body: 'Once more.' });
      await hall.notes.rescan();
      await are(hall, 1, 0);
    });

    it('keeps them where the folder of its space is not there', async () => {
      folders.note('project', 'patterns/042-mail');
      const hall = await open();
      await hall.put('general', 'rules', 'prime');
      await say(hall, noteUri('project', '042-mail'), 'implements', entry('prime'));
      const away = `${folders.roots.project}-away`;
      renameSync(folders.roots.project, away);
      await hall.notes.rescan();
      assert.deepEqual(await hall.relations.find({}), []);
      assert.equal(await hall.relations.tidy(BY_TESTER), 0);
      renameSync(away, folders.roots.project);
      await hall.notes.rescan();
      assert.equal((await hall.relations.find({})).length, 1);
    });

    it('says in its text and front matter what it is to others', async () => {
      folders.note('project', 'a', {
        more: ['relationships:', '  extends: [b]', '  references: [d]', 'created_at: 2026-02-03'],
        body: 'See [[b]] and [[c]], [[a]], [[nothing]] and [[registry:x]].',
      });
      for (const name of ['b', 'c', 'd']) folders.note('project', name);
      const hall = await open();
      const said = (await hall.relations.find({})).map(({ source, type, target, created_by, origin, author }) => [
        ...[source, target].map((uri) => uri.slice(uri.lastIndexOf('/') + 1)),
        ...[type, created_by, origin, author],
      ]);
      assert.deepEqual(said.sort(), [
        ['a', 'b', 'extends', 'manual', 'note', 'a.md'],
        ['a', 'b', 'references', 'extracted', 'note', 'a.md'],
        ['a', 'c', 'references', 'extracted', 'note', 'a.md'],
        ['a', 'd', 'references', 'manual', 'note', 'a.md'],
      ]);
      const uri = noteUri('project', 'a');
      const toB = await hall.relations.find({ uri: noteUri('project', 'b'), direction: 'incoming' });
      assert.deepEqual(toB.map(({ type }) => type).sort(), ['extends', 'references']);
      assert.deepEqual(await hall.relations.find({ uri }), await hall.relations.find({}));
      const { ends } = await hall.relations.traverse({ from: [noteUri('project', 'd')] });
      assert.equal(ends.length, 4);
    });
  });

  describe('a node of a knowledge base', () => {
    it('says what it waits for', async () => {
      write('plan.md', '# Plan\n\n## Build\n\nB.\n\n## Design\n\nD.\n');
      const hall = await open();
      hall.bases.start();
      await hall.bases.ready(PATIENCE);
      const build = [...hall.bases.nodes()].find(({ title }) => title === 'Build')!;
      const design = [...hall.bases.nodes()].find(({ title }) => title === 'Design')!;
      write(
        'plan.md',
        `# Plan\n\n## Build\n- blocked_by: [${design.id}, nothing]\n<!-- content -->\nB.\n\n## Design\n\nD.\n`,
      );
      await hall.bases.rescan();
      const [relation, ...others] = await hall.relations.find({ uri: design.uri });
      assert.deepEqual(others, []);
      assert.deepEqual(
        [relation!.source, relation!.type, relation!.target, relation!.origin],
        [build.uri, 'blocked_by', design.uri, 'node'],
      );
      assert.deepEqual(await hall.relations.find({}), [relation]);
      const { ends } = await hall.relations.traverse({ from: [build.uri], direction: 'outgoing' });
      assert.deepEqual(
        ends.map(({ title }) => title),
        ['Build', 'Design'],
      );
    });

    it('loses relations with its heading or file, and has them back on another checkout', async () => {
      const file = write('guide.md', '# Guide\n\n## Priming\n\nText.\n');
      const hall = await open();
      await hall.put('general', 'rules', 'prime');
      await say(hall, 'knowledge://docs/guide.md#priming', 'supports', entry('prime'));
      await say(hall, 'knowledge://docs/guide.md', 'supports', entry('prime'));
      writeFileSync(file, '# Guide\n\n## Venting\n\nText.\n');
      await hall.bases.rescan();
      await are(hall, 1, 1);
      unlinkSync(file);
      await hall.bases.rescan();
      await are(hall, 0, 2);
      writeFileSync(file, '# Guide\n\n## Priming\n\nText.\n');
      await hall.bases.rescan();
      await are(hall, 2, 0);
    });

    it('keeps them where its knowledge base is not configured', async () => {
      write('guide.md', '# Guide\n\nText.\n');
      const hall = await open();
      await hall.put('general', 'rules', 'prime');
      await say(hall, 'knowledge://docs/guide.md', 'supports', entry('prime'));
      hall.bases.define([]);
      assert.deepEqual(await hall.relations.find({}), []);
      assert.equal(await hall.relations.tidy(BY_TESTER), 0);
      await assert.rejects(
        say(hall, 'knowledge://docs/guide.md', 'causes', entry('prime')),
        error('unknown_end', /cannot be told/),
      );
      assert.deepEqual(await rows(hall), [1, 0]);
    });
  });

  describe('a document of the library', () => {
    it('loses the relations of passages that are gone when it is read again, and says how many', async () => {
      const source = folders.file('project', '../../handbook.md', HANDBOOK);
      const logged: string[] = [];
      const hall = await open({ onLog: (message) => logged.push(message) });
      await hall.put('general', 'rules', 'prime');
      const { document } = await hall.library.ingest({ source }, BY_TESTER);
      const id = document!.document_id;
      const chunks = await hall.library.chunks(id);
      for (const chunk of chunks) await say(hall, libraryUri(id, chunk.id), 'supports', entry('prime'));
      await say(hall, libraryUri(id), 'supports', entry('prime'));
      writeFileSync(source, HANDBOOK.replace('five bar', 'six bar'));
      await hall.library.ingest({ source }, BY_TESTER);
      const now = (await hall.library.chunks(id)).map((chunk) => chunk.id);
      const kept = chunks.filter((chunk) => now.includes(chunk.id)).length;
      assert.ok(kept < chunks.length, 'a passage is another one');
      assert.equal((await hall.relations.find({})).length, kept + 1);
      await are(hall, kept + 1, chunks.length - kept);
      assert.match(logged.join('\n'), new RegExp(`put aside.*${id}.*: ${chunks.length - kept}\\.`));
      await hall.library.remove([id], BY_TESTER);
      await are(hall, 0, chunks.length + 1);
    });

    it('keeps them where the library cannot be reached', async () => {
      const place = path.join(folders.path, 'library');
      const hall = await open({ library: { directory: place } });
      await hall.put('general', 'rules', 'prime');
      const { document } = await hall.library.ingest({ source: `content:${HANDBOOK}` }, BY_TESTER);
      await say(hall, libraryUri(document!.document_id), 'supports', entry('prime'));
      assert.ok(existsSync(place));
      await hall.library.usePlace({ directory: path.join(folders.path, 'nowhere') });
      assert.deepEqual(await hall.relations.find({}), []);
      assert.equal((await hall.relations.traverse({ from: [entry('prime')] })).unresolved, 1);
      assert.equal(await hall.relations.tidy(BY_TESTER), 0);
      await hall.library.usePlace({ directory: place });
      assert.equal((await hall.relations.find({})).length, 1);
      rmSync(path.join(folders.path, 'nowhere'), { recursive: true, force: true });
    });

    it('keeps them where another library is configured, also when what leads nowhere is deleted', async () => {
      const [place, other] = [path.join(folders.path, 'library'), path.join(folders.path, 'other')];
      const hall = await open({ library: { directory: place } });
      await hall.put('general', 'rules', 'prime');
      const { document } = await hall.library.ingest({ source: `content:${HANDBOOK}` }, BY_TESTER);
      await say(hall, libraryUri(document!.document_id), 'supports', entry('prime'));
      await hall.library.usePlace({ directory: other });
      await hall.library.ingest({ source: 'content:# Another\n\nThe pump shall be painted blue.' }, BY_TESTER);
      assert.deepEqual(await hall.relations.find({}), []);
      assert.equal(await hall.relations.tidy(BY_TESTER), 0);
      await hall.library.usePlace({ directory: place });
      assert.equal((await hall.relations.find({})).length, 1);
      assert.deepEqual(await rows(hall), [1, 0]);
    });

    it('leaves what its removal put aside to the 30 days: another library may have it', async () => {
      const hall = await open();
      await hall.put('general', 'rules', 'prime');
      const source = { source: `content:${HANDBOOK}` };
      const { document } = await hall.library.ingest(source, BY_TESTER);
      const id = document!.document_id;
      await say(hall, libraryUri(id), 'supports', entry('prime'));
      await hall.library.remove([id], BY_TESTER);
      await are(hall, 0, 1);
      assert.equal(await hall.relations.tidy(BY_TESTER), 0);
      await are(hall, 0, 1);
      await hall.library.ingest(source, BY_TESTER);
      await are(hall, 1, 0);
    });
  });

  it('is a captured record, whose relations go and come back with it', async () => {
    const hall = await open();
    await hall.put('general', 'rules', 'prime');
    const { record } = await hall.learning.write(
      {
        operation: 'capture_pattern',
        pattern: {
          name: 'Late venting',
          pattern_type: 'antipattern',
          domain: 'process',
          description: 'Too late.',
          indicators: ['Noise'],
        },
      },
      BY_TESTER,
    );
    await say(hall, record.id, 'causes', entry('prime'));
    const deleted = await hall.learning.write({ operation: 'delete', kind: 'pattern', id: record.id }, BY_TESTER);
    assert.deepEqual(await hall.relations.find({}), []);
    await are(hall, 0, 1);
    await hall.learning.undo(deleted.revision, BY_TESTER);
    await are(hall, 1, 0);
  });
});
