import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DatabaseServer, startDatabaseServer } from '../support/postgres';

const CLI = resolve('dist/cli.js');

describe('kaizen registry, at a terminal', function () {
  this.timeout(60_000);
  let server: DatabaseServer;
  let root: string;
  let url: string;

  before(async () => {
    server = await startDatabaseServer();
    url = await server.createDatabase();
    root = mkdtempSync(join(tmpdir(), 'kaizen-cli-registry-'));
    const notes = join(root, 'work/.ai/knowledge/patterns');
    mkdirSync(notes, { recursive: true });
    writeFileSync(
      join(notes, '042-mail.md'),
      '---\nzettel_id: 042-mail\ntitle: Mail\nentry_type: pattern\n---\n\nUse SPF.\n',
    );
  });
  after(async () => {
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** Not waiting in the way of the database server, which may run in this process. */
  async function run(args: string[], variables: NodeJS.ProcessEnv = { KAIZEN_REGISTRY_URL: url }) {
    const { PATH = '', SystemRoot = '' } = process.env;
    const home = join(root, 'home');
    const env = {
      ...{ PATH, SystemRoot, HOME: home, USERPROFILE: home },
      ...{ KAIZEN_DATA: join(root, 'd'), KAIZEN_SHARED: join(root, 's') },
      ...variables,
    };
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: join(root, 'work'),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const status = await new Promise<number | null>((done) => child.once('close', done));
    assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    assert.ok(!`${stdout}${stderr}`.includes('sesame'), 'no password is shown');
    return { status, stdout, stderr };
  }

  it('sets a registry up once, and says how it is', async () => {
    const before = await run(['registry', 'status']);
    assert.equal(before.status, 1);
    assert.match(before.stdout, /kaizen registry init/);
    assert.match((await run(['registry', 'search', 'mail'])).stderr, /kaizen registry init/);
    assert.match((await run(['registry', 'init'])).stdout, /is set up/);
    assert.match((await run(['registry', 'init'])).stdout, /there already/);
    const after = await run(['registry', 'status', '--json']);
    assert.deepEqual([after.status, JSON.parse(after.stdout).state], [0, 'ready']);
  });

  it('publishes, searches, compares and lists versions', async () => {
    assert.match((await run(['notes', 'publish', '042-mail'])).stdout, /published as 1\.0\.0/);
    const found = JSON.parse((await run(['registry', 'search', 'SPF', '--json'])).stdout);
    assert.deepEqual([found.total, found.results[0].zettel_id], [1, '042-mail']);
    const versions = await run(['registry', 'versions', '042-mail']);
    assert.match(versions.stdout, /^1\.0\.0 +\d{4}-\d\d-\d\dT/);
    assert.equal((await run(['registry', 'versions', 'nothing'])).status, 1);

    assert.equal((await run(['registry', 'diff', '042-mail'])).status, 0);
    const file = join(root, 'work/.ai/knowledge/patterns/042-mail.md');
    writeFileSync(
      file,
      '---\nzettel_id: 042-mail\ntitle: Mail\nentry_type: pattern\nversion: 1.0.0\n---\n\nUse DKIM.\n',
    );
    const differs = await run(['registry', 'diff', '042-mail']);
    assert.equal(differs.status, 1);
    assert.match(differs.stdout, /-Use SPF\.\n +\+Use DKIM\./);
  });

  it('prints the rights of readers and publishers without asking a server', async () => {
    const { status, stdout } = await run(['registry', 'roles'], {});
    assert.equal(status, 0);
    assert.match(stdout, /GRANT SELECT ON ALL TABLES IN SCHEMA kaizen TO kaizen_reader;/);
  });

  it('says what is missing, or wrong, in a sentence', async () => {
    const none = await run(['registry', 'status'], {});
    assert.deepEqual([none.status, none.stdout], [1, '']);
    assert.match(none.stderr, /KAIZEN_REGISTRY_URL/);
    const closed = await run(['registry', 'status'], { KAIZEN_REGISTRY_URL: 'postgres://me:sesame@127.0.0.1:1/db' });
    assert.match(closed.stderr, /127\.0\.0\.1:1\/db as me cannot be reached: nothing listens there/);
    const wrong = await run(['registry', 'status', '--registry', 'mysql://me:sesame@host'], {});
    assert.match(wrong.stderr, /does not begin with postgres:/);
    // Nothing that does not name the registry asks it.
    const local = await run(['notes', 'get', '042-mail'], {
      KAIZEN_REGISTRY_URL: 'postgres://me:sesame@127.0.0.1:1/db',
    });
    assert.equal(local.status, 0);
  });
});
