import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { activate, runCli, until } from '../support/kaizen';

interface EditorStores {
  workspace: string;
  data: string;
  shared: string;
  project: string;
  hooks: { budget: number; reminder: boolean };
}

describe('what agents’ hooks need, on the example', () => {
  const data = path.join(process.env.XDG_DATA_HOME!, 'kaizen');
  const launcher = path.join(data, 'bin', 'kaizen');
  const store = process.env.KAIZEN_DATA!;
  const workspace = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const configure = (name: string, value: unknown) =>
    vscode.workspace.getConfiguration('kaizen.agents').update(name, value, vscode.ConfigurationTarget.Workspace);

  const records = (): EditorStores[] => {
    const directory = path.join(data, 'editor-stores');
    const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.json')) : [];
    return names.map((name) => JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as EditorStores);
  };
  const indexes = () => {
    const directory = path.join(store, 'guard');
    const names = existsSync(directory) ? readdirSync(directory).filter((name) => /^[0-9a-f]+\.json$/.test(name)) : [];
    return names.map((name) => path.join(directory, name));
  };
  /** Runs the launcher as an agent's program does: it knows of no store. */
  const hook = (event: string, call: Record<string, unknown>) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('KAIZEN_')));
    const input = JSON.stringify({
      timestamp: new Date().toISOString(),
      session_id: 'host',
      cwd: workspace(),
      ...call,
    });
    const run = spawnSync(launcher, ['hook', event], { cwd: workspace(), env, input, encoding: 'utf8' });
    assert.deepEqual([run.status, run.stderr], [0, '']);
    return JSON.parse(run.stdout) as { hookSpecificOutput?: Record<string, string> };
  };

  before(async () => {
    await activate();
    await vscode.commands.executeCommand('kaizen.knowledge.focus');
    await until('the launcher and the record', () => existsSync(launcher) && records().length === 1);
  });
  after(async () => {
    for (const name of ['hooks', 'briefTokens', 'remindAtEnd']) await configure(name, undefined);
  });

  it('is a launcher that may be executed, and a record of which stores this window has', async () => {
    assert.ok(statSync(launcher).mode & 0o100);
    const [record] = records();
    assert.equal(record?.workspace, realpathSync(workspace()));
    assert.deepEqual(
      [record.data, record.shared, record.project],
      [store, process.env.KAIZEN_SHARED, process.env.KAIZEN_PROJECT],
    );
    assert.deepEqual(record.hooks, { budget: 1500, reminder: true });
  });

  it('leads other programs to the same stores', () => {
    const brief = hook('session-start', { hook_event_name: 'SessionStart', source: 'startup' });
    assert.match(brief.hookSpecificOutput?.additionalContext ?? '', /DANGER: /);
    const edit = {
      hook_event_name: 'PreToolUse',
      tool_name: 'replace_string_in_file',
      tool_input: {
        filePath: path.join(workspace(), 'src/payments/refunds.ts'),
        oldString: 'refund',
        newString: 'refunds',
      },
      tool_use_id: 'one',
    };
    const asked = hook('pre-tool-use', edit).hookSpecificOutput;
    assert.equal(asked?.permissionDecision, 'ask');
    assert.match(asked.permissionDecisionReason ?? '', /A positive refund line charges the customer a second time\./);
  });

  it('keeps the index that hooks answer from, whoever writes', async () => {
    await until('the index', () => indexes().length === 1);
    const content = 'DANGER: A hook has to know of this at once.';
    await runCli('store', 'checkout-api', 'testing.hooks', 'at_once', content);
    await until('the rule in the index', () =>
      readFileSync(indexes()[0]!, 'utf8').includes('A hook has to know of this'),
    );
  });

  it('takes budget and reminder from the settings', async () => {
    await configure('briefTokens', 200);
    await configure('remindAtEnd', false);
    await until('the record', () => records()[0]?.hooks.budget === 200 && records()[0]?.hooks.reminder === false);
    const brief = hook('session-start', { hook_event_name: 'SessionStart', session_id: 'short' });
    const text = brief.hookSpecificOutput?.additionalContext ?? '';
    assert.ok(text.length > 0 && text.length < 1_200, `${text.length} characters`);
  });

  it('is removed when it is switched off, and comes back', async () => {
    await configure('hooks', false);
    await until('no record', () => records().length === 0);
    await configure('hooks', undefined);
    await until('the record', () => records().length === 1);
  });

  it('stays for agents that were set up, when this editor’s hooks are switched off', async () => {
    const file = path.join(workspace(), '.mcp.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { kaizen: { command: launcher, args: ['mcp'] } } }));
    try {
      await configure('hooks', false);
      // Nothing tells when nothing happens: another change that is kept comes after it.
      await configure('briefTokens', 300);
      await until('the record', () => records()[0]?.hooks.budget === 300);
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.file(file));
      await configure('hooks', undefined);
    }
  });
});
