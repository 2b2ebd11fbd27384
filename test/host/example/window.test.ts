import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { activate, childrenOf, EXTENSION_ID, until } from '../support/kaizen';

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

  it('opens an entry as a read-only document with a diagnostic for each risk', async () => {
    const { tree } = await activate();
    const [scope] = await childrenOf(tree, 'PROJECT');
    let risky: vscode.TreeItem | undefined;
    for (const category of await childrenOf(tree, 'PROJECT', scope?.label as string)) {
      const entries = await childrenOf(tree, 'PROJECT', scope?.label as string, category.label as string);
      risky ??= entries.find(({ description }) => String(description).includes('DANGER'));
    }
    assert.ok(risky?.command, 'an entry with DANGER');
    await vscode.commands.executeCommand(risky.command.command, ...(risky.command.arguments ?? []));
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document);
    assert.equal(document.uri.scheme, 'knowledge');
    assert.equal(document.languageId, 'markdown');
    const diagnostics = await until('diagnostics', () => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return found.length > 0 ? found : undefined;
    });
    const danger = diagnostics.find(({ message }) => message.startsWith('DANGER: '));
    assert.equal(danger?.source, 'Kaizen');
    assert.equal(danger?.severity, vscode.DiagnosticSeverity.Error);
    assert.match(document.getText(danger?.range), /^DANGER:/);
  });

  it('follows what another process writes', async () => {
    const { tree } = await activate();
    let refreshed = 0;
    const listener = tree.onDidChangeTreeData?.(() => refreshed++);
    const extension = vscode.extensions.getExtension(EXTENSION_ID);
    const cli = path.join(extension?.extensionPath ?? '', 'dist/cli.js');
    const store = ['store', 'checkout-api', 'testing.outside', 'elsewhere', 'Written by another process.'];
    // The extension host's own Node runs the command line, whichever editor this is.
    await promisify(execFile)(process.execPath, [cli, ...store], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    await until('the tree refreshes', () => refreshed > 0);
    const [scope] = await childrenOf(tree, 'PROJECT');
    const items = await childrenOf(tree, 'PROJECT', scope?.label as string, 'testing.outside');
    assert.deepEqual(
      items.map(({ label }) => label),
      ['elsewhere'],
    );
    listener?.dispose();
  });
});
