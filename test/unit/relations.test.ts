import assert from 'node:assert/strict';
import type { Relation, RelationInput, RelationsPart, RelationType } from '../../src/relations';
import { BY_TESTER, error } from '../support/hall';
import { at, inWords, RelationWorld } from '../support/relation-worlds';

const DAY = 24 * 60;

describe('Relations', () => {
  let world: RelationWorld;
  let relations: RelationsPart;
  beforeEach(async () => {
    world = new RelationWorld();
    world.add('a', 'b', 'c', 'd', 'here/x', 'here/y');
    relations = await world.open();
  });
  afterEach(() => world.close());

  const say = (source: string, type: RelationType, target: string, more: Partial<RelationInput> = {}) =>
    relations.add({ source: at(source), target: at(target), type, ...more }, BY_TESTER);
  const found = async (...query: Parameters<RelationsPart['find']>) => (await relations.find(...query)).map(inWords);

  it('says what it was told, with who, when and why', async () => {
    const { relation, status } = await say('a', 'causes', 'b', {
      confidence: 0.8,
      context: ' Seen in the field. ',
      created_by: 'inferred',
      evidence: [at('c'), at('c')],
    });
    assert.equal(status, 'added');
    assert.match(relation.id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(relation, {
      id: relation.id,
      source: at('a'),
      target: at('b'),
      type: 'causes',
      confidence: 0.8,
      bidirectional: false,
      context: 'Seen in the field.',
      created_by: 'inferred',
      evidence: [at('c')],
      author: 'tester',
      created_at: '2026-05-04T09:00:00.000Z',
      origin: 'stored',
    });
    assert.deepEqual(await relations.find({}), [relation]);
  });

  it('says it once: what is new in what is said again is taken over, and evidence added', async () => {
    const first = await say('a', 'causes', 'b', { evidence: [at('c')] });
    assert.equal((await say('a', 'causes', 'b')).status, 'unchanged');
    const again = await relations.add(
      { source: at('a'), target: at('b'), type: 'causes', confidence: 0.5, evidence: [at('d')] },
      { author: 'bob' },
    );
    assert.deepEqual([again.status, again.previous], ['updated', first.relation]);
    const { relation } = again;
    assert.deepEqual(
      [relation.id, relation.confidence, relation.evidence, relation.author],
      [first.relation.id, 0.5, [at('c'), at('d')], 'bob'],
    );
    assert.deepEqual(await relations.find({}), [relation]);
    await relations.restore(again.previous!, BY_TESTER);
    assert.deepEqual(await relations.find({}), [first.relation]);
  });

  it('takes what holds both ways for the same from either end', async () => {
    const { relation } = await say('a', 'alternative_to', 'b', { bidirectional: true });
    assert.deepEqual(await say('b', 'alternative_to', 'a'), { relation, status: 'unchanged' });
    assert.deepEqual(await say('b', 'alternative_to', 'a', { bidirectional: true }), { relation, status: 'unchanged' });
    const oneWay = await say('c', 'alternative_to', 'd');
    const bothWays = await say('d', 'alternative_to', 'c', { bidirectional: true });
    assert.deepEqual([bothWays.status, bothWays.relation.id], ['updated', oneWay.relation.id]);
    assert.deepEqual(await found({ uri: at('b'), direction: 'outgoing' }), ['a alternative_to b']);
    assert.deepEqual(await found({ uri: at('a'), direction: 'incoming' }), ['a alternative_to b']);
  });

  it('refuses what leads nowhere, to itself, or is no relation', async () => {
    await assert.rejects(say('a', 'causes', 'z'), error('unknown_end', /nothing at ".*\/z"/));
    world.untold.add(at('b'));
    await assert.rejects(say('a', 'causes', 'b'), error('unknown_end', /cannot be told/));
    await assert.rejects(say('a', 'causes', 'a'), error('invalid_relation'));
    await assert.rejects(say('a', 'eats' as never, 'c'), error('invalid_argument', /eats/, /preferred_over/));
    await assert.rejects(say('a', 'causes', 'c', { confidence: 1.1 }), error('invalid_argument', /0 to 1/));
    await assert.rejects(say('a', 'causes', 'c', { confidence: Number.NaN }), error('invalid_argument'));
    await assert.rejects(say('a', 'causes', 'c', { created_by: 'guessed' as never }), error('invalid_argument'));
    await assert.rejects(say('a', 'causes', 'c', { evidence: [at('z')] }), error('unknown_end'));
    await assert.rejects(say('a', 'causes', 'c', { evidence: Array(51).fill(at('d')) }), error('invalid_argument'));
    await assert.rejects(say('a', 'causes', 'c', { context: 'x'.repeat(4_097) }), error('invalid_argument'));
    assert.deepEqual(await relations.find({}), []);
  });

  it('takes ids for addresses', async () => {
    const { relation } = await relations.add(
      { source: 'a', target: 'b', type: 'prevents', evidence: ['c'] },
      BY_TESTER,
    );
    assert.deepEqual([relation.source, relation.target, relation.evidence], [at('a'), at('b'), [at('c')]]);
    assert.deepEqual(await found({ uri: 'a' }), ['a prevents b']);
    assert.deepEqual((await relations.traverse({ from: ['a'] })).ends.length, 2);
    assert.deepEqual(await relations.locate(' a '), { uri: at('a'), title: 'a', kind: 'entry' });
    await assert.rejects(relations.locate('z'), error('unknown_end', /"z"/));
  });

  it('removes, and puts back with its id', async () => {
    const { relation } = await say('a', 'causes', 'b', { evidence: [at('c')] });
    assert.deepEqual(await relations.remove(relation.id, BY_TESTER), relation);
    assert.deepEqual(await relations.find({}), []);
    await assert.rejects(relations.remove(relation.id, BY_TESTER), error('unknown_relation'));
    await relations.restore(relation, BY_TESTER);
    await relations.restore(relation, BY_TESTER);
    assert.deepEqual(await relations.find({}), [relation]);
  });

  it('does not put back what somebody has said again since', async () => {
    const { relation } = await say('a', 'causes', 'b');
    await relations.remove(relation.id, BY_TESTER);
    const { relation: newer } = await say('a', 'causes', 'b', { context: 'Now we know why.' });
    await relations.restore(relation, BY_TESTER);
    assert.deepEqual(await relations.find({}), [newer]);
    await relations.remove(newer.id, BY_TESTER);
    world.there.delete(at('b'));
    await assert.rejects(relations.restore(relation, BY_TESTER), error('unknown_end'));
  });

  it('rehearses without changing anything', async () => {
    const rehearsal = { ...BY_TESTER, rehearse: true };
    await relations.add({ source: at('a'), target: at('b'), type: 'causes' }, rehearsal);
    assert.deepEqual(await relations.find({}), []);
    const { relation } = await say('a', 'causes', 'b');
    await relations.remove(relation.id, rehearsal);
    assert.equal(await relations.forget([at('a')], rehearsal), 1);
    assert.deepEqual(await relations.find({}), [relation]);
  });

  it('finds by end, direction, the other end, type, confidence and provenance, newest first', async () => {
    await say('a', 'causes', 'b');
    world.clock.advanceMinutes(1);
    await say('b', 'causes', 'c', { confidence: 0.4, created_by: 'inferred' });
    world.clock.advanceMinutes(1);
    await say('here/x', 'supports', 'b');
    world.clock.advanceMinutes(1);
    await say('a', 'indicates', 'b');
    const all = ['a indicates b', 'x supports b', 'b causes c', 'a causes b'];
    assert.deepEqual(await found({}), all);
    assert.deepEqual(await found({ limit: 2 }), all.slice(0, 2));
    assert.deepEqual(await found({ uri: at('b') }), all);
    assert.deepEqual(await found({ uri: at('b'), direction: 'outgoing' }), ['b causes c']);
    assert.deepEqual(await found({ uri: at('b'), direction: 'incoming', types: ['causes'] }), ['a causes b']);
    assert.deepEqual(await found({ uri: at('b'), other: at('a') }), ['a indicates b', 'a causes b']);
    assert.deepEqual(await found({ min_confidence: 0.5, types: ['causes'] }), ['a causes b']);
    assert.deepEqual(await found({ created_by: 'inferred' }), ['b causes c']);
    assert.deepEqual(await found({ uri: at('z') }), []);
    await assert.rejects(relations.find({ limit: 0 }), error('invalid_argument', /1 to 1,000/));
    await assert.rejects(relations.find({ types: ['eats' as never] }), error('invalid_argument'));
    await assert.rejects(relations.find({ direction: 'up' as never }), error('invalid_argument', /outgoing/));
  });

  it('finds them however many there are, each once', async () => {
    const names = Array.from({ length: 1_203 }, (_, number) => `n${number}`);
    world.add(...names);
    await world.shared.write((transaction) => {
      for (const [number, name] of names.entries()) {
        transaction.run(
          `INSERT INTO relation (id, source, target, type, confidence, bidirectional, context, created_by, author, at)
           VALUES (?, ?, ?, 'supports', 1, 0, '', 'manual', 'tester', ?)`,
          [`id-${String(number).padStart(5, '0')}`, at(name), at('a'), Math.floor(number / 7)],
        );
      }
    });
    const newest = await relations.find({ uri: at('a'), limit: 1_000 });
    assert.equal(new Set(newest.map(({ id }) => id)).size, 1_000);
    assert.deepEqual([newest[0]!.id, newest[999]!.id], ['id-01202', 'id-00203']);
    const stored: string[] = [];
    for await (const { id } of relations.stored()) stored.push(id);
    assert.equal(new Set(stored).size, 1_203);
  });

  describe('nothing dangles', () => {
    it('leaves out what has lost an end, even before it is told of that', async () => {
      await say('a', 'causes', 'b', { evidence: [at('c')] });
      await say('b', 'causes', 'd');
      world.there.delete(at('c'));
      assert.deepEqual((await relations.find({ uri: at('a') }))[0]!.evidence, []);
      world.there.delete(at('b'));
      assert.deepEqual(await relations.find({}), []);
      const { ends, relations: passed, paths, unresolved } = await relations.traverse({ from: [at('a')] });
      assert.deepEqual([ends.length, passed, paths, unresolved], [1, [], [], 0]);
    });

    it('does not take for gone what cannot be told, and says how many ends it left out', async () => {
      await say('a', 'causes', 'b');
      world.untold.add(at('b'));
      world.tell({ touched: [{ uri: at('b') }] });
      assert.equal((await relations.traverse({ from: [at('a')] })).unresolved, 1);
      assert.deepEqual(await relations.find({}), []);
      assert.equal(await relations.tidy(BY_TESTER), 0);
      world.untold.clear();
      assert.deepEqual(await found({}), ['a causes b']);
    });

    it('puts aside what has lost an end, takes it up again with it, and deletes it after 30 days', async () => {
      const { relation } = await say('a', 'causes', 'b');
      const told = async (...ids: string[]) => {
        world.tell({ touched: ids.map((id) => ({ uri: at(id) })) });
        await settled();
      };
      world.there.delete(at('b'));
      await told('b');
      assert.match(world.logged.join(), /put aside.*\/b\): 1\./);
      await assert.rejects(relations.remove(relation.id, BY_TESTER), error('unknown_relation'));
      world.add('b');
      await told('b');
      assert.deepEqual(await relations.find({}), [relation]);
      world.there.delete(at('b'));
      await told('b');
      world.clock.advanceMinutes(31 * DAY);
      // What goes next takes along what went long ago.
      await say('c', 'causes', 'd');
      world.there.delete(at('d'));
      await told('d');
      world.add('b', 'd');
      await told('b', 'd');
      assert.deepEqual(await found({}), ['c causes d']);
    });

    it('takes up again only what has both of its ends', async () => {
      await say('a', 'causes', 'b');
      world.there.delete(at('a'));
      world.there.delete(at('b'));
      world.tell({ touched: [{ uri: at('a') }, { uri: at('b') }] });
      await settled();
      world.add('a');
      world.tell({ touched: [{ uri: at('a') }] });
      await settled();
      assert.equal(await relations.tidy(BY_TESTER), 1);
    });

    it('puts everything aside that lies below an address', async () => {
      world.add('d#1', 'd#2', 'dd');
      await say('a', 'references', 'd#1');
      await say('d#2', 'references', 'b');
      await say('a', 'references', 'dd');
      for (const id of ['d#1', 'd#2']) world.there.delete(at(id));
      world.tell({ touched: [{ uri: `${at('d')}#`, below: true }] });
      await settled();
      world.add('d#1', 'd#2');
      assert.deepEqual(await found({}), ['a references dd']);
      world.tell({ touched: [{ uri: `${at('d')}#`, below: true }] });
      await settled();
      assert.equal((await relations.find({})).length, 3);
    });

    it('says anew what was put aside', async () => {
      const { relation } = await say('a', 'causes', 'b', { context: 'Then.' });
      world.there.delete(at('b'));
      world.tell({ touched: [{ uri: at('b') }] });
      await settled();
      world.add('b');
      const again = await say('a', 'causes', 'b', { context: 'Now.' });
      assert.deepEqual([again.status, again.relation.id === relation.id], ['added', false]);
      assert.deepEqual(await relations.find({}), [again.relation]);
    });

    it('tidies away what leads nowhere', async () => {
      await say('a', 'causes', 'b');
      await say('here/x', 'causes', 'c');
      await say('a', 'causes', 'd');
      world.there.delete(at('b'));
      world.there.delete(at('here/x'));
      assert.equal(await relations.tidy(BY_TESTER), 2);
      world.add('b', 'here/x');
      assert.deepEqual(await found({}), ['a causes d']);
    });

    it('forgets what has an end, a document with its chunks, and takes it out of the evidence', async () => {
      world.add('d#1');
      await say('a', 'references', 'd#1');
      await say('d', 'references', 'b');
      await say('a', 'references', 'b', { evidence: [at('d#1'), at('c')] });
      assert.equal(await relations.forget([at('d')], BY_TESTER), 2);
      const [left, ...others] = await relations.find({});
      assert.deepEqual([left && inWords(left), left?.evidence, others], ['a references b', [at('c')], []]);
    });
  });

  describe('an address that changes', () => {
    it('is followed by both ends and evidence', async () => {
      await say('a', 'causes', 'b');
      await say('b', 'causes', 'c');
      await say('c', 'supports', 'd', { evidence: [at('b')] });
      world.add('new');
      world.there.delete(at('b'));
      world.tell({ moved: [{ from: at('b'), to: at('new') }], touched: [{ uri: at('b') }, { uri: at('new') }] });
      await settled();
      const now = await relations.find({});
      assert.deepEqual(now.map(inWords).sort(), ['a causes new', 'c supports d', 'new causes c']);
      assert.deepEqual(now.find(({ type }) => type === 'supports')?.evidence, [at('new')]);
      assert.deepEqual(world.logged, []);
    });

    it('leaves one relation where two would say the same, and none of a thing to itself', async () => {
      await say('a', 'causes', 'b');
      const { relation } = await say('a', 'causes', 'c');
      await say('b', 'causes', 'c');
      await relations.moved(at('b'), at('c'), BY_TESTER);
      assert.deepEqual(await relations.find({}), [relation]);
    });

    it('takes relations into the workspace’s store and out of it', async () => {
      const { relation } = await say('a', 'causes', 'b', { evidence: [at('c')] });
      const inStore = ({ shared, workspace }: RelationWorld) =>
        [shared, workspace].map((store) => store.read().all('SELECT id FROM relation').length);
      assert.deepEqual(inStore(world), [1, 0]);
      await relations.moved(at('b'), at('here/x'), BY_TESTER);
      assert.deepEqual(inStore(world), [0, 1]);
      assert.deepEqual(await relations.find({}), [{ ...relation, target: at('here/x') }]);
      await relations.moved(at('here/x'), at('b'), BY_TESTER);
      assert.deepEqual([inStore(world), await relations.find({})], [[1, 0], [relation]]);
    });

    it('is followed by what was put aside as well', async () => {
      await say('a', 'causes', 'b');
      world.there.delete(at('b'));
      world.tell({ touched: [{ uri: at('b') }] });
      await settled();
      world.add('new');
      world.tell({ moved: [{ from: at('b'), to: at('new') }], touched: [{ uri: at('new') }] });
      await settled();
      assert.deepEqual(await found({}), ['a causes new']);
    });
  });

  it('keeps what means something in one workspace alone with that workspace', async () => {
    await say('a', 'causes', 'here/x');
    await say('here/x', 'causes', 'here/y');
    await say('a', 'causes', 'b');
    const here = world.workspace.read().all<Relation>('SELECT source, type, target FROM relation ORDER BY at, id');
    const shared = world.shared.read().all<Relation>('SELECT source, type, target FROM relation');
    assert.deepEqual(here.map(inWords).sort(), ['a causes x', 'x causes y']);
    assert.deepEqual(shared.map(inWords), ['a causes b']);
    assert.equal((await relations.traverse({ from: [at('b')] })).ends.length, 4);
  });

  describe('what files say', () => {
    beforeEach(() => {
      const id = `${at('a')}|extends|${at('b')}`;
      world.stated.push({
        ...{ id, source: at('a'), target: at('b'), type: 'extends', confidence: 1, bidirectional: false, context: '' },
        ...{ created_by: 'manual', evidence: [], author: 'a.md', created_at: '2026-01-01', origin: 'note' },
      });
    });

    it('is found and followed beside what is stored', async () => {
      await say('b', 'causes', 'c');
      assert.deepEqual(await found({}), ['b causes c', 'a extends b']);
      assert.deepEqual(await found({ uri: at('b'), direction: 'incoming' }), ['a extends b']);
      assert.deepEqual(await found({ types: ['causes'] }), ['b causes c']);
      const { paths } = await relations.traverse({ from: [at('a')], direction: 'outgoing' });
      assert.deepEqual(
        paths.map((path) => path.relations.map(inWords)),
        [['a extends b'], ['a extends b', 'b causes c']],
      );
    });

    it('is changed in the file alone', async () => {
      const [stated] = await relations.find({});
      assert.deepEqual(await say('a', 'extends', 'b', { context: 'x' }), { relation: stated, status: 'unchanged' });
      await assert.rejects(relations.remove(stated!.id, BY_TESTER), error('derived_relation', /a\.md/));
      await assert.rejects(relations.restore(stated!, BY_TESTER), error('derived_relation'));
    });
  });

  it('is one graph for all processes, which hear of each other’s changes', async () => {
    const other = await world.open();
    const heard = new Promise<void>((resolve) => {
      const listening = other.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
    const { relation } = await say('a', 'causes', 'b');
    await heard;
    assert.deepEqual(await other.find({}), [relation]);
    await other.remove(relation.id, BY_TESTER);
    assert.deepEqual(await relations.find({}), []);
  });

  /** Everything that was told until now is followed: a part that is closed waits for it. */
  async function settled(): Promise<void> {
    await relations.close();
    relations = await world.open();
  }
});
