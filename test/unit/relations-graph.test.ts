import assert from 'node:assert/strict';
import type { RelationInput, RelationsPart, RelationType } from '../../src/relations';
import { type RelationWords, relationDetails, relationsState } from '../../src/vscode/editors/relations-state';
import { type RelationsState, type RelationsView, relationsRequest } from '../../webview-ui/protocol/relations';
import { MOST_EXPANDED } from '../../webview-ui/protocol/relations-limits';
import { EVERYTHING, Views } from '../../webview-ui/relations/views';
import { BY_TESTER, error } from '../support/hall';
import { at, RelationWorld } from '../support/relation-worlds';

const WORDS: RelationWords = {
  kinds: [{ id: 'entry', name: 'entry' }],
  outgoing: (type) => type,
  incoming: (type) => `${type} of`,
  provenance: (provenance) => provenance,
};

describe('The graph of relations', () => {
  let world: RelationWorld;
  let relations: RelationsPart;
  beforeEach(async () => {
    world = new RelationWorld();
    world.add('a', 'b', 'c', 'd', 'e', 'f');
    relations = await world.open();
    await say('a', 'causes', 'b', { context: 'Seen twice.', confidence: 0.8, evidence: [at('f')] });
    await say('b', 'prevents', 'c');
    await say('c', 'related', 'd', { bidirectional: true, confidence: 0.5 });
    await say('e', 'supports', 'a');
  });
  afterEach(() => world.close());

  const say = (source: string, type: RelationType, target: string, more: Partial<RelationInput> = {}) =>
    relations.add({ source: at(source), target: at(target), type, ...more }, BY_TESTER);
  const look = (view: Partial<RelationsView>) =>
    relationsState(relations, { ...EVERYTHING, ...view }, WORDS, { writable: true });
  const names = (state: RelationsState) => state.nodes.map(({ id }) => id.slice(at('').length)).sort();

  it('holds what is reached from its beginning, as far and in the direction asked for', async () => {
    const one = await look({ start: at('a') });
    assert.deepEqual(names(one), ['a', 'b', 'e']);
    assert.equal(one.edges.length, 2);
    assert.deepEqual(names(await look({ start: at('a'), depth: 3 })), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(names(await look({ start: at('a'), direction: 'outgoing', depth: 2 })), ['a', 'b', 'c']);
    assert.deepEqual(names(await look({ start: at('a'), depth: 3, minimum: 0.7 })), ['a', 'b', 'c', 'e']);
  });

  it('says of each edge its type, how sure it is, and whether it holds both ways', async () => {
    const state = await look({ start: at('c') });
    const edges = state.edges.map(({ from, to, type, mutual = false, confidence }) => [
      state.nodes[from]?.id,
      state.types[type]?.name,
      state.nodes[to]?.id,
      mutual,
      confidence,
    ]);
    assert.deepEqual(edges.sort(), [
      [at('b'), 'prevents', at('c'), false, 1],
      [at('c'), 'related', at('d'), true, 0.5],
    ]);
    const looks = state.types.map(({ colour = -1 }, place) => `${colour % 10} ${place % 8}`);
    assert.equal(new Set(looks).size, state.types.length, 'no two types have the same colour and dash');
  });

  it('adds the neighbours of what is unfolded, and forgets what is gone', async () => {
    assert.deepEqual(names(await look({ start: at('a'), expanded: [at('b'), at('gone')] })), ['a', 'b', 'c', 'e']);
    await assert.rejects(look({ start: at('gone') }), error('unknown_end'));
  });

  it('shows the shortest way between two, in either direction, and tells when there is none', async () => {
    const state = await look({ start: at('e'), way: { from: at('e'), to: at('d') } });
    assert.deepEqual(
      state.way?.nodes.map((node) => state.nodes[node]?.id),
      [at('e'), at('a'), at('b'), at('c'), at('d')],
    );
    assert.deepEqual(
      state.way?.edges.map((edge) => state.types[state.edges[edge]!.type]?.id),
      ['supports', 'causes', 'prevents', 'related'],
    );
    assert.ok(Math.abs((state.way?.confidence ?? 0) - 0.4) < 1e-9);
    const none = await look({ start: at('a'), way: { from: at('a'), to: at('f') } });
    assert.deepEqual([none.way?.nodes, none.way?.truncated], [[], false]);
    const unsure = await look({ start: at('a'), minimum: 0.9, way: { from: at('a'), to: at('b') } });
    assert.deepEqual(unsure.way?.nodes, []);
  });

  it('shows all that is stored where nothing is begun with', async () => {
    const all = await look({});
    assert.deepEqual([names(all), all.edges.length, all.total], [['a', 'b', 'c', 'd', 'e'], 4, 5]);
    assert.equal((await look({ minimum: 0.9 })).edges.length, 2);
  });

  it('tells why each relation holds, who says so, and what shows it', async () => {
    const { relations: told, more } = await relationDetails(relations, at('a'), WORDS, 10);
    assert.equal(more, false);
    const caused = told.find(({ word }) => word === 'causes');
    assert.deepEqual(
      [caused?.context, caused?.confidence, caused?.author, caused?.other.id, caused?.evidence.map(({ id }) => id)],
      ['Seen twice.', 0.8, 'tester', at('b'), [at('f')]],
    );
    assert.deepEqual(told.map(({ word }) => word).sort(), ['causes', 'supports of']);
    assert.equal((await relationDetails(relations, at('a'), WORDS, 1)).more, true);
  });
});

describe('What was looked at in the graph of relations', () => {
  it('is gone back to, with how far and how sure as they are now', () => {
    const views = new Views();
    assert.equal(views.canGoBack, false);
    views.begin({ start: 'x' });
    views.begin({ start: 'x' });
    views.toggle('y');
    views.change({ depth: 2 });
    assert.deepEqual(views.current, { ...EVERYTHING, start: 'x', depth: 2, expanded: ['y'] });
    views.findWay('x', 'z');
    assert.deepEqual(views.current.way, { from: 'x', to: 'z' });
    views.leaveWay();
    assert.equal(views.current.way, undefined);
    views.toggle('y');
    assert.deepEqual(views.current.expanded, []);
    for (let left = 5; left > 0; left--) views.back();
    assert.deepEqual([views.current, views.canGoBack], [EVERYTHING, false]);
    views.back();
    assert.deepEqual(views.current, EVERYTHING);
  });

  it('is always something that the extension takes', () => {
    const views = new Views();
    views.begin({ start: 'a', to: 'b' });
    for (let count = 0; count < 2 * MOST_EXPANDED; count++) views.toggle(`node ${count}`);
    assert.equal(views.current.expanded.length, MOST_EXPANDED);
    assert.equal(views.current.expanded.at(-1), `node ${2 * MOST_EXPANDED - 1}`);
    assert.ok(views.all.length < 2 * MOST_EXPANDED);
    for (const view of views.all) assert.ok(relationsRequest.safeParse({ type: 'look', view }).success);
    assert.ok(relationsRequest.safeParse({ type: 'look', view: { ...EVERYTHING, depth: 4 } }).success === false);
  });
});
