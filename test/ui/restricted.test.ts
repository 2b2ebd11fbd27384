import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { useEditor } from './support/editor';
import { LibraryPane } from './support/library';
import type { Workbench } from './support/workbench';

/** As a person has it, but for the question when the window opens. */
const untrusted = { trustWorkspaces: false, settings: { 'security.workspace.trust.startupPrompt': 'never' } };

async function offeredServers(workbench: Workbench): Promise<string> {
  await workbench.runCommand('MCP: List Servers');
  const servers = await workbench.choices();
  await workbench.page.keyboard.press('Escape');
  return servers.join('\n');
}

/** Of knowledge and scopes: the list shows no more of all than fit into it. */
async function offeredCommands(workbench: Workbench): Promise<string> {
  const ofKnowledge = await workbench.commands('Kaizen: Knowledge');
  return [...ofKnowledge, ...(await workbench.commands('Kaizen: Scope'))].join('\n');
}

const writing = /Store Knowledge|Overwrite Knowledge|Delete Knowledge|Define Scope|Delete Scope/;

/** What works on notes themselves, which are not read there. */
const notesNeeded =
  /Kaizen: ((New|Open|Find|Rename|Move|Delete|Copy|Publish|Compare|Download) Note|(Link|Filter|Reindex) Notes|Undo Last|Reveal Folder|Migrate Old)/;

describe('Restricted Mode in a fresh folder', () => {
  const editor = useEditor({ ...untrusted, workspace: 'fresh' });

  it('says that nothing is written, and offers neither commands that write nor an MCP server', async () => {
    const { workbench } = editor();
    await workbench.openContainer('Kaizen');
    const view = workbench.page.locator('.part.sidebar');
    await view
      .getByText('There is no knowledge here yet, and in Restricted Mode nothing is written.')
      .first()
      .waitFor();
    assert.deepEqual(await workbench.treeRows(), []);
    const commands = await offeredCommands(workbench);
    assert.doesNotMatch(commands, writing);
    assert.match(commands, /Find Knowledge/);
    const ofNotes = (await workbench.commands('Kaizen: Note')).join('\n');
    // What is left works on what is stored, or says why it does not.
    assert.match(ofNotes, /Show Changes of Notes/);
    assert.doesNotMatch(ofNotes, notesNeeded);
    assert.doesNotMatch((await workbench.commands('Kaizen: Collection')).join('\n'), /Collection/);
    const ofRegistry = (await workbench.commands('Kaizen: Registry')).join('\n');
    assert.doesNotMatch(ofRegistry, /Registry/);
    const ofLibrary = (await workbench.commands('Kaizen: Library')).join('\n');
    assert.match(ofLibrary, /Search Library/);
    assert.doesNotMatch(ofLibrary, /Add to Library|Remove from Library|Refresh Library|Connect Library|Search the Web/);
    assert.doesNotMatch(await offeredServers(workbench), /Kaizen/);
    await workbench.screenshot('restricted-fresh');
  });

  it('ends when the person trusts the folder', async () => {
    const { workbench } = editor();
    await workbench.page.getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
    const trust = workbench.page.locator('.workspace-trust-editor');
    await trust.getByRole('button', { name: 'Trust', exact: true }).click();
    await workbench.page.locator('.part.sidebar').getByText('Store what your team learned the hard way').waitFor();
    await workbench.closeModalEditor();
    assert.match(await offeredCommands(workbench), writing);
    await workbench.until(async () => /Kaizen/.test(await offeredServers(workbench)), 'the MCP server');
  });
});

describe('Restricted Mode where something is stored', () => {
  const editor = useEditor(untrusted);

  it('shows it, and says that nothing is written and agents get no tools', async () => {
    const { workbench } = editor();
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('checkout-api 15 entries');
    const view = workbench.page.locator('.part.sidebar');
    await view.getByText('Restricted Mode: nothing is written, and agents get no tools.').waitFor();
    const store = view.locator('.action-label[aria-label^="Store Knowledge"]').first();
    assert.equal(await store.getAttribute('aria-disabled'), 'true');
    assert.doesNotMatch(await offeredCommands(workbench), writing);
    assert.doesNotMatch(await offeredServers(workbench), /Kaizen/);
    await workbench.screenshot('restricted-example');
  });

  it('sets up no agents, and keeps nothing for their hooks', async () => {
    const { workbench, home, env } = editor();
    const commands = (await workbench.commands('Kaizen: Agent')).join('\n');
    assert.doesNotMatch(commands, /Set Up Agents|Copy Configuration/);
    assert.match(commands, /Review Agent Changes/);
    assert.equal(existsSync(path.join(home, '.local/share/kaizen')), false);
    assert.equal(existsSync(path.join(env.KAIZEN_DATA!, 'guard')), false);
  });

  it('exports into no file of the project, and leads to where it can be trusted', async () => {
    const { workbench, workspace } = editor();
    await workbench.runAndPick('Kaizen: Export Knowledge', 'A section of AGENTS.md');
    const refusal = workbench.notification('Nothing is written in Restricted Mode.');
    await refusal.getByRole('button', { name: 'Manage Trust' }).waitFor();
    assert.equal(existsSync(path.join(workspace, 'AGENTS.md')), false);
    await workbench.clearNotifications();
  });

  it('says of the graph of notes that they are not read, and offers to write none', async () => {
    const { workbench } = editor();
    await workbench.runCommand('Kaizen: Open Graph of Notes');
    const page = workbench.webview();
    await page.getByText('Restricted Mode: notes are not read.').waitFor();
    assert.equal(await page.getByText('New Note…').count(), 0);
    await workbench.screenshot('restricted-graph');
  });

  it('says of the library that nothing is added', async () => {
    const library = await LibraryPane.open(editor().workbench);
    await library.pane.getByText('In Restricted Mode nothing is added.').waitFor();
  });
});
