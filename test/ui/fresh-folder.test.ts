import assert from 'node:assert/strict';
import { assertAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import type { Workbench } from './support/workbench';

const first = 'DANGER: Never push to main by hand.';
const second = 'WARNING: Ask before you push.';

describe('the first knowledge of a fresh folder', () => {
  const editor = useEditor({ workspace: 'fresh', theme: 'light' });
  let workbench: Workbench;

  before(async () => {
    workbench = editor().workbench;
    await workbench.openContainer('Kaizen');
  });
  afterEach(() => workbench.clearNotifications());

  /** Goes through all steps of *Store Knowledge* or *Overwrite Knowledge*. */
  async function goThrough(command: 'Store' | 'Overwrite', content: string, reason = ''): Promise<void> {
    await workbench.runCommand(`Kaizen: ${command} Knowledge`);
    await workbench.pick('fresh-folder');
    await workbench.answer('Category', 'git.workflows');
    await workbench.answer('Keyword', 'push');
    await workbench.answer('The rule or fact', content);
    await workbench.answer('Why?', reason);
  }

  it('begins by saying what it is for and how to begin', async () => {
    const view = workbench.view('Knowledge');
    await view.getByText('Store what your team learned the hard way').waitFor();
    for (const name of ['Set Up Project', 'Store Knowledge', 'Import Knowledge']) {
      await view.locator('.welcome-view').getByRole('button', { name }).waitFor();
    }
    assert.deepEqual(await workbench.treeRows(), []);
    await assertAccessible(workbench, '.part.sidebar .pane-body');
    await workbench.rest();
    await workbench.screenshot('fresh-folder');
  });

  it('offers to store the first entry once the project is defined', async () => {
    await workbench.runCommand('Kaizen: Define Scope');
    await workbench.pick('PROJECT');
    await workbench.answer('Scope id');
    await workbench.answer('Name', 'Something else');
    await workbench.page.getByText('Define Scope (4/4)').waitFor();
    await workbench.page.locator('.quick-input-titlebar').getByRole('button', { name: 'Back' }).click();
    await workbench.answer('Name', 'Fresh Folder');
    await workbench.answer('Description', 'Where it all begins');
    await workbench.notification('Defined the PROJECT scope "fresh-folder".').waitFor();
    await workbench.viewShows('Knowledge', [
      'PROJECT',
      'Fresh Folder fresh-folder · 0 entries',
      'Store the first entry…',
      'GENERAL',
      'General general · 0 entries',
    ]);
    await workbench.statusBarItem('fresh-folder: no risks').waitFor();
  });

  it('says that there is nothing to delete yet, instead of asking which', async () => {
    await workbench.runCommand('Kaizen: Delete Knowledge');
    await workbench.notification('Nothing is stored here yet.').waitFor();
  });

  it('stores what is typed in the palette, and shows it with its risk in words', async () => {
    await goThrough('Store', first, 'It went out untested');
    await workbench.notification('Stored "push" in fresh-folder, git.workflows.').waitFor();
    await workbench.unfold(/^\s*git\.workflows/);
    await workbench.treeShows('push DANGER');
    await workbench.treeShows('Fresh Folder fresh-folder · 1 entry');
    await workbench.statusBarItem('fresh-folder: 1 risk').waitFor();
  });

  it('offers what is there when asked to store, the current project first', async () => {
    await workbench.runCommand('Kaizen: Store Knowledge');
    assert.deepEqual(await workbench.choices(), [
      'fresh-folderPROJECT · Fresh Folder 1 entry',
      'generalGENERAL · General 0 entries',
    ]);
    await workbench.page.keyboard.press('Enter');
    await workbench.until(
      async () => (await workbench.choices()).join() === 'git,git.workflows1 here',
      'the categories to pick from',
    );
    await workbench.page.keyboard.press('Escape');
  });

  for (const button of ['Keep', 'Cancel']) {
    it(`shows both contents when the keyword is taken, and changes nothing on ${button}`, async () => {
      await goThrough('Store', second);
      await workbench.dialog.waitFor();
      const text = await workbench.dialog.innerText();
      assert.match(text, /"push" is stored already in fresh-folder, git\.workflows\./);
      assert.ok(text.indexOf(first) < text.indexOf(second) && text.includes(first), text);
      if (button === 'Keep') await workbench.screenshot('conflict');
      await workbench.answerDialog(button);
      await workbench.treeShows('push DANGER');
    });
  }

  it('replaces the stored content when the person says so, and takes it back on Undo', async () => {
    await goThrough('Store', second);
    await workbench.answerDialog('Replace');
    await workbench.treeShows('push WARNING');
    await workbench.answerNotification('Replaced "push"', 'Undo');
    await workbench.treeShows('push DANGER');
  });

  it('overwrites without asking, and opens what was written', async () => {
    await goThrough('Overwrite', second, 'The rule was too strict');
    await workbench.treeShows('push WARNING');
    await workbench.answerNotification('Overwrote "push" in fresh-folder, git.workflows.', 'Open');
    await workbench.page.locator('.tab', { hasText: 'push.md' }).waitFor();
  });

  it('does not undo a change that is no longer the last one', async () => {
    await goThrough('Store', first);
    await workbench.answerDialog('Replace');
    await workbench.treeShows('push DANGER');
    await workbench.runCommand('Kaizen: Overwrite Knowledge');
    // The open entry answers all questions but the content.
    for (const about of ['Scope', 'Category', 'Keyword']) await workbench.answer(about);
    await workbench.answer('The rule or fact', 'LAST TIME: The release was rolled back.');
    await workbench.answer('Why?', '');
    await workbench.treeShows('push LAST TIME');
    await workbench.answerNotification('Replaced "push"', 'Undo');
    await workbench.notification('"push" was changed again after revision').waitFor();
    await workbench.treeShows('push LAST TIME');
  });

  it('deletes only when the person confirms, and brings it back on Undo', async () => {
    const deletePush = async () => {
      await workbench.runCommand('Kaizen: Delete Knowledge');
      await workbench.pick(/^push/);
      await workbench.dialog.waitFor();
    };
    await deletePush();
    assert.match(await workbench.dialog.innerText(), /Delete "push" from fresh-folder, git\.workflows\?/);
    await workbench.answerDialog('Cancel');
    await workbench.treeShows('push LAST TIME');

    await deletePush();
    await workbench.answerDialog('Delete');
    await workbench.treeLacks('push');
    await workbench.answerNotification('Deleted "push".', 'Undo');
    await workbench.unfold(/^\s*git\.workflows/);
    await workbench.treeShows('push LAST TIME');
  });

  it('shows its log', async () => {
    await workbench.runCommand('Kaizen: Show Log');
    const log = workbench.page.locator('.part.panel .output-view-container, .part.panel .view-lines').last();
    await workbench.until(async () => /Opened .*store/.test((await log.innerText()).replace(/\s/g, ' ')), 'the log');
  });
});
