import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { Kaizen } from '../../src/kaizen';
import { assertAccessible, assertWebviewAccessible } from './support/accessibility';
import { type Editor, useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const LIBRARY = 'Library';
const TITLE = 'Handbook of Tide Gauges';
const AGENT = { author: 'Scripted Agent', by_agent: true };

const HANDBOOK = `# ${TITLE}

## 1 Purpose

A tide gauge measures the height of the sea. It is read once an hour, and each reading is kept with its time. Readings
of several gauges are compared before a warning is given, so that a single gauge that fails warns nobody.

## 2 Calibration

### 2.1 Interval

The gauge shall be calibrated every ninety days. A gauge that was not calibrated shall not be used for warnings.
According to ISO 4373:2022 the uncertainty of a reading is stated with it.

### 2.2 Records

Each calibration is written into the log with the name of whoever made it. The log is kept for ten years.

## 3 Warnings

A warning is given when two gauges read more than forty centimetres above the forecast within one hour.
`;

const NOTES = `# Notes on Harbour Pumps

Pumps run when the tide is high. They are looked at in spring.
`;

/** Puts documents into the folder that is open. */
function writeDocuments({ workspace }: Editor): string {
  const folder = path.join(workspace, 'library');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'tide-gauges.md'), HANDBOOK);
  writeFileSync(path.join(folder, 'pumps.md'), NOTES);
  return folder;
}

/** What an agent asks people for, in another process. */
async function askForDocument({ env }: Editor, topic: string): Promise<void> {
  const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = env;
  const kaizen = new Kaizen({ data, shared, project });
  try {
    const { library } = await kaizen.parts();
    const rationale = 'Warnings rest on it, and the handbook only names it.';
    await library.requestDocument({ topic, rationale, document_type: 'standard', urgency: 'blocking' }, AGENT);
  } finally {
    await kaizen.close();
  }
}

/** Types an address of the disk into the editor's own dialog for files, which fills itself in when it opens. */
async function chooseFile(workbench: Workbench, file: string): Promise<void> {
  const { page, quickInput } = workbench;
  await workbench.until(async () => /[/\\]/.test(await quickInput.inputValue()), 'the dialog for files');
  await workbench.until(async () => {
    if (!(await quickInput.isVisible())) return true;
    await quickInput.fill(file);
    await page.waitForTimeout(700);
    if ((await quickInput.inputValue().catch(() => '')) !== file) return false;
    await page.keyboard.press('Enter');
    await page.waitForTimeout(700);
    return !(await quickInput.isVisible());
  }, `the choice of ${file}`);
}

describe('the library', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 900 });
  let workbench: Workbench;
  let folder: string;
  let report: FrameLocator;
  const has = async (line: RegExp) => (await workbench.viewRows(LIBRARY).catch(() => [])).some((row) => line.test(row));
  const shows = (line: RegExp) => workbench.until(() => has(line), `the line ${line} in the view`);

  before(async function () {
    this.timeout(120_000);
    workbench = editor().workbench;
    folder = writeDocuments(editor());
    await workbench.openContainer('Kaizen');
    await workbench.treeRow('General').waitFor({ timeout: 60_000 });
    await workbench.setWidth('sidebar', 420);
    await workbench.view(LIBRARY).locator('.pane-header').click();
    for (const other of ['Sessions & Progress', 'Knowledge'])
      await workbench.view(other).locator('.pane-header').first().click();
  });
  afterEach(() => workbench.clearNotifications());

  it('says what it is for as long as it is empty', async () => {
    await workbench.view(LIBRARY).getByText('Have agents cite what your documents say').waitFor();
    await workbench.rest();
    await workbench.screenshot('library-empty');
  });

  it('takes in a file by a command, and a folder', async () => {
    await workbench.runAndPick('Kaizen: Add to Library', 'Files…');
    await chooseFile(workbench, path.join(folder, 'tide-gauges.md'));
    await workbench.notification(`Added "${TITLE}"`).waitFor();
    await shows(new RegExp(`^${TITLE} .*passage`));
    await workbench.clearNotifications();
    await workbench.runAndPick('Kaizen: Add to Library', 'Folder…');
    await chooseFile(workbench, `${folder}${path.sep}`);
    await workbench.notification('there already: 1').waitFor();
    await shows(/^Notes on Harbour Pumps/);
  });

  it('shows sources with their sections, and opens one at its place', async () => {
    await workbench.unfold(TITLE);
    await shows(/^2 Calibration/);
    await workbench.treeRow(/2 Calibration/).click();
    await workbench.page.locator('.editor-group-container .tab').filter({ hasText: /\.md/ }).first().waitFor();
    await workbench.page.locator('.view-lines').getByText('calibrated every ninety days').first().waitFor();
    await assertAccessible(workbench, '.part.sidebar .pane-body');
    await workbench.rest();
    await workbench.screenshot('library');
  });

  it('finds passages, with the place that they stand at', async () => {
    await workbench.runCommand('Kaizen: Search Library');
    await workbench.quickInput.fill('how often is a gauge calibrated');
    const row = workbench.quickRows.filter({ hasText: 'ninety days' }).first();
    await row.waitFor();
    await workbench.rest();
    await workbench.screenshot('library-search');
    await row.click();
    await workbench.page.locator('.view-lines').getByText('calibrated every ninety days').first().waitFor();
  });

  it('describes a source in the person’s words', async () => {
    // Its stored text is in front, so that nothing has to be chosen.
    await workbench.runCommand('Kaizen: Describe Source');
    await workbench.answer('Title');
    await workbench.pick('Handbook');
    await workbench.pick('authoritative');
    await workbench.answer('Standard, for example');
    await workbench.answer('Version or edition', '3rd edition');
    await workbench.notification('Handbook, authoritative').waitFor();
    await shows(/^Handbook 1 source/);
    await workbench.runCommand('Kaizen: Group Library by Authority');
    await shows(/^Authoritative 1 source/);
    await workbench.runCommand('Kaizen: Group Library by Type');
    await shows(/^Handbook 1 source/);
  });

  it('lists what agents ask for, until somebody answers or dismisses it', async () => {
    await askForDocument(editor(), 'ISO 4373');
    await shows(/^Asked for 1/);
    await shows(/^ISO 4373 blocking · Standard/);
    await workbench.rest();
    await workbench.screenshot('library-requests');
    await workbench.runAndPick('Kaizen: Answer Request', 'ISO 4373', TITLE);
    await workbench.notification('Answered: ISO 4373').waitFor();
    await workbench.until(async () => !(await has(/^Asked for/)), 'the request to leave the view');
    await workbench.answerNotification('Answered: ISO 4373', 'Undo');
    await shows(/^Asked for 1/);
    await workbench.runAndPick('Kaizen: Dismiss Request', 'ISO 4373');
    await workbench.until(async () => !(await has(/^Asked for/)), 'the request to leave the view');
  });

  it('draws how far a topic is covered, and leads to what it rests on', async () => {
    await workbench.runAndPick('Kaizen: Show Coverage of the Library', 'A topic');
    await workbench.answer('Topic, in a few words', 'calibration of tide gauges');
    report = workbench.webview();
    await report.getByRole('heading', { name: 'What it rests on' }).waitFor();
    await report.locator('kaizen-gauge svg').waitFor();
    await report.getByText('Show as table').first().click();
    await report.getByRole('cell', { name: 'Is there enough about it?' }).waitFor();
    await report.getByRole('button', { name: TITLE }).first().click();
    await workbench.page.locator('.view-lines').getByText('tide gauge').first().waitFor();
    await workbench.page.locator('.tab').filter({ hasText: 'Coverage of the Library' }).first().click();
  });

  it('draws the topics of a workflow, and what is missing', async () => {
    report = workbench.webview();
    await report.getByLabel('A workflow').check();
    await report.getByLabel('What is to be done').fill('Set up the warnings of a harbour against storm tides.');
    await report.getByLabel('Topics, one a line').fill('calibration of tide gauges\nstorm surge forecast models');
    await report.getByLabel('Standards that it needs, one a line').fill('ISO 4373');
    await report.getByRole('button', { name: 'Assess' }).click();
    await report.getByRole('heading', { name: 'Topics', exact: true }).waitFor();
    const row = report.getByRole('row', { name: /storm surge forecast models/ });
    await row.getByRole('button').click();
    await report.getByRole('heading', { name: 'storm surge forecast models' }).waitFor();
  });

  for (const [name, theme, body] of [
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const) {
    it(`has a report that is readable and accessible: ${name}`, async () => {
      if (name === 'dark') {
        await workbench.page.setViewportSize({ width: 1280, height: 1500 });
        await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
      } else {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.answer('Select Color Theme', theme);
      }
      report = workbench.webview();
      await report.locator(`body.${body}`).waitFor();
      await workbench.rest();
      await workbench.screenshot(`coverage-workflow-${name}`);
      await assertWebviewAccessible(workbench);
      await report.getByLabel('A topic').check();
      await report.getByRole('button', { name: 'Assess' }).click();
      await report.getByRole('heading', { name: 'What it rests on' }).waitFor();
      await workbench.rest();
      await workbench.screenshot(`coverage-topic-${name}`);
      await assertWebviewAccessible(workbench);
      await report.getByLabel('A workflow').check();
      await report.getByRole('button', { name: 'Assess' }).click();
      await report.getByRole('heading', { name: 'Topics', exact: true }).waitFor();
    });
  }

  it('lets go of a source when the person confirms it', async () => {
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.runAndPick('Kaizen: Remove from Library', 'Notes on Harbour Pumps');
    await workbench.answerDialog('Remove');
    await workbench.notification('Removed "Notes on Harbour Pumps"').waitFor();
    await workbench.until(async () => !(await has(/^Notes on Harbour Pumps/)), 'the source to leave the view');
  });
});

describe('the library in German', () => {
  const editor = useEditor({ language: 'de', settings: pictureSettings, width: 1280, height: 1300 });

  it('names view, commands and report', async () => {
    const { workbench } = editor();
    const folder = writeDocuments(editor());
    await workbench.openContainer('Kaizen');
    await workbench.runAndPick('Kaizen: In die Bibliothek aufnehmen', 'Dateien…');
    await chooseFile(workbench, path.join(folder, 'tide-gauges.md'));
    await workbench.notification(`„${TITLE}“ aufgenommen`).waitFor();
    await workbench.runAndPick('Kaizen: Abdeckung der Bibliothek zeigen', 'Ein Thema');
    await workbench.answer('Thema, in wenigen Worten', 'Kalibrierung von Pegeln');
    const report = workbench.webview();
    await report.getByRole('heading', { name: 'Worauf es beruht' }).waitFor();
    assert.equal(await report.locator('html').getAttribute('lang'), 'de');
    await assertWebviewAccessible(workbench);
    await workbench.rest();
    await workbench.screenshot('coverage-german');
  });
});
