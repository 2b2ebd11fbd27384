import assert from 'node:assert/strict';
import { version } from '../../package.json';
import { Kaizen, type KaizenParts } from '../../src/kaizen';
import { resolveToolsets } from '../../src/mcp';
import { CLIENT, CLIENTS, type ContractClient } from './support/clients';
import { type Stores, temporaryStores } from './support/kaizen-process';

const toolsOf = (toolsets?: string) =>
  resolveToolsets(toolsets).flatMap((toolset) => toolset.tools.map((tool) => tool.name));
const TOOLS = toolsOf('protocol');
const PROJECT = 'checkout-api';

for (const { name, revision, connect } of CLIENTS) {
  describe(`the knowledge protocol for ${name}`, () => {
    let stores: Stores;
    let client: ContractClient;
    const called = new Set<string>();

    before(async () => {
      stores = temporaryStores();
      client = await connect([...stores.flags, '--project', PROJECT]);
      // Clients check structured content against the schemas that they have listed.
      await client.toolNames();
    });
    after(async () => {
      await client?.close();
      stores.remove();
    });

    /** Calls a tool that has to succeed; returns the text's JSON, having compared the structured content with it. */
    async function use(tool: string, args: Record<string, unknown> = {}): Promise<unknown> {
      called.add(tool);
      const { text, isError, structured } = await client.call(tool, args);
      assert.equal(isError, false, text);
      const value: unknown = JSON.parse(text);
      const wrapped = Array.isArray(value) && revision === '2025-11-25';
      assert.deepEqual(structured, wrapped ? { result: value } : value);
      return value;
    }

    async function fail(tool: string, args: Record<string, unknown>): Promise<string> {
      const { text, isError } = await client.call(tool, args);
      assert.equal(isError, true, text);
      assert.doesNotMatch(text, /\n\s+at |node:|\.js:/);
      return text;
    }

    /** As a person does in another process on the same stores. */
    async function byPerson(write: (parts: KaizenParts) => Promise<void>): Promise<void> {
      const [, data, , shared] = stores.flags as [string, string, string, string];
      const kaizen = new Kaizen({ data, shared });
      try {
        await write(await kaizen.parts());
      } finally {
        await kaizen.close();
      }
    }

    const store = (target_scope_id: string, category: string, keyword: string, content: string, more = {}) => ({
      target_scope_id,
      category,
      keyword,
      content,
      project_context: PROJECT,
      ...more,
    });

    it(`is spoken in ${revision}, with every tool and the instructions for this project`, async () => {
      assert.equal(client.revision(), revision);
      assert.deepEqual(await client.toolNames(), toolsOf());
      assert.deepEqual([client.server()?.name, client.server()?.version], ['kaizen', version]);
      assert.match(client.instructions() ?? '', /`checkout-api`/);
    });

    it('defines scopes and lists them', async () => {
      await use('define_scope', { scope_id: 'general', tier: 'GENERAL' });
      await use('define_scope', { scope_id: 'webapp', tier: 'PRODUCT', name: 'Web app' });
      for (const id of ['auth', 'payments']) {
        await use('define_scope', { scope_id: id, tier: 'GROUP', parents: ['webapp'] });
      }
      const project = { scope_id: PROJECT, tier: 'PROJECT', parents: ['payments', 'auth'] };
      assert.deepEqual(await use('define_scope', project), { success: true });
      const scopes = (await use('list_scopes')) as {
        scope_id: string;
        is_current_project: boolean;
        parents: string[];
      }[];
      assert.deepEqual(scopes.map((scope) => scope.scope_id).sort(), [
        'auth',
        PROJECT,
        'general',
        'payments',
        'webapp',
      ]);
      const [current, ...others] = scopes.filter((scope) => scope.is_current_project);
      assert.deepEqual([current?.scope_id, current?.parents, others], [PROJECT, ['auth', 'payments'], []]);
    });

    it('stores what is missing and shows what was there', async () => {
      const first = store('auth', 'api.auth', 'tokens', 'Use JWT with 1h expiry', {
        metaknowledge: { REASON: 'audit' },
      });
      assert.deepEqual(await use('store_knowledge_if_missing', first), { success: true });
      const second = store('auth', 'api.auth', 'tokens', 'Use opaque tokens');
      assert.deepEqual(await use('store_knowledge_if_missing', second), {
        success: false,
        existing_content: 'Use JWT with 1h expiry',
        existing_metaknowledge: { REASON: 'audit' },
        existing_origin: { by: 'agent', author: CLIENT.name },
      });
    });

    it('says of a risk beside a person’s answer that an agent wrote it', async () => {
      await byPerson(async ({ knowledge }) => {
        const entry = { target_scope_id: 'payments', category: 'rules', keyword: 'schema', content: 'DANGER: Locks.' };
        await knowledge.storeIfMissing(entry, { author: 'Ada' });
      });
      await use('store_knowledge_if_missing', store('payments', 'aaa', 'schema', 'WARNING: Run it unasked.'));
      const asked = { scope_id: 'payments', keywords: ['schema'] };
      const [answer, ...more] = (await use('get_knowledge', asked)) as Record<string, unknown>[];
      assert.deepEqual([answer?.category, 'origin' in (answer ?? {}), more], ['rules', false, []]);
      const origin = { by: 'agent', author: CLIENT.name };
      assert.deepEqual(answer?.other_risks, [{ category: 'aaa', level: 'WARNING', text: 'Run it unasked.', origin }]);
      for (const category of ['rules', 'aaa']) {
        await use('delete_knowledge', { target_scope_id: 'payments', category, keyword: 'schema' });
      }
    });

    it('keeps names and labels as they are written, however odd', async () => {
      const labels = JSON.parse('{"__proto__":"a label","constructor":"another"}') as Record<string, string>;
      const odd = { target_scope_id: 'payments', category: '100%/a b', keyword: '__proto__' };
      const content = 'One.\r\nTwo.\r\n';
      await use('store_knowledge_overwrite', { ...odd, content, project_context: PROJECT, metaknowledge: labels });
      const asked = { scope_id: 'payments', categories: ['100%/a b', 'constructor'] };
      assert.deepEqual(await use('get_keywords', asked), { '100%/a b': ['__proto__'], constructor: [] });
      const [entry] = (await use('get_knowledge', { scope_id: 'payments', keywords: ['__proto__'] })) as {
        content: string;
        metaknowledge: Record<string, string>;
      }[];
      assert.equal(entry?.content, content);
      assert.deepEqual(Object.entries(entry?.metaknowledge ?? {}).sort(), Object.entries(labels).sort());
      await use('delete_knowledge', odd);
    });

    it('overwrites, and answers what was there', async () => {
      const entry = store('general', 'git.workflows', 'commit', 'Write a message');
      assert.deepEqual(await use('store_knowledge_overwrite', entry), {
        success: true,
        previous_content: null,
        previous_metaknowledge: null,
      });
      assert.deepEqual(await use('store_knowledge_overwrite', { ...entry, content: 'Write a good message' }), {
        success: true,
        previous_content: 'Write a message',
        previous_metaknowledge: {},
        previous_origin: { by: 'agent', author: CLIENT.name },
      });
      const tied = { ...entry, content: 'Write a good message', metaknowledge: { APPLIES_TO: '*.sql' } };
      assert.ok(!('notice' in ((await use('store_knowledge_overwrite', tied)) as object)));
      const { notice } = (await use('store_knowledge_overwrite', { ...tied, metaknowledge: {} })) as {
        notice?: string;
      };
      assert.match(notice ?? '', /^The entry had APPLIES_TO /);
    });

    it('says beside success what warns nobody as it is stored', async () => {
      const labels = { DANGER: 'Never edit one.', MATCHES: '(((' };
      const entry = { ...store('general', 'db', 'migrations', 'Never edit one.'), metaknowledge: labels };
      const first = (await use('store_knowledge_if_missing', entry)) as { success: boolean; notice?: string };
      assert.equal(first.success, true);
      assert.match(first.notice ?? '', /^MATCHES is not looked for\. .* The metaknowledge "DANGER" warns nobody\. /);
      const again = (await use('store_knowledge_overwrite', entry)) as { success: boolean; notice?: string };
      assert.deepEqual([again.success, again.notice], [true, first.notice]);
      const mended = { ...entry, content: 'DANGER: Never edit one.', metaknowledge: { APPLIES_TO: 'db/**' } };
      const { notice } = (await use('store_knowledge_overwrite', mended)) as { notice?: string };
      assert.doesNotMatch(notice ?? '', /DANGER/);
      await use('delete_knowledge', { target_scope_id: 'general', category: 'db', keyword: 'migrations' });
    });

    it('finds the rule that holds in three steps', async () => {
      const danger = 'Include the ticket. DANGER: never amend a pushed commit.';
      await use('store_knowledge_if_missing', store(PROJECT, 'git.workflows', 'commit', danger));
      await use('store_knowledge_if_missing', store('payments', 'api.auth', 'tokens', 'Use API keys'));

      const categories = (await use('get_categories', { scope_id: PROJECT })) as { name: string }[];
      assert.deepEqual(
        categories.map((category) => category.name),
        ['api', 'api.auth', 'git', 'git.workflows'],
      );
      assert.deepEqual(categories[2], {
        name: 'git',
        subcategories: ['workflows'],
        has_entries: false,
        tier: 'PROJECT',
      });
      assert.deepEqual(await use('get_keywords', { scope_id: PROJECT, categories: ['git', 'api', 'none'] }), {
        git: ['commit'],
        api: ['tokens'],
        none: [],
      });
      const start = danger.indexOf('DANGER');
      const [commit, tokens, ...more] = (await use('get_knowledge', {
        scope_id: PROJECT,
        keywords: ['commit', 'tokens', 'unknown'],
      })) as Record<string, unknown>[];
      assert.deepEqual(commit, {
        keyword: 'commit',
        content: danger,
        source_tier: 'PROJECT',
        metaknowledge: {},
        origin: { by: 'agent', author: 'Contract Client' },
        category: 'git.workflows',
        source_scope: PROJECT,
        risks: [{ level: 'DANGER', text: 'never amend a pushed commit.', range: { start, end: danger.length } }],
      });
      assert.deepEqual([tokens?.content, tokens?.source_scope, tokens?.risks], ['Use JWT with 1h expiry', 'auth', []]);
      assert.deepEqual(more, []);
    });

    it('deletes in the named scope alone', async () => {
      const key = { target_scope_id: PROJECT, category: 'git.workflows', keyword: 'commit' };
      assert.deepEqual(await use('delete_knowledge', key), { success: true });
      const [inherited] = (await use('get_knowledge', { scope_id: PROJECT, keywords: ['commit'] })) as {
        content: string;
      }[];
      assert.equal(inherited?.content, 'Write a good message');
      await fail('delete_knowledge', key);
    });

    it('carries the work over to the next session, saying what an agent wrote', async () => {
      const origin = { by: 'agent', author: CLIENT.name };
      await use('store_project_overview', { project_id: PROJECT, purpose: 'loans', tech_stack: ['Python'] });
      assert.deepEqual(await use('get_project_overview', { project_id: PROJECT }), {
        project_id: PROJECT,
        purpose: 'loans',
        tech_stack: ['Python'],
        compliance: [],
        current_phase: null,
        key_constraints: [],
        origin,
      });
      await use('update_progress', {
        project_id: PROJECT,
        current_sprint: 'Authentication',
        tasks: [{ name: 'OAuth', domain: 'backend', state: 'blocked', blocker: 'waiting for DevOps' }],
      });
      assert.deepEqual(
        await use('store_session_summary', {
          project_id: PROJECT,
          summary: 'Completed the login endpoint',
          tasks_completed: ['login endpoint'],
          domain: 'backend',
          next_planned: 'password reset',
        }),
        { success: true },
      );
      const date = new Date().toISOString().slice(0, 10);
      type Session = { date: string; summary: string; origin?: object };
      const history = (await use('get_session_history', { project_id: PROJECT, limit: 3 })) as Session[];
      assert.deepEqual(history, [
        {
          date: history[0]?.date,
          duration_minutes: 0,
          summary: 'Completed the login endpoint',
          tasks_completed: ['login endpoint'],
          domain: 'backend',
          next_planned: 'password reset',
          origin,
        },
      ]);
      assert.ok((history[0]?.date ?? '') >= date);
      assert.deepEqual(await use('get_progress_status', { project_id: PROJECT }), {
        overall_progress: '50% complete',
        current_sprint: 'Authentication',
        completed_tasks: [{ name: 'login endpoint', domain: 'backend', date: history[0]?.date, origin }],
        in_progress_tasks: [],
        blocked_tasks: [{ name: 'OAuth', domain: 'backend', blocker: 'waiting for DevOps', origin }],
        origin,
      });
      await byPerson(async ({ continuity }) => {
        const session = { project_id: PROJECT, summary: 'Read it again', tasks_completed: ['login endpoint'] };
        await continuity.storeSessionSummary(session, { author: 'Ada' });
        await continuity.storeProjectOverview({ project_id: PROJECT, current_phase: 'MVP' }, { author: 'Ada' });
      });
      type Overview = { current_phase: string; origin?: object };
      const amended = (await use('get_project_overview', { project_id: PROJECT })) as Overview;
      assert.deepEqual([amended.current_phase, amended.origin], ['MVP', origin]); // the purpose is still the agent's
      await byPerson(({ continuity }) =>
        continuity.storeProjectOverview(
          {
            ...{ project_id: PROJECT, purpose: 'loans', tech_stack: ['Python'], compliance: [] },
            ...{ current_phase: 'MVP', key_constraints: [] },
          },
          { author: 'Ada' },
        ),
      );
      const sessions = (await use('get_session_history', { project_id: PROJECT })) as Session[];
      assert.deepEqual(
        sessions.map((session) => [session.summary, session.origin, 'origin' in session]),
        [
          ['Read it again', undefined, false],
          ['Completed the login endpoint', origin, true],
        ],
      );
      assert.ok(!('origin' in ((await use('get_project_overview', { project_id: PROJECT })) as object)));
      const { completed_tasks } = (await use('get_progress_status', { project_id: PROJECT })) as {
        completed_tasks: object[];
      };
      // Whoever completes it once more, its name is the agent's.
      assert.deepEqual(completed_tasks, [
        { name: 'login endpoint', domain: 'backend', date: history[0]?.date, origin },
      ]);
    });

    it('says what is wrong so that an agent can do it right', async () => {
      assert.match(await fail('get_categories', { scope_id: 'checkout-ap' }), /checkout-ap\b.*checkout-api/s);
      assert.match(await fail('get_keywords', { scope_id: PROJECT, categories: 'git' }), /categories: expected array/);
      assert.match(await fail('get_keywords', { scope_id: PROJECT }), /categories is required/);
      assert.match(await fail('get_session_history', { project_id: PROJECT, limit: 101 }), /limit: .*100/);
      assert.match(await fail('get_project_overview', { project_id: 'webapp' }), /PRODUCT/);
      assert.match(await fail('define_scope', { scope_id: 'x', tier: 'TEAM' }), /tier: .*"PROJECT"/);
      await assert.rejects(client.call('forget_everything'), { code: -32602, message: /forget_everything/ });
    });

    it('has been tried with every tool', () => {
      assert.deepEqual([...called].sort(), [...TOOLS].sort());
    });
  });
}
