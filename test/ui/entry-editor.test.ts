import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { FrameLocator, Locator } from 'playwright-core';
import { assertWebviewAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const THEMES = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  contrast: 'Dark High Contrast',
};

describe('the entry editor', () => {
  const editor = useEditor({
    // A bracket stays as it is typed, whether or not its language is known yet.
    settings: { ...pictureSettings, 'files.autoSave': 'off', 'editor.autoClosingBrackets': 'never' },
    env: { USER: 'maria' },
    width: 1440,
    height: 900,
  });
  let workbench: Workbench;
  let form: FrameLocator;
  let content: Locator;
  const refusals: string[] = [];
  let isProbing = false;

  const text = () => workbench.page.locator('.editor-group-container .view-lines').last();
  const textSays = (words: string | RegExp) => text().getByText(words).first().waitFor();
  const formSays = (words: string) =>
    workbench.until(async () => (await content.inputValue()).includes(words), `"${words}" in the form`);
  const isDirty = () => workbench.page.locator('.tab.dirty', { hasText: 'refund_amounts' }).count();
  const value = (key: string) => form.getByRole('textbox', { name: `Value of ${key}` });
  /** What takes pictures and what looks for faults puts styles of its own into the page, which it refuses. */
  const probe = async (look: () => Promise<unknown>) => {
    isProbing = true;
    await look();
    isProbing = false;
  };
  const picture = (name: string) => probe(() => workbench.screenshot(name));
  const isAccessible = () => probe(() => assertWebviewAccessible(workbench));
  const chooseTheme = async (theme: string) => {
    await workbench.runCommand('Preferences: Color Theme');
    await workbench.quickRows.first().waitFor();
    await workbench.quickInput.fill(theme);
    await workbench.pick(theme);
    await workbench.rest();
  };
  const save = async () => {
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await workbench.until(async () => (await isDirty()) === 0, 'the entry to be saved');
  };

  before(async () => {
    workbench = editor().workbench;
    workbench.page.on('console', (message) => {
      if (!isProbing && /Content.Security.Policy/i.test(message.text())) refusals.push(message.text());
    });
    form = workbench.webview();
    content = form.getByRole('textbox', { name: 'Content' });
    await workbench.openContainer('Kaizen');
    await workbench.rest();
    await workbench.unfold('validation');
    await workbench.treeRow('refund_amounts').click();
    await content.waitFor();
  });

  it('opens an entry of the view as a form: what it says, how it is read, and where it stands', async () => {
    assert.equal(await form.getByRole('heading', { level: 1 }).innerText(), 'refund_amounts');
    await formSays('The sum of refunds never exceeds the charge.');
    const risks = await form.locator('.risks li').allInnerTexts();
    assert.deepEqual(
      risks.map((risk) => risk.replace(/\s+/g, ' ')),
      [
        'DANGER A positive refund line charges the customer a second time.',
        'LAST TIME 38 customers were charged instead of refunded before the nightly reconciliation noticed.',
      ],
    );
    assert.deepEqual(await form.locator('.head .badge').allInnerTexts(), ['PROJECT', 'DANGER', 'LAST TIME']);
    assert.equal(await form.locator('.rendering code').innerText(), '`db/migrations/0002_ledger.sql`');
    assert.equal(await value('REASON').inputValue(), 'Added after double-charge bug');
    await form.getByText('This entry holds in checkout-api.').waitFor();
    await isAccessible();
  });

  it('makes pictures in every theme', async () => {
    for (const [name, theme] of Object.entries(THEMES)) {
      await chooseTheme(theme);
      await picture(`entry-form-${name}`);
      await isAccessible();
    }
    await chooseTheme(THEMES.dark);
  });

  it('edits the document: the text beside shows the same at once, and undo in the form takes it back', async () => {
    const { page } = workbench;
    await form.getByRole('button', { name: 'Open as Text' }).click();
    await textSays('APPLIES_TO');
    await workbench.runCommand('View: Move Editor into Right Group');
    await workbench.runCommand('View: Focus Left Editor Group');
    await content.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\nWARNING: Ask before you retry.');
    await textSays('WARNING: Ask before you retry.');
    assert.ok(await isDirty());
    await form.locator('.risks li', { hasText: 'Ask before you retry.' }).waitFor();
    await form.locator('.head .badge', { hasText: 'WARNING' }).waitFor();
    await picture('entry-form-and-text');

    await text().click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' Twice.');
    await formSays('Ask before you retry. Twice.');

    await content.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' Gone.');
    await page.keyboard.press('ControlOrMeta+Z');
    await workbench.until(async () => !(await content.inputValue()).includes('Gone.'), 'undo in the form');
    await formSays('Twice.');
    await page.keyboard.press('ControlOrMeta+Shift+Z');
    await formSays('Gone.');
    await textSays('Gone.');
    await page.keyboard.press('ControlOrMeta+Z');
    for (let times = 0; times < 20 && (await isDirty()) > 0; times++) {
      await page.keyboard.press('ControlOrMeta+Z');
      await page.waitForTimeout(150);
    }
    assert.equal(await isDirty(), 0, 'undo leads back to what is stored');
    assert.doesNotMatch(await content.inputValue(), /retry/);
  });

  it('adds metaknowledge with suggestions, tells of a key that stands twice, and stores it all as the person', async () => {
    const { page } = workbench;
    await form.getByRole('button', { name: 'Add Metaknowledge' }).click();
    const key = form.getByRole('combobox', { name: 'Key' }).last();
    await key.click();
    await form.getByRole('option', { name: 'MATCHES' }).waitFor();
    await picture('entry-form-suggestions');
    await key.pressSequentially('sev');
    assert.equal(await form.getByRole('option').count(), 0, 'what the entry has is not suggested again');
    await key.fill('REASON');
    await page.keyboard.press('Enter');
    await form.getByText('REASON stands above already.').waitFor();
    await key.fill('mat');
    await form.getByRole('option', { name: 'MATCHES' }).click();
    await value('MATCHES').fill('refund\\(');
    await textSays('MATCHES');
    await content.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n\nTyped and saved at once.');
    await save();
    await form.getByRole('button', { name: 'History' }).click();
    const newest = form.locator('.revision').first();
    await newest.getByText('Revision 4').waitFor();
    await newest.getByText('maria (person)').waitFor();
    await form.locator('.revision', { hasText: 'claude-code' }).first().waitFor();
    await newest.getByRole('button', { name: 'Show Change' }).click();
    await page.locator('.diff-editor, .monaco-diff-editor').getByText('Typed and saved at once.').first().waitFor();
    await picture('entry-form-compare');
    await workbench.runCommand('View: Close Editor');
  });

  it('restores a revision into the document, where it can be undone', async () => {
    const { page } = workbench;
    await form.getByRole('button', { name: 'Restore Revision 2' }).click();
    await workbench.until(
      async () => (await content.inputValue()) === 'All refunds must be negative values.',
      'the restored text',
    );
    assert.ok(await isDirty());
    await workbench.clearNotifications();
    await content.click();
    await page.keyboard.press('ControlOrMeta+Z');
    await formSays('Typed and saved at once.');
    await workbench.until(async () => (await isDirty()) === 0, 'undo of the restoring');
    await form.locator('.history').scrollIntoViewIfNeeded();
    await picture('entry-form-history');
  });

  it('says what is wrong with front matter that cannot be read, and leaves the content to be edited', async () => {
    const { page } = workbench;
    await text().click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('End');
    await page.keyboard.type('\nREASON2: [not closed');
    await form.locator('.banner', { hasText: 'The front matter is not YAML' }).waitFor();
    assert.ok(await form.getByRole('combobox', { name: 'Value of SEVERITY' }).isDisabled());
    assert.ok(await form.getByRole('button', { name: 'Add Metaknowledge' }).isDisabled());
    await content.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' Still.');
    await textSays('Still.');
    await textSays('[not closed');
    await picture('entry-form-fault');
    await isAccessible();
    await workbench.runCommand('File: Revert File');
    await form.locator('.banner').first().waitFor({ state: 'detached' });
  });

  it('keeps a value that has no key yet when another editor comes in front', async () => {
    await form.getByRole('button', { name: 'Add Metaknowledge' }).click();
    const unfinished = form.getByRole('textbox', { name: 'Value', exact: true });
    await unfinished.fill('of no key yet');
    await workbench.treeRow(/^\s*amounts/).click();
    await form.getByRole('heading', { level: 1, name: 'amounts', exact: true }).waitFor();
    await workbench.treeRow('refund_amounts').click();
    await form.getByRole('heading', { level: 1, name: 'refund_amounts' }).waitFor();
    assert.equal(await unfinished.inputValue(), 'of no key yet');
    await form.getByText('This value has no key yet, so it is not stored.').waitFor();
    await form.getByRole('button', { name: 'Remove This Row' }).click();
    await unfinished.waitFor({ state: 'detached' });
  });

  it('looks the same again after another editor was in front', async () => {
    const { page } = workbench;
    await form.getByRole('button', { name: 'History' }).click();
    const top = () => form.locator('html').evaluate(({ scrollTop }: { scrollTop: number }) => scrollTop);
    await workbench.until(async () => (await top()) > 200, 'the history to come into view');
    const before = await top();
    await page.waitForTimeout(300);
    await workbench.treeRow(/^\s*amounts/).click();
    await form.getByRole('heading', { level: 1, name: 'amounts', exact: true }).waitFor();
    await form
      .getByText('Overridden by')
      .or(form.getByText('No other scope'))
      .or(form.getByText('Overrides'))
      .first()
      .waitFor();
    await workbench.treeRow('refund_amounts').click();
    await form.getByRole('heading', { level: 1, name: 'refund_amounts' }).waitFor();
    await form.locator('.revision').first().waitFor();
    await workbench.until(async () => Math.abs((await top()) - before) < 5, 'the place where it was scrolled to');
  });

  it('says that the entry was deleted, and stores it again', async () => {
    await workbench.treeRow('refund_amounts').hover();
    await workbench.treeRow('refund_amounts').getByRole('button', { name: 'Delete Knowledge' }).click();
    await workbench.answerDialog('Delete');
    await form.locator('.banner', { hasText: 'This entry was deleted.' }).waitFor();
    await isAccessible();
    await picture('entry-form-deleted');
    await content.click();
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await form.locator('.banner').waitFor({ state: 'detached' });
    await form.locator('.revision').first().getByText('Revision 6').waitFor();
  });

  it('lists the revisions by command, and shows what one changed', async () => {
    await workbench.runCommand('Kaizen: Show Entry History');
    const revisions = await workbench.choices();
    assert.match(revisions[0] ?? '', /^Revision 6: stored ?maria \(person\) · /);
    assert.match(revisions.at(-1) ?? '', /^Revision 1: stored ?team \(/);
    await workbench.page.keyboard.press('Escape');
    await workbench.runAndPick('Kaizen: Show Entry History', 'Revision 3: changed');
    await workbench.page.locator('.tab', { hasText: 'What Revision 3 Changed' }).waitFor();
  });

  it('shows what was typed though the stores cannot be opened, and goes on once they can', async () => {
    const { page } = workbench;
    const { KAIZEN_DATA: data = '' } = editor().env;
    await workbench.treeRow('refund_amounts').click();
    await content.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' Typed before the damage.');
    await workbench.until(isDirty, 'the entry to be dirty');
    await page.waitForTimeout(2_000); // the backup is written after a pause in typing
    renameSync(data, `${data}-away`);
    writeFileSync(data, 'not a directory');
    await Promise.all([page.waitForEvent('load'), workbench.runCommand('Developer: Reload Window')]);
    await workbench.ready();
    await form.locator('.banner').getByRole('button', { name: 'Try Again' }).waitFor({ timeout: 30_000 });
    await formSays('Typed before the damage.');
    await picture('entry-form-no-stores');
    await isAccessible();
    rmSync(data);
    renameSync(`${data}-away`, data);
    await form.getByRole('button', { name: 'Try Again' }).click();
    await form.locator('.banner').waitFor({ state: 'detached' });
    await save();
    await form.getByText('This entry holds in checkout-api.').waitFor();
  });

  it('was refused nothing by its content security policy', () => {
    assert.deepEqual(refusals, []);
  });
});

describe('the entry editor in Restricted Mode', () => {
  const editor = useEditor({
    trustWorkspaces: false,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
  });

  it('shows the entry, says why it cannot be changed, and lets nothing be typed', async () => {
    const { workbench } = editor();
    await workbench.openContainer('Kaizen');
    await workbench.rest();
    await workbench.unfold('validation');
    await workbench.treeRow('refund_amounts').click();
    const form = workbench.webview();
    await form.locator('.banner', { hasText: 'Restricted Mode' }).waitFor();
    const content = form.getByRole('textbox', { name: 'Content' });
    const before = await content.inputValue();
    await content.click();
    await workbench.page.keyboard.type('x');
    assert.equal(await content.inputValue(), before);
    assert.ok(await form.getByRole('button', { name: 'Add Metaknowledge' }).isDisabled());
    await form.getByRole('button', { name: 'History' }).click();
    await form.getByRole('button', { name: 'Show Change: Revision 3' }).waitFor();
    assert.equal(await form.getByRole('button', { name: /^Restore/ }).count(), 0);
    await assertWebviewAccessible(workbench);
    await workbench.screenshot('entry-form-restricted');
  });
});
