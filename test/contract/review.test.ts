import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIENTS, type ContractClient } from './support/clients';
import { type Stores, spawnStdio, temporaryStores } from './support/kaizen-process';

const CLI = path.resolve('dist/cli.js');
const PROJECT = 'checkout-api';
const RULE = { target_scope_id: PROJECT, category: 'git', keyword: 'commit', project_context: PROJECT };

function kaizen(...args: string[]): string {
  return execFileSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
}

for (const { name, connect, revision } of CLIENTS) {
  describe(`agent writes held for review, for ${name}`, () => {
    let stores: Stores;
    let client: ContractClient;
    before(async () => {
      stores = temporaryStores();
      client = await connect([...stores.flags, '--project', PROJECT, '--agent-writes', 'review']);
      // Clients check what they get against the schemas that they have listed.
      await client.toolNames();
    });
    after(async () => {
      await client?.close();
      stores.remove();
    });

    /** Has a tool held, and returns the proposal's number. */
    async function held(tool: string, args: Record<string, unknown>): Promise<string> {
      const { text, isError, structured } = await client.call(tool, args);
      assert.equal(isError, false, text);
      const { success, pending } = structured as { success: boolean; pending: string };
      assert.equal(success, false);
      assert.match(pending, /Held for review as proposal \d+:.*does not hold yet; do not store it again/);
      return /proposal (\d+)/.exec(pending)![1]!;
    }

    const read = async (keyword: string) => {
      const { structured } = await client.call('get_knowledge', { scope_id: PROJECT, keywords: [keyword] });
      return (revision === '2025-11-25' ? (structured as { result: unknown[] }).result : structured) as {
        content: string;
      }[];
    };

    it('tells the agent beforehand', () => {
      assert.match(client.instructions() ?? '', /waits for the user: `pending`/);
    });

    it('writes nothing before a person accepts it, whichever tool', async () => {
      const ids = [
        await held('store_knowledge_if_missing', { ...RULE, content: 'Include the ticket' }),
        await held('store_knowledge_overwrite', { ...RULE, keyword: 'push', content: 'Never force' }),
        await held('define_scope', { scope_id: 'payments', tier: 'GROUP' }),
        await held('store_project_overview', { project_id: PROJECT, purpose: 'loans' }),
        await held('update_progress', { project_id: PROJECT, current_sprint: 'Seven' }),
        await held('store_session_summary', { project_id: PROJECT, summary: 'Did it', tasks_completed: [] }),
      ];
      assert.deepEqual(await read('commit'), []);
      const list = kaizen('review', ...stores.flags);
      for (const id of ids) assert.match(list, new RegExp(`^${id} `, 'm'));
      assert.match(list, /store commit \(git, checkout-api\)[\s\S]*6 proposals wait for review/);

      assert.match(kaizen('review', ...stores.flags, '--show', ids[0]!), /Now:\n\s+\(nothing\)\nProposed:\n\s+Include/);
      kaizen('review', ...stores.flags, '--accept', ids[0]!);
      assert.equal((await read('commit'))[0]?.content, 'Include the ticket');
      kaizen('review', ...stores.flags, '--reject', ids[1]!);
      assert.deepEqual(await read('push'), []);
      assert.match(kaizen('history', ...stores.flags, PROJECT, 'git', 'commit'), /Contract Client.*[\s\S]*Accepted by/);
      assert.match(kaizen('review', ...stores.flags, '--show', ids[1]!), /Rejected by[\s\S]*Never force/);
    });

    it('answers a conflict, and what cannot be written, at once', async () => {
      const conflict = await client.call('store_knowledge_if_missing', { ...RULE, content: 'Another' });
      assert.deepEqual(JSON.parse(conflict.text), {
        success: false,
        existing_content: 'Include the ticket',
        existing_metaknowledge: {},
        existing_origin: { by: 'agent', author: 'Contract Client' },
      });
      const unknown = await client.call('delete_knowledge', { ...RULE, project_context: undefined, keyword: 'comit' });
      assert.equal(unknown.isError, true);
      assert.match(unknown.text, /commit/);
    });

    it('has a person confirm what was changed since', async () => {
      const id = await held('store_knowledge_overwrite', { ...RULE, content: 'From the agent' });
      kaizen('store', ...stores.flags, PROJECT, 'git', 'commit', 'From a person', '--overwrite');
      const refused = spawnSync(process.execPath, [CLI, 'review', ...stores.flags, '--accept', id], {
        encoding: 'utf8',
      });
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, /"commit" was changed since Contract Client proposed this/);
      kaizen('review', ...stores.flags, '--accept', id, '--yes');
      assert.equal((await read('commit'))[0]?.content, 'From the agent');
    });
  });
}

for (const { name, connect } of CLIENTS.filter((each) => /v1 over stdio|2026 era over HTTP/.test(each.name))) {
  describe(`an update of a document that an agent proposes, for ${name}`, () => {
    let stores: Stores;
    let client: ContractClient;
    let folder: string;
    let flags: string[];
    const text = '# Ports\n\n## API\n- id: ports.api\n<!-- content -->\nIt is 80.\n\n## Other\nLeft alone.\n';
    const file = () => readFileSync(path.join(folder, 'ports.md'), 'utf8');

    before(async () => {
      stores = temporaryStores();
      folder = mkdtempSync(path.join(tmpdir(), 'kaizen-documents-'));
      writeFileSync(path.join(folder, 'ports.md'), text);
      flags = [...stores.flags, '--base', `docs=${folder}`];
      client = await connect([...flags, '--project', PROJECT]);
      await client.toolNames();
    });
    after(async () => {
      await client?.close();
      stores.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    async function proposed(content: string): Promise<string> {
      const answer = await client.call('propose_update', { id: 'ports.api', content, reason: 'The port has moved' });
      assert.equal(answer.isError, false, answer.text);
      const { success, proposal } = answer.structured as { success: boolean; proposal: number };
      assert.equal(success, true);
      return String(proposal);
    }

    it('writes nothing by itself, and the file once a person accepts it on the command line', async () => {
      const id = await proposed('It is 8080.');
      assert.equal(file(), text);
      assert.match(kaizen('review', ...flags), /update ports\.api \(docs: ports\.md\)/);
      const shown = kaizen('review', ...flags, '--show', id);
      assert.match(
        shown,
        /Reason: The port has moved[\s\S]*ports\.md, line 6, now:\n\s+It is 80\.\nProposed:\n\s+It is 8080\.$/m,
      );
      assert.doesNotMatch(shown, /Left alone/);
      const elsewhere = spawnSync(process.execPath, [CLI, 'review', ...stores.flags, '--accept', id], {
        encoding: 'utf8',
      });
      assert.equal(elsewhere.status, 1);
      assert.match(elsewhere.stderr, /"docs" is not configured here.*--base docs=DIR/s);
      kaizen('review', ...flags, '--accept', id);
      assert.equal(file(), text.replace('80', '8080'));
    });

    it('has a person confirm what was changed since, and can be rejected', async () => {
      const id = await proposed('It is 9090.');
      writeFileSync(path.join(folder, 'ports.md'), text.replace('80', '81'));
      const refused = spawnSync(process.execPath, [CLI, 'review', ...flags, '--accept', id], { encoding: 'utf8' });
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, /"ports\.api" was changed since/);
      assert.equal(file(), text.replace('80', '81'));
      kaizen('review', ...flags, '--reject', id);
      assert.equal(file(), text.replace('80', '81'));
      assert.match(kaizen('review', ...flags), /Nothing waits/);
    });

    it('is refused when it would make other nodes', async () => {
      const refused = await client.call('propose_update', { id: 'ports.api', content: '# Mine', reason: 'r' });
      assert.equal(refused.isError, true);
      assert.match(refused.text, /heading/);
    });
  });
}

describe('the policy for agent writes', () => {
  let stores: Stores;
  beforeEach(() => {
    stores = temporaryStores();
  });
  afterEach(() => stores.remove());

  async function tools(flags: string[], env = ''): Promise<string[]> {
    const before = process.env.KAIZEN_AGENT_WRITES;
    process.env.KAIZEN_AGENT_WRITES = env;
    try {
      // This client's transport hands on only few variables, so the process is asked directly.
      const { child, output, exited } = spawnStdio(...stores.flags, ...flags);
      const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
      const lines = [{ jsonrpc: '2.0', id: 1, method: 'initialize', params }, list].map((each) => JSON.stringify(each));
      child.stdin.end(`${lines.join('\n')}\n`);
      await exited;
      const answer = JSON.parse(output.stdout.trim().split('\n').at(-1)!) as { result: { tools: { name: string }[] } };
      return answer.result.tools.map((tool) => tool.name);
    } finally {
      if (before === undefined) delete process.env.KAIZEN_AGENT_WRITES;
      else process.env.KAIZEN_AGENT_WRITES = before;
    }
  }

  it('leaves out the tools that write when they are denied, by either name and by the environment', async () => {
    assert.equal((await tools([])).length, 20);
    for (const [flags, env] of [
      [['--agent-writes', 'deny'], ''],
      [['--read-only'], ''],
      [['--read-only', '--agent-writes', 'allow'], ''],
      [[], 'deny'],
    ] as const) {
      assert.equal((await tools([...flags], env)).length, 12, `${flags} ${env}`);
    }
  });

  it('refuses a policy that it does not know', () => {
    for (const args of [
      ['--agent-writes', 'maybe'],
      ['--agent-writes', ''],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, [CLI, 'mcp', ...stores.flags, ...args], {
        encoding: 'utf8',
      });
      assert.deepEqual([status, /takes allow, review, deny/.test(stderr)], [2, true], stderr);
    }
  });
});
