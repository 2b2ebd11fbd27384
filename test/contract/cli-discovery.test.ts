import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const CLI = resolve('dist/cli.js');
const HARBOUR = resolve('test/fixtures/bases/harbour');

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

describe('kaizen, searching at a terminal', function () {
  this.timeout(30_000);
  let root: string;
  const clients: Client[] = [];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kaizen-cli-discovery-'));
    mkdirSync(join(root, 'work'));
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    rmSync(root, { recursive: true, force: true });
  });

  function environment(extra: Record<string, string> = {}): Record<string, string> {
    const home = join(root, 'home');
    const { PATH = '', SystemRoot = '' } = process.env;
    return { PATH, SystemRoot, HOME: home, USERPROFILE: home, XDG_DATA_HOME: home, LOCALAPPDATA: home, ...extra };
  }

  async function kaizen(args: string[], env: Record<string, string> = {}, folder = 'work'): Promise<Outcome> {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: join(root, folder),
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
    [outcome.code] = (await once(child, 'close')) as [number | null];
    assert.doesNotMatch(outcome.stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return outcome;
  }

  async function json<Result>(args: string[], env: Record<string, string> = {}): Promise<Result> {
    const { code, stdout, stderr } = await kaizen([...args, '--json'], env);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Result;
  }

  async function server(...flags: string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    const args = [CLI, 'mcp', '--workspace', join(root, 'work'), ...flags];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: environment() }));
    return client;
  }

  const BASE = ['--base', `harbour=${HARBOUR}`];
  type Found = { results: { id: string; path: string }[]; search_type_used: string; message?: string };

  it('prints with --json what the tools answer', async () => {
    const calls: [command: string[], tool: string, args: Record<string, unknown>][] = [
      [['search', 'refresh token', '--limit', '3'], 'search_knowledge', { query: 'refresh token', max_results: 3 }],
      [
        ['discover', 'Sign JWT tokens', '--task-type', 'implement', '--max', '2'],
        'discover_context',
        { task_description: 'Sign JWT tokens', task_type: 'implement', max_results: 2 },
      ],
      [
        ['retrieve', 'guidelines.security', '--children', '--format', 'plain'],
        'retrieve_knowledge',
        { ids: ['guidelines.security'], include_children: true, format: 'plain' },
      ],
      [
        ['dependencies', 'plans.event_store.writer', '--depth', '5', '--direction', 'downstream'],
        'get_dependencies',
        { node_id: 'plans.event_store.writer', depth: 5, direction: 'downstream' },
      ],
    ];
    const client = await server(...BASE);
    for (const [command, name, args] of calls) {
      const { structuredContent } = await client.callTool({ name, arguments: args });
      assert.deepEqual(await json([...command, ...BASE]), structuredContent, name);
    }
  });

  it('shows people what was found: how relevant, what, where, and the text', async () => {
    const search = await kaizen(['search', 'refresh token', ...BASE]);
    assert.match(
      search.stdout,
      /^[01]\.\d\d {2}Authentication {2}guideline\n {6}guidelines\/SECURITY\.md#authentication/,
    );
    assert.match(search.stdout, /\*\*refresh\*\*/);
    const discover = await kaizen(['discover', 'Sign JWT tokens', ...BASE]);
    assert.match(
      discover.stdout,
      /^[01]\.\d\d {2}.* {2}guideline\n {6}guidelines\/SECURITY.*\n {6}.*\(about \d+ tokens\)/,
    );
    const retrieve = await kaizen(['retrieve', 'guidelines.security.authentication.jwt', ...BASE]);
    assert.match(retrieve.stdout, /^# Signing JWT Tokens [\s\S]*EdDSA/);
    const dependencies = await kaizen(['dependencies', 'plans.event_store.writer', ...BASE]);
    assert.match(dependencies.stdout, /Waits for:\n {2}Schema .*plans\.event_store\.schema\n\nIs waited for by:\n/);
  });

  it('takes the file that is worked on from where somebody stands in the repository', async () => {
    const docs = join(root, 'docs');
    mkdirSync(docs);
    writeFileSync(join(docs, 'refunds.md'), '---\nglobs: src/payments/**\n---\n# Money back\n\nNever twice.\n');
    mkdirSync(join(root, 'work/.git'), { recursive: true });
    writeFileSync(join(root, 'work/.git/HEAD'), 'ref: refs/heads/main\n');
    mkdirSync(join(root, 'work/src/payments'), { recursive: true });
    for (const [file, folder] of [
      ['src/payments/refunds.ts', 'work'],
      ['refunds.ts', 'work/src/payments'],
      [join(root, 'work/src/payments/refunds.ts'), 'work/src'],
    ] as const) {
      const { stdout } = await kaizen(['discover', 'Rename a variable', '--file', file, '--base', docs], {}, folder);
      assert.match(stdout, /Money back/, `${file} in ${folder}`);
    }
  });

  it('says that nothing was found, and refuses what is no call', async () => {
    const nothing = await kaizen(['search', 'qwertzuiop', ...BASE]);
    assert.deepEqual([nothing.code, nothing.stdout], [0, '']);
    assert.match(nothing.stderr, /Nothing relevant.*Try kaizen search/, 'tools of agents are no commands');
    assert.match((await kaizen(['search', 'x'])).stderr, /Nothing indexed/);
    const unknown = await kaizen(['retrieve', 'guidelines.securty', ...BASE]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /guidelines\.security/);
    const gone = await kaizen(['search', 'password', ...BASE, '--base', `gone=${join(root, 'gone')}`]);
    assert.match(gone.stdout, /harbour\/guidelines\/SECURITY\.md/);
    assert.match(gone.stderr, /^kaizen: the folder of gone is not there: .*gone$/m);
    for (const args of [
      ['search'],
      ['search', 'two', 'words'],
      ['search', 'x', '--limit', '101'],
      ['search', 'x', '--type', 'magic'],
      ['discover', 'x', '--task-type', 'play'],
      ['retrieve'],
      ['dependencies', 'x', '--depth', '0'],
      ['search', 'x', '--base', 'name='],
      ['search', 'x', '--embeddings-model', 'm'],
    ]) {
      assert.equal((await kaizen(args)).code, 2, args.join(' '));
    }
    const server = await kaizen(['mcp', '--base', `scopes=${HARBOUR}`]);
    assert.deepEqual([server.code, /cannot be called "scopes"/.test(server.stderr)], [1, true], server.stderr);
  });

  it('takes bases of flags, of a file, and of KNOWLEDGE_BASE_PATH when neither names any', async () => {
    const other = join(root, 'My Docs!');
    mkdirSync(other);
    writeFileSync(join(other, 'one.md'), '# Marmalade\n\nOranges.\n');
    const config = join(root, 'kaizen.yaml');
    writeFileSync(config, 'knowledge_base:\n  root_path: ./My Docs!\n  name: jam\nwrong_key: 1\n');
    const places = async (args: string[], env: Record<string, string> = {}) => {
      const all = await json<Found>(['search', 'marmalade glossary', ...args], env);
      return [...new Set(all.results.map(({ path }) => path.replace(/#.*/, '')))].sort();
    };
    const both = { KNOWLEDGE_BASE_PATH: [other, HARBOUR].join(delimiter) };
    assert.deepEqual(await places([], both), ['My-Docs/one.md', 'harbour/context/GLOSSARY.md']);
    assert.deepEqual(await places(['--base', other], both), ['one.md'], 'a flag wins over the variable');
    assert.deepEqual(await places(['--config', config], both), ['one.md'], 'a file wins over the variable');
    assert.deepEqual(await places(['--config', config, '--base', HARBOUR]), [
      'harbour/context/GLOSSARY.md',
      'jam/one.md',
    ]);
    const { stderr } = await kaizen(['search', 'x', '--config', config]);
    assert.match(stderr, /kaizen\.yaml:4: .*wrong_key/);
  });

  it('follows the configuration file of seed 002 in what it recommends', async () => {
    const copy = join(root, 'knowledge_bases');
    cpSync(HARBOUR, copy, { recursive: true });
    const config = join(root, 'kaizen.yaml');
    const discovery = (lines: string) =>
      writeFileSync(config, `knowledge_base:\n  root_path: ./knowledge_bases\ndiscovery:\n${lines}`);
    const ids = async () =>
      (
        await json<{ recommendations: { id: string }[] }>([
          'discover',
          'Sign JWT tokens and hash passwords',
          '--config',
          config,
        ])
      ).recommendations.map(({ id }) => id);
    discovery('  default_max_results: 1\n');
    assert.equal((await ids()).length, 1);
    discovery('  min_relevance_threshold: 0.99\n');
    assert.deepEqual(await ids(), []);
  });

  it('keeps the index where the configuration file says', async () => {
    const config = join(root, 'kaizen.yaml');
    writeFileSync(config, `knowledge_base:\n  root_path: ${HARBOUR}\nindex:\n  storage_path: ./.meta_mcp_index\n`);
    const { results } = await json<Found>(['search', 'glossary', '--config', config]);
    assert.ok(results.length > 0);
    const kept = readdirSync(join(root, '.meta_mcp_index'), { recursive: true, encoding: 'utf8' });
    assert.ok(
      kept.some((name) => /^base-\w+\.jsonl$/.test(name)),
      kept.join(),
    );
    assert.ok(
      kept.some((name) => /^segments[\\/]./.test(name)),
      kept.join(),
    );
  });

  it('serves as the configuration file says', async () => {
    const config = join(root, 'kaizen.yaml');
    writeFileSync(config, `knowledge_base:\n  root_path: ${HARBOUR}\nserver:\n  transport: http\n  port: 0\n`);
    const child = spawn(process.execPath, [CLI, 'mcp', '--config', config], {
      cwd: join(root, 'work'),
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/token: /.test(said)) child.kill('SIGTERM');
    });
    await once(child, 'close');
    assert.match(said, /^listening on http:\/\/127\.0\.0\.1:\d+\/mcp$/m);
  });

  it('writes what an agent proposed for a document once a person accepts it', async () => {
    const copy = join(root, 'harbour');
    cpSync(HARBOUR, copy, { recursive: true });
    const file = join(copy, 'guidelines', 'SECURITY.md');
    const before = readFileSync(file, 'utf8');
    const base = ['--base', `harbour=${copy}`];
    for (const policy of ['allow', 'review']) {
      const client = await server('--agent-writes', policy, ...base);
      const propose = { id: 'guidelines.security.secrets', content: `The ${policy} marmalade.`, reason: 'It moved.' };
      const { structuredContent } = await client.callTool({ name: 'propose_update', arguments: propose });
      const { success, proposal } = structuredContent as { success: boolean; proposal: number };
      assert.equal(success, true);
      assert.doesNotMatch(readFileSync(file, 'utf8'), /marmalade/, 'nothing is written by itself');
      const shown = await kaizen(['review', '--show', String(proposal), ...base]);
      assert.match(shown.stdout, /Reason: It moved\.[\s\S]*marmalade/);
      const accepted = await kaizen(['review', '--accept', String(proposal), ...base]);
      assert.equal(accepted.code, 0, accepted.stderr);
      assert.match(readFileSync(file, 'utf8'), new RegExp(`<!-- content -->\nThe ${policy} marmalade\\.\n`));
      await within(20_000, async () => {
        const query = { query: `${policy} marmalade` };
        const found = await client.callTool({ name: 'search_knowledge', arguments: query });
        return (found.structuredContent as Found).results[0]?.id === 'guidelines.security.secrets';
      });
      await client.close();
      writeFileSync(file, before);
    }
  });

  it('says which model is missing, and searches by words', async () => {
    const config = join(root, 'kaizen.yaml');
    writeFileSync(config, 'index:\n  embedding_model: "sentence-transformers/all-MiniLM-L6-v2"\n');
    const local = await kaizen(['search', 'token', '--config', config, ...BASE]);
    assert.match(local.stderr, /all-MiniLM-L6-v2 is not installed here/);
    assert.match(local.stdout, /token/);
  });

  it('searches by meaning with an API, whose key is no flag', async () => {
    const { server, url, keys } = await embeddingApi();
    try {
      const flags = ['--embeddings-url', url, '--embeddings-model', 'letters', ...BASE];
      const env = { KAIZEN_EMBEDDINGS_KEY: 'secret-key' };
      const found = await json<Found>(['search', 'refresh token', '--type', 'semantic', ...flags], env);
      assert.equal(found.search_type_used, 'semantic');
      assert.ok(found.results.length > 0);
      assert.ok(keys.size === 1 && keys.has('Bearer secret-key'), [...keys].join(' '));
      const { stdout } = await kaizen(['search', '--help']);
      assert.doesNotMatch(stdout, /--embeddings-key/);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});

/** Asks again and again until it is so, at most for so long. */
async function within(ms: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Answers as an OpenAI-compatible API does, with the counts of letters as the meaning of a text. */
async function embeddingApi(): Promise<{ server: Server; url: string; keys: Set<string | undefined> }> {
  const keys = new Set<string | undefined>();
  const server = createServer((request, response) => {
    keys.add(request.headers.authorization);
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { input, encoding_format } = JSON.parse(body) as { input: string | string[]; encoding_format?: string };
      const data = [input].flat().map((text, index) => {
        const counts = new Float32Array(26);
        for (const letter of text.toLowerCase().match(/[a-z]/g) ?? ['a']) counts[letter.charCodeAt(0) - 97]! += 1;
        const base64 = Buffer.from(counts.buffer).toString('base64');
        return { index, embedding: encoding_format === 'base64' ? base64 : [...counts] };
      });
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, keys };
}
