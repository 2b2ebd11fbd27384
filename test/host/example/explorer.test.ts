import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { activate, childrenOf, labelOf, nodesBelow, runCli, until } from '../support/kaizen';

const MANY = 1_000;
const SCOPE = 'many-rules';
const CATEGORY = 'testing';

/** Stores so many entries in one category of a scope of its own, as another process. */
async function importMany(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'kzh-'));
  try {
    const lines = Array.from({ length: MANY }, (_, index) => ({
      type: 'entry',
      scope: SCOPE,
      category: CATEGORY,
      keyword: `rule_${String(index).padStart(4, '0')}`,
      content: `Rule ${index}.`,
    }));
    const file = path.join(directory, 'many.jsonl');
    const head = [
      { type: 'kaizen', format: 1 },
      { type: 'scope', id: SCOPE, tier: 'PRODUCT', name: SCOPE },
    ];
    writeFileSync(file, [...head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
    await runCli('import', file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

describe('the explorer, on the example', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('kaizen.clearKnowledgeFilter');
    await vscode.commands.executeCommand('kaizen.showByScope');
  });

  it('shows what holds for the project, and below it what that overrides', async () => {
    const { tree } = await activate();
    await vscode.commands.executeCommand('kaizen.showEffective');
    const entries = await childrenOf(tree, 'git');
    const commit = entries.find((item) => labelOf(item) === 'commit');
    assert.equal(commit?.description, 'PROJECT, overrides 3');
    const overridden = await childrenOf(tree, 'git', 'commit');
    assert.deepEqual(
      overridden.map(({ label, description }) => [label, description]),
      [
        ['webapp', 'PRODUCT, overridden'],
        ['general', 'GENERAL, overridden'],
        ['general', 'GENERAL in git.workflows, overridden'],
      ],
    );
    const ids = [...entries, ...overridden].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, 'each line has an id of its own');
    for (const item of overridden) assert.equal(item.command?.command, 'kaizen.openEntry');
  });

  it('shows a page of a large category, and more when asked', async () => {
    const { tree } = await activate();
    await importMany();
    const way = ['PRODUCT', SCOPE, CATEGORY];
    // A large import comes in several pieces.
    await until('all of the scope', async () => {
      const scope = (await childrenOf(tree, 'PRODUCT')).find((item) => labelOf(item) === SCOPE);
      return /1,000 entries/.test(String(scope?.description));
    });
    const shown = await childrenOf(tree, ...way);
    assert.equal(shown.length, 251);
    assert.deepEqual([labelOf(shown[0]!), labelOf(shown[249]!)], ['rule_0000', 'rule_0249']);
    assert.equal(labelOf(shown[250]!), 'Show more (750)…');
    const { command, arguments: values } = shown[250]!.command!;
    await vscode.commands.executeCommand(command, ...values!);
    const more = await childrenOf(tree, ...way);
    assert.equal(more.length, 501);
    assert.equal(labelOf(more[500]!), 'Show more (500)…');
    await runCli('scopes', 'delete', SCOPE, '--yes');
    await until('the scope to leave', async () => (await childrenOf(tree, 'PRODUCT')).length === 1);
  });

  it('knows the way from each line up to the top, so that the editor can reveal it', async () => {
    const { tree } = await activate();
    const [entry] = await nodesBelow(tree, 'GENERAL', 'General', 'git');
    const way: (string | undefined)[] = [];
    for (let node = entry; node; node = await tree.getParent?.(node)) way.push(labelOf(await tree.getTreeItem(node)));
    assert.deepEqual(way.slice(1), ['git', 'General', 'GENERAL']);
  });

  it('is filtered by what entries say, in either view', async () => {
    const { tree } = await activate();
    await vscode.commands.executeCommand('kaizen.filterKnowledge', 'charged refunded');
    assert.deepEqual((await childrenOf(tree, 'PROJECT', 'checkout-api', 'validation')).map(labelOf), [
      'refund_amounts',
    ]);
    await vscode.commands.executeCommand('kaizen.showEffective');
    assert.deepEqual((await childrenOf(tree, 'validation')).map(labelOf), ['refund_amounts']);
  });

  it('reads anew only what an entry’s change touches', async () => {
    const { tree } = await activate();
    await nodesBelow(tree, 'PROJECT');
    const touched: unknown[] = [];
    const listener = tree.onDidChangeTreeData?.((nodes) => touched.push(nodes));
    try {
      await runCli('store', 'checkout-api', 'testing.touched', 'touching', 'Written by another process.');
      await until('the change', () => touched.length > 0);
      const [nodes] = touched as [unknown[] | undefined];
      assert.ok(nodes, 'not the whole tree');
      const labels = await Promise.all(nodes.map(async (node) => labelOf(await tree.getTreeItem(node))));
      assert.deepEqual(labels, ['checkout-api']);
    } finally {
      listener?.dispose();
    }
  });

  it('copies a reference that an agent understands', async () => {
    await activate();
    const address = 'knowledge://scopes/checkout-api/validation/refund_amounts';
    await vscode.commands.executeCommand('kaizen.copyForAgent', address);
    const text = await vscode.env.clipboard.readText();
    assert.ok(text.startsWith(`${address}\n`), text);
    assert.match(text, /get_knowledge\(scope_id="checkout-api", keywords=\["refund_amounts"\]/);
  });

  it('does nothing with arguments that mean nothing', async () => {
    await activate();
    for (const value of [42, {}, [], { kind: 'entry' }, { kind: 'entry', entry: null }, 'https://example.org']) {
      await vscode.commands.executeCommand('kaizen.deleteKnowledge', value);
      await vscode.commands.executeCommand('kaizen.openEntry', value);
      await vscode.commands.executeCommand('kaizen.showMore', value);
    }
  });
});
