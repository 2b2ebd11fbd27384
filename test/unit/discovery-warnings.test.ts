import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hall, useHalls } from '../support/hall';

describe('warnings of discover_context', () => {
  const open = useHalls();
  let hall: Hall;

  beforeEach(async () => {
    hall = await open({ project: 'shop', workspace: '/repo' });
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
    await hall.define('blog', 'PROJECT');
    for (const each of ['volcanoes', 'glaciers', 'comets', 'railways', 'cheese'])
      await hall.put('general', 'other', each);
  });

  const keywords = (rows: { title: string }[]) => rows.map(({ title }) => title);

  it('are rules with a risk that touch the task, gravest first, and no recommendations', async () => {
    await hall.put('shop', 'db', 'schema-migrations-past', 'LAST TIME: a schema migration took two hours.');
    await hall.put('shop', 'db', 'schema-migrations-slow', 'WARNING: schema migrations lock tables.');
    await hall.put('shop', 'db', 'schema-migrations-drop', 'DANGER: schema migrations that drop columns lose data.');
    await hall.put('shop', 'db', 'schema-migrations-naming', 'Schema migrations are numbered.');
    const { warnings, recommendations } = await hall.discovery.discover({ task_description: 'schema migrations' });
    assert.deepEqual(keywords(warnings), [
      'schema-migrations-drop',
      'schema-migrations-slow',
      'schema-migrations-past',
    ]);
    assert.deepEqual(keywords(recommendations), ['schema-migrations-naming']);
    const [first] = warnings;
    assert.deepEqual(first!.risks, [{ level: 'DANGER', text: 'schema migrations that drop columns lose data.' }]);
    assert.equal(first!.id, 'knowledge://scopes/shop/db/schema-migrations-drop');
    assert.ok(first!.relevance_score > 0.5);
    assert.match(first!.reason, /"schema", "migrations" in its title/);
  });

  it('are those whose keyword or category the task names, and not those with one of its words in their text', async () => {
    await hall.put('shop', 'logging', 'personal-data', 'DANGER: an address of a customer is never written down.');
    await hall.put('shop', 'release', 'friday', 'DANGER: what is pulled on a Friday stays broken for a weekend.');
    await hall.put('shop', 'review', 'size', 'Review at most 400 lines of a pull request at once.');
    const { warnings } = await hall.discovery.discover({
      task_description: 'Review the pull request that adds logging of checkout',
    });
    assert.deepEqual(keywords(warnings), ['personal-data']);
  });

  it('are those of the current file, whatever the task', async () => {
    const metaknowledge = { APPLIES_TO: 'src/pay/**' };
    await hall.put('shop', 'pay', 'idempotency', 'DANGER: a refund without its key pays twice.', metaknowledge);
    const task = { task_description: 'tidy up imports' };
    assert.deepEqual((await hall.discovery.discover(task)).warnings, []);
    for (const current_file of ['src/pay/refund.ts', './src/pay/refund.ts', '/repo/src/pay/refund.ts']) {
      const { warnings } = await hall.discovery.discover({ ...task, current_file });
      assert.deepEqual(keywords(warnings), ['idempotency'], current_file);
    }
    assert.deepEqual((await hall.discovery.discover({ ...task, current_file: 'src/other.ts' })).warnings, []);
  });

  it('are only those that hold for the project', async () => {
    await hall.put('general', 'db', 'migrations', 'DANGER: migrations drop data.');
    await hall.put('shop', 'db', 'migrations', 'Migrations are safe here.');
    await hall.put('blog', 'db', 'migrations-blog', 'DANGER: migrations of another project.');
    const { warnings, recommendations } = await hall.discovery.discover({ task_description: 'migrations' });
    assert.deepEqual(warnings, []);
    assert.deepEqual(keywords(recommendations), ['migrations']);
  });

  it('are at most ten, the gravest, and it is said that there are more', async () => {
    for (let n = 0; n < 12; n++) await hall.put('shop', 'db', `migrations-${n}`, 'WARNING: migrations lock tables.');
    await hall.put('shop', 'db', 'migrations-worst', 'DANGER: migrations drop tables.');
    const { warnings, message } = await hall.discovery.discover({ task_description: 'migrations', max_results: 1 });
    assert.equal(warnings.length, 10);
    assert.equal(warnings[0]!.title, 'migrations-worst');
    assert.match(message ?? '', /3 more rules with a risk/);
  });

  it('are not hidden by any number of better hits', async () => {
    for (let n = 0; n < 150; n++) await hall.put('shop', 'db', `locking-${n}`, 'locking locking locking locking');
    const rest = 'Unrelated words make this text long. '.repeat(3);
    await hall.put('shop', 'db', 'nightly-job', `WARNING: it is locking all tables. ${rest}`);
    hall.discovery.configure({ min_relevance_threshold: 0 });
    const { warnings } = await hall.discovery.discover({ task_description: 'locking', max_results: 1 });
    assert.deepEqual(keywords(warnings), ['nightly-job']);
  });
});

describe('messages of discover_context', () => {
  const open = useHalls();

  it('tell that nothing is indexed', async () => {
    const { discovery } = await open();
    const { message, ...result } = await discovery.discover({ task_description: 'anything' });
    assert.deepEqual(result, { recommendations: [], total_available: 0, warnings: [] });
    assert.match(message ?? '', /^Nothing indexed/);
    assert.match((await discovery.search({ query: 'anything' })).message ?? '', /^Nothing indexed/);
    const root = join(tmpdir(), 'kaizen-is-not-there');
    const misspelt = await open({ bases: [{ name: 'docs', root }] });
    const answer = await misspelt.discovery.discover({ task_description: 'anything' });
    assert.match(answer.message ?? '', /^Nothing indexed: .*folder is not there \(.*kaizen-is-not-there\)/);
  });

  it('tell that nothing is relevant, and among how many', async () => {
    const hall = await open({ project: 'shop' });
    await hall.define('shop', 'PROJECT');
    await hall.put('shop', 'git', 'branch-naming');
    const { message, recommendations } = await hall.discovery.discover({ task_description: 'xylophone' });
    assert.deepEqual(recommendations, []);
    assert.match(message ?? '', /^Nothing relevant among 1\b/);
    assert.match((await hall.discovery.search({ query: 'xylophone' })).message ?? '', /^Nothing relevant among 1\b/);
  });

  it('tell that indexing goes on, and how far it is', async () => {
    const hall = await open({ bases: [{ name: 'slow', root: process.cwd() }] });
    // A base that never becomes ready, as one on a network drive that hangs.
    const statuses = hall.bases.statuses.bind(hall.bases);
    hall.bases.statuses = () => statuses().map((status) => ({ ...status, state: 'indexing' as const }));
    hall.bases.start = () => {};
    const { message } = await hall.discovery.discover({ task_description: 'anything' });
    assert.match(message ?? '', /^Still indexing \(0 of 0\)/);
  });

  it('are none when all is well', async () => {
    const hall = await open({ project: 'shop' });
    await hall.define('shop', 'PROJECT');
    await hall.put('shop', 'git', 'branch-naming');
    const result = await hall.discovery.discover({ task_description: 'branch naming' });
    assert.equal(result.recommendations.length, 1);
    assert.ok(!('message' in result));
  });
});
