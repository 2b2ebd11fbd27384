import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useEditor } from './support/editor';
import type { Workbench } from './support/workbench';

const SHOW = 'Kaizen: Show What the Guard Decided';
const untrusted = { trustWorkspaces: false, settings: { 'security.workspace.trust.startupPrompt': 'never' } };

async function trustFolder({ page }: Workbench): Promise<void> {
  await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
}

describe('what the guard decided, and setting agents up, in Restricted Mode', () => {
  const editor = useEditor({ ...untrusted, workspace: 'fresh', width: 1400, height: 900 });
  let workbench: Workbench;
  const page = () => workbench.page;
  const step = () => page().locator('.getting-started-step').filter({ hasText: 'Be asked before the damage' }).first();
  const isDone = async () => (await step().locator('.codicon.complete').count()) > 0;

  before(() => {
    workbench = editor().workbench;
  });

  it('is said to be nothing, with the way to trust the folder', async () => {
    await workbench.runCommand(SHOW);
    const told = workbench.notification('in Restricted Mode agents get no tools from Kaizen');
    await told.getByRole('button', { name: 'Manage Trust', exact: true }).waitFor();
    assert.doesNotMatch(await told.innerText(), /agent mode/);
    await workbench.clearNotifications();
  });

  it('names what was asked for in the walkthrough, whose step is not done by that', async () => {
    await workbench.runCommand('Kaizen: Get Started');
    await step().click();
    await page().getByRole('button', { name: 'Set Up Agents', exact: true }).click();
    const told = 'Set Up Agents: Nothing is written in Restricted Mode.';
    await workbench.notification(told).waitFor();
    await workbench.rest();
    await workbench.screenshot('restricted-set-up-agents');
    assert.equal(await isDone(), false);
    await workbench.answerNotification(told, 'Manage Trust');
    await trustFolder(workbench);
    await workbench.closeModalEditor();
  });

  it('is done once an agent was given something', async () => {
    const { workspace } = editor();
    await workbench.openContainer('Kaizen');
    await workbench.runCommand('Kaizen: Set Up Agents');
    const instructions = workbench.quickRows.filter({ hasText: 'AGENTS.md' }).first();
    await instructions.waitFor();
    assert.equal(await isDone(), false);
    const box = instructions.locator('[role=checkbox], input[type=checkbox], .quick-input-list-checkbox').first();
    if ((await box.getAttribute('aria-checked')) !== 'true' && !(await box.isChecked().catch(() => false)))
      await instructions.click();
    await page().locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
    await workbench.pick(/Write \d+ files?/);
    await workbench.notification('Agents are set up.').waitFor();
    await workbench.until(isDone, `the step to be done in ${workspace}`);
  });
});

describe('what the guard decided where nothing was looked at', () => {
  const editor = useEditor({ workspace: 'fresh' });
  let root = '';

  before(() => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-no-folder-'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('says that no folder is open, and offers to open one', async () => {
    const { workbench } = editor();
    const none = path.join(root, 'none.code-workspace');
    writeFileSync(none, JSON.stringify({ folders: [] }));
    await editor().openFolder(none);
    await workbench.runCommand(SHOW);
    const told = workbench.notification('and none is open');
    await told.getByRole('button', { name: 'Open Folder', exact: true }).waitFor();
  });
});
