import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import type { OutcomeInput, ProjectInput, ProjectRecord } from '../../src/learning';
import { assertWebviewAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { withParts } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const PERSON = { author: 'ada' };

describe('the page of projects', () => {
  const refusals: string[] = [];
  const editor = useEditor({ settings: pictureSettings, width: 1440, height: 900 });
  let workbench: Workbench;
  let page: FrameLocator;
  /** axe tries styles of its own, which the page's policy refuses. */
  let isProbing = false;

  before(async () => {
    workbench = editor().workbench;
    page = workbench.webview();
    workbench.page.on('console', (message) => {
      if (!isProbing && message.text().includes('Content Security Policy')) refusals.push(message.text());
    });
  });
  afterEach(() => workbench.clearNotifications());

  const assertAccessible = async () => {
    isProbing = true;
    await assertWebviewAccessible(workbench);
    isProbing = false;
  };
  const press = (key: string) => workbench.page.keyboard.press(key);
  const card = (lane: string, name: string): Locator => page.locator(`.lane.${lane} .card`, { hasText: name });
  const details = () => page.locator('.details');
  const stored = (name: string): Promise<ProjectRecord | undefined> =>
    withParts(editor(), ({ learning }) => learning.list('project').find((each) => each.name === name));

  /** Captures projects from another process, as agents do. */
  const captured = (projects: readonly (ProjectInput & { outcome: OutcomeInput })[]) =>
    withParts(editor(), async ({ learning }) => {
      for (const { outcome, ...project } of projects) {
        const { record } = await learning.write({ operation: 'capture_project', project }, PERSON);
        await learning.write({ operation: 'capture_outcome', project_id: record.id, outcome }, PERSON);
      }
    });

  it('says what it is for where there is nothing, and plans a project', async () => {
    await workbench.runCommand('View: Close Primary Side Bar');
    await workbench.runCommand('Kaizen: Show Projects');
    await page.getByText('A project that is captured here keeps what was estimated').waitFor({ timeout: 20_000 });
    await assertAccessible();
    await page.getByRole('button', { name: 'New Project…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Move the shop');
    await page.getByLabel('Type', { exact: true }).fill('migration');
    await page.getByLabel('Estimated days').fill('ten');
    await page.getByText('A number of 0 or more is needed.').waitFor();
    await assertAccessible();
    await page.getByLabel('Estimated days').fill('10');
    await page.getByLabel('Estimated hours of work').fill('40');
    await page.getByLabel('Tasks, one a line').fill('Copy the data (8 h)\nSwitch (2,5 h)\nTell everybody');
    await page.getByRole('button', { name: 'Plan Project' }).click();
    await card('planning', 'Move the shop').waitFor();
    await details().getByRole('heading', { name: 'Move the shop' }).waitFor();
    await workbench.notification('"Move the shop" is planned.').waitFor();
    const project = await stored('Move the shop');
    assert.equal(project?.estimated_duration_days, 10);
    assert.deepEqual(
      project?.tasks.map(({ name, estimated_hours }) => [name, estimated_hours]),
      [
        ['Copy the data', 8],
        ['Switch', 2.5],
        ['Tell everybody', undefined],
      ],
    );
  });

  it('moves a project along the ways there are, by keys and by dragging, and refuses others', async () => {
    await card('planning', 'Move the shop').dragTo(page.locator('.lane.completed h2'));
    await page.getByRole('alert').getByText('Allowed from there: Activate (Active).').waitFor();
    await card('planning', 'Move the shop').focus();
    await press('Shift+ArrowRight');
    await page.locator('.lane.active .card:focus', { hasText: 'Move the shop' }).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await card('active', 'Move the shop').dragTo(page.locator('.lane.planning h2'));
    await page.getByRole('alert').getByText('Complete (Completed), Abandon (Abandoned)').waitFor();
    assert.equal((await stored('Move the shop'))?.status, 'active');
  });

  it('keeps the state and the hours of a task where it stands', async () => {
    await details().getByLabel('State of Copy the data').selectOption('completed');
    await card('active', '1 of 3 tasks completed').waitFor();
    await details().getByLabel('Actual hours of Copy the data').fill('12,5');
    await press('Tab');
    await workbench.until(async () => (await stored('Move the shop'))?.tasks[0]?.actual_hours === 12.5, 'the hours');
    const [first, second] = (await stored('Move the shop'))!.tasks;
    assert.deepEqual([first?.status, first?.estimated_hours, second?.status], ['completed', 8, 'planned']);
    await details().locator('kaizen-bar-chart svg').waitFor();
  });

  it('changes what is planned', async () => {
    await details().getByRole('button', { name: 'Change…' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await workbench.until(async () => (await name.inputValue()) === 'Move the shop', 'the form');
    await page.getByLabel('Domain', { exact: true }).fill('sales');
    await press('Enter');
    await workbench.until(async () => (await stored('Move the shop'))?.domain === 'sales', 'the domain');
    // A task of which nothing was said is as it was.
    assert.equal((await stored('Move the shop'))?.tasks[0]?.actual_hours, 12.5);
    await name.waitFor({ state: 'detached' });
  });

  it('asks for the outcome of one that is completed, and in passing how well it went', async () => {
    await card('active', 'Move the shop').dragTo(page.locator('.lane.completed h2'));
    await page.getByRole('heading', { name: 'What became of "Move the shop"?' }).waitFor();
    await assertAccessible();
    await page.locator('.form').getByRole('combobox', { name: 'Outcome' }).selectOption('partial');
    await page.getByLabel('Days that it took').fill('15');
    await page.getByLabel('Summary').fill('The shop has moved, but for its archive.');
    await page.getByLabel('Lessons, one a line').fill('Rehearse the switch.\nAsk the archive first.');
    await page.locator('.form').getByRole('button', { name: 'Complete', exact: true }).click();
    await card('completed', 'completed in part').waitFor();
    await card('completed', '15 days of 10 days estimated, 50% more').waitFor();
    await details().getByText('How well did it go?').waitFor();
    await workbench.rest();
    await workbench.screenshot('projects-question');
    await details().getByRole('button', { name: '4: well' }).click();
    await details().getByText('How well did it go?').waitFor({ state: 'detached' });
    const { id } = (await stored('Move the shop'))!;
    const given = await withParts(editor(), ({ learning }) => learning.feedbackOn(id));
    assert.deepEqual(
      given.map(({ feedback_type, rating }) => [feedback_type, rating]),
      [
        ['project_partial', undefined],
        ['rating', 0.75],
      ],
    );
    const lessons = await withParts(editor(), ({ learning }) => learning.list('lesson'));
    assert.equal(lessons.length, 2);
    await page.locator('.estimates').getByText('Days: 150% of the estimate (1 project)').waitFor();
  });

  it('captures a template, and plans by it', async () => {
    await details().getByRole('button', { name: 'Capture Template…' }).click();
    await workbench.answer('Name of the template', 'Moves');
    await workbench.answer('What to know about it', '');
    await workbench.notification('The template "Moves" is captured.').waitFor();
    await page.getByRole('button', { name: 'New Project…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Move the archive');
    await page.getByLabel('Template that it follows').selectOption({ label: 'Moves (3 tasks)' });
    await page.getByRole('button', { name: 'Plan Project' }).click();
    await details().getByRole('heading', { name: 'Move the archive' }).waitFor();
    await details().getByText('Template:').getByRole('button', { name: 'Moves' }).waitFor();
    assert.equal((await stored('Move the archive'))?.tasks.length, 3);
  });

  it('wants a reason from who abandons, and takes it back', async () => {
    await details().getByRole('button', { name: 'Activate' }).click();
    await card('active', 'Move the archive').waitFor();
    await workbench.clearNotifications();
    await details().getByRole('button', { name: 'Abandon' }).click();
    await page.getByLabel('Why is it abandoned?').fill('Nobody reads it.');
    await press('ControlOrMeta+Enter');
    await card('abandoned', 'Move the archive').waitFor();
    await details().getByText('Nobody reads it.').first().waitFor();
    await workbench.answerNotification('"Move the archive" is abandoned.', 'Undo');
    await card('active', 'Move the archive').waitFor();
  });

  it('follows what others capture, and filters it', async () => {
    const done = { status: 'completed', success_rating: 0.75 } as const;
    await captured([
      {
        ...{ name: 'Autumn release', project_type: 'release', domain: 'sales' },
        ...{ estimated_duration_days: 20, estimated_effort_hours: 100 },
        outcome: { ...done, actual_duration_days: 25, actual_effort_hours: 150, outcome_summary: 'Out in time.' },
      },
      {
        ...{ name: 'Spring release', project_type: 'release', domain: 'sales' },
        ...{ estimated_duration_days: 20, estimated_effort_hours: 100 },
        outcome: { ...done, actual_duration_days: 18, actual_effort_hours: 110 },
      },
    ]);
    await card('completed', 'Autumn release').waitFor();
    await page.getByLabel('Filter projects by words').fill('autumn');
    await card('completed', 'Spring release').waitFor({ state: 'detached' });
    await card('completed', 'Autumn release').waitFor();
    await page.getByLabel('Filter projects by words').fill('');
    await page.getByLabel('Filter by type').selectOption('migration');
    await card('completed', 'Autumn release').waitFor({ state: 'detached' });
    await card('completed', 'Move the shop').waitFor();
    await page.getByLabel('Filter by type').selectOption('');
    await card('completed', 'Autumn release').waitFor();
  });

  for (const [name, theme, body] of [
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const) {
    it(`is readable and accessible: ${name}`, async () => {
      if (name === 'dark') {
        await workbench.page.setViewportSize({ width: 1440, height: 1300 });
        await page.getByText('Estimates against what it took').click();
        await page.locator('.estimates kaizen-bar-chart svg').waitFor();
        await card('completed', 'Move the shop').focus();
        await press('Enter');
        await details().getByRole('heading', { name: 'Move the shop' }).waitFor();
      } else {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.answer('Select Color Theme', theme);
      }
      await page.locator(`body.${body}`).waitFor();
      await workbench.rest();
      await workbench.screenshot(`projects-${name}`);
      await assertAccessible();
    });
  }

  it('deletes, and takes that back', async () => {
    await details().getByRole('button', { name: 'Delete' }).click();
    await card('completed', 'Move the shop').waitFor({ state: 'detached' });
    await workbench.answerNotification('"Move the shop" is deleted.', 'Undo');
    await card('completed', 'Move the shop').waitFor();
    assert.deepEqual(refusals, []);
  });

  it('is opened by commands at a project, with its form', async () => {
    await workbench.page.setViewportSize({ width: 900, height: 900 });
    await workbench.runCommand('New Untitled Text File');
    await workbench.runCommand('Kaizen: Plan New Project…');
    await page.getByRole('heading', { name: 'New Project' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Half typed');
    await workbench.page.locator('.tab').filter({ hasText: 'Untitled' }).first().click();
    await workbench.page.locator('.tab').filter({ hasText: 'Projects' }).first().click();
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    assert.equal(await name.inputValue(), 'Half typed');
    await workbench.screenshot('projects-narrow');
    await assertAccessible();
  });
});

describe('the page of projects in Restricted Mode', () => {
  const editor = useEditor({ trustWorkspaces: false, settings: { 'security.workspace.trust.startupPrompt': 'never' } });

  it('shows what there is, and changes nothing', async () => {
    const { workbench } = editor();
    await withParts(editor(), ({ learning }) =>
      learning.write({ operation: 'capture_project', project: { name: 'Move the shop' } }, PERSON),
    );
    await workbench.runCommand('Kaizen: Show Projects');
    const page = workbench.webview();
    const shown = page.locator('.card', { hasText: 'Move the shop' });
    await shown.waitFor({ timeout: 20_000 });
    await page.getByText('Restricted Mode: nothing can be changed.').waitFor();
    await shown.click();
    await page.getByRole('heading', { name: 'Move the shop' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /New Project|Activate|Delete|Change/ }).count(), 0);
    assert.doesNotMatch((await workbench.commands('Kaizen: Plan New Project')).join('\n'), /Plan New Project/);
  });
});
