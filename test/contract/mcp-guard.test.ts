import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENTS, type ContractClient } from './support/clients';
import { type GuardedWorkspace, guardedWorkspace } from './support/guarded-workspace';

/** A hook that has to open the stores makes the index anew, as another file: whoever finds it as it was has not. */
describe('hooks beside a running `kaizen mcp`', function () {
  this.timeout(60_000);
  let world: GuardedWorkspace;
  let client: ContractClient | undefined;
  beforeEach(() => {
    world = guardedWorkspace();
  });
  afterEach(async () => {
    await client?.close();
    client = undefined;
    world.remove();
  });

  const project = ['--project', 'shop'];
  const decision = async () => {
    const tool_input = { file_path: path.join(world.folder, 'a.txt'), old_string: 'one', new_string: 'two' };
    const call = { hook_event_name: 'PreToolUse', session_id: 's', cwd: world.folder, tool_name: 'Edit', tool_input };
    return (await world.hook('pre-tool-use', call, ...project)).hookSpecificOutput?.permissionDecision;
  };
  const index = () => {
    // Beside the workspace's store, or the shared one where that is all there is.
    const guards = ['data', 'shared'].map((store) => path.join(world.root, store, 'guard')).filter(existsSync);
    const file = path.join(guards[0]!, readdirSync(guards[0]!).find((name) => name.endsWith('.json'))!);
    return { text: readFileSync(file, 'utf8'), inode: statSync(file).ino };
  };
  const entry = { target_scope_id: 'general', category: 'DATA', keyword: 'LETTERS', project_context: '' };
  const content = 'DANGER: a.txt is read by the printers.';
  const metaknowledge = { APPLIES_TO: 'a.txt' };

  it('know what was stored through it, without opening the stores', async () => {
    client = await CLIENTS[0]!.connect([...world.flags, ...project, '--workspace', world.folder]);
    // With the first call the stores are opened, and the workspace's own is there.
    assert.ok(!(await client.call('list_scopes', {})).isError);
    // From the first hook on an index is kept.
    assert.equal(await decision(), undefined);
    const { isError, text } = await client.call('store_knowledge_if_missing', { ...entry, content, metaknowledge });
    assert.ok(!isError, text);
    while (!index().text.includes('LETTERS')) await sleep(50);
    const { inode } = index();
    assert.equal(await decision(), 'ask');
    assert.equal(index().inode, inode, 'it was answered from the index that the server had made');
  });

  it('open the stores where none is running, and keep what they say', async () => {
    assert.equal(await decision(), undefined);
    const { inode } = index();
    world.kaizen('store', 'general', 'DATA', 'LETTERS', content, '--meta', 'APPLIES_TO=a.txt');
    assert.equal(await decision(), 'ask');
    assert.notEqual(index().inode, inode);
  });
});
