import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { documentUri } from '../../../src/vscode/documents/uris';
import { activate, until } from '../support/kaizen';

describe('opening entries', () => {
  const entry = { scope_id: 'checkout-api', category: 'validation', keyword: 'refund_amounts' };
  const uri = documentUri(entry);
  const setting = () => vscode.workspace.getConfiguration('kaizen.entries');
  const inFront = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isForm = () => {
    const input = inFront();
    return input instanceof vscode.TabInputCustom && input.viewType === 'kaizen.entry' ? input.uri.path : undefined;
  };
  const isText = () => {
    const input = inFront();
    return input instanceof vscode.TabInputText ? input.uri.path : undefined;
  };

  before(activate);

  afterEach(async () => {
    await setting().update('openAs', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('opens a form, as long as the person wants no text', async () => {
    await vscode.commands.executeCommand('kaizen.openEntry', { kind: 'entry', entry });
    assert.equal(await until('the form', isForm), uri.path);
    await setting().update('openAs', 'text', vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('kaizen.openEntry', { kind: 'entry', entry });
    assert.equal(await until('the text', isText), uri.path);
  });

  it('goes from one to the other, for a node, for an address, and for what is in front', async () => {
    await vscode.commands.executeCommand('kaizen.openAsText', { kind: 'entry', entry });
    assert.equal(await until('the text', isText), uri.path);
    await vscode.commands.executeCommand('kaizen.openAsForm');
    assert.equal(await until('the form', isForm), uri.path);
    await vscode.commands.executeCommand('kaizen.openAsText');
    assert.equal(await until('the text again', isText), uri.path);
    await vscode.commands.executeCommand('kaizen.openAsForm', uri);
    assert.equal(await until('the form again', isForm), uri.path);
  });

  it('shows what is no entry of now, such as a past revision, as text', async () => {
    const revision = uri.with({ query: 'revision=1' });
    await vscode.commands.executeCommand('vscode.openWith', revision, 'kaizen.entry');
    await until('the text of the revision', () => {
      const input = inFront();
      return input instanceof vscode.TabInputText && input.uri.query === 'revision=1';
    });
  });
});
