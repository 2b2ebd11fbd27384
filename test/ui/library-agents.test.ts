import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { WebServer } from '../support/web-servers';
import { type Editor, useEditor } from './support/editor';
import { askForDocument, LibraryPane, TITLE, withParts, writeDocuments } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const BY_AGENT = { author: 'Scripted Agent', by_agent: true, reason: 'It is missing' };
const BADGE = '.activitybar a[aria-label="Kaizen - 2 documents are asked for"]';

describe('what agents ask of the library', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 900 });
  let workbench: Workbench;
  let library: LibraryPane;
  const open = () => withParts(editor(), ({ library }) => library.requests('open'));

  before(async () => {
    workbench = editor().workbench;
    const folder = writeDocuments(editor());
    await withParts(editor(), (parts) =>
      parts.library.ingest({ source: `${folder}/tide-gauges.md` }, { author: 'ada' }),
    );
    library = await LibraryPane.open(workbench);
    await library.shows(/^Handbook of Tide Gauges/);
  });

  it('is said once, quietly, and answered from there', async () => {
    await askForDocument(editor(), 'ISO 4373');
    const said = 'Scripted Agent cannot go on without a document: ISO 4373';
    await workbench.notification(said).waitFor();
    await workbench.rest();
    await workbench.screenshot('library-request-notice');
    await workbench.answerNotification(said, 'Answer…');
    await workbench.pick(TITLE);
    await workbench.notification('Answered: ISO 4373').waitFor();
    await library.lacks(/^Asked for/);
    await workbench.clearNotifications();
  });

  it('is said of several at once, and leads to the view', async () => {
    await withParts(editor(), async (parts) => {
      for (const topic of ['ISO 9906', 'Dredging plan'])
        await parts.library.requestDocument({ topic, rationale: 'Needed.', urgency: 'nice_to_have' }, BY_AGENT);
    });
    await workbench.notification('2 documents are asked for.').waitFor();
    await workbench.answerNotification('2 documents are asked for.', 'Not Now');
    await library.shows(/^Asked for 2/);
    await workbench.page.locator(BADGE).waitFor();
  });

  it('is not said again, and counted in the next window before the library is opened', async () => {
    await editor().openFolder(editor().workspace);
    await workbench.page.locator(BADGE).waitFor({ timeout: 30_000 });
    await LibraryPane.open(workbench);
    await library.shows(/^Asked for 2/);
    for (const { id } of await open())
      await withParts(editor(), (parts) => parts.library.settleRequest(id, 'dismissed', { author: 'ada' }));
    await library.lacks(/^Asked for/);
    assert.equal(await workbench.page.locator('.notifications-toasts .notification-list-item').count(), 0);
  });
});

describe('what agents propose for the library', () => {
  const site = new WebServer();
  const held: ServerResponse[] = [];
  const editor = useEditor({
    settings: { ...pictureSettings, 'kaizen.agentWrites': 'review', 'kaizen.library.web.allowPrivateAddresses': true },
    width: 1280,
    height: 900,
  });
  let workbench: Workbench;
  const waiting = () => withParts(editor(), ({ review }) => review.proposals().length);

  before(async () => {
    workbench = editor().workbench;
    await site.start();
    site.on('/tides', (_, response) => void held.push(response));
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('checkout-api 15 entries');
    await propose(editor(), site.url('/tides'));
    await workbench.treeShows('Pending 1 proposed change');
    await workbench.clearNotifications();
  });
  after(() => site.stop());

  async function accept(): Promise<ServerResponse> {
    const row = workbench.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: 'by Scripted Agent' });
    await row.hover();
    await row.locator('.action-label[aria-label^="Accept"]').click();
    await workbench.notification('Adding to the library').waitFor();
    return workbench.until(() => held.pop(), 'the page to be asked for');
  }

  it('is stopped while it is fetched, and waits again', async () => {
    await accept();
    await workbench.rest();
    await workbench.screenshot('library-accepting');
    await workbench.notification('Adding to the library').getByRole('button', { name: 'Cancel' }).click();
    await workbench.notification('Adding to the library').waitFor({ state: 'hidden' });
    await workbench.clearNotifications();
    assert.equal(await waiting(), 1);
  });

  it('comes in by accepting it', async () => {
    const page = await accept();
    const text =
      '<p>A tide gauge measures the height of the sea, once an hour, in each harbour of the coast.</p>'.repeat(4);
    page
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>Tides</title><article><h1>Tides</h1>${text}</article>`);
    await workbench.notification('Accepted what Scripted Agent proposed').waitFor();
    assert.equal(await waiting(), 0);
    const [source] = await withParts(editor(), ({ library }) => library.sources());
    assert.equal(source?.added_by, 'Scripted Agent');
  });
});

function propose(editor: Editor, source: string): Promise<unknown> {
  return withParts(editor, ({ review }) =>
    review.propose({ operation: 'write_library', input: { action: 'ingest', request: { source } } }, BY_AGENT),
  );
}
