import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { activate, call, childrenOf, EXTENSION_ID, startServer } from '../support/kaizen';

describe('a fresh folder', () => {
  it('is activated with neither the MCP SDK nor SQLite loaded', async () => {
    const extension = vscode.extensions.getExtension(EXTENSION_ID);
    assert.ok(extension);
    const loaded = () => Object.keys(require.cache).filter((file) => file.startsWith(extension.extensionPath));
    await extension.activate();
    const names = loaded().map((file) => file.split(/[\\/]/).pop());
    assert.deepEqual(names, ['extension.js']);
  });

  it('shows nothing in the view, so that its welcome text teaches', async () => {
    const { tree } = await activate();
    assert.deepEqual(await childrenOf(tree), []);
  });

  it('writes nothing into the folder', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    assert.deepEqual(
      readdirSync(folder).filter((name) => /kaizen|\.vscode|\.mcp|AGENTS|CLAUDE/i.test(name)),
      [],
    );
  });

  it('lets an agent define the project and store its first rule', async () => {
    await startServer();
    const scope_id = vscode.workspace.workspaceFolders?.[0]?.name as string;
    await call('define_scope', { scope_id, tier: 'PROJECT', name: 'Fresh' });
    const entry = {
      target_scope_id: scope_id,
      category: 'git',
      keyword: 'commit',
      content: 'Small commits.',
      project_context: scope_id,
    };
    assert.deepEqual(await call('store_knowledge_if_missing', entry), { success: true });
    const { tree } = await activate();
    assert.deepEqual(
      (await childrenOf(tree)).map(({ label }) => label),
      ['PROJECT', 'GENERAL'],
    );
    const [general] = await childrenOf(tree, 'GENERAL');
    assert.equal(general?.id, 'scope/general');
    assert.deepEqual(
      (await childrenOf(tree, 'PROJECT', 'Fresh', 'git')).map(({ label }) => label),
      ['commit'],
    );
  });

  it('makes no file for a section without entries', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri as vscode.Uri;
    const options = { format: 'agents', scopes: ['general'], authors: false, overwrite: true };
    await vscode.commands.executeCommand('kaizen.exportKnowledge', vscode.Uri.joinPath(folder, 'AGENTS.md'), options);
    assert.ok(!readdirSync(folder.fsPath).includes('AGENTS.md'));
  });
});
