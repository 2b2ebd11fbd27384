import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const PLACE = ['checkout-api', 'testing.ui', 'retries'];

describe('entries as documents, in the window', () => {
  // A browser saves by itself otherwise.
  const settings = { ...pictureSettings, 'kaizen.entries.openAs': 'text', 'files.autoSave': 'off' };
  const editor = useEditor({ settings });
  let workbench: Workbench;

  async function contents(): Promise<(string | null)[]> {
    const revisions = JSON.parse(await editor().kaizen('history', ...PLACE, '--json')) as { content: string | null }[];
    return revisions.map(({ content }) => content);
  }

  const text = () => workbench.page.locator('.editor-instance .view-lines').last();
  const tab = () => workbench.page.locator('.tab', { hasText: 'retries.md' }).first();
  const isDirty = async () => /\bdirty\b/.test((await tab().getAttribute('class')) ?? '');

  async function typeAtEnd(typed: string): Promise<void> {
    await text().click();
    await workbench.page.keyboard.press('ControlOrMeta+End');
    await workbench.page.keyboard.type(typed);
    await workbench.until(isDirty, 'the document to be dirty');
  }

  /** Waits for a quick input by its title or placeholder. */
  async function asks(about: string): Promise<void> {
    const widget = workbench.page.locator('.quick-input-widget');
    await workbench.until(async () => {
      if (!(await widget.isVisible())) return false;
      const placeholder = (await workbench.quickInput.getAttribute('placeholder')) ?? '';
      return `${await widget.textContent()} ${placeholder}`.includes(about);
    }, `"${about}"`);
  }

  const save = () => workbench.page.keyboard.press('ControlOrMeta+s');
  const saved = () => workbench.until(async () => !(await isDirty()), 'the document to be saved');

  before(async () => {
    workbench = editor().workbench;
    await editor().kaizen('store', ...PLACE, 'Retries: 8', '--meta', 'REASON=Timeouts: twice a day');
    await workbench.openContainer('Kaizen');
    await workbench.treeRow('testing.ui').waitFor();
    await workbench.unfold('testing.ui');
    await workbench.treeRow('retries').click();
    await tab().waitFor();
  });

  it('shows the metaknowledge as front matter, and saves what is typed as a revision', async () => {
    await text().getByText('Timeouts: twice a day').waitFor();
    await typeAtEnd(', then stop');
    await save();
    await saved();
    assert.deepEqual(await contents(), ['Retries: 8', 'Retries: 8, then stop']);
  });

  it('is found by Find in Files as long as it is open', async () => {
    const { page } = workbench;
    await workbench.runCommand('Search: Find in Files');
    await page.locator('.search-view .search-container textarea').first().fill('then stop');
    await page.keyboard.press('Enter');
    await page.locator('.search-view .monaco-list-row', { hasText: 'retries.md' }).first().waitFor();
    await workbench.openContainer('Kaizen');
  });

  it('says the line of what cannot be saved, and keeps the text', async () => {
    await text().click();
    await workbench.page.keyboard.press('ControlOrMeta+Home');
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.type('APPLIES_TO: *.ts\n');
    await workbench.until(isDirty, 'the document to be dirty');
    await save();
    await workbench.notification(/Line 2: A value that begins with \*/).waitFor();
    await workbench.screenshot('documents-unreadable');
    assert.ok(await isDirty());
    await workbench.clearNotifications();
    assert.match((await workbench.problems()).join('\n'), /stands in quotes/);
    await workbench.runCommand('View: Hide Panel');
  });

  it('goes back to what is stored by Revert File', async () => {
    await text().click();
    await workbench.runCommand('File: Revert File');
    await saved();
    await workbench.until(async () => !(await text().innerText()).includes('APPLIES_TO'), 'the text as stored');
  });

  it('says of metaknowledge that looks like a risk that it warns nobody', async () => {
    await text().click();
    await workbench.page.keyboard.press('ControlOrMeta+Home');
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.type('LAST TIME: an outage\n');
    await workbench.until(
      async () => (await workbench.problems()).join('\n').includes('"LAST TIME" warns nobody'),
      'the problem',
    );
    await workbench.runCommand('View: Hide Panel');
    await text().click();
    await workbench.runCommand('File: Revert File');
    await saved();
    await workbench.until(async () => !(await text().innerText()).includes('LAST TIME'), 'the text as stored');
  });

  it('keeps what is not saved when the window is loaded anew', async () => {
    await typeAtEnd(' at once');
    await workbench.page.waitForTimeout(2_000); // the backup is written after a pause in typing
    await workbench.page.reload();
    await workbench.ready();
    await tab().waitFor({ timeout: 30_000 });
    await workbench.until(isDirty, 'the document to be dirty', 30_000);
    await workbench.until(
      async () => (await text().innerText()).replace(/\s/g, ' ').includes('then stop at once'),
      'the text that was typed',
      30_000,
    );
    assert.equal((await contents()).length, 2);
  });

  it('compares with what is stored', async () => {
    await text().click();
    await workbench.runCommand('File: Compare Active File with Saved');
    await workbench.page
      .locator('.monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert')
      .first()
      .waitFor();
    await workbench.runCommand('View: Close Editor');
    await tab().waitFor();
  });

  it('shows the editor’s own conflict when an agent changed the entry meanwhile, even by one digit', async () => {
    await editor().kaizen(
      'store',
      '--overwrite',
      ...PLACE,
      'Retries: 9, then stop',
      '--meta',
      'REASON=Timeouts: twice a day',
    );
    await workbench.page.waitForTimeout(500);
    await text().click();
    await save();
    const conflict = workbench.notification(/newer/);
    await conflict.waitFor();
    assert.ok(await isDirty());
    assert.equal((await contents()).at(-1), 'Retries: 9, then stop');
    await conflict.getByRole('button', { name: 'Compare' }).click();
    const diff = workbench.page.locator('.monaco-diff-editor');
    await diff.locator('.char-insert').first().waitFor();
    await workbench.rest();
    await workbench.screenshot('documents-conflict');
    // The way out that the editor offers in the comparison.
    await workbench.page
      .locator('.editor-actions a[aria-label*="Overwrite"], .editor-actions a[aria-label^="Use your changes"]')
      .first()
      .click();
    await workbench.until(async () => (await contents()).length === 4, 'the revision that was typed');
    assert.match((await contents()).at(-1) ?? '', /^Retries: 8, then stop at once/);
  });

  it('imports a folder of notes: what is ticked, conflicts decided one by one', async () => {
    const notes = path.join(editor().workspace, 'notes');
    mkdirSync(path.join(notes, 'testing/ui'), { recursive: true });
    writeFileSync(path.join(notes, 'testing/ui/retries.md'), '---\nSOURCE: wiki\n---\nRetries: 3.\n');
    writeFileSync(path.join(notes, 'testing/ui/timeouts.md'), 'Timeouts: 30 s.\n');
    await workbench.runAndPick('Kaizen: Import Knowledge', 'A folder…');
    await workbench.until(async () => (await workbench.quickInput.inputValue()).startsWith('/'), 'the folder dialog');
    // The dialog lists what is in the folder once it has gone there; Enter may lead there first, or choose it at once.
    await workbench.quickInput.fill(`${notes}/`);
    const widget = workbench.page.locator('.quick-input-widget');
    await widget.locator('.monaco-list-row', { hasText: 'testing' }).waitFor();
    await widget.getByRole('button', { name: 'Import', exact: true }).click();
    await asks('The scope that these entries are to go to');
    await workbench.pick('checkout-api');
    await widget.getByText('Import into checkout-api').waitFor();
    await workbench.screenshot('import-notes-review');
    await workbench.quickRows.filter({ hasText: 'another text is stored' }).first().click();
    await widget.getByRole('button', { name: 'OK' }).click();
    await asks('What is to happen');
    await workbench.screenshot('import-conflicts');
    await workbench.pick('Decide one by one');
    await workbench.page.locator('.monaco-diff-editor .char-insert').first().waitFor();
    await workbench.screenshot('import-one-by-one');
    await workbench.pick('Replace');
    await workbench.notification(/1 added, 1 replaced/).waitFor();
    assert.equal((await contents()).at(-1), 'Retries: 3.\n');
    assert.match(await editor().kaizen('get', 'checkout-api', 'timeouts'), /30 s/);
  });
});
