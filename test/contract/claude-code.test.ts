import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findClaudeCode } from '../../tools/agents/setup.mjs';
import { type GuardedWorkspace, guardedWorkspace } from './support/guarded-workspace';
import { type ModelRequest, type ScriptedModel, startModel, type Turn } from './support/messages-endpoint';

const CLI = path.resolve('dist/cli.js');
const EVENTS = {
  SessionStart: 'session-start',
  PreToolUse: 'pre-tool-use',
  PostToolUse: 'post-tool-use',
  PreCompact: 'pre-compact',
  Stop: 'stop',
};

describe('Claude Code itself, with a scripted model', function () {
  this.timeout(180_000);
  let world: GuardedWorkspace;
  let model: ScriptedModel | undefined;
  let program: string;

  before(function () {
    const found = findClaudeCode();
    if (found === undefined) {
      console.log('      skipped: there is no Claude Code here; node tools/agents/setup.mjs installs it');
      this.skip();
    }
    program = found;
  });
  beforeEach(() => {
    world = guardedWorkspace();
  });
  afterEach(async () => {
    await model?.close();
    model = undefined;
    world.remove();
  });

  /** Hooks as a person would have them in the project's settings. */
  function installHooks(): void {
    const words = (event: string) => [process.execPath, CLI, 'hook', event, ...world.flags];
    const hook = (event: string) => {
      const command = words(event)
        .map((word) => `"${word}"`)
        .join(' ');
      return [{ matcher: '*', hooks: [{ type: 'command', command, timeout: 30 }] }];
    };
    const hooks = Object.fromEntries(Object.entries(EVENTS).map(([name, event]) => [name, hook(event)]));
    mkdirSync(path.join(world.folder, '.claude'));
    writeFileSync(path.join(world.folder, '.claude/settings.json'), JSON.stringify({ hooks }));
  }

  /** Runs it in print mode, where nobody is there to confirm anything, and gives what the model was sent. */
  async function run(turns: Turn[], ...args: string[]): Promise<ModelRequest[]> {
    model = await startModel(turns);
    const all = [
      '-p',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash,Edit,Write,mcp__kaizen__*',
      ...args,
      '--',
      'Please do it.',
    ];
    const child = spawn(program, all, {
      cwd: world.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...world.env,
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        // All tools of a server are offered at once.
        ENABLE_TOOL_SEARCH: 'false',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0, output);
    assert.equal(model.requests.length, turns.length, `the model was asked once for each turn: ${output}`);
    return model.requests;
  }

  const edit = (name: string, old_string: string, new_string: string): Turn => ({
    tools: [{ name: 'Edit', input: { file_path: path.join(world.folder, name), old_string, new_string } }],
  });
  const read = (...names: string[]): Turn => ({
    tools: names.map((name) => ({ name: 'Read', input: { file_path: path.join(world.folder, name) } })),
  });
  const bash = (command: string): Turn => ({ tools: [{ name: 'Bash', input: { command, description: 'x' } }] });
  const file = (name: string) => readFileSync(path.join(world.folder, name), 'utf8');
  /** What came in addition to the request before. */
  const added = (requests: ModelRequest[], at: number) =>
    JSON.stringify(requests[at]!.messages.slice(requests[at - 1]?.messages.length ?? 0));

  it('begins with the brief, stops before DANGER, takes WARNING along, and lets the rest go through', async () => {
    installHooks();
    const requests = await run([
      read('migrations/1.sql', 'warn.txt', 'a.txt'),
      edit('migrations/1.sql', 'select 1', 'select 2'),
      edit('warn.txt', 'one', 'two'),
      edit('a.txt', 'one', 'two'),
      bash('rm -rf migrations/'),
      bash('cat migrations/1.sql'),
      { text: 'Done.' },
    ]);
    assert.match(
      JSON.stringify(requests[0]),
      /There is no backup of the test data/,
      'the brief is in the first prompt',
    );

    assert.doesNotMatch(added(requests, 1), /MIGRATIONS is about/, 'reading is not commented');
    assert.match(added(requests, 2), /"is_error":true/);
    assert.match(added(requests, 2), /DANGER for migrations\/1\.sql: .{1,3}MIGRATIONS is about/);
    assert.equal(file('migrations/1.sql'), 'select 1;\n', 'nobody confirmed it');

    assert.match(added(requests, 3), /WARNING for warn\.txt: .{1,3}WARN_FILE is about/);
    assert.equal(file('warn.txt'), 'two\n');
    assert.doesNotMatch(added(requests, 4), /Kaizen:/);
    assert.equal(file('a.txt'), 'two\n');

    assert.match(added(requests, 5), /"is_error":true/);
    assert.ok(existsSync(path.join(world.folder, 'migrations/1.sql')), 'nobody confirmed that either');
    assert.match(added(requests, 6), /select 1;/, 'a command that only reads goes through');

    const log = JSON.parse(world.kaizen('hook', 'log', '--json')) as { outcome: string; tool: string | null }[];
    assert.deepEqual(
      log.reverse().map(({ outcome, tool }) => `${outcome} ${tool ?? ''}`.trim()),
      ['briefed', 'ask Edit', 'tell Edit', 'ask Bash'],
    );
  });

  it('lets the same edit through once it was consented to, and asks for it no more', async () => {
    installHooks();
    const asked = path.join(world.root, 'asked.txt');
    const config = path.join(world.root, 'mcp.json');
    const server = {
      command: process.execPath,
      args: [path.resolve('test/contract/support/consenting-server.mjs'), asked],
    };
    writeFileSync(config, JSON.stringify({ mcpServers: { person: server } }));
    const requests = await run(
      [
        read('migrations/1.sql'),
        edit('migrations/1.sql', 'select 1', 'select 2'),
        edit('migrations/1.sql', 'select 2', 'select 3'),
        bash('echo "select 4;" > migrations/1.sql'),
        { text: 'Done.' },
      ],
      ...['--mcp-config', config, '--strict-mcp-config', '--permission-prompt-tool', 'mcp__person__consent'],
    );
    assert.equal(file('migrations/1.sql'), 'select 4;\n');
    assert.equal(readFileSync(asked, 'utf8'), 'Edit\nBash\n', 'asked for the first edit, and for the command');
    assert.match(added(requests, 3), /DANGER for migrations\/1\.sql/, 'the second edit is told of the rule');
    const log = JSON.parse(world.kaizen('hook', 'log', '--json')) as { outcome: string; tool: string | null }[];
    assert.deepEqual(
      log.reverse().map(({ outcome, tool }) => `${outcome} ${tool ?? ''}`.trim()),
      ['briefed', 'ask Edit', 'went through Edit', 'tell Edit', 'ask Bash', 'went through Bash'],
    );
  });

  it('is reminded of the summary before it ends, once', async () => {
    installHooks();
    const requests = await run([
      read('a.txt'),
      edit('a.txt', 'one', 'two'),
      edit('a.txt', 'two', 'three'),
      edit('a.txt', 'three', 'four'),
      { text: 'Done.' },
      { text: 'Really done.' },
    ]);
    assert.equal(file('a.txt'), 'four\n');
    assert.match(added(requests, 5), /store_session_summary/);
  });

  it("uses Kaizen's tools from its MCP configuration", async () => {
    const config = path.join(world.root, 'mcp.json');
    const server = { command: process.execPath, args: [CLI, 'mcp', ...world.flags] };
    writeFileSync(config, JSON.stringify({ mcpServers: { kaizen: server } }));
    const requests = await run(
      [
        { tools: [{ name: 'mcp__kaizen__get_knowledge', input: { scope_id: 'general', keywords: ['REFUNDS'] } }] },
        { text: 'Done.' },
      ],
      ...['--mcp-config', config, '--strict-mcp-config'],
    );
    const offered = requests[0]!.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__kaizen__'));
    for (const name of ['get_categories', 'get_keywords', 'get_knowledge', 'store_session_summary']) {
      assert.ok(offered.includes(`mcp__kaizen__${name}`), `${name} is offered: ${offered.join(', ')}`);
    }
    assert.match(added(requests, 1), /REFUNDS is about src\/payments\/refunds\.ts/);
  });
});
