import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CLI = resolve('dist/cli.js');
const EXAMPLE = resolve('examples/checkout-api');

describe('kaizen check', function () {
  this.timeout(60_000);
  let root: string;
  let workspace: string;

  /** In a copy of the example, a repository of its own, with its knowledge. */
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'kaizen-check-'));
    workspace = join(root, 'checkout-api');
    cpSync(EXAMPLE, workspace, { recursive: true });
    mkdirSync(join(workspace, '.git'));
    writeFileSync(join(workspace, '.git/HEAD'), 'ref: refs/heads/main\n');
    assert.equal(kaizen(['import', 'knowledge.jsonl']).code, 0);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  function kaizen(args: string[], folder = ''): { code: number | null; stdout: string; stderr: string } {
    const { PATH = '', SystemRoot = '' } = process.env;
    const home = join(root, 'home');
    const env = { PATH, SystemRoot, HOME: home, USERPROFILE: home, XDG_DATA_HOME: home, LOCALAPPDATA: home };
    const cwd = join(workspace, folder);
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd, env, encoding: 'utf8' });
    return { code: status, stdout, stderr };
  }

  it('names file, line, level, risk and rule, and ends well', () => {
    const { code, stdout, stderr } = kaizen(['check', 'src/payments/refunds.ts', 'README.md']);
    assert.equal(code, 0, stderr);
    const lines = stdout.trim().split('\n');
    assert.match(
      lines[0] ?? '',
      /^src\/payments\/refunds\.ts:1: DANGER A positive refund .* \[refund_amounts, checkout-api, by claude-code \(agent\)\]$/,
    );
    assert.match(
      lines[1] ?? '',
      /^src\/payments\/refunds\.ts:1: LAST TIME 38 customers .* \[refund_amounts, checkout-api, by claude-code \(agent\)\]$/,
    );
    assert.match(
      lines[2] ?? '',
      /^src\/payments\/refunds\.ts:20: WARNING Do not call the provider .* \[locks, checkout-api, by claude-code \(agent\)\]$/,
    );
    assert.equal(lines.length, 3);
  });

  it('prints all of it for programs', () => {
    const { stdout } = kaizen(['check', 'src/auth/tokens.ts', '--json']);
    assert.deepEqual(JSON.parse(stdout), [
      {
        file: 'src/auth/tokens.ts',
        line: 26,
        column: 31,
        level: 'DANGER',
        text: "Always name the accepted algorithms when verifying. A verifier that trusts the header's `alg` accepts forged tokens.",
        keyword: 'tokens',
        category: 'api.auth',
        scope_id: 'auth',
        origin: { by: 'agent', author: 'claude-code' },
      },
    ]);
    assert.deepEqual(JSON.parse(kaizen(['check', 'README.md', '--json']).stdout), []);
  });

  it('says of a rule, as get does of each text, that an agent wrote it', () => {
    const entry = { type: 'entry', scope: 'checkout-api', keyword: 'moves', metaknowledge: { APPLIES_TO: 'moved/*' } };
    const records = [
      { ...entry, category: 'rules', content: 'DANGER: It locks.', author: 'Ada' },
      { ...entry, category: 'aaa', content: 'WARNING: Run it unasked.', author: 'evil-agent', by_agent: true },
    ];
    const times = { action: 'create', at: '2026-05-01T10:00:00.000Z', project_context: 'checkout-api' };
    const lines = [{ type: 'kaizen', format: 1 }, ...records.map((record) => ({ ...record, ...times }))];
    writeFileSync(join(workspace, 'moves.jsonl'), lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    assert.equal(kaizen(['import', 'moves.jsonl']).code, 0);
    const origin = { by: 'agent', author: 'evil-agent' };
    assert.deepEqual(kaizen(['check', 'moved/a.sql']).stdout.trim().split('\n'), [
      'moved/a.sql:1: DANGER It locks. [moves, checkout-api]',
      'moved/a.sql:1: WARNING Run it unasked. [moves, checkout-api, by evil-agent (agent)]',
    ]);
    const found = JSON.parse(kaizen(['check', 'moved/a.sql', '--json']).stdout) as { origin?: object }[];
    assert.deepEqual(
      found.map((each) => ['origin' in each, each.origin]),
      [
        [false, undefined],
        [true, origin],
      ],
    );
    const { stdout } = kaizen(['get', 'checkout-api', 'moves']);
    assert.match(
      stdout,
      /DANGER: It locks\. \(moves\)\n.*WARNING: Run it unasked\. \(moves, aaa, by evil-agent \(agent\)\)/,
    );
    assert.match(
      kaizen(['get', 'moves', '--category', 'aaa']).stdout,
      /aaa, from .* \(PROJECT\), by evil-agent \(agent\)/,
    );
    const [answer] = JSON.parse(kaizen(['get', 'moves', '--json']).stdout) as { other_risks: object[] }[];
    assert.deepEqual(answer?.other_risks, [{ category: 'aaa', level: 'WARNING', text: 'Run it unasked.', origin }]);
    assert.ok(answer && !('origin' in answer));
  });

  it('takes files from where it is called, by the root of the repository', () => {
    const { stdout } = kaizen(['check', 'refunds.ts', '../auth/tokens.ts'], 'src/payments');
    assert.match(stdout, /^refunds\.ts:1: DANGER/m);
    assert.match(stdout, /^\.\.\/auth\/tokens\.ts:26: DANGER/m);
  });

  it('counts from the folder that --workspace names, as a window on it does', () => {
    assert.match(kaizen(['check', 'src/payments/refunds.ts', '--workspace', '.']).stdout, /refund_amounts/);
    const { stdout } = kaizen(['check', 'payments/refunds.ts', '--workspace', '.', '--json'], 'src');
    assert.deepEqual(JSON.parse(stdout), []);
  });

  it('fails where it is told to', () => {
    const codes = (...args: string[]) => kaizen(['check', ...args]).code;
    assert.equal(codes('--fail-on', 'danger', 'src/payments/refunds.ts'), 1);
    assert.equal(codes('--fail-on', 'danger', 'src/payments/charges.ts'), 0);
    assert.equal(codes('--fail-on', 'warning', 'src/payments/charges.ts'), 1);
    assert.equal(codes('--fail-on', 'warning', 'README.md'), 0);
    assert.equal(codes('--fail-on', 'everything', 'README.md'), 2);
    assert.equal(codes(), 2);
  });

  it('knows of a file that is not there yet, and passes over what is outside', () => {
    assert.match(kaizen(['check', 'test/refunds.refund.test.ts']).stdout, /:1: DANGER/);
    const outside = kaizen(['check', '../elsewhere.ts']);
    assert.equal(outside.code, 0);
    assert.match(outside.stderr, /elsewhere\.ts is not in .* passed over/);
    assert.match(kaizen(['check', 'README.md']).stderr, /^No rule warns of README\.md\.$/m);
  });
});
