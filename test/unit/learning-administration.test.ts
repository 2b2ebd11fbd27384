import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isKaizenError, type KaizenError } from '../../src/core/errors';
import { COLLECTIONS, LEARNED_KINDS } from '../../src/learning';
import { BY_TESTER, type Hall, type HallOptions, useHalls } from '../support/hall';
import { startSmallSite } from '../support/small-site';

const DAY_MINUTES = 24 * 60;

async function refusal(promise: Promise<unknown>): Promise<KaizenError> {
  const thrown = await promise.then(
    () => assert.fail('Nothing was thrown.'),
    (error: unknown) => error,
  );
  assert.ok(isKaizenError(thrown), String(thrown));
  return thrown;
}

describe('administration', () => {
  const open = useHalls();
  let folder: string;
  beforeEach(() => {
    folder = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'kaizen-administration-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  const openHall = (options: HallOptions = {}) =>
    open({ person: 'ada', workspace: folder, countReads: true, web: { enabled: false }, ...options });

  const LESSON = 'less-a';
  const DECISION = 'dec-a';

  /** A lesson that a decision supports, both of the team; a personal lesson; feedback, uses and questions. */
  async function withAll(options?: HallOptions) {
    const hall = await openHall(options);
    const { learning, relations } = hall;
    const of = async (write: Parameters<typeof learning.write>[0]) => {
      const { kind, record } = await learning.write(write, BY_TESTER);
      return `knowledge://learning/${kind}/${record.id}`;
    };
    const lesson = await of({
      operation: 'capture_lesson',
      lesson: { title: LESSON, lesson: 'Mock the bank.', visibility: 'team' },
    });
    const secret = await of({ operation: 'capture_lesson', lesson: { title: 'Mine', lesson: 'Sleep more.' } });
    const decision = await of({
      operation: 'capture_decision',
      decision: { title: DECISION, decision: 'Mocks', visibility: 'team' },
    });
    const context = 'It was tried.';
    const evidence = [secret];
    await relations.add({ source: decision, target: lesson, type: 'supports', context, evidence }, BY_TESTER);
    await relations.add({ source: secret, target: lesson, type: 'contradicts' }, BY_TESTER);
    for (const artifact_id of [lesson, secret]) {
      await learning.feedback({ operation: 'rate', artifact_id, artifact_type: 'chunk', rating: 0.9 }, BY_TESTER);
    }
    learning.noteUse('retrieved', [lesson, decision, secret]);
    learning.noteUse('used', [lesson]);
    for (let times = 0; times < 2; times++) {
      learning.noteQuery({ tool: 'knowledge_search', query: 'How to mock a bank', results: 0, best: 0 });
    }
    learning.noteQuery({ tool: 'discover_context', query: 'Banks', results: 3, best: 0.9 });
    return { hall, lesson, secret, decision };
  }

  describe('usage', () => {
    it('tells what was asked and not found, what was never used, and how much by tool and day', async () => {
      const { hall, decision, lesson } = await withAll();
      hall.clock.advanceMinutes(DAY_MINUTES);
      hall.learning.noteQuery({ tool: 'knowledge_search', query: 'how to MOCK a bank', results: 0, best: 0 });
      const usage = await hall.administration.usage();
      assert.deepEqual(
        usage.unanswered.map(({ query, times, unanswered }) => [query, times, unanswered]),
        [['How to mock a bank', 3, 3]],
      );
      assert.deepEqual(
        usage.used_most.map(({ artifact }) => artifact),
        [lesson],
      );
      // What was rated was looked at by somebody.
      assert.deepEqual(
        usage.never_used.map(({ artifact }) => artifact),
        [decision],
      );
      assert.deepEqual(usage.by_tool, [
        { tool: 'knowledge_search', times: 3, unanswered: 3 },
        { tool: 'discover_context', times: 1, unanswered: 0 },
      ]);
      assert.deepEqual(usage.by_day, [
        { day: '2026-05-05', times: 1, unanswered: 1, tools: { knowledge_search: 1 } },
        { day: '2026-05-04', times: 3, unanswered: 2, tools: { discover_context: 1, knowledge_search: 2 } },
      ]);
      assert.deepEqual(usage.totals, { asked: 4, unanswered: 3 });
      assert.equal((await hall.administration.usage(1)).by_day.length, 1);
      assert.equal((await refusal(hall.administration.usage(0))).code, 'invalid_argument');
    });
  });

  describe('health and staleness', () => {
    it('finds nothing wrong where nothing is', async () => {
      const { status, findings, recommendations } = await (await openHall()).administration.health();
      assert.deepEqual([status, findings, recommendations], ['healthy', [], []]);
    });

    it('says what to look at, and what to do about it unless that is not wanted', async () => {
      const { hall } = await withAll();
      await hall.define('g', 'GENERAL');
      await hall.put('g', 'a', 'old');
      hall.clock.advanceMinutes(366 * DAY_MINUTES);
      const report = await hall.administration.health();
      assert.equal(report.status, 'attention');
      assert.deepEqual([report.knowledge.entries, report.knowledge.stale], [1, 1]);
      assert.deepEqual([report.learning.lesson, report.learning.decision, report.learning.feedback], [2, 1, 2]);
      assert.equal(report.relations, 2);
      assert.deepEqual(
        report.findings.map(({ area }) => area),
        ['knowledge', 'learning'],
      );
      assert.match(report.findings[1]!.message, /"How to mock a bank"/);
      assert.deepEqual(
        report.findings.map(({ code, count, names }) => [code, count, names]),
        [
          ['entries_stale', 1, undefined],
          ['questions_unanswered', undefined, ['How to mock a bank']],
        ],
      );
      assert.deepEqual(
        report.recommendations!.map(({ code }) => code),
        report.findings.map(({ code }) => code),
      );
      assert.deepEqual(
        report.recommendations!.map(({ priority, tool }) => [priority, tool]),
        [
          [1, 'knowledge_admin stale_content'],
          [2, 'knowledge_admin usage_analytics'],
        ],
      );
      const bare = await hall.administration.health({ include_recommendations: false });
      assert.ok(!('recommendations' in bare));
    });

    it('tells a library that cannot be opened as a finding, and reports the rest', async () => {
      const file = path.join(folder, 'taken');
      writeFileSync(file, '');
      const { administration } = await openHall({ library: { directory: file } });
      const { status, findings } = await administration.health();
      assert.equal(status, 'problems');
      assert.equal(findings[0]?.area, 'library');
      assert.match((await administration.stale()).message ?? '', /library was not looked at/);
    });

    it('lists what is older than asked for, oldest first, and scores that age takes from', async () => {
      const { hall, lesson } = await withAll();
      await hall.define('g', 'GENERAL');
      await hall.put('g', 'a', 'older');
      hall.clock.advanceMinutes(10 * DAY_MINUTES);
      await hall.put('g', 'a', 'old');
      const source = (date: string) => `content:---\ndate: ${date}\n---\n# ${date}\n\nIt holds since ${date}.\n`;
      for (const date of ['2019', '2026-05-01']) await hall.library.ingest({ source: source(date) }, BY_TESTER);
      hall.clock.advanceMinutes(400 * DAY_MINUTES);
      await hall.put('g', 'a', 'new');
      const stale = await hall.administration.stale();
      assert.equal(stale.max_age_days, 365);
      assert.deepEqual(
        stale.entries.map(({ uri, age_days }) => [uri, age_days]),
        [
          ['knowledge://scopes/g/a/older', 410],
          ['knowledge://scopes/g/a/old', 400],
        ],
      );
      assert.ok(stale.scores.some(({ artifact, staleness_penalty }) => artifact === lesson && staleness_penalty > 0));
      assert.equal(stale.counts.entries, 2);
      assert.equal(stale.documents.length + stale.undated_documents, 2);
      assert.deepEqual((await hall.administration.stale({ max_age_days: 405 })).counts.entries, 1);
      const one = await hall.administration.stale({ limit: 1 });
      assert.deepEqual([one.entries.length, one.counts.entries], [1, 2]);
      for (const wrong of [{ max_age_days: 0 }, { max_age_days: 1.5 }, { limit: 1_001 }]) {
        assert.equal((await refusal(hall.administration.stale(wrong))).code, 'invalid_argument');
      }
    });
  });

  describe('looking at the web again', () => {
    it('takes pages of the web only, before anything is fetched', async () => {
      const { administration, library } = await openHall();
      const { document } = await library.ingest({ source: 'content:# A\n\nA text that says something.\n' }, BY_TESTER);
      assert.deepEqual(await administration.refreshWeb(undefined, BY_TESTER), {
        ...{ pages: [], checked: 0, updated: 0, failed: 0 },
      });
      assert.equal((await refusal(administration.refreshWeb(['no'], BY_TESTER))).code, 'unknown_document');
      const given = await refusal(administration.refreshWeb([document!.document_id], BY_TESTER));
      assert.equal(given.code, 'invalid_argument');
    });
  });

  describe('looking at the web again, where there is one', () => {
    it('reads pages that have changed, tells how far it is, and goes on past those that are gone', async () => {
      const site = await startSmallSite();
      try {
        const { administration, library } = await openHall({ web: { allowPrivateAddresses: true, rateLimit: 1_000 } });
        for (const page of ['/srr', '/bread']) await library.ingest({ source: `${site.origin}${page}` }, BY_TESTER);
        const before = await administration.refreshWeb(undefined, BY_TESTER);
        assert.deepEqual([before.checked, before.updated, before.failed], [2, 0, 0]);
        const text = 'The review now checks that requirements are complete, can be verified, and have an owner each.';
        site.change('/srr', `<!doctype html><html><head><title>SRR</title></head><body><p>${text}</p></body></html>`);
        const told: string[] = [];
        const onProgress = ({ message }: { message: string }) => told.push(message);
        const [srr] = (await administration.webSources(undefined)).filter(({ source_path }) =>
          source_path.endsWith('/srr'),
        );
        const after = await administration.refreshWeb([srr!.uri], { ...BY_TESTER, onProgress });
        assert.deepEqual([after.checked, after.updated, after.failed], [1, 1, 0]);
        assert.equal(told.length, 1);
      } finally {
        await site.stop();
      }
    });
  });

  describe('export and import', () => {
    const stored = ({ learning }: Hall) => LEARNED_KINDS.map((kind) => new Set<object>(learning.list(kind)));

    it('brings everything to another place, once however often, and the same knowledge is the same text', async () => {
      const { hall, lesson, secret } = await withAll();
      const { content, counts } = await hall.administration.export({ personal: true });
      assert.deepEqual(
        [counts.lessons, counts.decisions, counts.feedback, counts.scores, counts.relationships],
        [2, 1, 2, 3, 2],
      );
      const other = await openHall({ workspace: undefined });
      const first = await other.administration.import(content, {}, BY_TESTER);
      assert.deepEqual([first.added, first.feedback, first.counts], [3, 2, 7]);
      assert.deepEqual(first.relationships, { added: 2, updated: 0, unchanged: 0, kept: 0, left_out: 0 });
      assert.deepEqual(stored(other), stored(hall));
      for (const artifact of [lesson, secret]) {
        assert.deepEqual(other.learning.scoreOf(artifact), hall.learning.scoreOf(artifact));
      }
      assert.deepEqual(await other.administration.usage(), await hall.administration.usage());
      assert.equal((await other.administration.export({ personal: true })).content, content);
      for (const overwrite of [false, true]) {
        const again = await other.administration.import(content, { overwrite }, BY_TESTER);
        assert.deepEqual([again.added, again.updated, again.feedback, again.counts], [0, 0, 0, 0]);
        assert.deepEqual(again.relationships, { added: 0, updated: 0, unchanged: 2, kept: 0, left_out: 0 });
        assert.equal((await other.administration.export({ personal: true })).content, content);
      }
    });

    it('is a table of Parquet as well, with the same in it', async () => {
      const { hall } = await withAll();
      const all = { personal: true, format: 'parquet' } as const;
      const { content } = await hall.administration.export(all);
      assert.ok(Buffer.isBuffer(content));
      assert.equal(content.subarray(0, 4).toString(), 'PAR1');
      const other = await openHall();
      const result = await other.administration.import(content, {}, BY_TESTER);
      assert.deepEqual([result.added, result.feedback, result.relationships.added], [3, 2, 2]);
      const json = (part: Hall) => part.administration.export({ personal: true });
      assert.equal((await json(other)).content, (await json(hall)).content);
      for (const broken of [
        content.subarray(0, 200),
        Buffer.from('PAR1'),
        Buffer.concat([content, Buffer.from('x')]),
      ]) {
        const refused = await refusal(other.administration.import(broken, {}, BY_TESTER));
        assert.equal(refused.code, 'invalid_argument');
      }
      await other.administration.exportTo('a.parquet', all);
      assert.equal((await other.administration.importFrom('a.parquet', {}, BY_TESTER)).unchanged, 3);
      const nothing = await openHall();
      const empty = (await nothing.administration.export({ format: 'parquet' })).content;
      assert.equal((await other.administration.import(empty, {}, BY_TESTER)).added, 0);
    });

    it('leaves out what is personal, all that names it, and what was asked', async () => {
      const { hall, secret } = await withAll();
      const { content, counts } = await hall.administration.export();
      assert.ok(!content.includes(secret));
      assert.ok(!content.includes('Sleep more'));
      assert.ok(!/mock a bank/i.test(content.toString()));
      assert.deepEqual([counts.lessons, counts.feedback, counts.scores, counts.relationships], [1, 1, 2, 1]);
    });

    it('is narrowed to collections, and knows no others', async () => {
      const { hall } = await withAll();
      const only = await hall.administration.export({ collections: ['lessons', 'relationships'] });
      assert.deepEqual(only.counts, { lessons: 1, relationships: 1 });
      const all = (await hall.administration.export()).content;
      const other = await openHall();
      const narrow = await other.administration.import(all, { collections: ['decisions'] }, BY_TESTER);
      assert.deepEqual([narrow.added, narrow.feedback, narrow.counts], [1, 0, 0]);
      // Of the relations one end is not there.
      const rest = await other.administration.import(all, { collections: ['relationships'] }, BY_TESTER);
      assert.equal(rest.relationships.left_out, 1);
      for (const wrong of ['lesson', 'chunks']) {
        const { code, hint } = await refusal(hall.administration.export({ collections: [wrong] }));
        assert.equal(code, 'invalid_argument');
        assert.ok(hint);
      }
      assert.equal(COLLECTIONS.length, 8);
    });

    it('keeps a relation that is said otherwise here, unless it is to be overwritten', async () => {
      const { hall, decision, lesson } = await withAll();
      const { content } = await hall.administration.export();
      const said = { source: decision, target: lesson, type: 'supports', context: 'Else.' } as const;
      await hall.relations.add(said, BY_TESTER);
      const contexts = async () => (await hall.relations.find({ types: ['supports'] })).map(({ context }) => context);
      const kept = await hall.administration.import(content, {}, BY_TESTER);
      assert.equal(kept.relationships.kept, 1);
      assert.deepEqual(await contexts(), ['Else.']);
      const taken = await hall.administration.import(content, { overwrite: true }, BY_TESTER);
      assert.equal(taken.relationships.updated, 1);
      assert.deepEqual(await contexts(), ['It was tried.']);
    });

    it('changes nothing where something is wrong, and says where', async () => {
      const { hall } = await withAll();
      const { content } = await hall.administration.export();
      // Each breaks one place of the file.
      // biome-ignore lint/suspicious/noExplicitAny: a file of which a part is not as it should be
      const broken: [string, (file: any) => void, RegExp][] = [
        ['format', (file) => (file.format = 'else'), /not one that export wrote/],
        ['version', (file) => (file.version = 2), /version 2/],
        ['a record', (file) => (file.records[1].record.title = 7), /records\[1\]\.record\.title/],
        ['feedback', (file) => (file.feedback[0].rating = 2), /feedback\[0\]\.rating/],
        ['a count', (file) => (file.counts.uses[0].used = -1), /counts\.uses\[0\]\.used/],
        ['a day', (file) => (file.counts.days[0].day = '2026-05'), /counts\.days\[0\]\.day/],
        ['a relation', (file) => (file.relations[0].type = 'likes'), /relations\[0\]\.type/],
        ['an end', (file) => (file.relations[0].target = 'nowhere'), /is no address/],
      ];
      const other = await openHall();
      for (const [what, breaking, message] of broken) {
        const file = JSON.parse(content.toString());
        breaking(file);
        const refused = await refusal(other.administration.import(JSON.stringify(file), {}, BY_TESTER));
        assert.equal(refused.code, 'invalid_argument', what);
        assert.match(refused.message, message, what);
        assert.deepEqual(other.learning.list('lesson'), [], what);
        assert.deepEqual(other.learning.exportFeedback(), [], what);
      }
      for (const wrong of ['', 'null', '[]', '{']) {
        assert.equal((await refusal(other.administration.import(wrong, {}, BY_TESTER))).code, 'invalid_argument');
      }
      const rehearsed = await other.administration.import(content, {}, { ...BY_TESTER, rehearse: true });
      assert.deepEqual([rehearsed.added, rehearsed.relationships.added], [2, 1]);
      assert.deepEqual(other.learning.list('lesson'), []);
    });

    it('writes and reads files of the workspace alone, and replaces none', async () => {
      const { hall } = await withAll();
      const { administration } = hall;
      const written = await administration.exportTo('kept/learned.json');
      assert.equal(written.path, 'kept/learned.json');
      const { content } = await administration.export();
      assert.equal(readFileSync(path.join(folder, 'kept/learned.json'), 'utf8'), content);
      assert.equal((await refusal(administration.exportTo('kept/learned.json'))).code, 'conflict');
      const back = await administration.importFrom(path.join(folder, 'kept/learned.json'), {}, BY_TESTER);
      assert.deepEqual([back.added, back.unchanged], [0, 2]);
      for (const place of ['../learned.json', '/etc/learned.json', '.', 'a/../../b.json']) {
        assert.equal((await refusal(administration.exportTo(place))).code, 'outside_root', place);
        assert.equal((await refusal(administration.importFrom(place, {}, BY_TESTER))).code, 'outside_root', place);
      }
      assert.equal((await refusal(administration.importFrom('no.json', {}, BY_TESTER))).code, 'unreadable_source');
      const nowhere = await openHall({ workspace: undefined });
      assert.equal((await refusal(nowhere.administration.exportTo('a.json'))).code, 'outside_root');
    });
  });
});
