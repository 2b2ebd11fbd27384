import assert from 'node:assert/strict';
import { revisionsOf, surroundingsOf } from '../../src/vscode/editors/entry-surroundings';
import { useHalls } from '../support/hall';

describe('what the entry form says about the place of an entry', () => {
  const open = useHalls();
  const change = { author: 'maria', project_context: 'shop' };
  const window = { project: 'shop', readOnly: false };

  async function knowledge() {
    const { knowledge: part, define } = await open({ project: 'shop' });
    await define('general', 'GENERAL');
    await define('pay', 'GROUP', [], 'Payments');
    await define('web', 'GROUP');
    await define('shop', 'PROJECT', ['pay'], 'Shop');
    for (const target_scope_id of ['general', 'pay', 'shop', 'web']) {
      await part.storeOverwrite({ target_scope_id, category: 'api', keyword: 'retry', content: 'Once.' }, change);
    }
    return part;
  }

  const key = (scope_id: string) => ({ scope_id, category: 'api', keyword: 'retry' });

  it('names what it overrides and what overrides it, with the names of their scopes', async () => {
    const part = await knowledge();
    const said = surroundingsOf(part, key('pay'), window);
    assert.deepEqual(said.scope, { name: 'Payments', tier: 'GROUP' });
    assert.deepEqual(said.project, { id: 'shop', name: 'Shop', inherits: true });
    assert.deepEqual(said.overridden_by, [{ ...key('shop'), tier: 'PROJECT', scope_name: 'Shop' }]);
    assert.deepEqual(
      said.overrides.map(({ scope_id, tier }) => `${tier} ${scope_id}`),
      ['GENERAL general'],
    );
    assert.equal(surroundingsOf(part, key('web'), window).project?.inherits, false);
    assert.equal(surroundingsOf(part, key('pay'), { ...window, project: undefined }).project, undefined);
  });

  it('tells a stored entry from a new one, a deleted one, and one without a scope', async () => {
    const part = await knowledge();
    assert.equal(surroundingsOf(part, key('shop'), window).stored, 'stored');
    assert.equal(surroundingsOf(part, { ...key('shop'), keyword: 'other' }, window).stored, 'new');
    await part.delete(key('shop'), change);
    assert.equal(surroundingsOf(part, key('shop'), window).stored, 'deleted');
    const lost = surroundingsOf(part, key('nowhere'), window);
    assert.deepEqual([lost.scope, lost.overrides, lost.overridden_by], [undefined, [], []]);
    assert.deepEqual(revisionsOf(part, key('nowhere')), { revisions: [], total: 0 });
  });

  it('lists revisions newest first, with the lines that each changed', async () => {
    const part = await knowledge();
    const entry = { target_scope_id: 'shop', category: 'api', keyword: 'retry' };
    await part.storeOverwrite({ ...entry, content: 'Once.\r\nThen wait.\r\n' }, { ...change, by_agent: true });
    await part.storeOverwrite({ ...entry, content: 'Never.\nThen wait.\n' }, { ...change, reason: 'It failed.' });
    await part.delete(key('shop'), change);
    const { revisions: items, total } = revisionsOf(part, key('shop'));
    assert.equal(total, 4);
    assert.deepEqual(
      items.map(({ number, action, added, removed, has_content }) => [number, action, added, removed, has_content]),
      [
        [4, 'delete', 0, 2, false],
        [3, 'update', 1, 1, true],
        [2, 'update', 1, 0, true],
        [1, 'create', 1, 0, true],
      ],
    );
    assert.deepEqual([items[1]?.reason, items[2]?.by_agent, items[1]?.by_agent], ['It failed.', true, false]);
  });
});
