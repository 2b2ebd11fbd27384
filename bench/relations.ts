// A graph of 100,000 relations between 20,000 ends: following and finding them, and how long others wait meanwhile.
// One end has 50,000 of them. What the ends are is answered from memory here; see bench/notes and bench/library for that.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/core/clock';
import { openRelations, RELATION_TYPES, type RelationEnds, type RelationsPart } from '../src/relations';
import { relationsSchema } from '../src/relations/schema';
import { Store } from '../src/store';
import { meanOnThread, memory, milliseconds, shown, table, threadTime, timed } from './measure';

const { values } = parseArgs({
  options: { relations: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '50' } },
});
const RELATIONS = Number(values.relations);
const ENDS = RELATIONS / 5;
const BATCH = 5_000;
const ROUNDS = Number(values.rounds);
const RARE = 20;

const at = (number: number) => `knowledge://learning/pattern/pat-${String(number).padStart(6, '0')}`;
const HUB = at(0);

/** Numbers from 0 up to 1 that follow from the seed alone (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = seeded(7);
const anyEnd = () => at(1 + Math.floor(random() * (ENDS - 1)));

const ends: RelationEnds = {
  resolve: async (uri) => ({ uri, title: uri, kind: 'pattern' }),
  locate: async () => undefined,
  isOfWorkspace: () => false,
  sources: [],
  onDidChange: () => ({ dispose: () => {} }),
};

async function fill(store: Store): Promise<void> {
  const types = RELATION_TYPES.filter((type) => type !== 'preferred_over');
  const rows = Array.from({ length: RELATIONS }, (_, number) => {
    const isOfHub = number % 2 === 0;
    const other = at(1 + (isOfHub ? Math.floor(number / 2) % (ENDS - 1) : Math.floor(random() * (ENDS - 1))));
    const [source, target] = isOfHub ? (number % 4 === 0 ? [HUB, other] : [other, HUB]) : [anyEnd(), other];
    const type = number < RARE ? 'preferred_over' : types[Math.floor(number / 3) % types.length]!;
    return [`id-${number}`, source, target, type, 0.5 + random() / 2, number % 10 === 0 ? 1 : 0, number];
  });
  for (let from = 0; from < rows.length; from += BATCH) {
    await store.write((transaction) => {
      transaction.run(
        `INSERT OR IGNORE INTO relation
           (id, source, target, type, confidence, bidirectional, context, created_by, author, at)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, 'Seen in the field.',
           'manual', 'bench', value ->> 6
         FROM json_each(?) WHERE value ->> 1 <> value ->> 2`,
        [JSON.stringify(rows.slice(from, from + BATCH))],
      );
    });
  }
}

/** Thread time of the longest piece between two turns of the event loop, in milliseconds. */
async function longestPiece(action: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let last = threadTime();
  const watching = (async () => {
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = threadTime();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  await action();
  isDone = true;
  await watching;
  return longest;
}

async function main(): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-relations-'));
  try {
    const before = memory();
    const store = await Store.open(scratch, { schemas: [relationsSchema], clock: systemClock });
    await fill(store);
    const { count } = store.read().get<{ count: number }>('SELECT count(*) AS count FROM relation')!;
    const held = memory() - before;
    const relations = openRelations({ stores: { workspace: store, shared: store }, ends, clock: systemClock });
    const rows: string[][] = [];
    const measure = async (name: string, action: (part: RelationsPart) => Promise<{ what: string }>) => {
      const { what } = await action(relations);
      const times = await timed(ROUNDS, () => action(relations));
      const used = await meanOnThread(ROUNDS, () => action(relations));
      const piece = await longestPiece(() => action(relations));
      rows.push([name, what, shown(times), milliseconds(used), milliseconds(piece)]);
    };
    const traverse =
      (from: () => string, max_depth: number, more: object = {}) =>
      async (part: RelationsPart) => {
        const { ends, relations, truncated } = await part.traverse({ from: [from()], max_depth, ...more });
        return { what: `${ends.length} ends, ${relations.length} relations${truncated ? ', cut off' : ''}` };
      };
    const find = (query: () => object) => async (part: RelationsPart) => ({
      what: `${(await part.find(query())).length} relations`,
    });
    const causes = { types: ['causes', 'indicates'], direction: 'outgoing' };
    await measure('traverse, depth 1', traverse(anyEnd, 1));
    await measure('traverse, depth 3', traverse(anyEnd, 3));
    await measure('traverse causes, depth 10', traverse(anyEnd, 10, causes));
    await measure(
      'traverse from the end with half of all',
      traverse(() => HUB, 1),
    );
    await measure(
      'find of an end',
      find(() => ({ uri: anyEnd() })),
    );
    await measure(
      'find of the end with half of all',
      find(() => ({ uri: HUB })),
    );
    await measure(
      'find the newest 100',
      find(() => ({})),
    );
    await measure(
      'find 1,000 of a type',
      find(() => ({ types: ['causes'], limit: 1_000 })),
    );
    await measure(
      'find the 20 of a rare type',
      find(() => ({ types: ['preferred_over'] })),
    );
    await measure(
      'find those between the two',
      find(() => ({ uri: HUB, other: anyEnd() })),
    );
    let number = 0;
    await measure('add and remove, durable', async (part) => {
      const input = { source: HUB, target: at(ENDS + number++), type: 'causes' } as const;
      const { relation } = await part.add(input, { author: 'bench' });
      await part.remove(relation.id, { author: 'bench' });
      return { what: '1 relation' };
    });
    console.log(
      `${count.toLocaleString('en')} relations; ${Math.round((held * 1024 * 1024) / count)} bytes of memory each.\n`,
    );
    console.log(table(['', 'answer', 'time', 'of the thread', 'longest piece'], rows));
    await relations.close();
    await store.close();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

void main();
