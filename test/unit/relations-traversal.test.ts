import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  DIRECTIONS,
  type Direction,
  RELATION_TYPES,
  type Relation,
  type RelationsPart,
  type RelationType,
} from '../../src/relations';
import { BY_TESTER, error } from '../support/hall';
import { at, inWords, RelationWorld } from '../support/relation-worlds';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'here/f', 'here/g'];
const TYPES: readonly RelationType[] = ['causes', 'supports', 'contradicts'];

interface Said {
  source: string;
  target: string;
  type: RelationType;
  confidence: number;
  bidirectional: boolean;
}

const said: fc.Arbitrary<Said> = fc
  .record({
    source: fc.constantFrom(...NAMES),
    target: fc.constantFrom(...NAMES),
    type: fc.constantFrom(...TYPES),
    // Their products are exact, so that no two ways differ by the order of multiplying alone.
    confidence: fc.constantFrom(1, 0.5, 0.25),
    bidirectional: fc.boolean(),
  })
  .filter(({ source, target }) => source !== target);

const key = ({ source, type, target }: Pick<Relation, 'source' | 'type' | 'target'>) => `${source} ${type} ${target}`;

/** Every way without a circle, tried one after the other. */
function naive(
  edges: readonly Relation[],
  from: string,
  { direction, depth, gone }: { direction: Direction; depth: number; gone: ReadonlySet<string> },
) {
  const steps = new Map<string, number>([[from, 0]]);
  const surest = new Map<string, number>([[from, 1]]);
  const passed = new Set<string>();
  const try_ = (uri: string, far: number, confidence: number, trail: readonly string[]) => {
    if (far === depth) return;
    for (const edge of edges) {
      const along = edge.source === uri && (direction !== 'incoming' || edge.bidirectional);
      const against = edge.target === uri && (direction !== 'outgoing' || edge.bidirectional);
      if (!along && !against) continue;
      const next = edge.source === uri ? edge.target : edge.source;
      if (gone.has(next)) continue;
      passed.add(edge.id);
      if (trail.includes(next)) continue;
      const known = steps.get(next);
      const sure = confidence * edge.confidence;
      if (known === undefined || far + 1 < known) {
        steps.set(next, far + 1);
        surest.set(next, sure);
      } else if (far + 1 === known) surest.set(next, Math.max(surest.get(next)!, sure));
      try_(next, far + 1, sure, [...trail, next]);
    }
  };
  try_(from, 0, 1, [from]);
  return { steps, surest, passed };
}

describe('Traversing relations', () => {
  let world: RelationWorld;
  let relations: RelationsPart;
  beforeEach(async () => {
    world = new RelationWorld();
    world.add(...NAMES);
    relations = await world.open();
  });
  afterEach(() => world.close());

  const say = (source: string, type: RelationType, target: string, confidence = 1) =>
    relations.add({ source: at(source), target: at(target), type, confidence }, BY_TESTER);

  async function sayAll(all: readonly Said[]): Promise<void> {
    for (const { source, target, ...rest } of all) {
      await relations.add({ source: at(source), target: at(target), ...rest }, BY_TESTER);
    }
  }

  async function forgetAll(): Promise<void> {
    await relations.forget(NAMES.map(at), BY_TESTER);
  }

  it('reaches what trying every way reaches, as near and as surely', async function () {
    this.timeout(60_000);
    const asked = fc.record({
      all: fc.array(said, { maxLength: 14 }),
      from: fc.constantFrom(...NAMES),
      direction: fc.constantFrom(...DIRECTIONS),
      depth: fc.integer({ min: 1, max: 4 }),
      gone: fc.subarray(NAMES, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ all, from, direction, depth, gone }) => {
        await forgetAll();
        await sayAll(all);
        const edges = await relations.find({ limit: 1_000 });
        const missing = gone.filter((name) => name !== from);
        for (const name of missing) world.there.delete(at(name));
        const walked = await relations.traverse({ from: [at(from)], direction, max_depth: depth });
        world.add(...missing);
        const expected = naive(edges, at(from), { direction, depth, gone: new Set(missing.map(at)) });
        assert.deepEqual(new Map(walked.ends.map((end) => [end.uri, end.depth])), expected.steps);
        const ends = walked.ends.map((end) => [end.depth, end.uri] as const);
        assert.deepEqual(
          ends,
          [...ends].sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)),
        );
        assert.deepEqual(
          walked.paths.map(({ uris }) => uris.at(-1)),
          walked.ends.slice(1).map(({ uri }) => uri),
        );
        for (const { uris, relations: passed, confidence } of walked.paths) {
          assert.equal(uris[0], at(from));
          assert.equal(uris.length, passed.length + 1);
          assert.equal(passed.length, expected.steps.get(uris.at(-1)!));
          assert.equal(confidence, expected.surest.get(uris.at(-1)!));
          for (const [step, { source, target }] of passed.entries()) {
            assert.deepEqual([source, target].sort(), [uris[step]!, uris[step + 1]!].sort());
          }
        }
        assert.deepEqual(new Set(walked.relations.map(({ id }) => id)), expected.passed);
        assert.equal(walked.relations.length, expected.passed.size);
        assert.equal(walked.truncated, false);
      }),
      { numRuns: 60 },
    );
  });

  it('holds the same relations in whatever order they are said and taken back', async function () {
    this.timeout(60_000);
    const oneWay = said.map((each) => ({ ...each, bidirectional: false, confidence: 1 }));
    const all = fc.uniqueArray(oneWay, { selector: key, maxLength: 10 });
    const asked = all.chain((whole) =>
      fc.record({
        whole: fc.constant(whole),
        order: fc.shuffledSubarray(whole, { minLength: whole.length, maxLength: whole.length }),
        removed: fc.shuffledSubarray(whole),
        restored: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ({ whole, order, removed, restored }) => {
        await forgetAll();
        await sayAll(order);
        const stored = new Map((await relations.find({ limit: 1_000 })).map((each) => [key(each), each]));
        const taken: Relation[] = [];
        for (const each of removed) {
          const { id } = stored.get(key({ ...each, source: at(each.source), target: at(each.target) }))!;
          taken.push(await relations.remove(id, BY_TESTER));
        }
        if (restored) for (const each of taken.reverse()) await relations.restore(each, BY_TESTER);
        const left = restored ? whole : whole.filter((each) => !removed.includes(each));
        const words = (each: Said) => inWords({ ...each, source: at(each.source), target: at(each.target) });
        assert.deepEqual((await relations.find({ limit: 1_000 })).map(inWords).sort(), left.map(words).sort());
      }),
      { numRuns: 40 },
    );
  });

  it('ends circles where they begin', async () => {
    await sayAll(['ab', 'bc', 'ca'].map(([source, target]) => edge(source!, target!)));
    const {
      ends,
      relations: passed,
      paths,
    } = await relations.traverse({
      from: [at('a')],
      direction: 'outgoing',
      max_depth: 10,
    });
    assert.deepEqual(
      ends.map(({ title, depth }) => [title, depth]),
      [
        ['a', 0],
        ['b', 1],
        ['c', 2],
      ],
    );
    assert.deepEqual(passed.map(inWords).sort(), ['a causes b', 'b causes c', 'c causes a']);
    assert.deepEqual(
      paths.map(({ uris }) => uris.map((uri) => uri.at(-1)).join('')),
      ['ab', 'abc'],
    );
  });

  it('goes by type, confidence, depth and from several beginnings', async () => {
    await say('a', 'causes', 'b', 0.9);
    await say('b', 'causes', 'c', 0.3);
    await say('c', 'prevents', 'd');
    await say('e', 'supports', 'd');
    const reached = async (...request: Parameters<RelationsPart['traverse']>) =>
      (await relations.traverse(...request)).ends.map(({ title, depth }) => `${title}${depth}`).join(' ');
    assert.equal(await reached({ from: [at('a')] }), 'a0 b1 c2 d3');
    assert.equal(await reached({ from: [at('a')], max_depth: 1 }), 'a0 b1');
    assert.equal(await reached({ from: [at('a')], min_confidence: 0.5 }), 'a0 b1');
    assert.equal(await reached({ from: [at('a')], types: ['causes'] }), 'a0 b1 c2');
    assert.equal(await reached({ from: [at('a')], types: [] }), 'a0 b1 c2 d3');
    assert.equal(await reached({ from: [at('d')], direction: 'incoming' }), 'd0 c1 e1 b2 a3');
    assert.equal(await reached({ from: [at('d')], direction: 'outgoing' }), 'd0');
    assert.equal(await reached({ from: [at('a'), at('e'), at('a')], max_depth: 1 }), 'a0 e0 b1 d1');
  });

  it('refuses a beginning that is not there, and what is beyond its limits', async () => {
    await assert.rejects(relations.traverse({ from: [at('z')] }), error('unknown_end'));
    await assert.rejects(relations.traverse({ from: [] }), error('invalid_argument', /1 to 50/));
    await assert.rejects(relations.traverse({ from: Array(51).fill(at('a')) }), error('invalid_argument'));
    for (const max_depth of [0, 11, 1.5]) {
      await assert.rejects(relations.traverse({ from: [at('a')], max_depth }), error('invalid_argument', /1 to 10/));
    }
    await assert.rejects(relations.traverse({ from: [at('a')], types: ['x' as never] }), error('invalid_argument'));
    await assert.rejects(relations.traverse({ from: [at('a')], signal: AbortSignal.abort(new Error('stop')) }), /stop/);
  });

  it('reaches at most 1,000 ends, the first by address, and says that there is more', async function () {
    this.timeout(60_000);
    const names = Array.from({ length: 1_500 }, (_, number) => `n${String(number).padStart(4, '0')}`);
    world.add(...names);
    await world.shared.write((transaction) => {
      for (const name of names) {
        transaction.run(
          `INSERT INTO relation (id, source, target, type, confidence, bidirectional, context, created_by, author, at)
           VALUES (?1, ?2, ?3, 'causes', 1, 0, '', 'manual', 'tester', 0)`,
          [name, at('a'), at(name)],
        );
      }
    });
    // What is not there takes no place from what is.
    for (const name of names.slice(0, 100)) world.there.delete(at(name));
    const { ends, relations: passed, truncated } = await relations.traverse({ from: [at('a')], max_depth: 2 });
    assert.deepEqual([ends.length, passed.length, truncated], [1_000, 999, true]);
    assert.deepEqual([ends[1]!.title, ends.at(-1)!.title], ['n0100', 'n1098']);
  });

  it('knows every type of relation there is', async () => {
    for (const type of RELATION_TYPES) await say('a', type, 'b');
    assert.equal((await relations.traverse({ from: [at('a')] })).relations.length, 16);
  });

  function edge(source: string, target: string): Said {
    return { source, target, type: 'causes', confidence: 1, bidirectional: false };
  }
});
