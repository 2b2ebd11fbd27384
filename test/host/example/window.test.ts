import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, call, childrenOf, EXTENSION_ID, nodesBelow, runCli, startServer, until } from '../support/kaizen';

describe('the window, on the example', () => {
  it('declares the commands that it registers', async () => {
    await activate();
    const manifest = vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON as {
      contributes: { commands: { command: string }[] };
    };
    const registered = await vscode.commands.getCommands(true);
    for (const { command } of manifest.contributes.commands) assert.ok(registered.includes(command), command);
  });

  it('shows tiers, scopes, categories and entries, risks in words', async () => {
    const { tree } = await activate();
    const tiers = await childrenOf(tree);
    assert.deepEqual(
      tiers.map(({ label }) => label),
      ['PROJECT', 'GROUP', 'PRODUCT', 'GENERAL'],
    );
    const groups = await childrenOf(tree, 'GROUP');
    assert.equal(groups.length, 4);
    const words = new Set<string>();
    for (const tier of tiers) {
      for (const scope of await childrenOf(tree, tier.label as string)) {
        for (const category of await childrenOf(tree, tier.label as string, scope.label as string)) {
          const entries = await childrenOf(tree, tier.label as string, scope.label as string, category.label as string);
          assert.equal(String(entries.length), category.description);
          for (const entry of entries) words.add(String(entry.description));
        }
      }
    }
    assert.ok(
      ['DANGER', 'WARNING', 'LAST TIME', ''].every((word) => words.has(word)),
      [...words].join(' | '),
    );
  });

  it('opens an entry, whose document has a diagnostic for each risk', async () => {
    const { tree } = await activate();
    const [scope] = await childrenOf(tree, 'PROJECT');
    let risky: vscode.TreeItem | undefined;
    for (const category of await childrenOf(tree, 'PROJECT', scope?.label as string)) {
      const entries = await childrenOf(tree, 'PROJECT', scope?.label as string, category.label as string);
      risky ??= entries.find(({ description }) => String(description).includes('DANGER'));
    }
    assert.ok(risky?.command && risky.resourceUri, 'an entry with DANGER');
    await vscode.commands.executeCommand(risky.command.command, ...(risky.command.arguments ?? []));
    const address = risky.resourceUri.toString();
    await until('the tab of the entry', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      const isDocument = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText;
      return isDocument && input.uri.toString() === address;
    });
    const document = await vscode.workspace.openTextDocument(risky.resourceUri);
    assert.equal(document.languageId, 'markdown');
    const diagnostics = await until('diagnostics', () => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return found.length > 0 ? found : undefined;
    });
    const danger = diagnostics.find(({ message }) => message.startsWith('DANGER: '));
    assert.equal(danger?.source, 'Kaizen');
    assert.equal(danger?.severity, vscode.DiagnosticSeverity.Warning);
    assert.match(document.getText(danger?.range), /^DANGER:/);
  });

  it('follows what another process writes', async () => {
    const { tree } = await activate();
    let refreshed = 0;
    const listener = tree.onDidChangeTreeData?.(() => refreshed++);
    await runCli('store', 'checkout-api', 'testing.outside', 'elsewhere', 'Written by another process.');
    await until('the tree refreshes', () => refreshed > 0);
    const [scope] = await childrenOf(tree, 'PROJECT');
    const items = await childrenOf(tree, 'PROJECT', scope?.label as string, 'testing.outside');
    assert.deepEqual(
      items.map(({ label }) => label),
      ['elsewhere'],
    );
    listener?.dispose();
  });

  it('takes the current project from the setting, also when that changes while the server runs', async () => {
    const { tree } = await activate();
    const configure = (project: string | undefined) =>
      vscode.workspace.getConfiguration('kaizen').update('project', project, vscode.ConfigurationTarget.Workspace);
    const icon = async () => {
      const [scope] = await childrenOf(tree, 'PROJECT');
      return scope?.iconPath instanceof vscode.ThemeIcon ? scope.iconPath.id : undefined;
    };
    const current = async () => {
      await startServer();
      const scopes = await call<{ scope_id: string; is_current_project: boolean }[]>('list_scopes', {});
      return scopes.filter(({ is_current_project }) => is_current_project).map(({ scope_id }) => scope_id);
    };
    assert.equal(await icon(), 'home');
    assert.deepEqual(await current(), ['checkout-api']);
    await configure('auth');
    try {
      await until('the tree knows', async () => (await icon()) === 'repo');
      await until('the server knows', async () => (await current().catch(() => [])).join() === 'auth');
    } finally {
      await configure(undefined);
    }
    await until('the tree is as before', async () => (await icon()) === 'home');
    await until('the server is as before', async () => (await current().catch(() => [])).join() === 'checkout-api');
  });

  it('shows an entry without the pictures that it names, so that nothing is asked of the network', async () => {
    const { tree } = await activate();
    await startServer();
    const place = { target_scope_id: 'checkout-api', category: 'testing.pictures', keyword: 'logo' };
    const content = 'A picture: ![logo](https://example.org/logo.png)';
    await call('store_knowledge_overwrite', { ...place, content, project_context: 'checkout-api' });
    const [scope] = await childrenOf(tree, 'PROJECT');
    const [entry] = await nodesBelow(tree, 'PROJECT', scope?.label as string, 'testing.pictures');
    const item = await tree.getTreeItem(entry);
    assert.equal(item.tooltip, undefined, 'a tooltip is made when somebody asks for it');
    const { token } = new vscode.CancellationTokenSource();
    const resolved = await tree.resolveTreeItem?.(item, entry, token);
    const tooltip = resolved?.tooltip as vscode.MarkdownString;
    assert.match(tooltip.value, /^A picture: !/);
    assert.doesNotMatch(tooltip.value, /!\[/);
  });
});
