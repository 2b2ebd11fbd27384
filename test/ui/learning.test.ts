import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Lesson } from '../../src/learning';
import { assertAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { LibraryPane, withParts } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const LEARNING = 'Learning';
const BY_AGENT = { author: 'Scripted Agent', by_agent: true };

describe('what was learned', () => {
  const editor = useEditor({
    settings: { ...pictureSettings, 'kaizen.agentWrites': 'review' },
    width: 1280,
    height: 900,
  });
  let workbench: Workbench;
  let view: LibraryPane;

  before(async function () {
    this.timeout(120_000);
    workbench = editor().workbench;
    view = await LibraryPane.open(workbench, LEARNING);
  });
  afterEach(() => workbench.clearNotifications());

  const lessons = () => withParts(editor(), ({ learning }) => learning.list('lesson'));
  const lesson = async (title: string): Promise<Lesson> => {
    const found = (await lessons()).find((each) => each.title === title);
    assert.ok(found, `There is no lesson "${title}".`);
    return found;
  };
  const quickRow = (text: string): Locator => workbench.quickRows.filter({ hasText: text }).first();
  const closeEditors = () => workbench.runCommand('View: Close All Editors');

  it('says what it is for, and what comes with the product', async () => {
    await view.pane.getByText('What was planned, what became of it, and what it taught').waitFor();
    await view.shows(/^Capture a lesson…/);
    await view.shows(/^Begin a project…/);
    await view.shows(/^Patterns \d+$/);
    await workbench.unfold('Patterns');
    await view.shows(/^Safety \d+, of Kaizen$/);
    await workbench.unfold('Safety');
    await view.shows(/severity$/);
    await assertAccessible(workbench, '.part.sidebar .pane-body');
    await workbench.rest();
    await workbench.screenshot('learning-empty');
    await workbench.treeRow('Patterns').locator('.monaco-tl-twistie').click();
  });

  it('takes a lesson by a line of the view', async () => {
    await workbench.treeRow('Capture a lesson…').click();
    await workbench.answer('What was learned', 'Pumps run dry at low tide.');
    await workbench.answer('A title');
    await workbench.answer('What to do the next time', 'Stop them at low tide.');
    await workbench.answer('What it applies to', 'harbour');
    await workbench.answer('Who sees it');
    await workbench.notification('Captured the lesson “Pumps run dry at low tide”.').waitFor();
    await view.shows(/^Lessons 1$/);
    await view.shows(/^Pumps run dry at low tide harbour$/);
    const { lesson: text, recommendation, domain, visibility } = await lesson('Pumps run dry at low tide');
    assert.deepEqual(
      [text, recommendation, domain, visibility],
      ['Pumps run dry at low tide.', 'Stop them at low tide.', 'harbour', 'personal'],
    );
    await view.lacks(/^Capture a lesson…/);
  });

  it('takes a lesson from what is selected, with file and lines', async () => {
    const { page } = workbench;
    await workbench.openFile('money.ts');
    await page.locator('.editor-instance .view-lines').getByText('export interface Money').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.locator('.editor-instance .selected-text').first().waitFor();
    await workbench.runCommand('Kaizen: Capture Lesson from Selection');
    await workbench.answer('What was learned', 'Amounts are kept in the smallest unit.');
    await workbench.answer('A title', 'Amounts in the smallest unit');
    await workbench.answer('What to do the next time', '');
    await workbench.answer('What it applies to');
    await workbench.answer('Who sees it', 'for the team');
    await workbench.answerNotification('Captured the lesson', 'Open');
    await page.locator('.tab').filter({ hasText: 'Preview' }).first().waitFor();
    const { context, visibility } = await lesson('Amounts in the smallest unit');
    assert.match(context, /^src\/payments\/money\.ts:1-\d+\n\n```typescript\n/);
    assert.match(context, /export interface Money/);
    assert.equal(visibility, 'team');
    await closeEditors();
  });

  it('takes the lessons of a session that was logged, line by line', async () => {
    await workbench.runCommand('Kaizen: Log Session');
    await workbench.answer(
      'What was done?',
      'Moved the retries into one place. They failed because the clock was real. Wrote the guide.',
    );
    // Open tasks may be ticked as completed: none is.
    await workbench.until(async () => {
      const widget = (await workbench.page.locator('.quick-input-widget').textContent()) ?? '';
      const placeholder = (await workbench.quickInput.getAttribute('placeholder')) ?? '';
      if (placeholder.includes('Tasks that are completed')) await workbench.page.keyboard.press('Enter');
      return widget.includes('Other tasks');
    }, 'the question for other tasks');
    await workbench.answer('Other tasks', '');
    await workbench.answer('Domain', '');
    await workbench.answer('What comes next?', '');
    await workbench.answerNotification('Logged the session.', 'Capture Lessons');
    await quickRow('Moved the retries').waitFor();
    const ticked = workbench.quickRows.locator('input[type=checkbox]:checked, .monaco-checkbox.checked');
    assert.equal(await ticked.count(), 1);
    await workbench.rest();
    await workbench.screenshot('learning-session');
    await quickRow('Wrote the guide').click();
    await workbench.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
    await workbench.notification('Captured 2 lessons.').waitFor();
    await view.shows(/^They failed because the clock was real/);
    await view.shows(/^Wrote the guide/);
    assert.match(
      (await lesson('They failed because the clock was real')).context,
      /^Session of \d{4}-\d\d-\d\d: Moved/,
    );
    await workbench.answerNotification('Captured 2 lessons.', 'Undo');
    await view.lacks(/^They failed because/);
    await view.lacks(/^Wrote the guide/);
  });

  it('takes a decision, alternative by alternative', async () => {
    await workbench.runCommand('Kaizen: Capture Decision');
    await workbench.answer('What was to be decided', 'Store for amounts');
    await workbench.answer('What was decided', 'Whole cents in a bigint.');
    await workbench.answer('Why (optional)', 'Sums stay exact.');
    await workbench.answer('Alternatives', 'Floating point: sums drift');
    await quickRow('Floating point: sums drift').waitFor();
    await workbench.answer('Alternatives', 'Decimal');
    await quickRow('Decimal').waitFor();
    await workbench.rest();
    await workbench.screenshot('learning-decision');
    await workbench.answer('Alternatives');
    await workbench.answer('Consequences');
    await workbench.answer('What it applies to');
    await workbench.answer('Who sees it');
    await workbench.notification('Captured the decision').waitFor();
    await view.shows(/^Store for amounts \d{4}-\d\d-\d\d · general$/);
    const [decision] = await withParts(editor(), ({ learning }) => learning.list('decision'));
    assert.deepEqual(
      decision?.alternatives.map(({ name, why_not }) => [name, why_not]),
      [
        ['Floating point', 'sums drift'],
        ['Decimal', undefined],
      ],
    );
  });

  it('takes a pattern, which needs a sign', async () => {
    await workbench.runCommand('Kaizen: Capture Pattern');
    await workbench.answer('What the pattern is called', 'Silent retry');
    await workbench.answer('What kind of pattern');
    await workbench.answer('Where it is met', 'Reliability');
    await workbench.answer('What happens', 'Errors are retried and nobody is told.');
    await workbench.answer('Signs by which');
    await workbench.notification('needs a sign').waitFor();
    await workbench.answer('Signs by which', 'Latency doubles without an error');
    await quickRow('Latency doubles').waitFor();
    await workbench.answer('Signs by which');
    await workbench.answer('Causes');
    await workbench.answer('What helps against it');
    await workbench.answer('How bad it is', 'high severity');
    await workbench.notification('Captured the pattern').waitFor();
    await workbench.unfold('Patterns');
    await view.shows(/^Silent retry anti-pattern · high severity · Reliability$/);
    await workbench.treeRow('Patterns').locator('.monaco-tl-twistie').click();
  });

  it('is found by its words, and opened', async () => {
    await workbench.runCommand('Kaizen: Find What Was Learned');
    await workbench.quickInput.fill('low tide');
    await workbench.until(
      async () => (await workbench.quickRows.count()) === 1,
      'what has nothing to do with it to go',
    );
    await quickRow('Pumps run dry').waitFor();
    await workbench.rest();
    await workbench.screenshot('learning-find');
    await quickRow('Pumps run dry').click();
    await workbench.page.locator('.tab').filter({ hasText: 'Preview less-pumps' }).waitFor();
    await closeEditors();
  });

  it('is filtered with each key', async () => {
    await workbench.runCommand('Kaizen: Filter Learning');
    await workbench.page.locator('.quick-input-title').getByText('Filter Learning', { exact: true }).waitFor();
    await workbench.quickInput.pressSequentially('tide pumps');
    await workbench.viewShows(LEARNING, ['Lessons 1', 'Pumps run dry at low tide harbour']);
    await view.pane.getByText(/Filtered by “tide pumps”: 1 of \d+/).waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.runCommand('Kaizen: Clear Filter of Learning');
    await view.shows(/^Decisions 1$/);
  });

  it('is changed, deleted and brought back with the keyboard alone', async () => {
    const { page } = workbench;
    const list = view.pane.locator('.monaco-list');
    const focus = async (title: string) => {
      await list.focus();
      await page.keyboard.press('Home');
      await workbench.until(async () => {
        const focused = await list.locator('.monaco-list-row.focused').textContent();
        if (focused?.includes(title)) return true;
        await page.keyboard.press('ArrowDown');
        return false;
      }, `the keyboard to reach ${title}`);
    };
    await focus('Pumps run dry');
    await page.keyboard.press('F2');
    await workbench.answer('What was learned', 'Pumps run dry at low tide, and overheat.');
    await workbench.answer('A title', 'Pumps overheat at low tide');
    await workbench.answer('What to do the next time');
    await workbench.answer('Where it was learned');
    await workbench.answer('What it applies to');
    await workbench.answer('Who sees it');
    await workbench.notification('Changed “Pumps overheat at low tide”.').waitFor();
    await view.shows(/^Pumps overheat at low tide harbour$/);
    const { lesson: text, recommendation } = await lesson('Pumps overheat at low tide');
    assert.deepEqual([text, recommendation], ['Pumps run dry at low tide, and overheat.', 'Stop them at low tide.']);
    await workbench.clearNotifications();

    await focus('Pumps overheat');
    await page.keyboard.press('Delete');
    await workbench.dialog.getByText('Delete “Pumps overheat at low tide”?').waitFor();
    await workbench.answerDialog('Delete');
    await view.lacks(/^Pumps overheat/);
    await workbench.answerNotification('Deleted "Pumps overheat at low tide".', 'Undo');
    await view.shows(/^Pumps overheat at low tide/);
  });

  it('keeps the lines of a text that is asked for on one line', async () => {
    const before = await lesson('Amounts in the smallest unit');
    await workbench.chooseFromMenu(workbench.treeRow('Amounts in the smallest unit'), 'Edit Captured Record');
    await workbench.answer('What was learned');
    await workbench.answer('A title');
    await workbench.answer('What to do the next time', 'Say the unit in the name.');
    await workbench.answer('⏎ stands for a line break');
    await workbench.answer('What it applies to');
    await workbench.answer('Who sees it');
    await workbench.notification('Changed “Amounts in the smallest unit”.').waitFor();
    const after = await lesson('Amounts in the smallest unit');
    assert.equal(after.context, before.context);
    assert.deepEqual([after.recommendation, after.visibility], ['Say the unit in the name.', 'team']);
  });

  it('has its changes shown, compared and undone', async () => {
    await workbench.runCommand('Kaizen: Show Changes of What Was Learned');
    const change = workbench.quickRows.filter({ hasText: 'Pumps overheat' }).filter({ hasText: 'changed by' });
    await change.first().click();
    const modified = workbench.page.locator('.editor-instance .monaco-diff-editor .editor.modified').last();
    await modified.getByText('and overheat').first().waitFor();
    await workbench.rest();
    await workbench.screenshot('learning-changes');
    await workbench.page.keyboard.press('Escape');
    await closeEditors();
    await withParts(editor(), ({ learning }) =>
      learning.write({ operation: 'capture_lesson', lesson: { title: 'Made by mistake', lesson: 'Oops' } }, BY_AGENT),
    );
    // Nobody has to look again: what others capture is there at once.
    await view.shows(/^Made by mistake/);
    await workbench.runCommand('Kaizen: Undo Last Change of What Was Learned');
    await workbench.dialog.getByText('Undo the last change of “Made by mistake”?').waitFor();
    await workbench.answerDialog('Undo');
    await view.lacks(/^Made by mistake/);
  });

  it('is proposed by agents, readable, and captured by accepting it', async () => {
    const [decision] = await withParts(editor(), ({ learning }) => learning.list('decision'));
    const [pumps] = await lessons();
    const [from, to] = ['decision/'.concat(decision!.id), 'lesson/'.concat(pumps!.id)].map(
      (place) => `knowledge://learning/${place}`,
    ) as [string, string];
    await withParts(editor(), async ({ review }) => {
      const lesson = { title: 'Retries need jitter', lesson: 'Clients that retry together fail together.' };
      const rate = { operation: 'rate', artifact_id: to, artifact_type: 'chunk', helpful: true } as const;
      const relation = { action: 'add', input: { source: from, target: to, type: 'supports' } } as const;
      await review.propose({ operation: 'write_learning', input: { operation: 'capture_lesson', lesson } }, BY_AGENT);
      await review.propose({ operation: 'give_feedback', input: { ...rate, comment: 'It saved a day.' } }, BY_AGENT);
      await review.propose({ operation: 'write_relation', input: relation }, BY_AGENT);
    });
    await workbench.answerNotification('Scripted Agent proposes 3 changes.', 'Review');
    await quickRow('capture what was learned, by Scripted Agent').click();
    const modified = workbench.page.locator('.editor-instance .monaco-diff-editor .editor.modified').last();
    await modified.getByText('Clients that retry together fail together.').first().waitFor();
    await quickRow('give feedback, by Scripted Agent').click();
    await modified.getByText('It saved a day.').first().waitFor();
    await quickRow('add the relation, by Scripted Agent').click();
    await modified.getByText('supports').first().waitFor();
    await workbench.rest();
    await workbench.screenshot('learning-review');
    const decide = async (text: string, button: string) => {
      await quickRow(text).hover();
      await quickRow(text).locator(`.action-label[aria-label="${button}"]`).click();
      await quickRow(text).waitFor({ state: 'hidden' });
    };
    await decide('add the relation, by', 'Reject');
    await decide('give feedback, by', 'Accept');
    await decide('capture what was learned, by', 'Accept');
    await view.shows(/^Retries need jitter/);
    await view.shows(new RegExp(`^${pumps!.title} 0\\.\\d\\d from 1 rating`));
    await workbench.answerNotification(/Accepted .* for Retries need jitter/, 'Undo');
    await view.lacks(/^Retries need jitter/);
    await closeEditors();
  });
});
