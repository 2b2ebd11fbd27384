import assert from 'node:assert/strict';
import path from 'node:path';
import { type DatabaseServer, freePort, OWNER, startDatabaseServer, urlFor } from '../support/postgres';
import { useEditor } from './support/editor';
import { LibraryPane, TITLE, withParts, writeDocuments } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const PERSON = { author: 'ada' };
const WRONG = 'not-the-word/%@7f3a';
const CONNECT = 'Kaizen: Connect Library to PostgreSQL';

async function connect(workbench: Workbench, address: string): Promise<void> {
  await workbench.runCommand(CONNECT);
  await workbench.page.locator('.quick-input-widget').getByText('Address of the PostgreSQL database').waitFor();
  await workbench.page.keyboard.type(address);
  await workbench.page.keyboard.press('Enter');
}

describe('the library on PostgreSQL, from the editor', () => {
  const editor = useEditor({ settings: pictureSettings });
  let workbench: Workbench;
  let library: LibraryPane;
  let server: DatabaseServer;
  let url: string;

  before(async function () {
    this.timeout(120_000);
    server = await startDatabaseServer();
    url = await server.createDatabase();
    workbench = editor().workbench;
    const folder = writeDocuments(editor());
    await withParts(editor(), (parts) => parts.library.ingest({ source: path.join(folder, 'pumps.md') }, PERSON));
    library = await LibraryPane.open(workbench);
    await library.shows(/^Notes on Harbour Pumps/);
  });
  after(async () => {
    await server?.stop();
  });
  afterEach(() => workbench.clearNotifications());

  it('asks before anything is made there, and stays where it was when the person would rather not', async () => {
    await connect(workbench, 'not an address');
    await workbench.page.getByText('An address looks like this').waitFor();
    await workbench.page.keyboard.press('Escape');
    await connect(workbench, url);
    await workbench.dialog.getByText('tables are made in the schema kaizen_library').waitFor();
    await workbench.screenshot('library-postgres-question');
    assert.ok(!(await workbench.dialog.innerText()).includes(OWNER.password));
    await workbench.answerDialog('Cancel');
    await library.shows(/^Notes on Harbour Pumps/);
  });

  it('stays where it was where the server cannot be reached or refuses, and what is wrong is said', async () => {
    const nobody = new URL(urlFor(url, { user: 'someone', password: WRONG }));
    nobody.port = String(await freePort());
    const failures: [string, RegExp][] = [[nobody.href, /cannot be reached: nothing listens there/]];
    if (server.kind === 'postgres')
      failures.push([urlFor(url, { ...OWNER, password: WRONG }), /refused user and password/]);
    for (const [address, said] of failures) {
      await connect(workbench, address);
      await workbench.answerDialog('Use It');
      const told = workbench.notification(said);
      await told.waitFor();
      assert.ok(!(await told.innerText()).includes('7f3a'), 'no part of the password is shown');
      await told.getByRole('button', { name: 'Connect…' }).waitFor();
      await workbench.clearNotifications();
      await library.shows(/^Notes on Harbour Pumps/);
    }
  });

  it('is there once it is connected, takes a source in, and finds it', async () => {
    await connect(workbench, url);
    await workbench.answerDialog('Use It');
    await workbench.notification(/The library is in .* now: 0 sources/).waitFor();
    await library.lacks(/^Notes on Harbour Pumps/);
    await workbench.clearNotifications();
    const file = path.join(editor().workspace, 'library', 'tide-gauges.md');
    const uri = `vscode-remote://${new URL(workbench.page.url()).host}${file}`;
    // The lines are drawn anew when the place changes: a drop on one that goes is lost.
    await workbench.until(async () => {
      await library.drop(workbench.treeRow('Add files, a folder'), uri);
      const added = workbench.notification(`Added "${TITLE}"`).waitFor({ timeout: 10_000 });
      return added.then(() => true).catch(() => false);
    }, 'the dropped file to be added');
    await library.shows(new RegExp(`^${TITLE}`));
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Search Library');
    await workbench.quickInput.fill('how often is a gauge calibrated');
    await workbench.quickRows.filter({ hasText: 'ninety days' }).first().waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.runCommand('Kaizen: Show State of the Library');
    const state = workbench.notification('1 source');
    await state.waitFor();
    assert.ok(!(await state.innerText()).includes(OWNER.password));
    const there = await server.administer(url, 'SELECT count(*)::int AS count FROM kaizen_library.documents');
    assert.match(JSON.stringify(there), /"count":1/);
  });

  it('is back in the folder when it is disconnected, and there again by Undo', async () => {
    await workbench.runCommand('Kaizen: Disconnect Library from PostgreSQL');
    await library.shows(/^Notes on Harbour Pumps/);
    await library.lacks(new RegExp(`^${TITLE}`));
    await workbench.answerNotification('Sources there stay', 'Undo');
    await library.shows(new RegExp(`^${TITLE}`));
    await workbench.runCommand('Kaizen: Disconnect Library from PostgreSQL');
    await library.shows(/^Notes on Harbour Pumps/);
  });
});
