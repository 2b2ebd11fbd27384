import assert from 'node:assert/strict';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const ENTRY_TAB = /refund_amounts/;

describe('warnings in a file of the example', () => {
  const editor = useEditor({ settings: { ...pictureSettings, 'kaizen.entries.openAs': 'text' } });
  let workbench: Workbench;

  before(async () => {
    workbench = editor().workbench;
    await workbench.openFile('refunds.ts');
  });

  const hover = () => workbench.page.locator('.monaco-hover:visible').filter({ hasText: 'REF-2026-003' });

  /** Rests the pointer on the first line until the rule is shown. */
  async function hoverFirstLine(): Promise<void> {
    const { page } = workbench;
    await workbench.until(async () => {
      await page.mouse.move(640, 1);
      const word = page.locator('.editor-instance .view-line').getByText('import').first();
      await word.hover({ timeout: 2_000 }).catch(() => {});
      return hover()
        .waitFor({ timeout: 2_500 })
        .then(() => true)
        .catch(() => false);
    }, 'the rule on hover');
    await page.waitForTimeout(400); // it fades in
  }

  /** Those of the file: the entry, where it is open, has its own. */
  async function problems(): Promise<string[]> {
    return (await workbench.problems()).filter((line) => /Kaizen (refund_amounts|locks) /.test(line));
  }

  it('are underlined in the text and listed among the problems, with the rule that they come from', async () => {
    await workbench.page.locator('.squiggly-warning').first().waitFor({ timeout: 20_000 });
    const lines = await workbench.until(async () => {
      const found = await problems();
      return found.length === 3 ? found : undefined;
    }, 'three problems');
    assert.match(lines[0] ?? '', /DANGER: A positive refund line .* Kaizen refund_amounts \[Ln 1, Col 1\]/);
    assert.match(lines[1] ?? '', /WARNING: Do not call the provider .* Kaizen locks \[Ln 20,/);
    assert.match(lines[2] ?? '', /LAST TIME: 38 customers .* Kaizen refund_amounts \[Ln 1, Col 1\]/);
    await workbench.screenshot('warning-problems');
  });

  it('show the whole rule on hover, with its reason, and open it from there', async () => {
    const { page } = workbench;
    await workbench.runCommand('View: Hide Panel');
    await workbench.clearNotifications();
    await hoverFirstLine();
    const text = await hover().innerText();
    for (const part of [
      'Callers ask for a refund',
      'REASON',
      'Added after double-charge bug',
      'checkout-api (PROJECT)',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    await workbench.screenshot('warning-hover');
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    await hoverFirstLine();
    await workbench.screenshot('warning-hover-light');
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    await hoverFirstLine();
    await hover().getByText('Open the rule').click();
    await page.locator('.tab.active').filter({ hasText: ENTRY_TAB }).waitFor();
  });

  it('offer to acknowledge and to mute, by keyboard, and take it back', async () => {
    const { page } = workbench;
    await workbench.openFile('refunds.ts');
    await page.locator('.squiggly-warning').first().waitFor();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ControlOrMeta+.');
    const menu = page.locator('.action-widget:visible');
    await menu.getByText('Mute "refund_amounts" in this file').waitFor();
    await workbench.screenshot('warning-quick-fix');
    await menu.getByText('Acknowledge "refund_amounts" until it changes').click();
    await workbench.until(async () => (await problems()).length === 1, 'one problem left');
    await workbench.answerNotification('does not warn you any more', 'Undo');
    await workbench.until(async () => (await problems()).length === 3, 'all problems again');
    await workbench.runCommand('View: Hide Panel');
  });

  it('lead to everything that is known about the file', async () => {
    await workbench.openFile('refunds.ts');
    await workbench.runCommand('Kaizen: Show Knowledge for This File');
    const choices = await workbench.choices();
    assert.match(
      choices[0] ?? '',
      /^refund_amounts ?DANGER, LAST TIME · validation · checkout-api \(PROJECT\).*Rules that name this file/,
    );
    assert.match(choices[1] ?? '', /^locks ?WARNING · database/);
    assert.match(choices[2] ?? '', /DANGER.*Risks that hold everywhere in checkout-api/);
    // The editor's own markup of a quick pick does not pass axe; what a screen reader is told is ours.
    const label = await workbench.quickRows.first().getAttribute('aria-label');
    assert.match(label ?? '', /^refund_amounts, DANGER, LAST TIME · validation/);
    await workbench.screenshot('warning-knowledge-for-file');
    await workbench.pick('refund_amounts');
    await workbench.page.locator('.tab.active').filter({ hasText: ENTRY_TAB }).waitFor();
  });

  it('come to be from what is selected', async () => {
    const { page } = workbench;
    await workbench.openFile('money.ts');
    await page.locator('.editor-instance .view-lines').getByText('export interface Money').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.locator('.editor-instance .selected-text').first().waitFor();
    await workbench.runCommand('Kaizen: Store Selection as Knowledge');
    await workbench.answer('where it holds');
    await workbench.answer('git.workflows', 'validation');
    await workbench.answer('for example commit', 'money_units');
    await workbench.answer('APPLIES_TO');
    await workbench.answer('Why?', 'WARNING comes next');
    await workbench.answerNotification('Stored "money_units"', 'Open');
    const text = page.locator('.editor-instance .view-lines');
    await text.getByText('APPLIES_TO').first().waitFor();
    const shown = (await text.first().innerText()).replace(/\s+/g, ' ');
    assert.match(shown, /src\/payments\/money\.ts/);
    assert.match(shown, /An amount in the currency/);
    assert.match(shown, /export interface Money/);
    const lines = await page.locator('.editor-instance .view-lines .view-line').count();
    assert.ok(lines > 10, `${lines} lines are kept`);
  });
});
