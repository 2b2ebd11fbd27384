import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DatabaseServer, startDatabaseServer } from '../support/postgres';
import { type SmallSite, startSmallSite } from '../support/small-site';

const CLI = resolve('dist/cli.js');

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

interface Given {
  env?: NodeJS.ProcessEnv;
  input?: string;
  /** Ctrl+C is pressed then. */
  stopWhen?: () => boolean;
  /** Without any network, loopback neither. */
  isCut?: boolean;
}

interface Source {
  document_id: string;
  title: string;
  document_type: string;
  authority_level: string;
  standard_id?: string;
  version?: string;
  added_by: string;
  processing_status: string;
  chunk_count: number;
}

interface Added {
  source: string;
  status?: string;
  document?: Source;
  error?: string;
  error_code?: string;
  requests_closed?: string[];
}

const HANDBOOK = `# Review Handbook

## 3.1 System requirements review

The system requirements review shall be held before the design begins.

## 3.2 Design review

The design review should compare at least two alternatives.
`;

describe('kaizen library, at a terminal', function () {
  this.timeout(120_000);
  let root: string;
  let work: string;
  let site: SmallSite;

  before(async () => {
    site = await startSmallSite();
  });
  after(() => site?.stop());
  beforeEach(() => {
    root = realpathSync.native(mkdtempSync(join(tmpdir(), 'kaizen-cli-library-')));
    work = join(root, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'handbook.md'), HANDBOOK);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

  /** Not waiting in the way of the site and the database server, which run in this process. */
  async function run(args: string[], { env = {}, input = '', stopWhen, isCut = false }: Given = {}): Promise<Outcome> {
    const { PATH = '', SystemRoot = '' } = process.env;
    const home = join(root, 'home');
    const words = [process.execPath, CLI, 'library', ...args];
    const [program = '', ...rest] = isCut ? ['unshare', '-rn', ...words] : words;
    const child = spawn(program, rest, {
      cwd: work,
      env: {
        ...{ PATH, SystemRoot, HOME: home, USERPROFILE: home, XDG_DATA_HOME: home, LOCALAPPDATA: home },
        ...{ KAIZEN_DATA: join(root, 'd'), KAIZEN_SHARED: join(root, 's') },
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const closed = new Promise<number | null>((done) => child.once('close', done));
    if (stopWhen) {
      while (!stopWhen()) await new Promise((done) => setTimeout(done, 10));
      child.kill('SIGINT');
    }
    const status = await closed;
    assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    assert.ok(!`${stdout}${stderr}`.includes('sesame'), 'no password is shown');
    return { status, stdout, stderr };
  }

  async function json<Result>(args: string[], options: Given = {}): Promise<Result> {
    const { status, stdout, stderr } = await run([...args, '--json'], options);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as Result;
  }

  const WEB = ['--web-private', '--web-rate', '100'];

  it('adds files and text with what is said of them, lists, shows, describes and removes them', async () => {
    const said = ['--type', 'handbook', '--authority', 'authoritative', '--standard', 'ISO 1', '--version', '2'];
    const [added] = await json<Added[]>(['add', 'handbook.md', '--title', 'The Handbook', ...said]);
    const document = added?.document;
    const id = document?.document_id ?? '';
    assert.equal(added?.status, 'added');
    assert.deepEqual(
      [document?.title, document?.document_type, document?.authority_level, document?.standard_id, document?.version],
      ['The Handbook', 'handbook', 'authoritative', 'ISO 1', '2'],
    );
    const again = await run(['add', 'handbook.md']);
    assert.match(again.stdout, /^unchanged {2}The Handbook \(/);

    const typed = await run(['add', '-', '--title', 'Typed'], { input: '# Typed\n\nBy hand.\n' });
    assert.match(typed.stdout, /^added {2}Typed \(.*, 1 passage$/m);

    const listed = await run(['list', '--sort', 'authority']);
    assert.match(listed.stdout, /^The Handbook +handbook +authoritative .* passages? +\S+\nTyped /);
    assert.match(listed.stderr, /^2 sources in .*library\.$/m);
    assert.deepEqual(
      (await json<Source[]>(['list', '--type', 'handbook'])).map(({ title }) => title),
      ['The Handbook'],
    );

    assert.match((await run(['show', id])).stdout, /^The Handbook\nid +\S+\nsource +.*handbook\.md\n/);
    assert.equal((await run(['show', id, '--text'])).stdout, HANDBOOK);
    assert.match((await run(['show', id, '--passages'])).stdout, /3\.1 System requirements review/);

    const described = await json<Source>(['describe', id, '--title', 'Handbook, 3rd edition', '--version', '3']);
    assert.deepEqual(
      [described.title, described.version, described.standard_id],
      ['Handbook, 3rd edition', '3', 'ISO 1'],
    );

    const unsure = await run(['remove', id]);
    assert.equal(unsure.status, 2);
    assert.match(unsure.stderr, /--yes is missing/);
    assert.match((await run(['remove', id, '--yes'])).stdout, /^Handbook, 3rd edition \(.*\) is removed\.$/m);
    assert.equal((await json<Source[]>(['list'])).length, 1);
    assert.ok(existsSync(join(work, 'handbook.md')), 'the file itself stays');
    const gone = await run(['show', id]);
    assert.equal(gone.status, 1);
    assert.match(gone.stderr, /no document[\s\S]*kaizen library list/);
  });

  it('finds passages with where each stands, and prints one by its address', async () => {
    await json(['add', 'handbook.md']);
    const found = await run(['search', 'system requirements review', '--limit', '1']);
    assert.equal(found.status, 0, found.stderr);
    assert.match(found.stdout, /^[01]\.\d\d {2}Review Handbook, 3\.1 System requirements review {2}/);
    const uri = /knowledge:\/\/library\/\S+#\S+/.exec(found.stdout)?.[0] ?? '';
    const passage = await run(['show', uri]);
    assert.match(
      passage.stdout,
      /shall be held before[\s\S]*\n\n— Review Handbook, 3\.1 System requirements review\n$/,
    );
    const { results } = await json<{ results: unknown[] }>(['search', 'review', '--normative']);
    assert.equal(results.length, 1);
    assert.match((await run(['search', 'chromodynamics'])).stderr, /Nothing was found|chromodynamics/);
  });

  it('adds a whole folder, tells what fails, and goes on with the rest', async () => {
    mkdirSync(join(work, 'sources', 'deep'), { recursive: true });
    for (const name of ['clauses.pdf', 'report.docx', 'scanned.pdf', 'page.html']) {
      copyFileSync(
        resolve('test/fixtures/library', name),
        join(work, 'sources', name === 'page.html' ? `deep/${name}` : name),
      );
    }
    writeFileSync(join(work, 'sources', 'picture.png'), 'png');
    const added = await run(['add', 'sources', 'handbook.md']);
    assert.equal(added.status, 1);
    assert.equal(added.stdout.match(/^added {2}/gm)?.length, 4, added.stdout);
    assert.match(added.stderr, /scanned\.pdf: .*/);
    assert.match(added.stderr, /^4 sources done, 1 failure\.$/m);
    const sources = await json<Source[]>(['list']);
    assert.deepEqual(
      sources.filter(({ processing_status }) => processing_status === 'failed').map(({ chunk_count }) => chunk_count),
      [0],
    );
    const stats = await run(['stats', '--domains', '--freshness']);
    assert.match(stats.stdout, /^library +.*\nsources +5\npassages +\d+ \(/);
    assert.match(stats.stdout, /^1 source could not be read: "scanned"\.$/m);
    assert.doesNotMatch(stats.stdout, /still being read/);
  });

  it('takes only what has to do with a topic, where it is told', async () => {
    const skipped = await run(['add', 'handbook.md', '--relevant-to', 'baking sourdough bread']);
    assert.equal(skipped.status, 0, skipped.stderr);
    assert.match(skipped.stdout, /^skipped {2}/);
    assert.deepEqual(await json<Source[]>(['list']), []);
  });

  it('says how well a topic is covered, and whether a workflow can begin', async () => {
    await json(['add', 'handbook.md']);
    const assessed = await run(['assess', 'system requirements review', '--depth', 'surface', '--workflow', 'rcca']);
    assert.equal(assessed.status, 0, assessed.stderr);
    assert.match(assessed.stdout, /^system requirements review\noverall +[01]\.\d\d {2}[█░]{10} /);
    assert.match(assessed.stdout, /authority +[01]\.\d\d {2}[█░]{10} +counts 40 %/);
    assert.match(assessed.stdout, /\n(proceed|acquire web|request docs|caveat): /);
    const { weights } = await json<{ weights: unknown }>(['assess', 'reviews', '--workflow', 'planning']);
    assert.deepEqual(weights, { coverage: 0.3, authority: 0.25, recency: 0.25, confidence: 0.2 });

    const words = ['preflight', 'planning', 'Plan the system requirements review', '--standard', 'ISO 26262'];
    const checked = await run(words);
    assert.equal(checked.status, 1, 'a standard is missing');
    assert.match(checked.stdout, /^not ready {2}[\s\S]*\nStandards\n {2}missing +ISO 26262/);
  });

  it('keeps requests, and closes them by hand or by what comes in', async () => {
    const asking = ['requests', 'add', 'Flange bolts', '--why', 'The plan needs them', '--urgency', 'blocking'];
    const made = await json<{ id: string; status: string }>([
      ...asking,
      '--example',
      'Flange Bolt Handbook',
      '--needed',
    ]);
    assert.equal(made.status, 'open');
    const listed = await run(['requests']);
    assert.match(listed.stdout, /^blocking {2}Flange bolts[\s\S]*for example Flange Bolt Handbook/);
    writeFileSync(join(work, 'flanges.md'), '# Flange Bolt Handbook\n\nM8 25 Nm.\n');
    const [added] = await json<Added[]>(['add', 'flanges.md']);
    assert.deepEqual(added?.requests_closed, [made.id]);
    assert.deepEqual(await json(['requests']), []);
    assert.equal((await json<unknown[]>(['requests', '--all'])).length, 1);

    await json(['requests', 'reopen', made.id]);
    const closed = await json<{ status: string; answered_by: string }>([
      ...['requests', 'close', made.id, '--by', added?.document?.document_id ?? ''],
    ]);
    assert.deepEqual([closed.status, closed.answered_by], ['answered', added?.document?.document_id]);
    await json(['requests', 'reopen', made.id]);
    assert.equal((await json<{ status: string }>(['requests', 'dismiss', made.id])).status, 'dismissed');
    const unknown = await run(['requests', 'dismiss', 'nothing']);
    assert.equal(unknown.status, 1);
  });

  it('fetches what a topic needs, looks whether it has changed, and says what each page came to', async () => {
    const urls = ['/srr', '/bread', '/secret', '/nothing'].flatMap((path) => ['--url', `${site.origin}${path}`]);
    const topic = 'system requirements review';
    const acquired = await run(['acquire', topic, ...urls, '--threshold', '0.4', ...WEB]);
    assert.equal(acquired.status, 0, acquired.stderr);
    assert.match(
      acquired.stdout,
      /^added +[01]\.\d\d {2}System requirements review {2}http:\/\/127\.0\.0\.1:\d+\/srr/m,
    );
    assert.match(acquired.stdout, /^not_relevant .*\/bread/m);
    assert.match(acquired.stdout, /^refused .*\/secret/m);
    assert.match(acquired.stdout, /^failed .*\/nothing/m);
    assert.match(acquired.stdout, /^1 document added \(\d+ passages?\); coverage [01]\.\d\d → [01]\.\d\d\.$/m);
    const first = await run(['refresh', ...WEB]);
    assert.match(first.stdout, /^unchanged .*\/srr/m);
    site.change('/srr', 'The system requirements review of today needs two signatures.');
    const second = await run(['refresh', ...WEB]);
    assert.match(second.stdout, /^updated .*\/srr/m);
    assert.match((await run(['search', 'two signatures'])).stdout, /signatures/);
  });

  it('takes its settings from the variables of the seed, and flags before them', async () => {
    const urls = ['/', '/srr', '/bread'].flatMap((path) => ['--url', `${site.origin}${path}`]);
    const env = { WEB_ACQUISITION_MAX_PAGES: '1', WEB_ACQUISITION_RELEVANCE_THRESHOLD: '0' };
    const flags = [...WEB, '--json'];
    const pages = async (more: string[]) =>
      (JSON.parse((await run(['acquire', 'bread', ...urls, ...more, ...flags], { env })).stdout) as { pages: object[] })
        .pages;
    assert.equal((await pages([])).length, 1);
    assert.equal((await pages(['--max', '3'])).length, 3);
    for (const [variable, value] of [
      ['CRAWL4AI_RATE_LIMIT_RPS', 'fast'],
      ['WEB_ACQUISITION_MAX_PAGES', '51'],
      ['WEB_ACQUISITION_RELEVANCE_THRESHOLD', '2'],
      ['KAIZEN_WEB_SEARCH_KIND', 'altavista'],
    ] as const) {
      const { status, stderr } = await run(['list'], { env: { [variable]: value } });
      assert.equal(status, 2);
      assert.match(stderr, new RegExp(`${variable}.*"${value}"`));
    }
  });

  it('asks nobody on the web when it is offline, and everything else works', async () => {
    const asked = site.asked.length;
    const refused = await run(['add', `${site.origin}/srr`, '--offline', '--web-private']);
    assert.equal(refused.status, 1);
    const acquired = await run(['acquire', 'reviews', '--url', `${site.origin}/srr`, '--offline', '--web-private']);
    assert.match(acquired.stdout, /^refused .*\/srr/m);
    assert.equal((await run(['add', 'handbook.md', '--offline'])).status, 0);
    assert.match((await run(['search', 'review', '--offline'])).stdout, /Review Handbook/);
    assert.equal(site.asked.length, asked);
  });

  it('does everything but fetching where the network is cut', async function () {
    if (spawnSync('unshare', ['-rn', 'true']).status !== 0) {
      console.info('      (not run: the network cannot be cut here, which needs unshare)');
      this.skip();
    }
    const cut = { isCut: true };
    const fetched = await run(['add', 'https://example.org/reviews'], cut);
    assert.equal(fetched.status, 1);
    assert.match(fetched.stderr, /example\.org/);
    copyFileSync(resolve('test/fixtures/library/clauses.pdf'), join(work, 'clauses.pdf'));
    for (const words of [
      ['add', 'handbook.md', 'clauses.pdf'],
      ['search', 'requirements review'],
      ['assess', 'requirements review'],
      ['requests', 'add', 'ISO 26262', '--why', 'Binding'],
      ['stats'],
      ['list'],
    ]) {
      const { status, stdout, stderr } = await run(words, cut);
      assert.equal(status, 0, stderr);
      assert.ok(stdout.length > 0);
    }
    const acquired = await run(['acquire', 'reviews', '--url', 'https://example.org/reviews'], cut);
    assert.match(acquired.stdout, /^failed .*example\.org/m);
    const refreshed = await run(['refresh'], cut);
    assert.match(refreshed.stdout, /^unchanged .*handbook\.md/m);
  });

  it('proposes what to search for and where to look, where no search endpoint is set up', async () => {
    const { status, stderr } = await run(['acquire', 'functional safety of vehicles', '--query', 'ISO 26262 overview']);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /search for: ISO 26262 overview/);
  });

  it('is stopped by Ctrl+C, and keeps what was added before', async () => {
    const { status, stderr } = await run(['add', 'handbook.md', `${site.origin}/slow`, ...WEB], {
      stopWhen: () => site.asked.includes('/slow'),
    });
    assert.equal(status, 1);
    assert.match(stderr, /Stopped|cancelled/i);
    assert.deepEqual(
      (await json<Source[]>(['list'])).map(({ title }) => title),
      ['Review Handbook'],
    );
  });

  it('keeps the library where it is told, by flag before variable', async () => {
    const [mine, ours] = [join(root, 'mine'), join(root, 'ours')];
    const env = { KAIZEN_LIBRARY: ours };
    await json(['add', 'handbook.md'], { env });
    assert.ok(existsSync(ours));
    assert.equal((await json<Source[]>(['list'], { env })).length, 1);
    assert.equal((await json<Source[]>(['list', '--library', mine], { env })).length, 0);
    assert.equal((await json<Source[]>(['list'])).length, 0);
  });

  for (const [words, says] of [
    [['add'], /PATH\|URL is missing/],
    [['add', 'a.md', 'b.md', '--title', 'T'], /--title goes with one source only/],
    [['add', 'handbook.md', '--authority', 'high'], /--authority takes normative/],
    [['add', 'handbook.md', '--threshold', '0.5'], /--threshold goes with --relevant-to/],
    [['search', 'x', '--min-authority', '7'], /--min-authority needs a number from 0 to 1/],
    [['show', 'x', '--text', '--passages'], /do not go together/],
    [['describe', 'x'], /Name what to say/],
    [['assess', 'x', '--depth', 'deep'], /--depth takes surface/],
    [['preflight', 'cooking', 'x'], /WORKFLOW is rcca/],
    [['requests', 'add', 'x'], /--why is missing/],
    [['requests', 'close', 'x'], /--by is missing/],
    [['requests', 'burn'], /requests takes add, close, dismiss or reopen/],
    [['requests', 'dismiss', 'x', '--why', 'y'], /--why goes with requests add only/],
    [['list', '--library', ''], /--library needs a value/],
    [['list', '--web-search-kind', 'searxng'], /--web-search-kind needs --web-search/],
    [['nothing'], /There is no command library nothing/],
  ] as [string[], RegExp][]) {
    it(`takes library ${words.join(' ')} for no call of its own`, async () => {
      const { status, stderr } = await run(words);
      assert.equal(status, 2, stderr);
      assert.match(stderr, says);
    });
  }

  it('says what is not named, for a server', async () => {
    const { status, stderr } = await run(['init']);
    assert.equal(status, 1);
    assert.match(stderr, /KAIZEN_LIBRARY=postgres/);
    const unreachable = await run(['stats'], { env: { KAIZEN_LIBRARY: 'postgres://me:sesame@127.0.0.1:1/library' } });
    assert.equal(unreachable.status, 1);
    assert.match(unreachable.stderr, /127\.0\.0\.1/);
  });

  describe('on PostgreSQL', () => {
    let server: DatabaseServer;
    before(async () => {
      server = await startDatabaseServer();
    });
    after(() => server?.stop());

    it('is set up once, and does the same there', async function () {
      this.timeout(120_000);
      const env = { KAIZEN_LIBRARY: await server.createDatabase() };
      assert.match((await run(['init'], { env })).stdout, /The library is set up/);
      assert.match((await run(['init'], { env })).stdout, /is there already/);
      assert.match((await run(['roles'])).stdout, /CREATE ROLE kaizen_library_reader/);
      const [added] = await json<Added[]>(['add', 'handbook.md'], { env });
      assert.equal(added?.status, 'added');
      assert.match((await run(['search', 'requirements review'], { env })).stdout, /3\.1 System requirements review/);
      assert.equal((await json<Source[]>(['list'], { env })).length, 1);
      assert.deepEqual(await json<Source[]>(['list']), [], 'nothing is kept here');
    });
  });
});
