import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { useEditor } from './support/editor';
import type { Workbench } from './support/workbench';

const NOTES = 'Notes';
const SUBJECT = 'Charge a cart once, however often it is asked for';
const ID = '002-charge-once';
const OPENING = ['Open Note as Form', 'Open Note as Text', 'Open Graph of Notes', 'Show Changes of Notes'];
const CHANGING = ['Link Notes', 'Add to Collection', 'Rename Note', 'Move Note', 'Delete Note'];
const RATING = ['Rate as Helpful', 'Rate as Not Helpful', 'Rate in Detail…', 'Explain Score'];
const RELATING = ['Show Relations', 'Add Relation…'];

describe('the lines of the view of notes', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'kzl-'));
  const user = path.join(directory, 'mine');
  const editor = useEditor({ env: { KAIZEN_USER_NOTES: user }, height: 900 });
  let workbench: Workbench;
  const noteFile = (...names: string[]) => path.join(editor().workspace, '.ai', 'knowledge', ...names);
  const collection = () => readFileSync(noteFile('collections', 'charging-safely.md'), 'utf8');
  const shows = (line: string | RegExp) =>
    workbench.until(async () => {
      const rows = await workbench.viewRows(NOTES).catch(() => []);
      return rows.some((row) => (line instanceof RegExp ? line.test(row) : row === line));
    }, `the line ${line} in the view`);

  /** What the context menu of a line offers and can be chosen, in its order. */
  async function offered(line: string | RegExp): Promise<string[]> {
    const items = workbench.page.locator('.monaco-menu [role="menuitem"]:not(.disabled)');
    await workbench.treeRow(line).click({ button: 'right' });
    await items.first().waitFor();
    const labels = await items.locator('.action-label').allInnerTexts();
    await workbench.page.keyboard.press('Escape');
    await items.first().waitFor({ state: 'hidden' });
    return labels.map((label) => label.trim()).filter(Boolean);
  }

  /** The buttons on a line. */
  async function buttons(line: string | RegExp): Promise<string[]> {
    await workbench.treeRow(line).hover();
    const found = await workbench.treeRow(line).locator('.actions .action-label').all();
    return Promise.all(found.map(async (each) => (await each.getAttribute('aria-label')) ?? ''));
  }

  /** Selects a line without opening what it stands for, which would take the focus away. */
  async function selectLine(row: Locator): Promise<void> {
    await row.click({ modifiers: ['ControlOrMeta'] });
    await workbench.until(
      () => row.evaluate((line) => line.classList.contains('selected') && line.closest(':focus-within') !== null),
      'the line to be selected',
    );
  }

  before(async () => {
    workbench = editor().workbench;
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('General general · 18 entries');
    await workbench.setWidth('sidebar', 420);
    await workbench.showAlone(NOTES);
    mkdirSync(noteFile('learnings'), { recursive: true });
    writeFileSync(
      noteFile('learnings', '080-faulty.md'),
      '---\nzettel_id: 080-faulty\ntitle: Faulty\nentry_type: learning\n---\n\n[[nowhere-at-all]]\n',
    );
    await workbench.unfold('patterns', 'learnings', 'Faulty', 'Collections', 'Charging safely');
    await shows(/nowhere-at-all/);
  });
  after(() => rmSync(directory, { recursive: true, force: true }));
  afterEach(() => workbench.clearNotifications());

  it('offer what can be done with each, and nothing else', async () => {
    assert.deepEqual(await offered(/^Project/), ['New Note', 'Reveal Folder of Notes', 'Reindex Notes']);
    assert.deepEqual(await offered(/^patterns/), ['New Note']);
    assert.deepEqual(await offered(/^Faulty/), [
      ...OPENING,
      ...CHANGING,
      'Copy Note for Agent',
      ...RATING,
      ...RELATING,
    ]);
    assert.deepEqual(await offered(/^Collections/), ['New Collection of Notes']);
    assert.deepEqual(await offered(/^Charging safely/), ['Add to Collection', 'Delete Collection']);
    const member = /^The double charges of March/;
    const below = workbench.treeRow(member);
    await below.waitFor();
    const last = workbench.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: member }).last();
    await last.click({ button: 'right' });
    const remove = workbench.page
      .locator('.monaco-menu [role="menuitem"]')
      .filter({ hasText: 'Remove from Collection' });
    await remove.waitFor();
    await workbench.page.keyboard.press('Escape');
    await remove.waitFor({ state: 'hidden' });
    for (const [line, names] of [
      [/^Project/, ['New Note']],
      [/^patterns/, ['New Note']],
      [/^Faulty/, ['Copy Note for Agent']],
      [/nowhere-at-all/, []],
      [/^Collections/, ['New Collection of Notes']],
      [/^Charging safely/, ['Add to Collection']],
    ] as const) {
      assert.deepEqual(
        (await buttons(line)).map((name) => name.replace(/ \(.*\)$/, '')),
        names,
        String(line),
      );
    }
  });

  it('are dragged from the project to what is one’s own, after a question that says what that means', async () => {
    const file = noteFile('learnings', '080-faulty.md');
    const before = readFileSync(file);
    await workbench.drag(workbench.treeRow(/^Faulty/), workbench.treeRow(/^User/));
    await workbench.dialog.getByText('What leaves the project is not in its repository any more.').waitFor();
    await workbench.answerDialog('Move');
    const moved = path.join(user, 'learnings', '080-faulty.md');
    await workbench.until(() => existsSync(moved) && !existsSync(file), 'the file to move');
    assert.deepEqual(readFileSync(moved), before);
    await shows(/^User 1 note/);
    await workbench.answerNotification('Moved 080-faulty to User', 'Undo');
    await workbench.until(() => existsSync(file) && !existsSync(moved), 'the file to return');
    assert.deepEqual(readFileSync(file), before);
  });

  it('leave a collection by the key and by the menu, and the notes stay', async () => {
    const before = collection();
    const member = workbench.page
      .locator('.part.sidebar .monaco-list-row[aria-level="4"]')
      .filter({ hasText: ID })
      .first();
    await member.waitFor();
    await workbench.chooseFromMenu(member, 'Remove from Collection');
    await shows('Charging safely 2 notes · learning path');
    assert.ok(!collection().includes(ID));
    assert.ok(existsSync(noteFile('patterns', `${ID}.md`)), 'the note stays');
    await workbench.answerNotification('Taken out of Charging safely: 1', 'Undo');
    await shows('Charging safely 3 notes · learning path');
    assert.equal(collection(), before);
    await selectLine(member);
    await workbench.page.keyboard.press('Delete');
    await shows('Charging safely 2 notes · learning path');
    assert.ok(existsSync(noteFile('patterns', `${ID}.md`)), 'the note stays');
    await workbench.answerNotification('Taken out of Charging safely: 1', 'Undo');
    await shows('Charging safely 3 notes · learning path');
  });

  it('are deleted with a collection alone, after a question, which can be taken back', async () => {
    const before = collection();
    await workbench.treeRow(/^Charging safely/).click();
    await workbench.page.keyboard.press('Delete');
    await workbench.dialog.getByText('Its notes stay. This can be undone.').waitFor();
    await workbench.answerDialog('Delete');
    const file = noteFile('collections', 'charging-safely.md');
    await workbench.until(() => !existsSync(file), 'the collection to go');
    assert.ok(existsSync(noteFile('patterns', `${ID}.md`)), `${SUBJECT} stays`);
    await workbench.answerNotification('Deleted the collection Charging safely', 'Undo');
    await workbench.until(() => existsSync(file), 'the collection to come back');
    assert.equal(collection(), before);
  });
});
