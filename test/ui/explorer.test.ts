import assert from 'node:assert/strict';
import { Kaizen } from '../../src/kaizen';
import { assertAccessible } from './support/accessibility';
import { type Editor, useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const KNOWLEDGE = 'Knowledge';
const SESSIONS = 'Sessions & Progress';

/** What an agent in another process wants to write, as it waits for review. */
async function propose({ env }: Editor): Promise<void> {
  const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = env;
  const kaizen = new Kaizen({ data, shared, project });
  try {
    const { review } = await kaizen.parts();
    const input = {
      target_scope_id: 'checkout-api',
      category: 'validation',
      keyword: 'partial_refunds',
      content: 'WARNING: The refunds of a charge must not exceed it in sum.',
    };
    await review.propose({ operation: 'store', input }, { author: 'scripted agent', by_agent: true });
  } finally {
    await kaizen.close();
  }
}

describe('the explorer', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 1000 });
  let workbench: Workbench;

  before(async () => {
    workbench = editor().workbench;
    await workbench.openContainer('Kaizen');
    await workbench.treeRow('General').waitFor();
    await workbench.treeShows('General general · 18 entries');
    await workbench.setWidth('sidebar', 380);
  });
  afterEach(async () => {
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Show Knowledge by Scope');
  });

  /** Waits for an input box to be there, so that the first key is not lost. */
  const ask = (title: string) =>
    workbench.page.locator('.quick-input-title').getByText(title, { exact: true }).waitFor();
  const message = () => workbench.view(KNOWLEDGE).locator('.message');

  it('filters with each key, marks what was typed, and takes it back on Escape', async () => {
    await workbench.runCommand('Kaizen: Filter Knowledge');
    await ask('Filter Knowledge');
    await workbench.quickInput.pressSequentially('refund');
    await message().getByText('Filtered by “refund”').waitFor();
    await workbench.quickInput.pressSequentially('_am');
    await workbench.viewShows(KNOWLEDGE, [
      'PROJECT',
      'checkout-api 1 entry',
      'validation 1',
      'refund_amounts DANGER, LAST TIME',
    ]);
    await message().getByText('Filtered by “refund_am”: 1 of 83').waitFor();
    assert.equal(await workbench.treeRow('refund_amounts').locator('.highlight').innerText(), 'refund_am');
    await workbench.page.keyboard.press('Escape');
    await workbench.treeShows('General general · 18 entries');
    await message().waitFor({ state: 'hidden' });
  });

  it('keeps a filter on Enter, until it is cleared', async () => {
    await workbench.runCommand('Kaizen: Filter Knowledge');
    await workbench.answer('Filter Knowledge', 'commit');
    await workbench.treeShows('commit');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await message().getByText('Filtered by “commit”').waitFor();
    await workbench.view(KNOWLEDGE).hover();
    await workbench.view(KNOWLEDGE).getByRole('button', { name: 'Clear Knowledge Filter' }).click();
    await workbench.treeShows('General general · 18 entries');
  });

  it('shows what holds for the project, where it comes from and what it overrides', async () => {
    await workbench.runCommand('Kaizen: Show Effective Knowledge');
    await workbench.treeShows('git 3');
    await workbench.unfold(/^\s*git\s*\d/, /^\s*commit/);
    await workbench.treeShows('commit PROJECT, overrides 3');
    await workbench.treeShows('webapp PRODUCT, overridden');
    await workbench.unfold('database', 'payments.provider');
    await workbench.rest();
    await workbench.screenshot('explorer-effective');
    await assertAccessible(workbench, '.part.sidebar .pane-body');
  });

  it('finds what is only in the text of an entry, and opens it', async () => {
    await workbench.runCommand('Kaizen: Find Knowledge');
    await ask('Find Knowledge');
    await workbench.quickInput.pressSequentially('customers charged instead');
    await workbench.until(async () => /^refund_amounts/.test((await workbench.choices())[0] ?? ''), 'the hit');
    assert.match((await workbench.choices())[0] ?? '', /DANGER, LAST TIME · checkout-api \(PROJECT\) · validation/);
    await workbench.screenshot('explorer-find');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.tab', { hasText: 'refund_amounts' }).waitFor();
  });

  it('moves an entry by questions, shows it there, and takes it back on Undo', async () => {
    await workbench.unfold('validation');
    // The tree may be drawn anew under the click. A form that appears takes the focus.
    await workbench.until(async () => {
      await workbench.treeRow('refund_window').click();
      const form = workbench.webview().getByRole('heading', { name: 'refund_window' });
      return form.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    }, 'the form of refund_window');
    await workbench.runCommand('Kaizen: Focus on Knowledge View');
    await workbench.page.keyboard.press('F2');
    await workbench.answer('Scope');
    await workbench.answer('Category', 'operations');
    await workbench.answer('Keyword', 'refund_days');
    await workbench.treeShows('refund_days');
    await workbench.answerNotification('Moved "refund_days" to checkout-api, operations.', 'Undo');
    await workbench.treeShows('refund_window');
    await workbench.treeLacks('refund_days');
  });

  it('asks before an entry is dragged to where it holds for others', async () => {
    await workbench.drag(workbench.treeRow('refund_window'), workbench.treeRow('Payments'));
    await workbench.dialog.waitFor();
    assert.match(await workbench.dialog.innerText(), /Move "refund_window" to payments \(GROUP\)\?/);
    await workbench.answerDialog('Cancel');
    await workbench.treeShows('refund_window');
    await workbench.drag(workbench.treeRow('refund_window'), workbench.treeRow(/^\s*testing/));
    await workbench.answerNotification('Moved "refund_window" to checkout-api, testing.', 'Undo');
    await workbench.treeShows('testing 2');
  });

  it('asks before an entry takes the place of another, and brings both back on Undo', async () => {
    await workbench.unfold('operations');
    await workbench.drag(workbench.treeRow(/^\s*deploy/), workbench.treeRow(/^\s*General/));
    // The next dialog may be there before this one was seen to go.
    await workbench.dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await workbench.dialog.getByText('"deploy" is stored already in general, operations.').waitFor();
    await workbench.answerDialog('Replace');
    await workbench.treeShows('operations 2');
    await workbench.answerNotification('Moved "deploy" to general, operations.', 'Undo');
    await workbench.treeShows('operations 3');
    await workbench.treeShows('General general · 18 entries');
  });

  it('counts the risks of what is folded, for eyes and for screen readers', async () => {
    const row = workbench.treeRow('validation');
    await row.waitFor();
    await workbench.until(
      async () => /\d risk/.test((await row.getAttribute('aria-label')) ?? ''),
      'the risks in words',
    );
    const spoken = /, (\d+) risks?\b/.exec((await row.getAttribute('aria-label')) ?? '')?.[1];
    const drawn = await workbench.page.evaluate(
      `[...document.querySelectorAll('.part.sidebar [aria-label^="validation"] *')]
        .map((part) => getComputedStyle(part, '::after').content)`,
    );
    assert.ok((drawn as string[]).includes(`"${spoken}"`), `${drawn} has the badge ${spoken}`);
  });

  it('is used without a mouse', async () => {
    const { page } = workbench;
    await workbench.runCommand('Kaizen: Focus on Knowledge View');
    await page.keyboard.press('Home');
    const focused = () => workbench.view(KNOWLEDGE).locator('.monaco-list-row.focused').innerText();
    for (let rows = 0; rows < 30 && !/refund_amounts/.test(await focused()); rows++) {
      await page.keyboard.press('ArrowDown');
    }
    assert.match(await focused(), /refund_amounts/);
    await page.keyboard.press('Enter');
    await page.locator('.tab', { hasText: 'refund_amounts' }).waitFor();
    await workbench.runCommand('Kaizen: Focus on Knowledge View');
    await page.keyboard.press('Delete');
    await workbench.dialog.waitFor();
    assert.match(await workbench.dialog.innerText(), /Delete "refund_amounts" from checkout-api, validation\?/);
    await workbench.answerDialog('Cancel');
    // The arrow keys move the focus, and leave selected what was.
    await workbench.runCommand('Kaizen: Focus on Knowledge View');
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /refund_window/);
    await page.keyboard.press('Delete');
    await workbench.dialog.waitFor();
    assert.match(await workbench.dialog.innerText(), /Delete "refund_window" from checkout-api, validation\?/);
    await workbench.answerDialog('Cancel');
    assert.match(await workbench.view(KNOWLEDGE).locator('.monaco-list-row.selected').innerText(), /refund_amounts/);
    // The same keys for a scope.
    await workbench.runCommand('Kaizen: Focus on Knowledge View');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /checkout-api/);
    await page.keyboard.press('Delete');
    await workbench.dialog.waitFor();
    assert.match(await workbench.dialog.innerText(), /Delete the scope "checkout-api"\?/);
    await workbench.answerDialog('Cancel');
  });

  it('puts what agents propose on top, and counts it', async () => {
    await workbench.runCommand('View: Close All Editors');
    await propose(editor());
    await workbench.runCommand('Kaizen: Focus on Knowledge View');
    await workbench.page.keyboard.press('Home');
    await workbench.treeShows('Pending 1 proposed change');
    await workbench.treeShows('partial_refunds store, by scripted agent');
    const status = workbench.statusBarItem('checkout-api');
    await workbench.until(async () => /risks\s+1$/.test((await status.innerText()).trim()), 'the count');
    await workbench.page.locator('.activitybar .badge-content').getByText('1', { exact: true }).waitFor();
  });

  it('shows sessions and progress, filtered as well', async () => {
    await workbench.unfold('validation', 'database');
    await workbench.rest();
    await workbench.screenshot('explorer-dark');
    await workbench.foldView(KNOWLEDGE, false);
    await workbench.treeShows('Sessions 7');
    await workbench.unfold('Overview', '2026-06-12');
    await workbench.rest();
    await workbench.screenshot('explorer-sessions');
    await assertAccessible(workbench, '.part.sidebar .pane-body');
    await workbench.runCommand('Kaizen: Filter Sessions & Progress');
    await ask('Filter Sessions & Progress');
    await workbench.quickInput.pressSequentially('webhook');
    await workbench.view(SESSIONS).getByText('Filtered by “webhook”').waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.treeShows('Sessions 7');
    await workbench.foldView(KNOWLEDGE, true);
  });

  it('is readable in light colours, too', async () => {
    await workbench.runAndPick('Preferences: Color Theme', 'Light Modern');
    await workbench.page.locator('.monaco-workbench.vs').waitFor();
    await workbench.rest();
    await workbench.screenshot('explorer-light');
    await assertAccessible(workbench, '.part.sidebar .pane-body');
  });
});
