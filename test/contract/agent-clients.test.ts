import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseYaml } from 'yaml';
import {
  type AgentClient,
  type AgentSurroundings,
  apply,
  inspect,
  launcherCommand,
  plan,
  writeLauncher,
} from '../../src/agents';
import { rememberEditorStores } from '../../src/core/editor-stores';
import { type Platform, realPath } from '../../src/core/locations';
import { findClaudeCode } from '../../tools/agents/setup.mjs';

const CLI = path.resolve('dist/cli.js');
const general = { scope_id: 'general', tier: 'GENERAL' };

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** How a client reads its file, what it puts in for variables, and where it starts the server; `/` where nobody says. */
interface ClientReading {
  client: AgentClient;
  file(home: string, workspace: string): string;
  entry(text: string): Entry;
  variables(home: string, workspace: string): Record<string, string>;
  cwd(workspace: string): string;
}

const CLIENTS: ClientReading[] = [
  {
    client: 'claude-code',
    file: (_home, workspace) => path.join(workspace, '.mcp.json'),
    entry: (text) => JSON.parse(text).mcpServers.kaizen,
    variables: (home) => ({ HOME: home, USERPROFILE: home }),
    cwd: (workspace) => workspace,
  },
  {
    client: 'cursor',
    file: (_home, workspace) => path.join(workspace, '.cursor', 'mcp.json'),
    entry: (text) => parseJsonc(text).mcpServers.kaizen,
    variables: (home, workspace) => ({ userHome: home, workspaceFolder: workspace }),
    cwd: () => path.parse(process.cwd()).root,
  },
  {
    client: 'vscode',
    file: (_home, workspace) => path.join(workspace, '.vscode', 'mcp.json'),
    entry: (text) => parseJsonc(text).servers.kaizen,
    variables: (home, workspace) => ({ userHome: home, workspaceFolder: workspace }),
    cwd: () => path.parse(process.cwd()).root,
  },
  {
    client: 'copilot-cli',
    file: (home) => path.join(home, '.copilot', 'mcp-config.json'),
    entry: (text) => JSON.parse(text).mcpServers.kaizen,
    variables: () => ({}),
    cwd: (workspace) => workspace,
  },
  {
    client: 'claude-desktop',
    file: (home) => path.join(home, '.config', 'Claude', 'claude_desktop_config.json'),
    entry: (text) => JSON.parse(text).mcpServers.kaizen,
    variables: () => ({}),
    cwd: () => path.parse(process.cwd()).root,
  },
  {
    client: 'continue',
    file: (_home, workspace) => path.join(workspace, '.continue', 'mcpServers', 'kaizen.yaml'),
    entry: (text) => parseYaml(text).mcpServers.find((server: { name: string }) => server.name === 'kaizen'),
    variables: () => ({}),
    cwd: () => path.parse(process.cwd()).root,
  },
];

(process.platform === 'linux' ? describe : describe.skip)('a server started from the configuration of', function () {
  // Each test starts several programs, one of them some 200 MB large.
  this.timeout(180_000);
  let root: string;
  let home: string;
  let workspace: string;
  let data: string;
  let shared: string;
  let platform: Platform;
  const open: Client[] = [];

  beforeEach(async () => {
    root = realPath(mkdtempSync(path.join(tmpdir(), 'kaizen clients ')));
    [home, workspace, data, shared] = ['home of ada', 'my shop', 'storage', 'shared'].map((name) =>
      path.join(root, name),
    ) as [string, string, string, string];
    for (const folder of [home, workspace, data]) mkdirSync(folder);
    platform = { platform: 'linux', env: {}, home };
    await writeLauncher(platform, { node: process.execPath, cli: CLI, isElectron: false });
    await rememberEditorStores({ format: 1, workspace, data, shared, project: 'shop', hooks: {} }, { platform });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });

  async function start({ command, args, env = {} }: Entry, cwd: string): Promise<Client> {
    const client = new Client({ name: 'Contract Client', version: '1.2.3' });
    open.push(client);
    const base = { HOME: home, PATH: process.env.PATH ?? '' };
    await client.connect(new StdioClientTransport({ command, args, env: { ...base, ...env }, cwd, stderr: 'ignore' }));
    return client;
  }

  async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content as { text: string }[];
    assert.notEqual(result.isError, true, content?.text);
    return content?.text ?? '';
  }

  const entry = (keyword: string, content: string) => ({
    target_scope_id: 'general',
    category: 'git',
    keyword,
    content,
    project_context: '',
  });

  /** Writes the client's configuration as a person would who ticks it, and reads it as the client does. */
  async function configured(reading: ClientReading, around: AgentSurroundings): Promise<Entry> {
    const file = reading.file(home, workspace);
    const id = `server:${reading.client}`;
    await apply(await plan(around, { install: [id], remove: [] }), around);
    assert.equal((await inspect(around)).find((piece) => piece.id === id)?.state, 'current');
    const found = reading.entry(readFileSync(file, 'utf8'));
    const variables = reading.variables(home, workspace);
    const expand = (text: string) => text.replace(/\$\{([^}]+)\}/g, (whole, name: string) => variables[name] ?? whole);
    return {
      ...found,
      command: expand(found.command),
      args: found.args.map(expand),
      ...(found.env
        ? { env: Object.fromEntries(Object.entries(found.env).map(([name, text]) => [name, expand(text)])) }
        : {}),
    };
  }

  for (const reading of CLIENTS) {
    it(`${reading.client} works beside the editor on its stores`, async () => {
      const around = { workspace, project: 'shop', platform, kaizen: launcherCommand(platform) };
      mkdirSync(path.dirname(reading.file(home, workspace)), { recursive: true });
      if (reading.client !== 'continue') {
        writeFileSync(reading.file(home, workspace), '{\n  "theme": "dark"\n}\n');
      }
      const command = await configured(reading, around);
      // As the editor has it open: another process on the same two stores.
      const flags = ['--data', data, '--shared', shared, '--workspace', workspace, '--project', 'shop'];
      const writer = await start({ command: process.execPath, args: [CLI, 'mcp', ...flags] }, root);
      await call(writer, 'define_scope', general);
      await call(writer, 'store_knowledge_if_missing', entry('commit', 'From the editor'));

      const client = await start(command, reading.cwd(workspace));
      assert.ok((await client.listTools()).tools.some(({ name }) => name === 'get_knowledge'));
      const read = { scope_id: 'general', keywords: ['commit', 'push'] };
      assert.match(await call(client, 'get_knowledge', read), /From the editor/);
      await call(client, 'store_knowledge_if_missing', entry('push', 'From the client'));
      assert.match(await call(writer, 'get_knowledge', read), /From the client/);
    });
  }

  it('claude-code is one that the program itself connects to, as it reads it', async function () {
    const program = findClaudeCode();
    if (program === undefined) {
      console.log('      skipped: there is no Claude Code here; node tools/agents/setup.mjs installs it');
      this.skip();
    }
    const around = { workspace, project: 'shop', platform, kaizen: launcherCommand(platform) };
    await apply(await plan(around, { install: ['server:claude-code'], remove: [] }), around);
    // As a person has agreed to the project's servers: without, the program starts none.
    for (const [folder, settings] of [
      [home, { enableAllProjectMcpServers: true }],
      [workspace, { enabledMcpjsonServers: ['kaizen'] }],
    ] as const) {
      mkdirSync(path.join(folder, '.claude'));
      writeFileSync(path.join(folder, '.claude', 'settings.json'), JSON.stringify(settings));
      writeFileSync(path.join(folder, '.claude', 'settings.local.json'), JSON.stringify(settings));
    }
    const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };
    const { stdout, stderr } = spawnSync(program, ['mcp', 'list'], {
      cwd: workspace,
      env: { HOME: home, PATH: process.env.PATH ?? '', ...quiet },
      encoding: 'utf8',
      timeout: 150_000,
    });
    assert.match(stdout, /^kaizen: .*Connected$/m, stdout + stderr);
  });

  it('any client lets agents write what the person lets them in the editor, and no more', async () => {
    const record = { format: 1 as const, workspace, data, shared, project: 'shop', hooks: {} };
    const editor = await start(
      { command: process.execPath, args: [CLI, 'mcp', '--data', data, '--shared', shared] },
      root,
    );
    await call(editor, 'define_scope', general);
    const launcher = { command: launcherCommand(platform).command, args: ['mcp'] };
    const store = async (...flags: string[]) => {
      const client = await start({ ...launcher, args: [...launcher.args, ...flags] }, workspace);
      const tools = (await client.listTools()).tools.map(({ name }) => name);
      if (!tools.includes('store_knowledge_overwrite')) return 'no tool';
      return call(client, 'store_knowledge_overwrite', entry('commit', 'By an agent'));
    };
    await rememberEditorStores({ ...record, agentWrites: 'review' }, { platform });
    assert.match(await store(), /pending/);
    assert.match(await store('--agent-writes', 'allow'), /pending/);
    assert.equal(await store('--agent-writes', 'deny'), 'no tool');
    await rememberEditorStores({ ...record, agentWrites: 'deny' }, { platform });
    assert.equal(await store('--agent-writes', 'allow'), 'no tool');
    await rememberEditorStores({ ...record, agentWrites: 'allow' }, { platform });
    assert.match(await store(), /"success":true/);
  });

  it('any client, set up at a terminal with flags, works on the stores that these name', async () => {
    const flags = ['--data', path.join(root, 'other data'), '--shared', path.join(root, 'other shared')];
    const kaizen = { command: process.execPath, args: [CLI], flags };
    for (const reading of CLIENTS) {
      const command = await configured(reading, { workspace, project: undefined, platform, kaizen });
      const client = await start(command, reading.cwd(workspace));
      if (reading === CLIENTS[0]) await call(client, 'define_scope', general);
      assert.match(await call(client, 'list_scopes', {}), /"general"/, reading.client);
    }
  });
});
