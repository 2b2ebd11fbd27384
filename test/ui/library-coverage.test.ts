import assert from 'node:assert/strict';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { assertWebviewAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { askForDocument, chooseFile, TITLE, withParts, writeDocuments } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const PERSON = { author: 'ada' };

describe('the coverage of the library', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 900 });
  let workbench: Workbench;
  let report: FrameLocator;

  before(async () => {
    workbench = editor().workbench;
    const folder = writeDocuments(editor());
    await withParts(editor(), ({ library }) => library.ingest({ source: path.join(folder, 'tide-gauges.md') }, PERSON));
  });
  afterEach(() => workbench.clearNotifications());

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
    ['contrast-light', 'Light High Contrast', 'vscode-high-contrast-light'],
  ] as const) {
    it(`has a report that is readable and accessible: ${name}`, async () => {
      if (name === 'dark') {
        await workbench.page.setViewportSize({ width: 1280, height: 1500 });
        await workbench.runCommand('View: Close Primary Side Bar');
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

  it('is asked for, and read, with keys alone', async () => {
    const { keyboard } = workbench.page;
    await workbench.page.setViewportSize({ width: 1280, height: 900 });
    await report.getByLabel('A workflow').focus();
    await keyboard.press('ArrowLeft');
    const topic = report.getByLabel('Topic', { exact: true });
    await topic.waitFor();
    await keyboard.press('Tab');
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('records of calibration');
    await keyboard.press('Enter');
    const cited = report.getByRole('button', { name: TITLE }).first();
    await cited.waitFor();
    await workbench.until(async () => {
      await keyboard.press('Tab');
      return cited.evaluate((button) => button === button.ownerDocument.activeElement);
    }, 'the first passage by Tab');
    await keyboard.press('Enter');
    await workbench.page.locator('.view-lines').getByText('tide gauge').first().waitFor();
    await workbench.page.locator('.tab').filter({ hasText: 'Coverage of the Library' }).first().click();
    report = workbench.webview();
    await report.getByLabel('A topic').focus();
    await keyboard.press('ArrowRight');
    await report.getByLabel('What is to be done').focus();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await report.getByRole('heading', { name: 'Topics', exact: true }).waitFor();
    const row = report.getByRole('row', { name: /calibration of tide gauges/ }).getByRole('button');
    await row.focus();
    await keyboard.press('Enter');
    await report.getByRole('heading', { name: 'calibration of tide gauges' }).waitFor();
    assert.equal(await row.getAttribute('aria-pressed'), 'true');
  });

  it('leads from what is missing to asking for it, with the reason filled in', async () => {
    await report
      .getByRole('row', { name: /calibration of tide gauges/ })
      .getByRole('button')
      .click();
    await report.getByText('The required standard ISO 4373 is not in the library.').first().waitFor();
    await report.getByRole('button', { name: 'Ask for a Document…' }).first().click();
    await workbench.answer('Topic that it is about');
    await workbench.answer('Why it is needed');
    await workbench.pick('Standard');
    await workbench.pick('blocking');
    await workbench.notification('Asked for: ISO 4373').waitFor();
    const [request] = await withParts(editor(), ({ library }) => library.requests('open'));
    assert.equal(request?.topic, 'ISO 4373');
    assert.match(request?.rationale ?? '', /required standard ISO 4373 is not in the library/);
  });
});

describe('the library in German', () => {
  const editor = useEditor({ language: 'de', settings: pictureSettings, width: 1280, height: 1300 });

  it('names view, commands and report, and says in German what is missing', async () => {
    const { workbench } = editor();
    const folder = writeDocuments(editor());
    await workbench.openContainer('Kaizen');
    await workbench.runAndPick('Kaizen: In die Bibliothek aufnehmen', 'Dateien…');
    await chooseFile(workbench, path.join(folder, 'tide-gauges.md'));
    await workbench.notification(`„${TITLE}“ aufgenommen`).waitFor();
    await askForDocument(editor(), 'ISO 4373');
    await workbench.notification('Scripted Agent kommt ohne ein Dokument nicht weiter: ISO 4373').waitFor();
    await workbench.clearNotifications();
    await workbench.runAndPick('Kaizen: Abdeckung der Bibliothek zeigen', 'Ein Thema');
    await workbench.answer('Thema, in wenigen Worten', 'Kalibrierung von Pegeln');
    const report = workbench.webview();
    await report.getByRole('heading', { name: 'Worauf es beruht' }).waitFor();
    assert.equal(await report.locator('html').getAttribute('lang'), 'de');
    await report.getByText('Die Bibliothek sagt so gut wie nichts über „Kalibrierung von Pegeln“.').first().waitFor();
    assert.equal(await report.locator('[lang=en]').count(), 0);
    await assertWebviewAccessible(workbench);
    await workbench.rest();
    await workbench.screenshot('coverage-german');
  });
});
