import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { continuitySchema } from '../../src/continuity';
import { discoverySchema } from '../../src/discovery';
import { Kaizen } from '../../src/kaizen';
import { knowledgeSchema } from '../../src/knowledge';
import { learningSchema } from '../../src/learning';
import { notesSchema } from '../../src/notes';
import { relationsSchema } from '../../src/relations';
import { reviewSchema } from '../../src/review';
import type { Schema } from '../../src/store';
import { encodeFrame, JOURNAL_FORMAT } from '../../src/store/journal';
import { contents, PERSON } from '../fixtures/stores/make';
import { add, Bench, fingerprint, frameOffsets, names } from '../support/stores';

/** The parts of the product, and the version of it that each of their steps came with. */
const product = [
  { schema: knowledgeSchema, steps: [1, 2] },
  { schema: continuitySchema, steps: [1, 6] },
  { schema: reviewSchema, steps: [1] },
  { schema: discoverySchema, steps: [3] },
  { schema: notesSchema, steps: [4] },
  { schema: relationsSchema, steps: [5] },
  { schema: learningSchema, steps: [5] },
];
const FIXTURES = path.resolve('test/fixtures/stores');

/** A part through three versions: a table, a column that is filled in, and a table made out of it. */
const STEPS = [
  'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;',
  'ALTER TABLE item ADD COLUMN size INTEGER NOT NULL DEFAULT 0; UPDATE item SET size = length(name);',
  'CREATE TABLE word (name TEXT PRIMARY KEY, size INTEGER NOT NULL) STRICT, WITHOUT ROWID; INSERT INTO word SELECT name, size FROM item;',
];
const version = (number: number): Schema => ({ part: 'items', migrations: STEPS.slice(0, number) });

describe('a store of another version', () => {
  const bench = new Bench();
  afterEach(() => bench.cleanUp());

  async function madeBy(...schemas: Schema[]): Promise<string> {
    const directory = bench.directory();
    const store = await bench.open(directory, { schemas });
    await add(store, 'a', 'bcd');
    await store.close();
    return directory;
  }

  describe('that is newer', () => {
    const newer = { name: 'KaizenError', code: 'store_newer' };

    async function refusedWhole(directory: string, schemas: readonly Schema[]): Promise<void> {
      const before = fingerprint(directory);
      const listed = readdirSync(directory);
      await assert.rejects(bench.open(directory, { schemas }), newer);
      assert.deepEqual(fingerprint(directory), before);
      assert.deepEqual(readdirSync(directory), listed);
    }

    it('is refused and left whole: a part of a newer version', async () => {
      await refusedWhole(await madeBy(version(2)), [version(1)]);
    });

    it('is refused and left whole: a part that nobody knows here', async () => {
      await refusedWhole(await madeBy(version(1), { part: 'future', migrations: ['CREATE TABLE f (x)'] }), [
        version(1),
      ]);
    });

    it('is refused and left whole: a newer format of the journal', async () => {
      const directory = await madeBy(version(1));
      const file = path.join(directory, 'journal-000001');
      const journal = readFileSync(file);
      const end = frameOffsets(journal)[1]!;
      const header = { ...JSON.parse(journal.toString('utf8', 20, end)), format: JOURNAL_FORMAT + 1, unheardOf: true };
      writeFileSync(file, Buffer.concat([encodeFrame(0, header), Buffer.from('records of another kind')]));
      await refusedWhole(directory, [version(1)]);
    });

    it('is refused and left whole when its journal is damaged as well', async () => {
      const directory = await madeBy(version(2));
      writeFileSync(path.join(directory, 'journal-000001'), 'no journal');
      await refusedWhole(directory, [version(1)]);
    });

    it('is refused by peers of the older build that had it open, each time they ask', async () => {
      const directory = await madeBy(version(1));
      const [old, busy] = [
        await bench.open(directory, { schemas: [version(1)] }),
        await bench.open(directory, { schemas: [version(1)] }),
      ];
      assert.deepEqual(names(old), ['a', 'bcd']);
      const updated = await bench.open(directory, { schemas: [version(3)] });
      await add(updated, 'new');
      const before = fingerprint(directory);
      for (let i = 0; i < 3; i++) {
        assert.throws(() => old.read(), newer);
        await assert.rejects(add(old, 'lost'), newer);
        await assert.rejects(add(busy, 'lost'), newer);
        await assert.rejects(busy.checkpoint(), newer);
      }
      assert.deepEqual(fingerprint(directory), before);
      assert.deepEqual(names(updated), ['a', 'bcd', 'new']);
    });
  });

  describe('that is older', () => {
    for (const from of [1, 2]) {
      it(`is brought forward from version ${from}`, async () => {
        const directory = await madeBy(version(from));
        const store = await bench.open(directory, { schemas: [version(3)] });
        const words = () => store.read().all('SELECT * FROM word ORDER BY name');
        // In version 2 the sizes of what was written by version 2 itself are what it left at their default.
        const expected = from === 1 ? [1, 3] : [0, 0];
        assert.deepEqual(words(), [
          { name: 'a', size: expected[0] },
          { name: 'bcd', size: expected[1] },
        ]);
        await store.write(({ run }) => run("INSERT INTO word VALUES ('new', 3)"));
        const again = await bench.open(directory, { schemas: [version(3)] });
        assert.deepEqual(again.read().all('SELECT * FROM word ORDER BY name'), words());
        assert.deepEqual(bench.reports, []);
      });
    }

    it('gets the tables of a part that is new', async () => {
      const directory = await madeBy(version(1));
      const store = await bench.open(directory, {
        schemas: [version(1), { part: 'more', migrations: ['CREATE TABLE m (x)'] }],
      });
      assert.deepEqual(names(store), ['a', 'bcd']);
      assert.deepEqual(store.read().all('SELECT * FROM m'), []);
    });

    it('is brought forward once when several processes open it', async () => {
      const directory = await madeBy(version(1));
      const stores = await Promise.all([1, 2, 3].map(() => bench.open(directory, { schemas: [version(3)] })));
      await add(stores[1]!, 'new');
      for (const store of stores) assert.deepEqual(names(store), ['a', 'bcd', 'new']);
      assert.ok(!existsSync(path.join(directory, 'journal-000003')));
    });

    it('stays as it is when a migration fails', async () => {
      const directory = await madeBy(version(1));
      const before = fingerprint(directory);
      const broken: Schema = {
        part: 'items',
        migrations: [STEPS[0]!, 'ALTER TABLE item ADD COLUMN x TEXT; SELECT nonsense'],
      };
      await assert.rejects(bench.open(directory, { schemas: [broken] }), /nonsense/);
      assert.deepEqual(fingerprint(directory), before);
      assert.deepEqual(names(await bench.open(directory, { schemas: [version(1)] })), ['a', 'bcd']);
    });

    it('can be recovered from before the migration when the first snapshot after it is damaged', async () => {
      const directory = await madeBy(version(1));
      const store = await bench.open(directory, { schemas: [version(3)] });
      await add(store, 'new');
      await store.close();
      writeFileSync(path.join(directory, 'snapshot-000002.sqlite'), 'damaged');
      const recovered = await bench.open(directory, { schemas: [version(3)] });
      assert.deepEqual(names(recovered), ['a', 'bcd', 'new']);
      assert.deepEqual(recovered.read().all('SELECT count(*) AS n FROM word'), [{ n: 2 }]);
      assert.equal(bench.reports.length, 1);
    });
  });

  describe('that was shipped', () => {
    const versions = readdirSync(FIXTURES).filter((name) => /^v\d+$/.test(name));

    it('has a fixture for each version of the schemas', () => {
      for (const { schema, steps } of product) assert.equal(steps.length, schema.migrations.length, schema.part);
      const newest = Math.max(...product.flatMap(({ steps }) => steps));
      for (let number = 1; number <= newest; number++) assert.ok(versions.includes(`v${number}`), `v${number}`);
    });

    for (const name of versions) {
      const fixture = path.join(FIXTURES, name);

      it(`opens, reads and takes new knowledge: ${name}`, async () => {
        const directory = bench.copyOf(fixture);
        const kaizen = new Kaizen({
          data: path.join(directory, 'workspace'),
          shared: path.join(directory, 'shared'),
          ...{ project: 'shop', person: PERSON },
          onReport: (message) => bench.reports.push(message),
        });
        try {
          const parts = await kaizen.parts();
          const expected = JSON.parse(readFileSync(path.join(fixture, 'expected.json'), 'utf8'));
          assert.deepEqual(JSON.parse(JSON.stringify(await contents(parts, Number(name.slice(1))))), expected);
          await parts.knowledge.storeOverwrite(
            { target_scope_id: 'shop', category: 'http', keyword: 'retries', content: 'Five times.' },
            { author: 'test', by_agent: true },
          );
          assert.equal(parts.knowledge.getKnowledge('shop', ['retries'])[0]?.content, 'Five times.');
          const [latest] = parts.knowledge.changes();
          assert.deepEqual([latest?.number, latest?.by_agent, latest?.is_latest], [3, true, true]);
          const agent = { author: 'claude-code', by_agent: true };
          const session = { project_id: 'shop', summary: 'Went on.', tasks_completed: ['receipts'] };
          await parts.continuity.storeSessionSummary(session, agent);
          const origin = { by: 'agent', author: 'claude-code' };
          assert.deepEqual(parts.continuity.getSessionHistory('shop', 1)[0]?.origin, origin);
          assert.deepEqual(bench.reports, []);
        } finally {
          await kaizen.close();
        }
      });

      it(`has the tables that its migrations make today: ${name}`, async () => {
        const number = Number(name.slice(1));
        const schemas = product.flatMap(({ schema: { part, migrations }, steps }) => {
          const taken = steps.filter((step) => step <= number).length;
          return taken === 0 ? [] : [{ part, migrations: migrations.slice(0, taken) }];
        });
        const tables = async (directory: string) => {
          const store = await bench.open(directory, { schemas });
          return store.read().all('SELECT type, name, sql FROM sqlite_master ORDER BY name');
        };
        const shipped = await tables(bench.copyOf(path.join(fixture, 'workspace')));
        assert.deepEqual(await tables(bench.directory()), shipped, 'a migration that has shipped is never edited');
      });
    }
  });
});

describe('the SQL of the product', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(path.join('src', name), 'utf8') }));

  /** Comments may speak of what is forbidden. */
  const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

  it('gives the same result whenever it is run again', () => {
    assert.ok(sources.length > 20);
    const varying =
      /(?<!Math\.)\brandom(blob)?\s*\(|CURRENT_(TIME|DATE|TIMESTAMP)\b|\b(date|time|datetime|julianday|unixepoch|strftime)\s*\([^)]*'now'|\b(datetime|julianday|unixepoch)\s*\(\s*\)/i;
    const guilty = sources.filter(({ text }) => varying.test(code(text))).map(({ name }) => name);
    assert.deepEqual(guilty, []);
  });

  it('has no constraint that is only checked when the record is on the disk already', () => {
    const guilty = sources
      .filter(({ text }) => /DEFERR(ABLE|ED)|defer_foreign_keys/i.test(code(text)))
      .map(({ name }) => name);
    assert.deepEqual(guilty, []);
  });
});
