import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outDirectory } from '../../tools/vscode/paths.mjs';
import { type DatabaseServer, freePort, OWNER, startDatabaseServer, urlFor } from '../support/postgres';
import { type Editor, useEditor } from './support/editor';
import type { Workbench } from './support/workbench';

const NOTES = 'Notes';
/** With signs that an address writes otherwise; nothing that anybody else would write. */
const WRONG = 'not-the-word/%@7f3a';
const CONNECT = 'Kaizen: Connect to Registry';
const ASKED = 'Address of the PostgreSQL database';

/** Opens the view, alone: there is room for all of its lines. */
async function showNotes({ workbench }: Editor): Promise<void> {
  await workbench.openContainer('Kaizen');
  await workbench.showAlone(NOTES);
  await workbench.treeRow(/^Project/).waitFor();
}

/** Has the browser keep secrets from one window to the next: the page of code-server asks for one half of the key. */
async function keepSecrets({ workbench: { page } }: Editor): Promise<void> {
  await page.route('**/mint-key', (route) => route.fulfill({ body: Buffer.alloc(32, 7) }));
}

async function connect(workbench: Workbench, address: string): Promise<void> {
  await workbench.runCommand(CONNECT);
  await workbench.page.locator('.quick-input-widget').getByText(ASKED).waitFor();
  await workbench.page.keyboard.type(address);
  await workbench.page.keyboard.press('Enter');
}

async function registryLine(workbench: Workbench): Promise<string | undefined> {
  const rows = await workbench.viewRows(NOTES).catch(() => []);
  return rows.find((row) => row.startsWith('Registry'));
}

/** In what the editor, the extension and the server wrote: their logs, settings and stores. */
function assertWrittenNowhere(editor: Editor, secrets: readonly string[], written: RegExp): void {
  const name = 'registry-secret';
  editor.keepLogs(name);
  const logs = path.join(outDirectory, 'ui-logs', name);
  const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '' } = editor.env;
  const files = [logs, editor.userFolder, editor.workspace, data, shared].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  assert.ok(
    files.some((file) => file.startsWith(logs) && written.test(readFileSync(file, 'utf8'))),
    'what was wrong is logged',
  );
  for (const file of files) {
    const bytes = readFileSync(file);
    for (const secret of secrets)
      for (const spelling of [secret, encodeURIComponent(secret)])
        assert.ok(!bytes.includes(spelling), `a password is in ${file}`);
  }
}

describe('the connection to a registry', () => {
  const editor = useEditor();
  let workbench: Workbench;
  let server: DatabaseServer;
  let url: string;

  before(async function () {
    this.timeout(120_000);
    server = await startDatabaseServer();
    url = await server.createDatabase();
    workbench = editor().workbench;
    await keepSecrets(editor());
    await editor().openFolder(editor().workspace);
    await showNotes(editor());
  });
  after(async () => {
    await server?.stop();
  });
  afterEach(() => workbench.clearNotifications());

  it('is not kept where the server cannot be reached or refuses, and what is wrong is said', async () => {
    const there = new URL(urlFor(url, { user: 'someone', password: WRONG }));
    there.port = String(await freePort());
    const failures: [string, RegExp][] = [[there.href, /cannot be reached: nothing listens there/]];
    if (server.kind === 'postgres') {
      failures.push([urlFor(url, { ...OWNER, password: WRONG }), /refused user and password/]);
      failures.push([url.replace(/registry_\d+/, 'nowhere'), /has no such database/]);
    }
    // As it was copied, with signs that end the address before the password does.
    failures.push([`postgres://team:1/${WRONG}@127.0.0.1:${server.port}/db`, /written %40 %3A %2F/]);
    for (const [address, said] of failures) {
      await connect(workbench, address);
      const told = workbench.notification(said);
      await told.waitFor();
      assert.ok(!(await told.innerText()).includes('7f3a'), 'no part of the password is shown');
      assert.equal(await registryLine(workbench), undefined);
      await workbench.clearNotifications();
    }
    assertWrittenNowhere(editor(), [WRONG, OWNER.password], /cannot be reached/);
  });

  it('is refused with a registry of a newer version, and offers to bring an older one forward', async () => {
    const { administer } = server;
    const run = administer.bind(server);
    await run(
      url,
      'CREATE SCHEMA kaizen',
      'CREATE TABLE kaizen.registry_schema (version integer)',
      'INSERT INTO kaizen.registry_schema VALUES (99)',
      'GRANT USAGE ON SCHEMA kaizen TO PUBLIC',
      'GRANT SELECT ON kaizen.registry_schema TO PUBLIC',
    );
    await connect(workbench, url);
    await workbench.notification('set up by a newer Kaizen').waitFor();
    await workbench.clearNotifications();
    // There has been no older version yet than the first.
    await run(url, 'UPDATE kaizen.registry_schema SET version = -1');
    await connect(workbench, url);
    await workbench.dialog.getByText('Update the registry in').waitFor();
    await workbench.dialog.getByRole('button', { name: 'Update', exact: true }).waitFor();
    await workbench.answerDialog('Cancel');
    assert.equal(await registryLine(workbench), undefined, 'who would rather not is not connected');
    await run(url, 'DROP SCHEMA kaizen CASCADE');
  });

  it('is kept for the next window, and shown without its password', async () => {
    await connect(workbench, url);
    await workbench.answerDialog('Set Up');
    await workbench.notification('Connected to').waitFor();
    const named = async () => /^Registry .*\/\w+ as \w+$/.test((await registryLine(workbench)) ?? '');
    await workbench.until(named, 'the registry in the view');
    await editor().openFolder(editor().workspace);
    await showNotes(editor());
    await workbench.until(named, 'the registry in the next window');
    // What was tried in vain is not used any further.
    await connect(workbench, `postgres://someone:${encodeURIComponent(WRONG)}@127.0.0.1:${await freePort()}/db`);
    await workbench.notification(/cannot be reached/).waitFor();
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Show State of Registry');
    await workbench.notification(/PostgreSQL .*0 notes/).waitFor();
    await workbench.clearNotifications();
  });

  it('shows what was published on the left and the file on the right', async () => {
    await workbench.unfold('patterns');
    const file = path.join(editor().workspace, '.ai', 'knowledge', 'patterns', '002-charge-once.md');
    await workbench.treeRow('002-charge-once').click();
    await workbench.page.locator('.editor-group-container .tab').filter({ hasText: '002-charge-once' }).waitFor();
    await workbench.runCommand('Kaizen: Publish Note');
    await workbench.pick('1.0.0');
    await workbench.notification('Published 002-charge-once as 1.0.0').waitFor();
    await workbench.clearNotifications();
    writeFileSync(file, readFileSync(file, 'utf8').replace('never of the time.', 'and of nothing else.'));
    // The view knows of it once the index does, and the comparison reads the file itself.
    await workbench.runCommand('Kaizen: Compare Note with Registry');
    const side = (name: string) => workbench.page.locator(`.monaco-diff-editor .editor.${name} .view-lines`);
    await side('original').getByText('never of the time.').first().waitFor();
    await side('modified').getByText('and of nothing else.').first().waitFor();
    assert.equal(await side('original').getByText('and of nothing else.').count(), 0);
    assert.equal(await side('modified').getByText('never of the time.').count(), 0);
    await workbench.runCommand('View: Close All Editors');
  });

  it('is forgotten when that is asked for', async () => {
    await workbench.runCommand('Kaizen: Disconnect from Registry');
    await workbench.until(async () => (await registryLine(workbench)) === undefined, 'the registry to leave the view');
    await workbench.clearNotifications();
    await editor().openFolder(editor().workspace);
    await showNotes(editor());
    await workbench.until(async () => (await workbench.viewRows(NOTES)).length > 0, 'the notes in the view');
    // The window keeps what is open once a minute, so that a note closed just before is there again, and would be taken.
    await workbench.runCommand('View: Close All Editors');
    await workbench.runAndPick('Kaizen: Publish Note', '002-charge-once');
    await workbench.notification(/No registry|no registry/).waitFor();
    assert.equal(await registryLine(workbench), undefined);
    assertWrittenNowhere(editor(), [WRONG, OWNER.password], /refused|cannot be reached/);
  });
});

describe('the connection to a registry that the environment names', () => {
  const secret = 'never-shown-7f3a';
  const editor = useEditor({ env: { KAIZEN_REGISTRY_URL: `postgres://team:1/${secret}@127.0.0.1/db` } });

  it('shows nothing of an address that cannot be read, and says where it can be taken away', async () => {
    const { workbench } = editor();
    await showNotes(editor());
    await workbench.until(
      async () => (await registryLine(workbench)) === 'Registry an address that cannot be read',
      'the registry in the view',
    );
    await workbench.runCommand('Kaizen: Show State of Registry');
    await workbench.notification(/written %40 %3A %2F/).waitFor();
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Disconnect from Registry');
    await workbench.notification('comes from KAIZEN_REGISTRY_URL in the environment').waitFor();
    assert.ok(!(await workbench.page.locator('body').innerText()).includes(secret));
    assertWrittenNowhere(editor(), [secret], /connection string of the registry cannot be used/);
  });
});
