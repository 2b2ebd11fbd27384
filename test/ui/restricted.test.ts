import assert from 'node:assert/strict';
import { useEditor, type WorkspaceKind } from './support/editor';
import type { Workbench } from './support/workbench';

/** As a person has it, but for the question when the window opens. */
const untrusted = { trustWorkspaces: false, settings: { 'security.workspace.trust.startupPrompt': 'never' } };
const writing = ['Store Knowledge', 'Overwrite Knowledge', 'Delete Knowledge', 'Define Scope', 'Delete Scope'];

async function expectNothingToWriteWith(workbench: Workbench): Promise<void> {
  const commands = await workbench.commands('Kaizen: ');
  for (const command of writing) assert.ok(!commands.some((each) => each.includes(command)), command);
  assert.ok(commands.some((each) => each.includes('Kaizen: Show Log')));
}

async function expectServers(workbench: Workbench, expected: boolean): Promise<void> {
  await workbench.runCommand('MCP: List Servers');
  const servers = await workbench.choices();
  await workbench.page.keyboard.press('Escape');
  assert.equal(
    servers.some((each) => each.includes('Kaizen')),
    expected,
    servers.join(),
  );
}
