import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type GuardIndex, guardPlace, keepGuardIndex, refreshGuardIndex } from '../../src/guard';
import { freshness, readGuardIndex } from '../../src/guard/hooks';
import { guardIndexFile } from '../../src/guard/kept';
import { writeGuardIndex } from '../../src/guard/kept/index-writing';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

const MIGRATIONS = { APPLIES_TO: 'migrations/**', REASON: 'Two databases drifted apart.' };

describe("the guard's index", () => {
  const open = useHalls();

  async function shop(): Promise<Hall> {
    const hall = await open({ project: 'shop' });
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
    await hall.put('shop', 'db', 'migrations', 'DANGER: never edit one that was applied', MIGRATIONS);
    return hall;
  }

  const placeOf = ({ data, shared }: Hall, project = 'shop') => guardPlace({ data, shared, project })!;
  const build = (hall: Hall): Promise<GuardIndex> => hall.kaizen.guardIndex(placeOf(hall));

  it('holds the rules with a risk that name files or text, with who wrote them last', async () => {
    const hall = await shop();
    await hall.put('general', 'code', 'eval', 'WARNING: eval hides what runs', { MATCHES: '\\beval\\(' });
    await hall.put('general', 'code', 'style', 'Two blanks', { APPLIES_TO: '**/*.ts' });
    await hall.put('general', 'git', 'force', 'DANGER: force pushes lose work');
    const agent = { author: 'claude-code', by_agent: true };
    const entry = { target_scope_id: 'shop', category: 'db', keyword: 'migrations' };
    const content = 'LAST TIME: a night was lost. DANGER: add a new one';
    await hall.knowledge.storeOverwrite({ ...entry, content, metaknowledge: MIGRATIONS }, agent);
    const { rules, brief } = await build(hall);
    assert.deepEqual(
      rules.map(({ keyword, revision, author, by_agent, needs }) => ({ keyword, revision, author, by_agent, needs })),
      [
        { keyword: 'eval', revision: 1, author: 'tester', by_agent: false, needs: 'eval(' },
        { keyword: 'migrations', revision: 2, author: 'claude-code', by_agent: true, needs: null },
      ],
    );
    assert.deepEqual(rules[1]!.risks[0], { level: 'DANGER', text: 'add a new one' });
    assert.equal(rules[1]!.reason, MIGRATIONS.REASON);
    assert.deepEqual(
      brief.open_warnings.map(({ keyword }) => keyword),
      ['force', 'eval'],
    );
    assert.deepEqual([brief.entries, brief.entries_with_risk], [4, 3]);
  });

  it('keeps a rule whose keyword is stored once more in another category', async () => {
    const hall = await shop();
    await hall.put('shop', 'aa', 'migrations', 'They are made by a tool.');
    const { rules, brief } = await build(hall);
    assert.deepEqual(
      rules.map(({ category, risks }) => [category, risks[0]?.level]),
      [['db', 'DANGER']],
    );
    assert.deepEqual([brief.entries, brief.entries_with_risk], [2, 1]);
  });

  it('knows of no text that an expression needs which cannot be read', async () => {
    const hall = await shop();
    const unread = { long: `drop ${'x'.repeat(500)}`, large: '(drop table){900}{2}', open: 'drop (((' };
    for (const [keyword, MATCHES] of Object.entries({ ...unread, good: 'drop +table' })) {
      await hall.put('general', 'code', keyword, 'DANGER: it is gone', { MATCHES, APPLIES_TO: 'src/**' });
    }
    const needs = new Map((await build(hall)).rules.map((rule) => [rule.keyword, rule.needs]));
    for (const keyword of Object.keys(unread)) assert.equal(needs.get(keyword), null, keyword);
    assert.equal(needs.get('good'), 'drop ');
  });

  it('is not written through a link in the place of its folder', async function () {
    // Windows lets few people make links.
    if (process.platform === 'win32') this.skip();
    const hall = await shop();
    const place = placeOf(hall);
    const other = path.join(hall.data, '..', 'other');
    mkdirSync(other);
    symlinkSync(other, place.directory);
    await assert.rejects(writeGuardIndex(place, await build(hall)), { code: 'store_io', message: /is a link/ });
    assert.deepEqual(readdirSync(other), []);
  });

  it('leaves out what another scope overrides', async () => {
    const hall = await shop();
    await hall.put('general', 'db', 'migrations', 'DANGER: of everybody', { APPLIES_TO: '**/*.sql' });
    const { rules } = await build(hall);
    assert.deepEqual(
      rules.map(({ scope_id, applies_to }) => [scope_id, applies_to]),
      [['shop', 'migrations/**']],
    );
  });

  it('holds as long as nothing is stored that it tells of', async () => {
    const hall = await shop();
    await hall.define('other', 'PROJECT');
    const index = await build(hall);
    const { data } = placeOf(hall);
    const holds = async () => (await freshness(index, data)).holds;
    assert.equal(await holds(), 'all');
    await hall.put('other', 'code', 'elsewhere', 'DANGER: elsewhere', { APPLIES_TO: '**' });
    await hall.continuity.updateProgress({ project_id: 'other', current_sprint: '1' }, BY_TESTER);
    assert.equal(await holds(), 'all');
    await hall.continuity.updateProgress({ project_id: 'shop', current_sprint: '1' }, BY_TESTER);
    assert.equal(await holds(), 'rules');
    await hall.put('general', 'code', 'new', 'of everybody');
    assert.equal(await holds(), 'nothing');
  });

  it('holds after a scope that it does not know was defined no longer', async () => {
    const hall = await shop();
    const index = await build(hall);
    await hall.define('web', 'PRODUCT');
    assert.equal((await freshness(index, placeOf(hall).data)).holds, 'nothing');
  });

  it('does not hold where another store stands', async () => {
    const hall = await shop();
    const index = await build(hall);
    const { data } = placeOf(hall);
    await hall.kaizen.close();
    rmSync(hall.data, { recursive: true });
    const another = await open({ data: hall.data, shared: hall.shared, project: 'shop' });
    await another.define('shop', 'PROJECT');
    assert.equal((await freshness(index, data)).holds, 'nothing');
  });

  it('passes over a write that was cut off', async () => {
    const hall = await shop();
    const index = await build(hall);
    const journal = path.join(hall.data, 'journal-000001');
    const before = readFileSync(journal);
    await hall.put('shop', 'code', 'new', 'something');
    const whole = readFileSync(journal);
    await hall.kaizen.close();
    writeFileSync(journal, whole.subarray(0, before.length + 30));
    assert.equal((await freshness(index, placeOf(hall).data)).holds, 'all');
    writeFileSync(journal, before.subarray(0, before.length - 5));
    assert.equal((await freshness(index, placeOf(hall).data)).holds, 'nothing');
  });

  it('comes back from its file as it was, for its owner alone', async () => {
    const hall = await shop();
    const place = placeOf(hall);
    const index = await build(hall);
    await writeGuardIndex(place, index);
    assert.deepEqual(readGuardIndex(place), index);
    if (process.platform !== 'win32') {
      assert.equal(statSync(guardIndexFile(place)).mode & 0o777, 0o600);
      assert.equal(statSync(place.directory).mode & 0o777, 0o700);
    }
    assert.deepEqual(readdirSync(place.directory), [path.basename(guardIndexFile(place))]);
  });

  it('knows who stored what carries over, and does without where an older build made it', async () => {
    const hall = await shop();
    const agent = { author: 'claude-code', by_agent: true };
    const origin = { by: 'agent', author: 'claude-code' };
    const session = { project_id: 'shop', summary: 's', tasks_completed: ['a'] };
    await hall.continuity.storeSessionSummary(session, BY_TESTER);
    await hall.continuity.storeSessionSummary(session, agent);
    await hall.continuity.storeProjectOverview({ project_id: 'shop', purpose: 'p' }, agent);
    await hall.continuity.updateProgress({ project_id: 'shop', current_sprint: '1' }, agent);
    const place = placeOf(hall);
    const index = await build(hall);
    const { sessions, overview, progress } = index.brief;
    assert.deepEqual(
      sessions.map(({ author, origin }) => [author, origin]),
      [
        ['claude-code', origin],
        ['tester', undefined],
      ],
    );
    assert.deepEqual([overview?.origin, progress?.origin, progress?.completed_tasks[0]?.origin], Array(3).fill(origin));
    await writeGuardIndex(place, index);
    assert.deepEqual(readGuardIndex(place), index);
    const whole = readFileSync(guardIndexFile(place), 'utf8');
    writeFileSync(guardIndexFile(place), whole.replace('"by":"agent"', '"by":"nobody"'));
    assert.equal(readGuardIndex(place), undefined);
    const older = whole.replace(/,"origin":\{[^}]*\}/g, '').replace(/,"author":"[^"]*"\}/g, '}');
    assert.doesNotMatch(older.split('\n')[2]!.replace(/"open_warnings":.*/, ''), /author|agent/);
    writeFileSync(guardIndexFile(place), older);
    const { origin: _, ...bare } = hall.continuity.getSessionHistory('shop', 1)[0]!;
    assert.deepEqual(readGuardIndex(place)?.brief.sessions[0], bare);
  });

  it('is none where its file is torn, damaged, of another format or another project', async () => {
    const hall = await shop();
    const place = placeOf(hall);
    const index = await build(hall);
    await writeGuardIndex(place, index);
    const file = guardIndexFile(place);
    const whole = readFileSync(file, 'utf8');
    const faulty = [
      '',
      'null',
      '[]',
      whole.slice(0, whole.length / 2),
      whole.replace('"format":2', '"format":1'),
      whole.replace('"project":"shop"', '"project":"other"'),
      whole.replace('"level":"DANGER"', '"level":"FUN"'),
      whole.replace('"by_agent":false', '"by_agent":"no"'),
      whole.replace(/"risks":\[[^\]]*\]/, '"risks":[]'),
      whole.replace('"generation":1', '"generation":-1'),
      JSON.stringify({ ...index, brief: undefined }),
    ];
    for (const text of faulty) {
      assert.notEqual(text, whole);
      writeFileSync(file, text);
      assert.equal(readGuardIndex(place), undefined, text.slice(0, 200));
    }
  });

  it('stands for what is shared where the workspace has no store, and is nowhere without any', async () => {
    const hall = await shop();
    const data = path.join(hall.data, 'none');
    const place = guardPlace({ data, shared: hall.shared, project: 'shop' })!;
    assert.equal(place.data, place.shared);
    assert.equal(path.dirname(place.directory), place.shared);
    assert.equal(guardPlace({ data, shared: data, project: 'shop' }), undefined);
    assert.equal(existsSync(data), false);
  });

  describe('kept by a process that has the stores open', () => {
    const options = (hall: Hall, more: object = {}) => {
      const { data, shared } = hall;
      return { data, shared, project: 'shop', delay: 0, log: (message: string) => assert.fail(message), ...more };
    };

    it('is as the stores are after each change', async () => {
      const hall = await shop();
      const kept = await keepGuardIndex(hall.kaizen, options(hall, { wanted: true }));
      await kept.settled();
      const place = placeOf(hall);
      assert.equal(readGuardIndex(place)?.rules.length, 1);
      await hall.put('shop', 'db', 'seeds', 'WARNING: seeds run once', { APPLIES_TO: 'seeds/**' });
      // Listeners hear of it in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      await kept.settled();
      const index = readGuardIndex(place)!;
      assert.equal(index.rules.length, 2);
      assert.equal((await freshness(index, place.data)).holds, 'all');
      kept.dispose();
    });

    it('is not made where nobody uses hooks, and kept from when somebody does', async () => {
      const hall = await shop();
      const kept = await keepGuardIndex(hall.kaizen, options(hall));
      await kept.settled();
      const place = placeOf(hall);
      assert.equal(existsSync(place.directory), false);
      await writeGuardIndex(place, await build(hall));
      await hall.put('shop', 'db', 'seeds', 'WARNING: seeds run once', { APPLIES_TO: 'seeds/**' });
      await new Promise((resolve) => setImmediate(resolve));
      await kept.settled();
      assert.equal(readGuardIndex(place)?.rules.length, 2);
      kept.dispose();
    });

    it('is made anew once by a process that writes and ends, where hooks are used', async () => {
      const hall = await shop();
      const place = placeOf(hall);
      await refreshGuardIndex(hall.kaizen, place);
      assert.equal(existsSync(place.directory), false);
      await writeGuardIndex(place, await build(hall));
      const before = statSync(guardIndexFile(place)).ino;
      await refreshGuardIndex(hall.kaizen, place);
      assert.equal(statSync(guardIndexFile(place)).ino, before, 'one that holds stays as it is');
      await hall.put('shop', 'db', 'seeds', 'WARNING: seeds run once', { APPLIES_TO: 'seeds/**' });
      await refreshGuardIndex(hall.kaizen, place);
      assert.equal(readGuardIndex(place)?.rules.length, 2);
    });

    it('says once that it cannot be written', async function () {
      if (process.getuid?.() === 0 || process.platform === 'win32') this.skip();
      const hall = await shop();
      mkdirSync(placeOf(hall).directory);
      chmodSync(placeOf(hall).directory, 0o500);
      const said: string[] = [];
      const log = (message: string) => void said.push(message);
      const kept = await keepGuardIndex(hall.kaizen, options(hall, { wanted: true, log }));
      await kept.settled();
      await hall.put('shop', 'db', 'seeds', 'WARNING: seeds run once');
      await new Promise((resolve) => setImmediate(resolve));
      await kept.settled();
      assert.equal(said.length, 1);
      kept.dispose();
      chmodSync(placeOf(hall).directory, 0o700);
    });

    it('says in words what else is in its way', async () => {
      const hall = await shop();
      // A file where the folder should be.
      writeFileSync(placeOf(hall).directory, '');
      const said: string[] = [];
      const log = (message: string) => void said.push(message);
      const kept = await keepGuardIndex(hall.kaizen, options(hall, { wanted: true, log }));
      await kept.settled();
      assert.match(said.join('\n'), /^The index for hooks could not be kept: /);
      kept.dispose();
    });
  });
});
