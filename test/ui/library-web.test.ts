import assert from 'node:assert/strict';
import { type SmallSite, startSmallSite } from '../support/small-site';
import { useEditor } from './support/editor';
import { LibraryPane, withParts } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const KEY = 'never-shown-7f3a';

async function addPage(workbench: Workbench, url: string): Promise<void> {
  await workbench.runAndPick('Kaizen: Add to Library', 'Web page…');
  await workbench.answer('Address of the page or PDF', url);
}

describe('the library and the web, as it is set at first', () => {
  const editor = useEditor({ settings: pictureSettings });
  let site: SmallSite;
  let workbench: Workbench;
  let library: LibraryPane;

  before(async () => {
    site = await startSmallSite();
    workbench = editor().workbench;
    library = await LibraryPane.open(workbench);
  });
  after(() => site.stop());
  afterEach(() => workbench.clearNotifications());

  it('asks no address of this machine, says which setting allows it, and asks nothing that is no address', async () => {
    await workbench.runAndPick('Kaizen: Add to Library', 'Web page…');
    await workbench.answer('Address of the page or PDF', 'gauges.example');
    await workbench.page.getByText('An address begins with https:// or http://.').waitFor();
    await workbench.page.keyboard.press('Escape');
    await addPage(workbench, `${site.origin}/srr`);
    const refused = workbench.notification('127.0.0.1');
    await refused.waitFor();
    await workbench.rest();
    await workbench.screenshot('library-web-refused');
    assert.deepEqual(site.asked, []);
    await refused.getByRole('button', { name: 'Open Settings' }).click();
    await workbench.page.locator('.settings-editor').getByText('Allow Private Addresses').first().waitFor();
    await workbench.closeModalEditor();
  });

  it('offers queries for the person’s own browser, and where an endpoint is set up', async () => {
    await workbench.runCommand('Kaizen: Search the Web for the Library');
    await workbench.answer('Topic. Pages that have to do with it', 'reviews of systems');
    await workbench.quickRows.filter({ hasText: /reviews of systems.*in your browser/ }).waitFor();
    await workbench.quickRows.filter({ hasText: 'Set up a search endpoint' }).waitFor();
    await workbench.rest();
    await workbench.screenshot('library-web-queries');
    await workbench.page.keyboard.press('Escape');
  });

  it('holds nothing of what was refused', async () => {
    assert.deepEqual(await withParts(editor(), (parts) => parts.library.sources()), []);
    await library.pane.getByText('Have agents cite what your documents say').waitFor();
  });
});

describe('the library and the web', () => {
  const editor = useEditor({
    settings: {
      ...pictureSettings,
      'kaizen.library.web.allowPrivateAddresses': true,
      'kaizen.library.web.rateLimit': 100,
    },
  });
  let site: SmallSite;
  let workbench: Workbench;
  let library: LibraryPane;

  before(async () => {
    site = await startSmallSite();
    workbench = editor().workbench;
    library = await LibraryPane.open(workbench);
  });
  after(() => site.stop());
  afterEach(() => workbench.clearNotifications());

  it('takes a page in by its address, and looks again whether it has changed', async () => {
    await addPage(workbench, `${site.origin}/srr`);
    await workbench.notification('Added "System requirements review"').waitFor();
    await library.shows(/^System requirements review unverified/);
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Refresh Library');
    await workbench.notification('Sources looked at: 1. Changed: 0.').waitFor();
    await workbench.clearNotifications();
    site.change('/srr', 'The system requirements review is held twice from now on.');
    await workbench.runCommand('Kaizen: Refresh Library');
    await workbench.notification('Sources looked at: 1. Changed: 1.').waitFor();
    await workbench.treeRow(/^Changed/).click();
    await workbench.page.locator('.view-lines').getByText('held twice from now on').first().waitFor();
  });

  it('leaves out what robots may not read', async () => {
    await addPage(workbench, `${site.origin}/secret`);
    await workbench.notification('robots.txt').waitFor();
    assert.ok(!site.asked.includes('/secret'));
  });

  it('can be stopped while a server lets it wait', async () => {
    await addPage(workbench, `${site.origin}/slow`);
    const progress = workbench.notification('Adding to the library');
    await progress.waitFor();
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await progress.waitFor({ state: 'hidden' });
    assert.equal(await library.has(/slow/), false);
  });

  it('searches by the endpoint that is set up, says what is sent where, and shows the key nowhere', async () => {
    await workbench.runAndPick('Kaizen: Set Up Web Search', 'SearXNG');
    await workbench.answer('Address of the endpoint', `${site.origin}/search`);
    await workbench.page.locator('.quick-input-widget').getByText('Key for').waitFor();
    await workbench.page.keyboard.type(KEY);
    await workbench.page.keyboard.press('Enter');
    await workbench.notification('Searches of the web go to').waitFor();
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Search the Web for the Library');
    await workbench.answer('Topic. Pages that have to do with it', 'system requirements review');
    await workbench.dialog.getByText('These queries are sent to 127.0.0.1').waitFor();
    await workbench.screenshot('library-web-search');
    await workbench.answerDialog('Search');
    const told = workbench.notification('is covered by');
    await told.waitFor();
    await told.getByRole('button', { name: 'Show Coverage' }).waitFor();
    await workbench.screenshot('library-web-searched');
    assert.ok(site.asked.includes('/search'));
    assert.ok(!(await workbench.page.locator('body').innerText()).includes(KEY));
    await workbench.clearNotifications();
    await workbench.runAndPick('Kaizen: Set Up Web Search', 'None');
    await workbench.notification('No queries are sent anywhere.').waitFor();
  });
});
