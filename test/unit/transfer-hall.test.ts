import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ImportCounts, type ImportOptions, parseLines, RECORD_KINDS, serialise } from '../../src/transfer';
import { BY_TESTER, error, type Hall, seededRandom, useHalls } from '../support/hall';

const HEADER = '{"type":"kaizen","format":1}';
const DEFAULTS = { author: 'importer', at: '2026-05-01T08:00:00.000Z' };

function file(...records: object[]): string {
  return `${[HEADER, ...records.map((record) => JSON.stringify(record))].join('\n')}\n`;
}

function load({ kaizen }: Hall, text: string, options: Partial<ImportOptions> = {}) {
  return kaizen.importRecords(parseLines(text, DEFAULTS), { author: 'importer', ...options });
}

async function dump({ kaizen }: Hall): Promise<string> {
  return serialise(await kaizen.exportRecords());
}

const counted = (counts: Partial<ImportCounts>): ImportCounts => ({
  ...{ added: 0, identical: 0, kept: 0, overwritten: 0 },
  ...counts,
});

const general = { type: 'scope', id: 'general', tier: 'GENERAL' };
const shop = { type: 'scope', id: 'shop', tier: 'PROJECT' };
const entry = { type: 'entry', scope: 'general', category: 'git', keyword: 'commit', content: 'Say why.' };
const key = { scope_id: 'general', category: 'git', keyword: 'commit' };

describe('import and export', () => {
  const open = useHalls();

  describe('give a file back byte for byte', () => {
    const example = () => readFileSync('examples/checkout-api/knowledge.jsonl', 'utf8');

    it('that is the example', async () => {
      const hall = await open();
      const result = await load(hall, example());
      const lines = example().trimEnd().split('\n').length - 1;
      assert.equal(
        RECORD_KINDS.reduce((sum, kind) => sum + result[kind].added, 0),
        lines,
      );
      assert.equal(await dump(hall), example());
    });

    it('with both stores in one directory', async () => {
      const { data } = await open();
      const hall = await open({ data, shared: data });
      await load(hall, example());
      assert.equal(await dump(hall), example());
    });

    it('and takes what an editor or git did to the ends of its lines for the same text', async () => {
      const hall = await open();
      await load(hall, file(general, { ...entry, content: 'Say why.\nAnd what.' }));
      const before = await dump(hall);
      for (const overwrite of [false, true]) {
        const { entry: entries } = await load(hall, file(general, { ...entry, content: 'Say why.\r\nAnd what.' }), {
          overwrite,
        });
        assert.deepEqual(entries, counted({ identical: 1 }));
      }
      const { entry: entries } = await load(hall, file(general, { ...entry, content: 'Say why.\r\nAnd who.' }));
      assert.deepEqual(entries, counted({ kept: 1 }));
      assert.equal(await dump(hall), before);
    });

    it('after it was imported again, with and without overwriting, and the stores opened anew', async () => {
      const hall = await open();
      await load(hall, example());
      for (const overwrite of [false, true]) {
        const result = await load(hall, example(), { overwrite });
        for (const kind of RECORD_KINDS) assert.deepEqual(result[kind], counted({ identical: result[kind].identical }));
      }
      await hall.kaizen.close();
      assert.equal(await dump(await open({ data: hall.data, shared: hall.shared })), example());
    });

    for (let seed = 1; seed <= 5; seed++) {
      it(`that tells of a life full of changes (${seed})`, async () => {
        const hall = await open();
        await live(hall, seededRandom(seed));
        const text = await dump(hall);
        const copy = await open();
        await load(copy, text);
        assert.equal(await dump(copy), text);
        // What the file does not say in so many words is the same too.
        assert.deepEqual(copy.knowledge.listScopes(), hall.knowledge.listScopes());
        for (const { scope_id } of hall.knowledge.listScopes()) {
          assert.deepEqual(copy.knowledge.getCategories(scope_id), hall.knowledge.getCategories(scope_id));
          assert.deepEqual(copy.knowledge.getRisks(scope_id), hall.knowledge.getRisks(scope_id));
          for (const { category } of hall.knowledge.ownCategories(scope_id)) {
            const entries = hall.knowledge.ownEntries(scope_id, category);
            assert.deepEqual(copy.knowledge.ownEntries(scope_id, category), entries);
            for (const each of entries) assert.deepEqual(copy.knowledge.history(each), hall.knowledge.history(each));
          }
        }
        assert.deepEqual(copy.continuity.getSessionHistory('p', 100), hall.continuity.getSessionHistory('p', 100));
        assert.deepEqual(copy.continuity.getProgressStatus('p'), hall.continuity.getProgressStatus('p'));
      }).timeout(60_000);
    }
  });

  it('export in the order of the file', async () => {
    const hall = await open();
    await live(hall, seededRandom(42));
    const records = await hall.kaizen.exportRecords();
    const inOrder = serialise(records).trimEnd().split('\n').slice(1);
    assert.deepEqual(
      records.map((record) => serialise([record]).split('\n')[1]),
      inOrder,
    );
  });

  it('leave out what is left of deleted scopes', async () => {
    const hall = await open();
    await load(hall, file(general, shop, entry, { type: 'progress', project: 'shop', current_sprint: 's' }));
    await hall.knowledge.deleteScope('general', { confirmed: true }, BY_TESTER);
    await hall.knowledge.deleteScope('shop', { confirmed: true }, BY_TESTER);
    assert.deepEqual(await hall.kaizen.exportRecords(), []);
  });

  it('take lines in any order', async () => {
    const hall = await open();
    await load(
      hall,
      file(
        { type: 'task', project: 'shop', name: 'a', state: 'blocked' },
        { ...entry, scope: 'shop' },
        { ...shop, parents: ['team', 'general'] },
        { type: 'scope', id: 'team', tier: 'GROUP', parents: ['web'] },
        { type: 'scope', id: 'web', tier: 'PRODUCT' },
        general,
      ),
    );
    assert.deepEqual(
      hall.knowledge.chain('shop').map(({ id }) => id),
      ['shop', 'team', 'web', 'general'],
    );
    assert.equal(hall.knowledge.getKnowledge('shop', ['commit'])[0]?.source_scope, 'shop');
    assert.equal(hall.continuity.getProgressStatus('shop').blocked_tasks.length, 1);
  });

  it('put each scope, entry and project where it lives', async () => {
    const hall = await open();
    await load(hall, file(general, shop, entry, { ...entry, scope: 'shop' }));
    const elsewhere = await open({ shared: hall.shared });
    assert.deepEqual(
      elsewhere.knowledge.listScopes().map(({ scope_id, entry_count }) => [scope_id, entry_count]),
      [['general', 1]],
    );
  });

  it('are seen by other halls at once', async () => {
    const hall = await open();
    await load(hall, file(general, shop, entry));
    const peer = await open({ data: hall.data, shared: hall.shared });
    assert.equal(peer.knowledge.getKnowledge('shop', ['commit'])[0]?.content, 'Say why.');
    await load(hall, file({ ...entry, content: 'DANGER: x' }, { ...entry, keyword: 'push' }), { overwrite: true });
    assert.equal(peer.knowledge.getKnowledge('shop', ['commit'])[0]?.content, 'DANGER: x');
    assert.deepEqual(peer.knowledge.getKeywords('shop', ['git']), { git: ['commit', 'push'] });
    assert.equal(peer.knowledge.getRisks('shop').length, 1);
  });

  describe('meet what is there', () => {
    let hall: Hall;
    beforeEach(async () => {
      hall = await open();
      await load(hall, file(general, shop, { ...entry, metaknowledge: { B: '2', A: '1' } }));
    });

    const update = {
      ...entry,
      content: 'Say what.',
      reason: 'r',
      project_context: 'shop',
      revisions: [{ content: 'x' }],
    };

    it('and keep what differs, counted', async () => {
      const result = await load(hall, file({ ...general, name: 'General' }, update));
      assert.deepEqual(result.entry, counted({ kept: 1 }));
      assert.deepEqual(result.scope, counted({ kept: 1 }));
      assert.equal(hall.knowledge.scope('general').name, 'general');
      assert.equal(hall.knowledge.entry(key)?.content, 'Say why.');
      assert.equal(hall.knowledge.history(key).length, 1);
    });

    it('and replace what differs when they are to overwrite: an entry by a new revision of the importer', async () => {
      hall.clock.advanceMinutes(1);
      const result = await load(hall, file({ ...general, name: 'General' }, update), {
        overwrite: true,
        author: 'Ada',
      });
      assert.deepEqual(result.entry, counted({ overwritten: 1 }));
      assert.deepEqual(result.scope, counted({ overwritten: 1 }));
      assert.equal(hall.knowledge.scope('general').name, 'General');
      const revisions = hall.knowledge.history(key);
      assert.equal(revisions.length, 2);
      assert.deepEqual(revisions[1], {
        number: 2,
        action: 'update',
        at: '2026-05-04T09:01:00.000Z',
        author: 'Ada',
        by_agent: false,
        project_context: 'shop',
        reason: 'r',
        content: 'Say what.',
        metaknowledge: {},
        previous_content: 'Say why.',
        previous_metaknowledge: { B: '2', A: '1' },
      });
    });

    it('and skip what a person would not tell apart', async () => {
      const same = {
        ...entry,
        metaknowledge: { A: '1', B: '2' },
        author: 'x',
        at: '2020-01-01',
        revisions: [{ content: 'y' }],
      };
      const result = await load(hall, file(same, general), { overwrite: true });
      assert.deepEqual([result.entry, result.scope], [counted({ identical: 1 }), counted({ identical: 1 })]);
      assert.equal(hall.knowledge.history(key).length, 1);
    });

    it('and tell metaknowledge apart', async () => {
      const result = await load(hall, file({ ...entry, metaknowledge: { A: '1' } }));
      assert.deepEqual(result.entry, counted({ kept: 1 }));
    });

    it('and delete by a revision what the file has deleted, only when they are to overwrite', async () => {
      const deleted = { ...entry, content: null, revisions: [{ content: 'Say why.' }] };
      assert.deepEqual((await load(hall, file(deleted))).entry, counted({ kept: 1 }));
      assert.deepEqual((await load(hall, file(deleted), { overwrite: true })).entry, counted({ overwritten: 1 }));
      assert.equal(hall.knowledge.entry(key), undefined);
      assert.deepEqual(hall.knowledge.getCategories('general'), []);
      assert.deepEqual(
        hall.knowledge.history(key).map(({ action, author }) => [action, author]),
        [
          ['create', 'importer'],
          ['delete', 'importer'],
        ],
      );
      assert.deepEqual((await load(hall, file(deleted), { overwrite: true })).entry, counted({ identical: 1 }));
    });

    it('and bring back what was deleted here, behind its own history', async () => {
      await hall.knowledge.delete(key, BY_TESTER);
      const result = await load(hall, file(update));
      assert.deepEqual(result.entry, counted({ added: 1 }));
      assert.deepEqual(
        hall.knowledge.history(key).map(({ number, action, content }) => [number, action, content]),
        [
          [1, 'create', 'Say why.'],
          [2, 'delete', null],
          [3, 'create', 'x'],
          [4, 'update', 'Say what.'],
        ],
      );
    });

    it('and treat descriptions of categories alike', async () => {
      const described = (description: string) =>
        file({ type: 'category', scope: 'general', category: 'git', description });
      assert.deepEqual((await load(hall, described('one'))).category, counted({ added: 1 }));
      assert.deepEqual((await load(hall, described('one'))).category, counted({ identical: 1 }));
      assert.deepEqual((await load(hall, described('two'))).category, counted({ kept: 1 }));
      assert.equal(hall.knowledge.getCategories('general')[0]?.description, 'one');
      assert.deepEqual((await load(hall, described('two'), { overwrite: true })).category, counted({ overwritten: 1 }));
      assert.equal(hall.knowledge.getCategories('general')[0]?.description, 'two');
    });

    it('and treat continuity alike', async () => {
      const at = '2026-01-01T00:00:00.000Z';
      const records = (n: string, author: string) => [
        { type: 'overview', project: 'shop', purpose: n, author, at },
        { type: 'session', project: 'shop', at, summary: 's', next_planned: n, author },
        { type: 'progress', project: 'shop', current_sprint: n, author, at },
        { type: 'task', project: 'shop', name: 't', domain: 'd', state: 'blocked', blocker: n, author, at },
      ];
      const outcome = async (n: string, author: string, overwrite = false) => {
        const { overview, session, progress, task } = await load(hall, file(...records(n, author)), { overwrite });
        assert.deepEqual([session, progress, task], [overview, overview, overview]);
        return overview;
      };
      assert.deepEqual(await outcome('one', 'a'), counted({ added: 1 }));
      assert.deepEqual(await outcome('one', 'b'), counted({ identical: 1 }));
      assert.deepEqual(await outcome('two', 'a'), counted({ kept: 1 }));
      assert.equal(hall.continuity.getProjectOverview('shop').purpose, 'one');
      assert.deepEqual(await outcome('two', 'c', true), counted({ overwritten: 1 }));
      assert.deepEqual(
        (await dump(hall))
          .trimEnd()
          .split('\n')
          .slice(-4)
          .map((line) => JSON.parse(line)),
        records('two', 'c'),
      );
    });

    it('and keep what agents wrote apart', async () => {
      const at = '2026-01-01T00:00:00.000Z';
      const told = { author: 'claude-code', by_agent: true };
      const records = [
        { type: 'overview', project: 'shop', purpose: 'p', ...told, at },
        { type: 'session', project: 'shop', at, summary: 's', author: 'Ada' },
        { type: 'session', project: 'shop', at, summary: 's', ...told },
        { type: 'progress', project: 'shop', current_sprint: '1', ...told, at },
        { type: 'task', project: 'shop', name: 't', domain: 'd', state: 'blocked', ...told, at },
      ];
      const lines = async () => (await dump(hall)).trimEnd().split('\n');
      await load(hall, file(...records));
      assert.deepEqual(
        (await lines()).slice(-5).map((line) => JSON.parse(line)),
        records,
      );
      const origin = { by: 'agent', author: 'claude-code' };
      assert.deepEqual(hall.continuity.projectOverview('shop').origin, origin);
      assert.deepEqual(
        hall.continuity.getSessionHistory('shop').map((session) => session.origin),
        [origin, undefined],
      );
      assert.deepEqual(hall.continuity.getProgressStatus('shop').blocked_tasks[0]?.origin, origin);
      // What replaces it says who wrote it, too: one of the two that look alike, and nobody else's.
      const [, ...others] = records;
      const ours = { type: 'overview', project: 'shop', purpose: 'q', author: 'Ada', at };
      const next = others.map((record) => ({ ...record, next_planned: 'n' }));
      const sessions = next.filter(({ type }) => type === 'session');
      await load(hall, file(ours, ...sessions), { overwrite: true });
      assert.deepEqual(
        (await lines()).slice(-5, -2).map((line) => JSON.parse(line)),
        [ours, ...sessions.map(({ author, next_planned, ...rest }) => ({ ...rest, next_planned, author }))],
      );
    });

    it('and have sessions that look the same as often as the file has them', async () => {
      const session = { type: 'session', project: 'shop', at: '2026-01-01', summary: 's' };
      const text = file(session, session, { ...session, next_planned: 'n' });
      assert.deepEqual((await load(hall, text)).session, counted({ added: 3 }));
      assert.deepEqual((await load(hall, text)).session, counted({ identical: 3 }));
      assert.equal(hall.continuity.getSessionHistory('shop').length, 3);
    });

    it('and change nothing when there is nothing to change', async () => {
      const text = await dump(hall);
      // Whoever begins to listen now hears of what was changed just before, as others do.
      await new Promise((resolve) => setTimeout(resolve, 50));
      const told: string[] = [];
      const listening = await hall.kaizen.onDidChange((topics) => told.push(...topics));
      await load(hall, text, { overwrite: true });
      await new Promise((resolve) => setTimeout(resolve, 50));
      listening.dispose();
      assert.deepEqual(told, []);
    });
  });

  describe('refuse the whole file, naming the line, for', () => {
    let hall: Hall;
    let before: string;
    beforeEach(async () => {
      hall = await open();
      await load(hall, file(general, shop, { type: 'scope', id: 'web', tier: 'PRODUCT' }));
      before = await dump(hall);
    });

    async function refused(records: object[], ...expected: Parameters<typeof error>): Promise<void> {
      const [code, ...says] = expected;
      const good = { ...entry, keyword: 'good' };
      const text = file(good, ...records);
      for (const overwrite of [false, true])
        await assert.rejects(load(hall, text, { overwrite }), error(code, ...says));
      assert.equal(await dump(hall), before);
    }

    it('names and texts that may not be stored', async () => {
      await refused([{ ...entry, keyword: 'a\nb' }], 'invalid_argument', /^line 3: .*keyword/);
      await refused([{ ...entry, category: 'a..b' }], 'invalid_argument', /^line 3: .*empty part/);
      await refused([{ ...entry, content: '' }], 'invalid_argument', /^line 3: .*content/);
      await refused([{ ...entry, content: 'x'.repeat(65_537) }], 'invalid_argument', /^line 3: .*65537/);
      await refused([{ ...entry, revisions: [{ content: '\ud800' }] }], 'invalid_argument', /^line 3: .*content/);
      await refused([{ ...entry, author: 'a\0' }], 'invalid_argument', /^line 3: .*author/);
      await refused([{ ...entry, reason: '\udc00' }], 'invalid_argument', /^line 3: .*reason/);
      await refused([{ type: 'scope', id: 'a b', tier: 'GROUP' }], 'invalid_argument', /^line 3: .*scope id/);
      await refused(
        [{ type: 'category', scope: 'general', category: 'git', description: '' }],
        'invalid_argument',
        /^line 3: .*description/,
      );
      await refused(
        [{ type: 'session', project: 'shop', at: '2026-01-01', summary: ' ' }],
        'invalid_argument',
        /^line 3: /,
      );
      await refused([{ type: 'task', project: 'shop', name: '', state: 'blocked' }], 'invalid_argument', /^line 3: /);
    });

    it('keys that are one and the same once they are trimmed', async () => {
      await refused([entry, { ...entry, keyword: ' commit' }], 'invalid_argument', /^line 4: the same entry .* line 3/);
      const task = { type: 'task', project: 'shop', name: 't', state: 'blocked' };
      await refused([task, { ...task, name: 't ' }], 'invalid_argument', /^line 4: the same task .* line 3/);
    });

    it('scopes that do not fit what is there or each other', async () => {
      const scope = (id: string, tier: string, parents: string[] = []) => ({ type: 'scope', id, tier, parents });
      await refused([scope('web', 'GROUP')], 'conflict', /^line 3: .*"web" already, of tier PRODUCT/);
      await refused([scope('base', 'GENERAL')], 'conflict', /^line 3: .*GENERAL scope already: "general"/);
      await refused([scope('g', 'GROUP', ['nowhere'])], 'unknown_scope', /^line 3: .*"nowhere"/);
      await refused([scope('g', 'GROUP'), scope('h', 'GROUP', ['g'])], 'wrong_tier', /^line 4: /);
      await refused([scope('g', 'GROUP', ['g'])], 'invalid_argument', /^line 3: .*cycle/);
      await refused(
        [scope('app', 'PRODUCT'), scope('g', 'GROUP', ['app']), scope('p', 'PROJECT', ['g', 'web'])],
        'conflict',
        /^line (4|5): "p" would inherit from 2 products: "app" and "web"/,
      );
    });

    it('entries, descriptions and continuity of unknown or unfitting scopes', async () => {
      await refused([{ ...entry, scope: 'generall' }], 'unknown_scope', /^line 3: .*"generall".*"general"/);
      await refused(
        [{ type: 'category', scope: 'x', category: 'git', description: 'd' }],
        'unknown_scope',
        /^line 3: .*"x"/,
      );
      const progress = { type: 'progress', current_sprint: 's' };
      await refused([{ ...progress, project: 'shp' }], 'unknown_scope', /^line 3: .*"shop"/);
      await refused([{ ...progress, project: 'web' }], 'wrong_tier', /^line 3: "web" is a PRODUCT scope/);
    });
  });

  it('carry 20,000 entries at once', async () => {
    const hall = await open();
    const entries = Array.from({ length: 20_000 }, (_, n) => ({
      ...entry,
      ...{ scope: n % 2 ? 'shop' : 'general', category: `c${n % 50}`, keyword: `k${n}`, content: `Rule ${n}.` },
    }));
    const result = await load(hall, file(general, shop, ...entries));
    assert.deepEqual(result.entry, counted({ added: 20_000 }));
    assert.equal(hall.knowledge.getKnowledge('shop', ['k19998'])[0]?.content, 'Rule 19998.');
    assert.deepEqual(
      hall.knowledge.listScopes().map(({ entry_count }) => entry_count),
      [10_000, 10_000],
    );
  }).timeout(60_000);
});

/** Everything that can happen to the stores, a few hundred times over. */
async function live(hall: Hall, random: () => number): Promise<void> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  await hall.define('general', 'GENERAL', [], 'Général \u{1F4A5}');
  await hall.define('web', 'PRODUCT', ['general']);
  for (const id of ['a.g', 'a-g', 'B_g']) await hall.define(id, 'GROUP', random() < 0.5 ? ['web'] : []);
  await hall.define('p', 'PROJECT', ['a.g', 'B_g']);
  const categories = ['git', 'git.workflows', 'Über.uns', '日本', 'a-b', '\u{1F4A5}', '\ufffd'];
  const keywords = ['commit', 'Commit', 'zwei Wörter', '"quoted"', '\u{1F4A5}', '\ufffd', '__proto__'];
  const texts = ['Plain.', 'WARNING: a\r\n\tb', '\u2028 \\ "x" \u0001', '`DANGER: no`', '\u{1F4A5}'.repeat(20), ' '];
  const labels = JSON.parse('[{}, {"B":"2","A":"1"}, {"__proto__":"p","REASON":"two\\nlines"}]');
  const authors = ['claude-code', 'Ada', ''];
  for (let step = 0; step < 300; step++) {
    hall.clock.advanceMinutes(Math.floor(random() * 3));
    const target_scope_id = pick(['general', 'web', 'a.g', 'a-g', 'B_g', 'p']);
    const [category, keyword] = [pick(categories), pick(keywords)];
    const by = { author: pick(authors), by_agent: random() < 0.3 };
    const change = { ...by, project_context: pick(['', 'p']), reason: pick([undefined, 'why']) };
    const content = pick(texts);
    const entry = { target_scope_id, category, keyword, content, metaknowledge: pick(labels) };
    const place = { scope_id: target_scope_id, category, keyword };
    const deed = Math.floor(random() * 10);
    if (deed < 6) await hall.knowledge.storeOverwrite(entry as never, change);
    else if (deed < 7) await hall.knowledge.delete(place, change).catch(() => {});
    else if (deed < 8) await hall.knowledge.restore(place, 1, change).catch(() => {});
    else if (deed < 9) await carryOn(hall, pick, change.author);
    else {
      const record = { type: 'category', scope: target_scope_id, category, description: content };
      await load(hall, file(record), { overwrite: true });
    }
  }
}

async function carryOn(hall: Hall, pick: <T>(items: readonly T[]) => T, author: string): Promise<void> {
  const project = { project_id: 'p' };
  const domain = pick([undefined, 'web', 'app']);
  hall.continuity.getProjectOverview('p');
  // Never twice in one millisecond: of such sessions a file does not know which was first.
  hall.clock.advanceMinutes(pick([1, 1, 5]));
  const tasks_completed = pick([[], ['t1'], ['t2', 't3']]);
  const session = { ...project, summary: pick(['s', 'two\nlines']), tasks_completed, domain };
  await hall.continuity.storeSessionSummary({ ...session, next_planned: pick([undefined, 'n']) }, { author });
  const task = { name: pick(['t1', 't2', 't4']), domain, state: pick(['in_progress', 'blocked'] as const) };
  const details = { status: pick([undefined, 'half']), blocker: pick([undefined, 'DevOps']) };
  const overall_progress = pick([undefined, '', '40%']);
  await hall.continuity.updateProgress({ ...project, overall_progress, tasks: [{ ...task, ...details }] }, { author });
  const overview = { purpose: pick([undefined, '', 'p']), tech_stack: pick([undefined, [], ['b', 'a']]) };
  await hall.continuity.storeProjectOverview({ ...project, ...overview }, { author });
}
