import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MINI_LM } from '../../src/search/embeddings/local/model-files';

const CLI = path.resolve('dist/cli.js');

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

describe('kaizen embeddings', function () {
  this.timeout(30_000);
  let root: string;
  let models: string;
  let mirror: Server;
  let base: string;
  let asked: string[];
  let answer: (response: ServerResponse) => void;

  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-cli-embeddings-'));
    models = path.join(root, 'shared', 'models');
    asked = [];
    answer = (response) => response.writeHead(404).end();
    mirror = createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(response);
    });
    mirror.listen(0, '127.0.0.1');
    await once(mirror, 'listening');
    base = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    mirror.closeAllConnections();
    mirror.close();
    await once(mirror, 'close');
    rmSync(root, { recursive: true, force: true });
  });

  function start(args: string[], env: Record<string, string> = {}): ChildProcess {
    const { PATH = '', SystemRoot = '' } = process.env;
    const mirrors = { KAIZEN_PACKAGES_URL: `${base}/npm`, KAIZEN_MODELS_URL: `${base}/models` };
    return spawn(process.execPath, [CLI, 'embeddings', ...args], {
      cwd: root,
      env: { PATH, SystemRoot, KAIZEN_SHARED: path.join(root, 'shared'), KAIZEN_DATA: root, ...mirrors, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function outcomeOf(child: ChildProcess): Promise<Outcome> {
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
    [outcome.code] = (await once(child, 'close')) as [number | null];
    return outcome;
  }

  const kaizen = (args: string[], env?: Record<string, string>) => outcomeOf(start(args, env));

  /** Files of the right sizes, which is all that a first look can tell. */
  function pretendInstalled(): void {
    const directory = path.join(models, MINI_LM.directory);
    for (const name of [...MINI_LM.files.map(({ to }) => to), ...Object.keys(MINI_LM.written)]) {
      mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
      writeFileSync(path.join(directory, name), '');
    }
    for (const { to, bytes } of MINI_LM.files) truncateSync(path.join(directory, to), bytes);
  }

  it('says that nothing is set up, what could be downloaded and from where, and asks no server for that', async () => {
    const { code, stdout } = await kaizen([]);
    assert.equal(code, 0);
    assert.match(stdout, /by meaning +off: words alone are searched\n/);
    assert.match(stdout, /all-MiniLM-L6-v2 is not installed; --install downloads 38 MB from 127\.0\.0\.1:\d+\n$/);
    assert.deepEqual(asked, []);
    assert.ok(!existsSync(path.join(root, 'shared')));
  });

  it('says what is used, without the key and what the address hides', async () => {
    const env = { KAIZEN_EMBEDDINGS_URL: `${base}/v1?token=hidden`, KAIZEN_EMBEDDINGS_KEY: 'secret-key' };
    const flags = ['--embeddings-model', 'letters'];
    const { stdout, stderr } = await kaizen(flags, env);
    assert.match(stdout, /by letters at http:\/\/127\.0\.0\.1:\d+\/v1, with a key/);
    const json = await kaizen([...flags, '--json'], env);
    const { provider, key, local } = JSON.parse(json.stdout) as Record<string, unknown>;
    assert.deepEqual([provider, key, (local as { bytes: number }).bytes], ['endpoint', true, 38_478_886]);
    assert.doesNotMatch(stdout + stderr + json.stdout + json.stderr, /secret-key|hidden/);
    const refused = await kaizen([...flags, '--embeddings-url', 'http://example.com/v1']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /http: is taken for this machine only/);
  });

  it('uses the local model where the configuration names it and it is installed', async () => {
    const config = path.join(root, 'kaizen.yaml');
    writeFileSync(config, 'index:\n  embedding_model: "all-MiniLM-L6-v2"\n');
    const missing = await kaizen(['--config', config]);
    assert.match(missing.stderr, /is not installed here \("kaizen embeddings --install"\)/);
    assert.match(missing.stdout, /words alone/);
    pretendInstalled();
    const { stdout, stderr } = await kaizen(['--config', config]);
    assert.match(stdout, /by all-MiniLM-L6-v2 on this machine\n/);
    assert.ok(stdout.includes(`all-MiniLM-L6-v2, in ${models}`), stdout);
    assert.equal(stderr, '');
  });

  it('downloads nothing without consent: it says what it would, and refuses where nobody can be asked', async () => {
    const { code, stdout, stderr } = await kaizen(['--install']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /38 MB from 127\.0\.0\.1:\d+\ninto .*models, once for all workspaces/);
    assert.match(stderr, /--yes agrees to the download/);
    assert.deepEqual(asked, []);
    assert.equal((await kaizen(['--yes'])).code, 2);
  });

  it('asks the mirrors once agreed, and keeps nothing that is not the very file', async () => {
    const { code, stderr } = await kaizen(['--install', '--yes']);
    assert.equal(code, 1);
    assert.match(stderr, /not installed\. transformers\.web\.min\.js could not be had from .*: the server says 404/);
    assert.deepEqual(asked, [`/npm/${MINI_LM.files[0]!.from.path}`]);
    answer = (response) => response.end(Buffer.alloc(MINI_LM.files[0]!.bytes));
    const other = await kaizen(['--install', '--yes']);
    assert.equal(other.code, 1);
    assert.match(other.stderr, /is not the file that was expected/);
    assert.deepEqual(readdirSync(models), []);
  });

  it('downloads again what is damaged, and asks before that too', async () => {
    pretendInstalled();
    const { code, stderr } = await kaizen(['--install']);
    assert.equal(code, 2);
    assert.match(stderr, /38 MB from/);
  });

  it('shows how far it is, ends with Ctrl+C at once, and leaves nothing behind', async function () {
    // A process cannot be sent Ctrl+C there.
    if (process.platform === 'win32') this.skip();
    answer = (response) => void response.write(Buffer.alloc(1000));
    const child = start(['--install', '--yes']);
    child.stderr!.on('data', (text: string) => {
      if (String(text).includes('0 of 38 MB')) child.kill('SIGINT');
    });
    const { code, stderr } = await outcomeOf(child);
    assert.equal(code, 1);
    assert.match(stderr, /kaizen: 0 of 38 MB\n[\s\S]*The download was cancelled\. Nothing was installed\.\n$/);
    assert.deepEqual(readdirSync(models), []);
  });
});
