import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { Kaizen, type KaizenParts } from '../../src/kaizen';
import { assertWebviewAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const BY_PEER = { author: 'peer' };
const PROJECT = 'fresh-folder';
const PARTS = ['Overview', 'Inheritance', 'Progress', 'Sessions'];

describe('the project of a fresh folder', () => {
  const stores = mkdtempSync(path.join(tmpdir(), 'kzp-'));
  const env = { KAIZEN_DATA: path.join(stores, 'data'), KAIZEN_SHARED: path.join(stores, 'shared') };
  const editor = useEditor({ workspace: 'fresh', env, settings: pictureSettings, theme: 'light' });
  let workbench: Workbench;
  let page: FrameLocator;
  /** Another process at the same stores, as an agent is one. */
  let kaizen: Kaizen;
  let parts: KaizenParts;

  before(async () => {
    workbench = editor().workbench;
    page = workbench.webview();
  });
  after(async () => {
    await kaizen?.close();
    rmSync(stores, { recursive: true, force: true });
  });
  afterEach(() => workbench.clearNotifications());

  const overview = () => parts.continuity.projectOverview(PROJECT);
  const progress = () => parts.continuity.getProgressStatus(PROJECT);
  const press = (key: string) => workbench.page.keyboard.press(key);
  const field = (name: string) => page.locator(`[data-field="${name}"]`);
  const purpose = () => page.getByRole('textbox', { name: 'Purpose' });

  async function show(part: string): Promise<void> {
    await page.getByRole('tab', { name: part }).click();
    await page.locator(`.part[data-part="${part.toLowerCase()}"] > *`).first().waitFor();
  }

  async function standing(name: string, text: string): Promise<void> {
    await field(name).locator('.standing', { hasText: text }).waitFor();
  }

  /** Leaves the field that has the focus. */
  async function leave(): Promise<void> {
    await page.locator('h1').click();
  }

  it('begins with what a project is, and a button that sets it up', async () => {
    await workbench.runCommand('Kaizen: Open Project');
    await page.getByRole('heading', { name: `Set up "${PROJECT}"` }).waitFor({ timeout: 20_000 });
    await assertWebviewAccessible(workbench);
    await workbench.screenshot('project-start');
    await page.getByRole('button', { name: 'Set Up Project' }).click();
    await workbench.answer('Name of the project', 'Fresh Folder');
    await workbench.answer('Scope id');
    await workbench.answer('Product that it belongs to', 'Web Shop');
    await workbench.answer('Names of new groups', 'Python services, Payments');
    await workbench.answer('Description', 'Where it all begins');
    await workbench.answer('Purpose', 'Sells things');
    // The way back keeps what was answered.
    await workbench.page.locator('.quick-input-titlebar').getByRole('button', { name: 'Back' }).click();
    await workbench.until(async () => (await workbench.quickInput.inputValue()) === 'Sells things', 'the answer');
    await workbench.answer('Purpose');
    await workbench.answer('Current phase', 'Prototype');
    await workbench.pick('Inherits from: Python services (new) → Payments (new) → Web Shop (new) → General');
    await workbench.notification('The project "Fresh Folder" is set up.').waitFor();
    await page.getByRole('heading', { name: 'Fresh Folder' }).waitFor();

    kaizen = new Kaizen({ data: env.KAIZEN_DATA, shared: env.KAIZEN_SHARED, project: PROJECT });
    parts = await kaizen.parts();
    assert.deepEqual(
      parts.knowledge.chain(PROJECT).map(({ id, tier, name }) => [id, tier, name]),
      [
        [PROJECT, 'PROJECT', 'Fresh Folder'],
        ['payments', 'GROUP', 'Payments'],
        ['python-services', 'GROUP', 'Python services'],
        ['web-shop', 'PRODUCT', 'Web Shop'],
        ['general', 'GENERAL', 'General'],
      ],
    );
    assert.deepEqual([overview().purpose, overview().current_phase], ['Sells things', 'Prototype']);
  });

  it('stores a field of the overview when it is left', async () => {
    await purpose().fill('Sells things to people\nand delivers them');
    await standing('purpose', 'Not saved yet');
    await leave();
    await standing('purpose', 'Saved');
    assert.equal(overview().purpose, 'Sells things to people\nand delivers them');
  });

  it('adds, moves and removes items of a list by keyboard', async () => {
    await page.getByRole('textbox', { name: 'Add to Tech stack' }).focus();
    for (const item of ['Python', 'PostgreSQL', 'Redis']) {
      await workbench.page.keyboard.type(item);
      await press('Enter');
    }
    await leave();
    await standing('tech_stack', 'Saved');
    assert.deepEqual(overview().tech_stack, ['Python', 'PostgreSQL', 'Redis']);
    await page.getByRole('textbox', { name: 'Tech stack, item 3' }).focus();
    await press('Alt+ArrowUp');
    await workbench.until(() => overview().tech_stack.join() === 'Python,Redis,PostgreSQL', 'the new order');
    await page.getByRole('button', { name: 'Remove Redis' }).focus();
    await press('Enter');
    await workbench.until(() => overview().tech_stack.join() === 'Python,PostgreSQL', 'one less');
    await assertWebviewAccessible(workbench);
  });

  it('follows what others store, and never replaces what is being typed', async () => {
    await purpose().fill('Mine, half ty');
    await parts.continuity.storeProjectOverview(
      { project_id: PROJECT, purpose: 'Theirs', current_phase: 'Beta' },
      BY_PEER,
    );
    await field('purpose').locator('.elsewhere', { hasText: 'Theirs' }).waitFor();
    const phase = page.getByRole('textbox', { name: 'Current phase' });
    await workbench.until(async () => (await phase.inputValue()) === 'Beta', 'the new phase');
    // The focus is where it was: the person types on.
    await workbench.page.keyboard.type('ped');
    assert.equal(await purpose().inputValue(), 'Mine, half typed');
    await assertWebviewAccessible(workbench);
    await workbench.screenshot('project-conflict');
    await leave();
    assert.equal(overview().purpose, 'Theirs');
    await field('purpose').getByRole('button', { name: 'Keep Mine' }).click();
    await standing('purpose', 'Saved');
    assert.equal(overview().purpose, 'Mine, half typed');
  });

  it('says at the field why something is refused, and keeps it', async () => {
    const phase = page.getByRole('textbox', { name: 'Current phase' });
    await phase.fill('x'.repeat(9_000));
    await leave();
    await field('current_phase').getByText('the limit is 8192').waitFor();
    assert.equal((await phase.inputValue()).length, 9_000);
    await phase.fill('Launch');
    await leave();
    await standing('current_phase', 'Saved');
  });

  it('draws the chain, and lists the entries of a scope that is chosen', async () => {
    const entry = { target_scope_id: 'payments', category: 'payment.cards', keyword: 'card_data' };
    await parts.knowledge.storeOverwrite({ ...entry, content: 'DANGER: Never store card numbers.' }, BY_PEER);
    await show('Inheritance');
    const boxes = page.locator('.picture button');
    await workbench.until(async () => (await boxes.count()) === 5, 'five boxes');
    await page.getByRole('button', { name: /^Place 2 Payments .*1 entry 1 risk$/ }).waitFor();
    await page.getByRole('button', { name: /^Place 5 General .*0 entries$/ }).waitFor();
    assert.equal(await page.locator('.picture path.line').count(), 6);
    await assertWebviewAccessible(workbench);
    await page.getByRole('button', { name: /^Place 2 Payments/ }).click();
    await workbench.until(async () => (await workbench.choices()).join().includes('card_data'), 'the entry');
    await press('Escape');
  });

  it('explains why two products do not go together, before anything is stored', async () => {
    await parts.knowledge.defineScope({ scope_id: 'back-office', tier: 'PRODUCT', name: 'Back Office' }, BY_PEER);
    const parents = parts.knowledge.scope(PROJECT).parents;
    await page.getByRole('checkbox', { name: 'Back Office' }).focus();
    await press('Space');
    await field('parents').getByText('The project would inherit from several products').waitFor();
    assert.deepEqual(parts.knowledge.scope(PROJECT).parents, parents);
    await page.getByRole('checkbox', { name: 'Web Shop' }).focus();
    await press('Space');
    await workbench.until(() => parts.knowledge.scope(PROJECT).parents.includes('back-office'), 'the other product');
    assert.ok(!parts.knowledge.scope(PROJECT).parents.includes('web-shop'));
  });

  it('defines a new group in place', async () => {
    await page.getByRole('textbox', { name: 'Name of the new scope' }).fill('Night Shift');
    await press('Enter');
    await page.getByRole('button', { name: /^Place 2 Night Shift/ }).waitFor();
    assert.ok(parts.knowledge.scope(PROJECT).parents.includes('night-shift'));
  });

  it('updates progress by questions, and shows it on the board', async () => {
    await show('Progress');
    await workbench.runCommand('Kaizen: Update Progress');
    await workbench.answer('What has changed?', 'sign in');
    await workbench.answer('Domain', 'web');
    await workbench.pick('In progress');
    await workbench.answer('Its status', 'begun');
    await workbench.notification('"sign in" is now: In progress.').waitFor();
    await page.locator('.lane.in_progress .card', { hasText: 'sign in' }).waitFor();
    assert.deepEqual(progress().in_progress_tasks, [{ name: 'sign in', domain: 'web', status: 'begun' }]);
  });

  it('adds a task, and moves it over the board by keyboard', async () => {
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.getByRole('textbox', { name: 'Task' }).fill('deploy');
    await press('Enter');
    const card = (column: string): Locator => page.locator(`.lane.${column} .card:focus`, { hasText: 'deploy' });
    await card('in_progress').waitFor();
    await press('Shift+ArrowRight');
    await page.getByRole('textbox', { name: 'What blocks it?' }).waitFor();
    await workbench.page.keyboard.type('waiting for DevOps');
    await assertWebviewAccessible(workbench);
    await press('Enter');
    await card('blocked').waitFor();
    assert.deepEqual(progress().blocked_tasks, [{ name: 'deploy', domain: null, blocker: 'waiting for DevOps' }]);
    await press('Enter');
    await page.getByRole('textbox', { name: 'What blocks it?' }).fill('');
    await press('Enter');
    await workbench.until(() => progress().blocked_tasks[0]?.blocker === null, 'the blocker to be gone');
    await card('blocked').waitFor();
    await press('Shift+ArrowRight');
    await card('completed').waitFor();
    assert.equal(progress().completed_tasks[0]?.name, 'deploy');
    await page.getByText('1 of 2 tasks completed').waitFor();
  });

  it('moves a task that is dragged, and removes one when the person confirms', async () => {
    await page.locator('.card', { hasText: 'sign in' }).dragTo(page.locator('.lane.completed h2'));
    await workbench.until(() => progress().completed_tasks.length === 2, 'both completed');
    await page.locator('.lane.completed .card', { hasText: 'deploy' }).focus();
    await page.locator('.card', { hasText: 'deploy' }).getByRole('button', { name: 'Remove' }).click();
    await workbench.answerDialog('Remove');
    await workbench.until(() => progress().completed_tasks.length === 1, 'one completed');
  });

  it('logs a session by questions, and shows it', async () => {
    await parts.continuity.updateProgress(
      { project_id: PROJECT, tasks: [{ name: 'sign out', domain: 'web', state: 'in_progress' }] },
      BY_PEER,
    );
    await show('Sessions');
    await page.getByRole('button', { name: 'Log Session' }).click();
    await workbench.answer('What was done?', 'People can sign in and out.');
    await workbench.pick('sign out');
    await workbench.answer('Tasks that are completed now');
    await workbench.answer('Other tasks', 'help page');
    // That of the completed task is proposed.
    await workbench.answer('Domain');
    await workbench.answer('What comes next?', 'password reset');
    await workbench.notification('Logged the session.').waitFor();
    await page.locator('.sessions', { hasText: 'People can sign in and out.' }).waitFor();
    const [session] = parts.continuity.getSessionHistory(PROJECT);
    const { tasks_completed, domain, next_planned } = session!;
    assert.deepEqual([tasks_completed, domain, next_planned], [['sign out', 'help page'], 'web', 'password reset']);
    await assertWebviewAccessible(workbench);
  });

  it('is as it was when it comes to the front again, or where a command wants it', async () => {
    const cover = async () => {
      await workbench.runCommand('New Untitled Text File');
      await page.locator('h1').waitFor({ state: 'hidden' });
    };
    await cover();
    await workbench.runCommand('Kaizen: Open Project');
    await page.getByRole('tab', { name: 'Sessions', selected: true }).waitFor();
    await page.locator('.sessions', { hasText: 'People can sign in and out.' }).waitFor();
    await cover();
    await workbench.runCommand('Kaizen: Edit Project Overview');
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
  });

  it('shows the same part again after the window was reloaded', async () => {
    await show('Progress');
    // By the command: a browser that loads the page anew does not wait until VS Code has kept its state.
    await Promise.all([workbench.page.waitForEvent('load'), workbench.runCommand('Developer: Reload Window')]);
    await workbench.ready();
    await page.getByRole('heading', { name: 'Fresh Folder' }).waitFor({ timeout: 30_000 });
    await page.getByRole('tab', { name: 'Progress', selected: true }).waitFor();
    await page.locator('.board').waitFor();
  });
});

describe('the project of the example', () => {
  const refusals: string[] = [];
  const editor = useEditor({ settings: pictureSettings, height: 900 });
  let workbench: Workbench;
  let page: FrameLocator;

  before(async () => {
    workbench = editor().workbench;
    page = workbench.webview();
    workbench.page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refusals.push(message.text());
    });
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.runCommand('Kaizen: Open Project');
    await page.locator('h1').waitFor({ timeout: 20_000 });
  });

  async function show(part: string): Promise<void> {
    await page.getByRole('tab', { name: part }).click();
    await page.locator(`.part[data-part="${part.toLowerCase()}"] > *`).first().waitFor();
  }

  it('asks for nothing that its content security policy refuses', async () => {
    for (const part of PARTS) await show(part);
    assert.deepEqual(refusals, []);
  });

  for (const [name, theme, body] of [
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const) {
    it(`is readable in ${name}`, async () => {
      if (name !== 'dark') {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.answer('Select Color Theme', theme);
      }
      await page.locator(`body.${body}`).waitFor();
      for (const part of PARTS) {
        await show(part);
        await assertWebviewAccessible(workbench);
        await workbench.rest();
        await workbench.screenshot(`project-${part.toLowerCase()}-${name}`);
      }
    });
  }
});
