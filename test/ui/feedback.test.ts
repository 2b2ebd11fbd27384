import assert from 'node:assert/strict';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { entryUri, libraryUri, parseLibraryUri } from '../../src/core/knowledge-uri';
import { assertWebviewAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { LibraryPane, TITLE, withParts, writeDocuments } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const ADA = { author: 'ada' };
const AGENT = { author: 'Scripted Agent', by_agent: true };
const REFUNDS = entryUri({ scope_id: 'checkout-api', category: 'validation', keyword: 'refund_amounts' });

describe('was this helpful?', () => {
  const editor = useEditor({ settings: pictureSettings, env: { USER: 'ada' }, width: 1280, height: 900 });
  let workbench: Workbench;
  let passage: string;
  let form: FrameLocator;

  const said = (artifact: string) =>
    withParts(editor(), ({ learning }) => learning.saidBy('ada', artifact).map(({ feedback_type: type }) => type));
  const isSaid = (artifact: string, ...types: string[]) =>
    workbench.until(async () => (await said(artifact)).join() === types.join(), `the feedback ${types} on ${artifact}`);
  const row = (text: string): Locator => workbench.quickRows.filter({ hasText: text }).first();
  /** What is found by other means comes in between. */
  const isSettled = async () => {
    const lines = await workbench.quickRows.allInnerTexts();
    await workbench.page.waitForTimeout(300);
    return lines.join('\n') === (await workbench.quickRows.allInnerTexts()).join('\n');
  };
  /** A line draws its buttons under the pointer, and anew after each click; a list that moves takes them from under it. */
  const press = async (text: string, button: string) => {
    await workbench.until(isSettled, 'the list to stay as it is');
    await workbench.until(async () => {
      try {
        await row(text).hover({ timeout: 2_000 });
        await row(text).locator(`.action-label[aria-label^="${button}"]`).click({ timeout: 2_000 });
        return true;
      } catch {
        return false;
      }
    }, `the button ${button} on the line ${text}`);
  };
  const hasButton = (text: string, button: string) =>
    workbench.until(
      async () => (await row(text).locator(`.action-label[aria-label^="${button}"]`).count()) > 0,
      `the button ${button} on the line ${text}`,
    );
  const asks = (about: string) =>
    workbench.until(
      async () => (await workbench.quickInput.getAttribute('placeholder').catch(() => ''))?.startsWith(about),
      `the question about "${about}"`,
    );
  const titleAction = (name: string) =>
    workbench.page.locator(`.editor-group-container.active .editor-actions .action-label[aria-label^="${name}"]`);

  before(async function () {
    this.timeout(120_000);
    workbench = editor().workbench;
    const folder = writeDocuments(editor());
    passage = await withParts(editor(), async ({ library }) => {
      const { document } = await library.ingest({ source: path.join(folder, 'tide-gauges.md') }, ADA);
      const { document_id } = document!;
      const chunk = (await library.chunks(document_id)).find(({ content }) => content.includes('ninety days'));
      assert.ok(chunk);
      return libraryUri(document_id, chunk.id);
    });
  });
  afterEach(() => workbench.clearNotifications());

  it('is asked on each line of what was found, answered by one click, and taken back by the same', async () => {
    await workbench.runCommand('Kaizen: Find Knowledge');
    await asks('Words,');
    await workbench.quickInput.pressSequentially('customers charged instead');
    await row('refund_amounts').waitFor();
    await press('refund_amounts', 'This was helpful');
    await isSaid(REFUNDS, 'helpful');
    await row('refund_amounts').getByText('0.60 from 1 rating').waitFor();
    await hasButton('refund_amounts', 'You found this helpful: take back');
    await workbench.statusBarItem('Noted as helpful.').waitFor();
    assert.equal(await workbench.quickInput.inputValue(), 'customers charged instead');
    await workbench.screenshot('feedback-find');
    await press('refund_amounts', 'This was not helpful');
    await isSaid(REFUNDS, 'not_helpful');
    await press('refund_amounts', 'You found this not helpful: take back');
    await isSaid(REFUNDS);
    await press('refund_amounts', 'This was helpful');
    await isSaid(REFUNDS, 'helpful');
    assert.equal(await workbench.page.locator('.notifications-toasts .notification-list-item').count(), 0);
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.tab', { hasText: 'refund_amounts' }).waitFor();
  });

  it('is asked in the head of an entry, with what one said', async () => {
    form = workbench.webview();
    await form.getByText('You found this helpful.').waitFor();
    // That it was opened from the list counts as well, a little.
    await form.getByRole('button', { name: 'Score 0.68 from 1 rating' }).waitFor();
    const yes = form.getByRole('button', { name: 'This was helpful' });
    assert.equal(await yes.getAttribute('aria-pressed'), 'true');
    await workbench.screenshot('feedback-entry');
    await assertWebviewAccessible(workbench, '.head');
    await form.getByRole('button', { name: 'Take Back' }).click();
    await isSaid(REFUNDS);
    await form.getByText('Was this helpful?').waitFor();
    const no = form.getByRole('button', { name: 'This was not helpful' });
    await no.focus();
    await workbench.page.keyboard.press('Enter');
    await isSaid(REFUNDS, 'not_helpful');
    await form.getByText('You found this not helpful.').waitFor();
    assert.ok(
      await no.evaluate((button) => button === button.ownerDocument.activeElement),
      'the key stays where it was',
    );
    await yes.focus();
    await workbench.page.keyboard.press('Space');
    await isSaid(REFUNDS, 'helpful');
  });

  it('moves a passage of the library that helped, says so on its line, and is asked in the title of the text', async () => {
    await withParts(editor(), async ({ learning }) => {
      const about = { artifact_id: passage, artifact_type: 'chunk' } as const;
      for (let at = 0; at < 6; at++) await learning.feedback({ ...about, operation: 'rate', helpful: true }, AGENT);
      await learning.feedback(
        {
          ...about,
          operation: 'rate_specific',
          aspect_ratings: { accuracy: 1, usefulness: 0.75 },
          comment: 'Checked.',
        },
        { author: 'bob' },
      );
      await learning.feedback({ ...about, operation: 'report_outcome', outcome_type: 'used_as_is' }, AGENT);
    });
    await workbench.runCommand('Kaizen: Search Library');
    // Not into the list that it closes.
    await workbench.page.locator('.quick-input-title').getByText('Search Library').waitFor();
    await workbench.quickInput.fill('how often is a gauge calibrated');
    await row('ninety days').getByText('from 8 ratings').waitFor();
    await hasButton('ninety days', 'Explain Score: fits');
    await workbench.screenshot('feedback-library');
    await row('ninety days').click();
    await workbench.page.locator('.view-lines').getByText('calibrated every ninety days').first().waitFor();
    await titleAction('You Found').waitFor({ state: 'hidden' });
    await titleAction('Rate as Helpful').click();
    await isSaid(passage, 'helpful');
    await titleAction('You Found This Helpful').waitFor();
    await workbench.screenshot('feedback-title');
    await titleAction('You Found This Helpful').click();
    await isSaid(passage);
    await titleAction('Rate as Helpful').click();
    await isSaid(passage, 'helpful');
  });

  it('is asked in the preview of what was captured', async () => {
    const lesson = await withParts(editor(), async ({ learning }) => {
      const lesson = { title: 'Pumps run dry', lesson: 'Pumps run dry at low tide.' };
      const { record } = await learning.write({ operation: 'capture_lesson', lesson }, ADA);
      return { id: record.id, uri: `knowledge://learning/lesson/${record.id}` };
    });
    await workbench.runCommand('Kaizen: Find What Was Learned');
    await workbench.page.locator('.quick-input-title').getByText('Find What Was Learned').waitFor();
    await workbench.quickInput.fill('pumps dry');
    await row('Pumps run dry').waitFor();
    await press('Pumps run dry', 'This was helpful');
    await isSaid(lesson.uri, 'helpful');
    await row('Pumps run dry').getByText('0.60 from 1 rating').waitFor();
    await row('Pumps run dry').click();
    await workbench.page.locator('.tab.active').filter({ hasText: lesson.id }).waitFor();
    await titleAction('You Found This Helpful').click();
    await isSaid(lesson.uri);
    await titleAction('Rate as Not Helpful').click();
    await isSaid(lesson.uri, 'not_helpful');
  });

  it('takes a detailed rating, each question of which may be skipped', async () => {
    await workbench.runCommand('Kaizen: Find Knowledge');
    await asks('Words,');
    await workbench.quickInput.fill('customers charged instead');
    // What was changed last is listed before, and may have the same line elsewhere.
    await workbench.until(async () => /^refund_amounts/.test((await workbench.choices())[0] ?? ''), 'the hit');
    await workbench.page.keyboard.press('Enter');
    await form.getByRole('heading', { level: 1, name: 'refund_amounts' }).waitFor();
    await workbench.runCommand('Kaizen: Rate in Detail');
    await workbench.answer('Relevance: was it');
    await asks('Accuracy');
    await workbench.pick('5 of 5 stars');
    await workbench.answer('Completeness: was all');
    await asks('Usefulness');
    await workbench.pick('4 of 5 stars');
    await workbench.answer('What could be better', 'Name the currency.');
    await workbench.answer('A comment', 'It held up.');
    await isSaid(REFUNDS, 'helpful', 'aspects', 'suggestion');
    const [, aspects] = await withParts(editor(), ({ learning }) => learning.saidBy('ada', REFUNDS));
    assert.deepEqual(aspects?.specific_data, { accuracy: 1, usefulness: 0.75 });
    assert.equal(aspects?.comment, 'It held up.');
  });

  it('is asked for the lines of the views', async () => {
    const library = await LibraryPane.open(workbench);
    await library.shows(new RegExp(`^${TITLE}`));
    const source = libraryUri(parseLibraryUri(passage)!.document_id);
    await workbench.chooseFromMenu(workbench.treeRow(new RegExp(`^\\s*${TITLE}`)), 'Rate as Helpful');
    await isSaid(source, 'helpful');
    await workbench.chooseFromMenu(workbench.treeRow(new RegExp(`^\\s*${TITLE}`)), 'Explain Score');
    await form.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    await form.getByText('You found this helpful.').waitFor();
  });
});

describe('the score, explained', () => {
  const editor = useEditor({ settings: pictureSettings, env: { USER: 'ada' }, width: 1280, height: 900 });
  let workbench: Workbench;
  let page: FrameLocator;
  let template: string;
  let project: string;

  before(async function () {
    this.timeout(120_000);
    workbench = editor().workbench;
    await withParts(editor(), async ({ learning }) => {
      const shop = { name: 'Online shop', description: 'A shop for tide gauges.', project_type: 'software' };
      const first = await learning.write({ operation: 'capture_project', project: shop }, ADA);
      const { id: project_id } = first.record;
      const made = await learning.write({ operation: 'capture_template', project_id, template_name: 'Shop' }, ADA);
      const again = { ...shop, name: 'Second shop', source_template_id: made.record.id };
      const second = await learning.write({ operation: 'capture_project', project: again }, ADA);
      [template, project] = [made.record.id, second.record.id];
      const outcome = { outcome_summary: 'It sells.', success_rating: 0.9 };
      await learning.write({ operation: 'capture_outcome', project_id: project, outcome }, ADA);
      const about = { artifact_id: template, artifact_type: 'template' } as const;
      await learning.feedback({ ...about, operation: 'rate', helpful: true, comment: 'Saved a week.' }, AGENT);
      await learning.feedback({ ...about, operation: 'rate', helpful: true }, ADA);
      await learning.feedback(
        { ...about, operation: 'suggest_improvement', suggestions: ['Add a phase for tests.'] },
        ADA,
      );
    });
  });
  afterEach(() => workbench.clearNotifications());

  it('says level, confidence, factors, age and boost, and lists every sample and sum', async () => {
    await workbench.runCommand('Kaizen: Explain Score');
    await workbench.until(
      async () => (await workbench.quickInput.getAttribute('placeholder'))?.startsWith('What is it about?'),
      'the list of what could be explained',
    );
    await workbench.quickInput.fill('Shop');
    await workbench.quickRows.filter({ hasText: 'Shop' }).filter({ hasText: 'Template' }).first().click();
    page = workbench.webview();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const steps = await withParts(editor(), ({ learning }) => learning.explain(template).sums);
    const lines = (await page.locator('.sums li code').allInnerTexts()).map((line) => line.replace(/\s+/g, ' ').trim());
    assert.equal(lines.length, steps.length);
    for (const { formula } of steps)
      assert.ok(
        lines.some((line) => line.includes(formula)),
        formula,
      );
    await page.getByRole('cell', { name: 'The project succeeded' }).waitFor();
    await page.getByRole('button', { name: 'Second shop' }).waitFor();
    await page.getByText('Scripted Agent (agent)').first().waitFor();
    await page.getByText('Add a phase for tests.').waitFor();
    await page.getByText('takes nothing off').waitFor();
    await page.locator('kaizen-gauge svg').waitFor();
  });

  for (const [name, theme, body] of [
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const) {
    it(`is readable and accessible: ${name}`, async () => {
      if (name === 'dark') {
        await workbench.page.setViewportSize({ width: 1280, height: 1600 });
        await workbench.runCommand('View: Close Primary Side Bar');
      } else {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.answer('Select Color Theme', theme);
      }
      await page.locator(`body.${body}`).waitFor();
      await workbench.rest();
      await workbench.screenshot(`score-${name}`);
      await assertWebviewAccessible(workbench);
    });
  }

  it('takes back what one said oneself, and nothing else', async () => {
    const buttons = page.getByRole('button', { name: /^Take back: / });
    assert.deepEqual((await buttons.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).sort(), [
      'Take back: Helpful',
      'Take back: Suggestion',
    ]);
    await page.getByText('You found this helpful.').waitFor();
    await page.getByRole('button', { name: 'Take back: Helpful' }).click();
    await page.getByText('Was this helpful?').waitFor();
    await page.getByRole('button', { name: 'Take back: Helpful' }).waitFor({ state: 'hidden' });
    const left = await withParts(editor(), ({ learning }) => learning.feedbackOn(template).map(({ author }) => author));
    assert.deepEqual(left, ['ada', 'Scripted Agent', 'ada']);
    const thumb = page.getByRole('button', { name: 'This was not helpful' });
    await thumb.focus();
    await workbench.page.keyboard.press('Enter');
    await page.getByText('You found this not helpful.').waitFor();
  });

  it('leads to what it is of, and to what it came from', async () => {
    await page.getByRole('button', { name: 'Second shop' }).click();
    await workbench.page.locator('.tab.active').filter({ hasText: project }).waitFor();
    await workbench.page
      .locator('.tab')
      .filter({ hasText: /^Score/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await workbench.page.locator('.tab.active').filter({ hasText: template }).waitFor();
  });
});
