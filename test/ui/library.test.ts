import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../tools/vscode/paths.mjs';
import { assertAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { askForDocument, chooseFile, LibraryPane, TITLE, writeDocuments } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const CLASSES = { light: 'vscode-theme-defaults-themes-light', contrast: 'hc-black', 'contrast-light': 'hc-light' };

describe('the library', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 900 });
  let workbench: Workbench;
  let library: LibraryPane;
  let folder: string;
  const fileUri = (file: string) => `vscode-remote://${new URL(workbench.page.url()).host}${file}`;

  before(async function () {
    this.timeout(120_000);
    workbench = editor().workbench;
    folder = writeDocuments(editor());
    library = await LibraryPane.open(workbench);
  });
  afterEach(() => workbench.clearNotifications());

  it('says what it is for as long as it is empty', async () => {
    await library.pane.getByText('Have agents cite what your documents say').waitFor();
    await library.shows(/^Add files, a folder or a web page/);
    await workbench.rest();
    await workbench.screenshot('library-empty');
  });

  it('takes in a file by a command, and a folder', async () => {
    await workbench.runAndPick('Kaizen: Add to Library', 'Files…');
    await chooseFile(workbench, path.join(folder, 'tide-gauges.md'));
    await workbench.notification(`Added "${TITLE}"`).waitFor();
    await library.shows(new RegExp(`^${TITLE} .*passage`));
    await workbench.clearNotifications();
    await workbench.runAndPick('Kaizen: Add to Library', 'Folder…');
    await chooseFile(workbench, `${folder}${path.sep}`);
    await workbench.notification('there already: 1').waitFor();
    await library.shows(/^Notes on Harbour Pumps/);
  });

  it('shows sources with their sections, and opens one at its place', async () => {
    await workbench.unfold(TITLE);
    await library.shows(/^2 Calibration/);
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
    await library.shows(/^Handbook 1 source/);
    await workbench.runCommand('Kaizen: Group Library by Authority');
    await library.shows(/^Authoritative 1 source/);
    await workbench.runCommand('Kaizen: Group Library by Type');
    await library.shows(/^Handbook 1 source/);
  });

  it('lists what agents ask for, until somebody answers or dismisses it', async () => {
    await askForDocument(editor(), 'ISO 4373');
    await library.shows(/^Asked for 1/);
    await library.shows(/^ISO 4373 blocking · Standard/);
    await workbench.rest();
    await workbench.screenshot('library-requests');
    await workbench.runAndPick('Kaizen: Answer Request', 'ISO 4373', TITLE);
    await workbench.notification('Answered: ISO 4373').waitFor();
    await library.lacks(/^Asked for/);
    await workbench.answerNotification('Answered: ISO 4373', 'Undo');
    await library.shows(/^Asked for 1/);
    await workbench.runAndPick('Kaizen: Dismiss Request', 'ISO 4373');
    await library.lacks(/^Asked for/);
  });

  it('says why something cannot be read, and reads it once it can be', async () => {
    const wrong = path.join(folder, 'forecast.md');
    writeFileSync(wrong, '%PDF-1.7\nThis is no PDF.');
    await workbench.runAndPick('Kaizen: Add to Library', 'Files…');
    await chooseFile(workbench, wrong);
    await workbench.notification('forecast.md').getByRole('button', { name: 'Try Again' }).waitFor();
    await library.shows(/^forecast.*failed: /);
    await workbench.rest();
    await workbench.screenshot('library-failed');
    await workbench.clearNotifications();
    // A click says why, and offers to try again.
    await workbench.treeRow(/^forecast/).click();
    await workbench.notification('could not be read').waitFor();
    await workbench.screenshot('library-failed-why');
    writeFileSync(wrong, '# Forecast of Tides\n\nThe forecast is made at noon, for three days.\n');
    await workbench.answerNotification('could not be read', 'Try Again');
    await workbench.notification('Read 1 source again').waitFor();
    await library.shows(/^Forecast of Tides .*1 passage/);
    rmSync(wrong);
    await library.pressOn(/^Forecast of Tides/, 'Open Source');
    await workbench.notification('is not there any more').waitFor();
  });

  it('takes what is dropped onto it', async () => {
    const files = ['drains.md', 'gates.md'].map((name) => path.join(folder, name));
    writeFileSync(files[0]!, '# Drains\n\nDrains are flushed in autumn.\n');
    writeFileSync(files[1]!, '# Gates\n\nGates are shut at high tide.\n');
    await workbench.restOfNotifications();
    await library.drop(workbench.treeRow(TITLE), ...files.map(fileUri));
    await workbench.notification('Added: 2').waitFor();
    await library.shows(/^Drains/);
    await library.shows(/^Gates/);
  });

  it('leads to the page that a section of a PDF is on', async () => {
    const file = path.join(folder, 'clauses.pdf');
    copyFileSync(path.join(projectRoot, 'test/fixtures/library/clauses.pdf'), file);
    await workbench.restOfNotifications();
    await library.drop(workbench.treeRow(TITLE), fileUri(file));
    await workbench.notification('Added "Parcel sorting: acceptance of belts"').waitFor();
    await workbench.unfold('Parcel sorting');
    await library.shows(/^Annex B \(normative\).* page 4$/);
    await workbench.treeRow('Annex B').click();
    await workbench.page.locator('.view-lines').getByText('Annex B').first().waitFor();
    await library.pressOn('Annex B', 'Open Source');
    await workbench.statusBarItem('It is on page 4.').waitFor();
    await workbench.page.locator('.tab').filter({ hasText: 'clauses.pdf' }).waitFor();
    await workbench.runCommand('View: Close All Editors');
  });

  it('refreshes what has changed, and says what it did', async () => {
    writeFileSync(path.join(folder, 'gates.md'), '# Gates\n\nGates are shut at high tide, and opened by two people.\n');
    await workbench.runCommand('Kaizen: Refresh Library');
    await workbench.notification(/Sources looked at: \d\. Changed: 1\./).waitFor();
  });

  it('lets go of a source when the person confirms it', async () => {
    await workbench.runAndPick('Kaizen: Remove from Library', 'Notes on Harbour Pumps');
    await workbench.dialog.getByText('stays, and can be added again').waitFor();
    await workbench.answerDialog('Cancel');
    await library.shows(/^Notes on Harbour Pumps/);
    await workbench.runAndPick('Kaizen: Remove from Library', 'Notes on Harbour Pumps');
    await workbench.answerDialog('Remove');
    await workbench.notification('Removed "Notes on Harbour Pumps"').waitFor();
    await library.lacks(/^Notes on Harbour Pumps/);
  });

  for (const [name, theme] of [
    ['light', 'Light Modern'],
    ['contrast', 'Dark High Contrast'],
    ['contrast-light', 'Light High Contrast'],
  ] as const) {
    it(`has a view that is readable and accessible: ${name}`, async () => {
      await workbench.runCommand('Preferences: Color Theme');
      await workbench.answer('Select Color Theme', theme);
      await workbench.until(
        async () => (await workbench.page.locator('.monaco-workbench').getAttribute('class'))?.includes(CLASSES[name]),
        `the theme ${theme}`,
      );
      await assertAccessible(workbench, '.part.sidebar .pane-body');
      await workbench.rest();
      await workbench.screenshot(`library-${name}`);
    });
  }
});
