import assert from 'node:assert/strict';
import type { CategoryListing, ResolvedEntry, ScopeListing } from '../../../src/knowledge';
import { activate, call, childrenOf, startServer, until } from '../support/kaizen';

describe('an agent in the editor, on the example', () => {
  before(async () => {
    await activate();
    await startServer();
  });

  it('gets the rules for its task in three steps', async () => {
    const categories = await call<CategoryListing[]>('get_categories', { scope_id: 'checkout-api' });
    assert.ok(
      categories.some(({ name }) => name.includes('.')),
      'sub-categories are listed',
    );
    const names = categories.map(({ name }) => name);
    assert.deepEqual(names, [...names].sort());

    const keywords = await call<Record<string, string[]>>('get_keywords', {
      scope_id: 'checkout-api',
      categories: names,
    });
    const all = [...new Set(Object.values(keywords).flat())];
    assert.ok(all.length >= 40, `${all.length} keywords`);

    const entries = await call<ResolvedEntry[]>('get_knowledge', {
      scope_id: 'checkout-api',
      keywords: all.slice(0, 100),
    });
    assert.equal(entries.length, Math.min(100, all.length), 'each keyword has one winner');
    assert.ok(entries.some(({ risks }) => risks.length > 0));
    assert.ok(entries.some(({ source_tier }) => source_tier === 'GENERAL'));
  });

  it('overwrites, with what was there before in the answer', async () => {
    const entry = {
      target_scope_id: 'checkout-api',
      category: 'testing.host',
      keyword: 'timeouts',
      content: 'WARNING: a payment call may take 30 seconds.',
      project_context: 'checkout-api',
    };
    assert.deepEqual(await call('store_knowledge_if_missing', entry), { success: true });
    const metaknowledge = { REASON: 'Measured anew' };
    const changed = { ...entry, content: 'DANGER: a payment call may take 60 seconds.', metaknowledge };
    const { previous_origin, ...answer } = await call<{ previous_origin?: { by: string } }>(
      'store_knowledge_overwrite',
      changed,
    );
    assert.deepEqual(answer, { success: true, previous_content: entry.content, previous_metaknowledge: {} });
    assert.equal(previous_origin?.by, 'agent');
    const [stored] = await call<ResolvedEntry[]>('get_knowledge', { scope_id: 'checkout-api', keywords: ['timeouts'] });
    assert.equal(stored?.content, changed.content);
    assert.deepEqual(
      stored?.risks.map(({ level }) => level),
      ['DANGER'],
    );
  });

  it('changes what the tree shows', async () => {
    const { tree } = await activate();
    const entry = {
      target_scope_id: 'checkout-api',
      category: 'testing.host',
      keyword: 'retries',
      content: 'LAST TIME: retries doubled the charges.',
      project_context: '',
    };
    let refreshed = 0;
    const listener = tree.onDidChangeTreeData?.(() => refreshed++);
    await call('store_knowledge_overwrite', entry);
    await until('the tree refreshes', () => refreshed > 0);
    const scope = (await childrenOf(tree, 'PROJECT'))[0]?.label as string;
    const items = await childrenOf(tree, 'PROJECT', scope, 'testing.host');
    const item = items.find(({ label }) => label === 'retries');
    assert.equal(item?.description, 'LAST TIME');
    await call('delete_knowledge', { target_scope_id: 'checkout-api', category: 'testing.host', keyword: 'retries' });
    await until('the entry leaves the tree', async () => {
      const categories = await childrenOf(tree, 'PROJECT', scope);
      if (!categories.some(({ label }) => label === 'testing.host')) return true;
      return !(await childrenOf(tree, 'PROJECT', scope, 'testing.host')).some(({ label }) => label === 'retries');
    });
    listener?.dispose();
  });

  it('carries a session over', async () => {
    await call('get_project_overview', { project_id: 'checkout-api' });
    const summary = {
      project_id: 'checkout-api',
      summary: 'Tried the host',
      tasks_completed: ['host test'],
      domain: 'testing',
    };
    assert.deepEqual(await call('store_session_summary', summary), { success: true });
    const [session] = await call<Record<string, unknown>[]>('get_session_history', {
      project_id: 'checkout-api',
      limit: 1,
    });
    assert.equal(session?.summary, 'Tried the host');
    assert.equal(session?.duration_minutes, 0);
    const progress = await call<{ completed_tasks: { name: string }[] }>('get_progress_status', {
      project_id: 'checkout-api',
    });
    assert.ok(progress.completed_tasks.some(({ name }) => name === 'host test'));
  });

  it('knows which project is the current one', async () => {
    const scopes = await call<ScopeListing[]>('list_scopes', {});
    assert.deepEqual(
      scopes.filter((scope) => scope.is_current_project).map(({ scope_id }) => scope_id),
      ['checkout-api'],
    );
  });

  it('gets a sentence and no stack trace when it asks for a scope that does not exist', async () => {
    await assert.rejects(call('get_categories', { scope_id: 'chekout-api' }), (error: Error) => {
      assert.match(error.message, /There is no scope "chekout-api"\. Did you mean "checkout-api"/);
      assert.doesNotMatch(error.message, /\n\s+at /);
      return true;
    });
  });
});
