import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { packBuilt } from '../../tools/npm-package.mjs';

const isWindows = process.platform === 'win32';

/** The tarball as people install it: into a folder of its own, without a network, started by npx. */
describe('the npm package', function () {
  this.timeout(180_000);
  let root: string;
  let project: string;
  let env: Record<string, string>;
  let tarball: string;

  before(() => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen npm '));
    project = path.join(root, 'project');
    mkdirSync(project);
    env = {
      PATH: process.env.PATH ?? '',
      HOME: path.join(root, 'home'),
      USERPROFILE: path.join(root, 'home'),
      LOCALAPPDATA: path.join(root, 'data'),
      XDG_DATA_HOME: path.join(root, 'data'),
      npm_config_cache: path.join(root, 'cache'),
      npm_config_update_notifier: 'false',
    };
    tarball = packBuilt(root);
    const args = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', project, tarball];
    const { status, stdout, stderr } = spawnSync('npm', args, {
      env,
      encoding: 'utf8',
      shell: isWindows,
      cwd: project,
    });
    assert.equal(status, 0, stdout + stderr);
  });
  after(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

  const flags = () => ['--data', path.join(root, 'w'), '--shared', path.join(root, 's')];

  /** `npx kaizen-knowledge …` in the folder that it is installed in. */
  function npx(args: string[], input = '') {
    const all = ['--offline', '--', 'kaizen-knowledge', ...args];
    return spawnSync('npx', all, { cwd: project, env, input, encoding: 'utf8', shell: isWindows });
  }

  it('depends on nothing, and holds nothing of the editor', () => {
    const folder = path.join(project, 'node_modules', 'kaizen-knowledge');
    assert.deepEqual(
      readdirSync(path.join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['kaizen-knowledge'],
    );
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    assert.deepEqual(manifest.bin, { kaizen: 'dist/cli.js', 'kaizen-knowledge': 'dist/cli.js' });
    for (const key of ['dependencies', 'devDependencies', 'contributes', 'scripts', 'main']) {
      assert.equal(manifest[key], undefined, key);
    }
    const bundles = readdirSync(path.join(folder, 'dist'));
    assert.ok(!bundles.includes('extension.js') && !bundles.includes('webview'));
    assert.ok(existsSync(path.join(folder, 'README.md')) && existsSync(path.join(folder, 'LICENSE')));
    // Every bundle that another one loads is there.
    for (const bundle of bundles.filter((name) => name.endsWith('.js'))) {
      const text = readFileSync(path.join(folder, 'dist', bundle), 'utf8');
      for (const [, name] of text.matchAll(/require\("\.\/([\w-]+\.js)"\)/g)) {
        assert.ok(bundles.includes(name!), `${bundle} loads ${name}`);
      }
    }
  });

  it('serves MCP by npx, over which what is stored is read', async () => {
    const client = new Client({ name: 'Contract Client', version: '1.2.3' });
    const args = ['--offline', '--', 'kaizen-knowledge', 'mcp', ...flags()];
    await client.connect(new StdioClientTransport({ command: 'npx', args, env, cwd: project, stderr: 'ignore' }));
    try {
      assert.ok((await client.listTools()).tools.length >= 20);
      await client.callTool({ name: 'define_scope', arguments: { scope_id: 'general', tier: 'GENERAL' } });
      const entry = { category: 'git', keyword: 'commit', content: 'Small steps', project_context: '' };
      const stored = await client.callTool({
        name: 'store_knowledge_if_missing',
        arguments: { target_scope_id: 'general', ...entry },
      });
      assert.match(JSON.stringify(stored.content), /success/);
      const read = await client.callTool({
        name: 'get_knowledge',
        arguments: { scope_id: 'general', keywords: ['commit'] },
      });
      assert.match(JSON.stringify(read.content), /Small steps/);
    } finally {
      await client.close();
    }
  });

  it('answers a hook, and says its version', () => {
    const input = JSON.stringify({ session_id: 's', hook_event_name: 'SessionStart', source: 'startup', cwd: project });
    const { status, stdout, stderr } = npx(['hook', 'session-start', ...flags()], input);
    assert.equal(status, 0, stderr);
    assert.equal(typeof JSON.parse(stdout), 'object');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.equal(npx(['--version']).stdout.trim(), version);
  });

  /** What a client that is set up by this command would start. */
  function started(command: string): { command: string; args: string[] } {
    const words = ['setup', '--show', 'claude-desktop', '--workspace', project];
    const { status, stdout, stderr } = spawnSync(command, words, {
      cwd: root,
      env,
      encoding: 'utf8',
      shell: isWindows,
    });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout).mcpServers.kaizen;
  }

  it('is set up as what is installed: nothing of its name is fetched', function () {
    // A shell would part the folder's name at its spaces.
    if (isWindows) this.skip();
    const script = path.join(realpathSync(project), 'node_modules', 'kaizen-knowledge', 'dist', 'cli.js');
    const local = started(path.join(project, 'node_modules', '.bin', 'kaizen'));
    assert.deepEqual([path.isAbsolute(local.command), local.args.slice(0, 2)], [true, [script, 'mcp']]);

    const prefix = path.join(realpathSync(root), 'prefix');
    const args = ['install', '--global', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, tarball];
    const { status, stdout, stderr } = spawnSync('npm', args, { env, encoding: 'utf8', cwd: root });
    assert.equal(status, 0, stdout + stderr);
    const command = path.join(prefix, 'bin', 'kaizen');
    const installed = started(command);
    assert.deepEqual([installed.command, installed.args[0]], [command, 'mcp']);
    // The same from wherever a client is, with a hook that answers.
    const hook = spawnSync('/bin/sh', ['-c', `'${command}' hook session-start`], {
      ...{ cwd: path.parse(root).root, env, encoding: 'utf8' },
      input: JSON.stringify({ session_id: 's', hook_event_name: 'SessionStart', source: 'startup', cwd: root }),
    });
    assert.deepEqual([hook.status, typeof JSON.parse(hook.stdout)], [0, 'object']);
  });

  it('runs what a project holds by the name alone that a team shares, and only there', function () {
    if (isWindows) this.skip();
    const run = (cwd: string) =>
      spawnSync('npx', ['--no', '--offline', 'kaizen-knowledge', '--version'], { cwd, env, encoding: 'utf8' });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.equal(run(project).stdout.trim(), version);
    assert.notEqual(run(root).status, 0);
  });

  it('is started by the command `kaizen`, too', async () => {
    const command = path.join(project, 'node_modules', '.bin', isWindows ? 'kaizen.cmd' : 'kaizen');
    const child = spawn(command, ['--help'], { env, shell: isWindows });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 0);
    assert.match(said, /Usage: kaizen COMMAND/);
  });
});
