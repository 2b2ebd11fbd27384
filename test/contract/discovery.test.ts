import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIENTS, type ContractClient } from './support/clients';
import { type Stores, temporaryStores } from './support/kaizen-process';

const HARBOUR = path.resolve('test/fixtures/bases/harbour');
const PROJECT = 'harbour-gateway';
/** Each is blocked by the one before. */
const CHAIN = ['plans.event_store.schema', 'plans.event_store.writer', 'plans.event_store.backfill'] as const;

interface Recommendation {
  id: string;
  path: string;
  title: string;
  type: string;
  relevance_score: number;
  reason: string;
  estimated_tokens: number;
}

interface Discovered {
  recommendations: Recommendation[];
  total_available: number;
  warnings: { id: string; title: string; risks: { level: string; text: string }[] }[];
  message?: string;
}

interface Retrieved {
  nodes: {
    id: string;
    path: string;
    title: string;
    metadata: Record<string, unknown>;
    content: string;
    children: unknown[];
  }[];
  total_tokens: number;
  message?: string;
}

interface Searched {
  results: { id: string; path: string; title: string; type: string; score: number; snippet: string; reason: string }[];
  total: number;
  search_type_used: string;
}

interface Related {
  node: { id: string };
  upstream: { id: string; status: string; depth: number; path: string[] }[];
  downstream: { id: string; depth: number; path: string[] }[];
}

for (const { name, revision, connect } of CLIENTS) {
  describe(`discovery for ${name}`, () => {
    let stores: Stores;
    let root: string;
    let client: ContractClient;
    const called = new Set<string>();

    before(async () => {
      stores = temporaryStores();
      root = mkdtempSync(path.join(tmpdir(), 'kaizen-harbour-'));
      cpSync(HARBOUR, root, { recursive: true });
      client = await connect([...stores.flags, '--project', PROJECT, '--base', `harbour=${root}`]);
      await client.toolNames();
    });
    after(async () => {
      await client?.close();
      stores.remove();
      rmSync(root, { recursive: true, force: true });
    });

    /** Calls a tool that has to succeed; its structured content is what its text says. */
    async function use<Result>(tool: string, args: Record<string, unknown> = {}): Promise<Result> {
      called.add(tool);
      const { text, isError, structured } = await client.call(tool, args);
      assert.equal(isError, false, text);
      assert.deepEqual(structured, JSON.parse(text));
      return structured as Result;
    }

    async function fail(tool: string, args: Record<string, unknown>): Promise<string> {
      const { text, isError } = await client.call(tool, args);
      assert.equal(isError, true, text);
      assert.doesNotMatch(text, /\n\s+at |node:|\.js:/);
      return text;
    }

    it('recommends what a task needs, and gives the whole of it by its id', async () => {
      const { recommendations, total_available, warnings } = await use<Discovered>('discover_context', {
        task_description: 'Implement user authentication with JWT tokens',
        task_type: 'implement',
        max_results: 3,
      });
      const [first, ...more] = recommendations;
      assert.ok(first && more.length <= 2);
      assert.match(first.id, /^guidelines\.security\.authentication/);
      assert.match(first.path, /^guidelines\/SECURITY\.md#authentication/);
      assert.equal(first.type, 'guideline');
      assert.ok(first.relevance_score >= 0.5 && first.relevance_score <= 1, String(first.relevance_score));
      assert.ok(first.reason.length > 0 && first.estimated_tokens > 0);
      assert.deepEqual(warnings, []);
      assert.ok(total_available >= 40, String(total_available));

      const { nodes, total_tokens } = await use<Retrieved>('retrieve_knowledge', {
        ids: recommendations.map(({ id }) => id),
        include_children: true,
      });
      assert.deepEqual(
        nodes.map(({ id }) => id),
        recommendations.map(({ id }) => id),
      );
      assert.match(JSON.stringify(nodes[0]), /EdDSA|JWT/);
      assert.ok(total_tokens > 0);
      // What is recommended is what is got: with what is below it where the reason says so, and not otherwise.
      for (const { id, reason, estimated_tokens } of recommendations) {
        const include_children = /; include_children\b/.test(reason);
        const got = await use<Retrieved>('retrieve_knowledge', { ids: [id], include_children });
        assert.equal(got.total_tokens, estimated_tokens, reason);
      }
    });

    it('puts the risks of the rules that hold first', async () => {
      await use('define_scope', { scope_id: 'general', tier: 'GENERAL' });
      await use('store_knowledge_if_missing', {
        target_scope_id: 'general',
        category: 'database',
        keyword: 'zebra migrations',
        content: 'Migrate the zebra table at night. DANGER: cascade deletes empty the zebra archive.',
        project_context: PROJECT,
      });
      const { warnings, recommendations } = await use<Discovered>('discover_context', {
        task_description: 'Write the migrations of the zebra table',
      });
      assert.deepEqual(warnings[0]?.risks, [{ level: 'DANGER', text: 'cascade deletes empty the zebra archive.' }]);
      assert.ok(!recommendations.some(({ id }) => id === warnings[0]?.id));
      const { nodes } = await use<Retrieved>('retrieve_knowledge', { ids: [warnings[0]?.id] });
      assert.match(nodes[0]?.content ?? '', /^Migrate the zebra table/);
    });

    it('keeps to a budget of tokens, and says so when nothing is relevant', async () => {
      const task = { task_description: 'Sign JWT tokens and hash passwords', max_results: 10 };
      const { recommendations } = await use<Discovered>('discover_context', task);
      const first = recommendations[0]!;
      const within = await use<Discovered>('discover_context', {
        ...task,
        token_budget: first.estimated_tokens - 1,
      });
      const sum = within.recommendations.reduce((tokens, { estimated_tokens }) => tokens + estimated_tokens, 0);
      assert.ok(sum < first.estimated_tokens && !within.recommendations.some(({ id }) => id === first.id));
      assert.match(within.message ?? '', /budget/);
      const nothing = await use<Discovered>('discover_context', { task_description: 'Xylophone tuning qwertzuiop' });
      assert.deepEqual(nothing.recommendations, []);
      assert.ok(nothing.message && nothing.total_available > 0);
    });

    it('searches, within a part of it too', async () => {
      const found = await use<Searched>('search_knowledge', { query: 'refresh token', search_type: 'keyword' });
      assert.equal(found.search_type_used, 'keyword');
      assert.ok(found.total >= found.results.length && found.results.length > 0);
      assert.deepEqual(Object.keys(found.results[0] ?? {}).sort(), [
        'id',
        'path',
        'reason',
        'score',
        'snippet',
        'title',
        'type',
      ]);
      const hybrid = await use<Searched>('search_knowledge', { query: 'refresh token' });
      assert.equal(hybrid.search_type_used, 'keyword', 'without an embedder words are what there is');
      const within = await use<Searched>('search_knowledge', { query: 'token', scope: ['guidelines.api'] });
      assert.ok(within.results.every(({ id }) => id.startsWith('guidelines.api')));
    });

    it('lists the documents', async () => {
      const { knowledge_bases: rows } = await use<{ knowledge_bases: { path: string; type: string }[] }>(
        'list_knowledge_bases',
        { filter_type: 'guideline', filter_status: 'active' },
      );
      assert.ok(rows.some((row) => row.path === 'guidelines/SECURITY.md'));
      assert.ok(rows.every(({ type }) => type === 'guideline'));
    });

    it('follows dependencies both ways', async () => {
      const one = await use<Related>('get_dependencies', { node_id: CHAIN[1] });
      assert.deepEqual(
        one.upstream.map(({ id, depth, path }) => [id, depth, path]),
        [[CHAIN[0], 1, [CHAIN[1], CHAIN[0]]]],
      );
      const all = await use<Related>('get_dependencies', { node_id: CHAIN[0], direction: 'downstream', depth: 20 });
      assert.deepEqual(all.upstream, []);
      assert.deepEqual(all.downstream.find(({ id }) => id === CHAIN[2])?.path, [...CHAIN]);
    });

    it('keeps what an agent would change in a document for the user, and changes nothing', async () => {
      const file = path.join(root, 'guidelines/SECURITY.md');
      const before = readFileSync(file, 'utf8');
      const args = { id: 'guidelines.security.secrets', content: 'Secrets live in the vault.', reason: 'It moved.' };
      const proposed = await use<{ success: boolean; proposal: number; pending: string }>('propose_update', args);
      assert.equal(proposed.success, true);
      assert.match(proposed.pending, new RegExp(`Proposal ${proposed.proposal} waits for the user`));
      assert.deepEqual(await use('propose_update', args), proposed, 'the same proposal is kept once');
      assert.equal(readFileSync(file, 'utf8'), before);
    });

    it('finds what was written to a file soon after', async () => {
      const word = 'quokka';
      writeFileSync(path.join(root, 'notes', 'NEW.md'), `# Fresh Notes\n\nThe ${word} is moored at pier nine.\n`);
      const deadline = Date.now() + 20_000;
      let found: Searched;
      do found = await use<Searched>('search_knowledge', { query: word });
      while (found.results.length === 0 && Date.now() < deadline);
      assert.equal(found.results[0]?.path, 'notes/NEW.md');
    });

    it('says what is wrong so that an agent can do it right', async () => {
      assert.match(await fail('retrieve_knowledge', { ids: ['guidelines.securty'] }), /guidelines\.security/);
      assert.match(await fail('retrieve_knowledge', { ids: Array(21).fill('harbour') }), /ids: .*20/);
      assert.match(await fail('get_dependencies', { node_id: 'plans.nothing.of.it' }), /plans\.nothing\.of\.it/);
      assert.match(await fail('discover_context', {}), /task_description is required/);
      assert.match(
        await fail('discover_context', { task_description: 'x', task_type: 'play' }),
        /task_type: .*"debug"/,
      );
      assert.match(await fail('search_knowledge', { query: 'x', max_results: 1_000 }), /max_results: .*100/);
      assert.match(await fail('propose_update', { id: 'no.such', content: 'x', reason: 'y' }), /no\.such/);
    });

    it('offers entries and documents as resources, with templates and completion', async () => {
      const { resources } = await client.listResources();
      const file = resources.find(({ uri }) => uri === 'knowledge://harbour/guidelines/SECURITY.md');
      assert.deepEqual([file?.name, file?.mimeType], ['Security Guidelines', 'text/markdown']);
      assert.ok(resources.some(({ uri }) => uri === 'knowledge://scopes/general/database/zebra%20migrations'));
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ name }) => name),
        ['entry', 'note', 'document', 'passage', 'record', 'file', 'node'],
      );
      const [node] = (await client.readResource({ uri: `${file?.uri}#authentication` })).contents;
      assert.match((node as { text: string }).text, /^## Authentication\n/);
      assert.equal((node?._meta as { id: string } | undefined)?.id, 'guidelines.security.authentication');
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'knowledge://{base}/{+file}' },
        argument: { name: 'file', value: 'guidelines/SEC' },
        context: { arguments: { base: 'harbour' } },
      });
      assert.deepEqual(completion.values, ['guidelines/SECURITY.md']);
    });

    it('reads nothing outside of its bases', async () => {
      for (const file of [
        '../x.md',
        '%2e%2e/x.md',
        '..%2Fx.md',
        '..%5Cx.md',
        '/etc/passwd',
        'C:/x.md',
        '%2Fetc%2Fpasswd',
      ]) {
        const uri = `knowledge://harbour/${file}`;
        await assert.rejects(client.readResource({ uri }), { code: -32602 }, uri);
      }
    });

    it('tells of a changed document and a changed entry to who follows them', async () => {
      const file = 'knowledge://harbour/guidelines/TESTING.md';
      const entry = 'knowledge://scopes/general/database/zebra%20migrations';
      const section = 'knowledge://harbour/guidelines/API_DESIGN.md#pagination';
      const other = 'knowledge://harbour/guidelines/API_DESIGN.md#error-responses';
      const followed = await client.follow(file, entry, section, other);
      const design = path.join(root, 'guidelines/API_DESIGN.md');
      writeFileSync(design, readFileSync(design, 'utf8').replace('is opaque', 'is opaque and short'));
      writeFileSync(path.join(root, 'guidelines/TESTING.md'), '# Testing, Renamed\n\nAll new.\n');
      await use('store_knowledge_overwrite', {
        target_scope_id: 'general',
        category: 'database',
        keyword: 'zebra migrations',
        content: 'Migrate the zebra table by day.',
        project_context: PROJECT,
      });
      const deadline = Date.now() + 20_000;
      while ((new Set(followed.updated).size < 3 || followed.listChanges === 0) && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.deepEqual([...new Set(followed.updated)].sort(), [section, file, entry]);
      assert.ok(followed.listChanges > 0, 'its title stands in the list');
    });

    it('offers prompts for tasks and sessions', async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name, arguments: args }) => [name, args?.map((each) => [each.name, each.required])]),
        [
          ['session_start', [['project_id', false]]],
          ['session_end', [['project_id', false]]],
          ['task_preparation', [['task', true]]],
          [
            'knowledge_audit',
            [
              ['task', true],
              ['loaded_context', true],
            ],
          ],
        ],
      );
      const said = async (name: string, args: Record<string, string> = {}) => {
        const { messages } = await client.getPrompt({ name, arguments: args });
        return (messages[0]?.content as { text: string } | undefined)?.text ?? '';
      };
      assert.match(await said('task_preparation', { task: 'Add a berth' }), /Add a berth\n.*discover_context.*> 0\.7/s);
      assert.match(await said('session_start'), new RegExp(`\`${PROJECT}\``));
      await assert.rejects(client.getPrompt({ name: 'task_preparation', arguments: {} }), { code: -32602 });
      await assert.rejects(client.getPrompt({ name: 'nothing' }), { code: -32602 });
    });

    it('has been tried with every tool of its own', () => {
      assert.equal(client.revision(), revision);
      for (const tool of ['discover_context', 'retrieve_knowledge', 'list_knowledge_bases'])
        assert.ok(called.has(tool));
      for (const tool of ['search_knowledge', 'get_dependencies', 'propose_update']) assert.ok(called.has(tool));
    });
  });
}
