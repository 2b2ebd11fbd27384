import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kaizen } from '../../src/kaizen';
import { assertAccessible, assertWebviewAccessible } from './support/accessibility';
import { type Editor, useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const BASES = 'Knowledge Bases';
const SHORTER = 'Amounts are integer minor units, with their currency.';

/** What an agent in another process would change in a node of the documentation. */
async function proposeUpdate({ env, workspace }: Editor, node: string, content: string): Promise<void> {
  const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = env;
  const bases = [{ name: 'docs', root: path.join(workspace, 'docs') }];
  const kaizen = new Kaizen({ data, shared, project, bases });
  try {
    const parts = await kaizen.parts();
    parts.bases.start();
    await parts.bases.ready(10_000);
    const input = await parts.bases.prepareUpdate(node, content);
    const change = { author: 'Scripted Agent', by_agent: true, reason: 'Said twice' };
    await parts.review.propose({ operation: 'update_node', input }, change);
  } finally {
    await kaizen.close();
  }
}

/** Counts a task that an agent asked about, as its server does. */
async function discover({ env, workspace }: Editor): Promise<void> {
  const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = env;
  const bases = [{ name: 'docs', root: path.join(workspace, 'docs') }];
  const kaizen = new Kaizen({ data, shared, project, bases, countReads: true });
  try {
    const { discovery } = await kaizen.parts();
    discovery.start();
    await discovery.discover({ task_description: 'Refund part of a charge', max_results: 5 });
    await discovery.retrieve({ ids: ['guidelines.payments.refund_limits'] });
  } finally {
    await kaizen.close();
  }
}

/** An OpenAI-compatible endpoint on this machine that gives every text the same vector, and keeps what it was asked. */
async function startEndpoint(): Promise<{ url: string; keys: (string | undefined)[]; server: Server }> {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string | string[] };
      const data = [input].flat().map((_, index) => ({ index, embedding: [1, 0, 0, 0] }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, keys, server };
}

describe('the knowledge bases', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 900 });
  let workbench: Workbench;
  const inWorkspace = (...names: string[]) => path.join(editor().workspace, ...names);
  const view = () => workbench.view(BASES);
  const shows = (line: string | RegExp) =>
    workbench.until(
      async () =>
        (await workbench.viewRows(BASES)).some((row) => (line instanceof RegExp ? line.test(row) : row === line)),
      `the line ${line} in the view`,
    );

  before(async () => {
    workbench = editor().workbench;
    // The example comes with its docs set up; who begins has nothing.
    rmSync(inWorkspace('.vscode'), { recursive: true });
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('General general · 18 entries');
    await workbench.setWidth('sidebar', 400);
    await workbench.showAlone(BASES);
  });
  afterEach(() => workbench.clearNotifications());

  it('are offered, and none is taken by itself', async () => {
    await view().getByText('Nothing is taken but what you choose').waitFor();
    assert.ok(!existsSync(inWorkspace('.vscode', 'settings.json')));
    await assertAccessible(workbench, '.part.sidebar .pane-body');
    await workbench.rest();
    await workbench.screenshot('bases-welcome');
    await view().getByRole('button', { name: 'Add Knowledge Base' }).last().click();
    const choices = await workbench.choices();
    assert.match(choices.join('\n'), /checkout-api-docs.*5 files[\s\S]*Another Folder/);
    await workbench.screenshot('bases-offer');
    await workbench.pick('checkout-api-docs');
    await workbench.answer('The name that agents and addresses call it by', 'docs');
    await workbench.notification('Added the knowledge base docs').waitFor();
    assert.deepEqual(
      JSON.parse(readFileSync(inWorkspace('.vscode', 'settings.json'), 'utf8'))['kaizen.bases'].docs.path,
      'docs',
    );
    await shows(/^docs 5 files, \d+ nodes$/);
  });

  it('show their headings, and open at them', async () => {
    await workbench.unfold(/^docs.*files/, /^guidelines/, /^PAYMENTS\.md/);
    await shows('Refund limits guideline');
    await shows('Rounding by country guideline · deprecated');
    await workbench.treeRow('Refund limits').click();
    await workbench.page.locator('.editor-group-container .tab').filter({ hasText: 'PAYMENTS.md' }).first().waitFor();
    const line =
      readFileSync(inWorkspace('docs/guidelines/PAYMENTS.md'), 'utf8').split('\n').indexOf('## Refund limits') + 1;
    await workbench.statusBarItem(`Ln ${line}, Col 1`).waitFor();
  });

  it('show on top what an agent would get for the file in front, which can be hidden', async () => {
    await workbench.openFile('refunds.ts');
    await shows('For refunds.ts what an agent gets');
    await shows(/names this file/);
    await shows(/ 0\.\d\d .*\.md#/);
    await assertAccessible(workbench, '.part.sidebar .pane-body');
    await workbench.rest();
    await workbench.screenshot('bases-dark');
    await workbench.runCommand('Kaizen: Hide the Group for the Current File');
    await workbench.until(
      async () => !(await workbench.viewRows(BASES)).some((row) => row.startsWith('For ')),
      'the group to go',
    );
    await workbench.runCommand('Kaizen: Show the Group for the Current File');
    await shows('For refunds.ts what an agent gets');
  });

  it('say what is wrong with a file, in the view and among the problems', async () => {
    const file = inWorkspace('docs/guidelines/TWICE.md');
    writeFileSync(file, '# Twice\n- id: twice\n<!-- content -->\nA.\n\n## Again\n- id: twice\n<!-- content -->\nB.\n');
    await shows(/^TWICE\.md 1 problem/);
    await workbench.until(
      async () => (await workbench.problems()).some((line) => line.includes('twice') && line.includes('Kaizen')),
      'the problem in the panel',
    );
    await workbench.screenshot('bases-problem');
    rmSync(file);
    await workbench.until(
      async () => !(await workbench.viewRows(BASES)).some((row) => row.startsWith('TWICE')),
      'the file to go',
    );
    await workbench.page.locator('.part.panel').getByRole('button', { name: 'Hide Panel' }).click();
  });

  it('are found together with what is stored, with each key and with the ranking that agents get', async () => {
    await workbench.runCommand('Kaizen: Find Knowledge');
    await workbench.quickInput.fill('refund lim');
    const rows = await workbench.until(async () => {
      const texts = await workbench.choices();
      return texts.some((text) => text.includes('PAYMENTS.md')) ? texts : undefined;
    }, 'nodes among the hits');
    assert.ok(
      rows.some((row) => row.includes('checkout-api')),
      'entries are among the hits',
    );
    await workbench.screenshot('bases-find');
    await workbench.quickInput.fill('ledger in:skills');
    await workbench.until(
      async () => (await workbench.choices()).every((text) => text.includes('RECONCILE.md')),
      'only what is in the folder',
    );
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.editor-group-container .tab').filter({ hasText: 'RECONCILE.md' }).first().waitFor();
  });

  it('list what an agent gets for a file, to open and to hand on', async () => {
    await workbench.openFile('refunds.ts');
    await workbench.runCommand('Kaizen: Show What an Agent Gets for This File');
    await workbench.page.getByText('What an Agent Gets for src/payments/refunds.ts').first().waitFor();
    assert.match((await workbench.choices()).join('\n'), /names this file/);
    await workbench.rest();
    await workbench.screenshot('bases-for-file');
    await workbench.pick('.md#');
    await workbench.page.locator('.editor-group-container .tab').filter({ hasText: '.md' }).first().waitFor();
  });

  it('are changed by agents only when a person accepts, who can take it back', async () => {
    const file = inWorkspace('docs/guidelines/PAYMENTS.md');
    const before = readFileSync(file, 'utf8');
    await proposeUpdate(editor(), 'guidelines.payments.amounts', SHORTER);
    assert.equal(readFileSync(file, 'utf8'), before);
    await workbench.foldView('Knowledge', true);
    const row = workbench.treeRow(/guidelines\.payments\.amounts.*update the node/);
    await row.click();
    await workbench.page.locator('.monaco-diff-editor').getByText(SHORTER).first().waitFor();
    await workbench.rest();
    await workbench.screenshot('bases-proposal');
    await row.getByRole('button', { name: 'Accept Proposed Change' }).click();
    await workbench.until(() => readFileSync(file, 'utf8').includes(SHORTER), 'the file to be written');
    await workbench.answerNotification('Accepted what Scripted Agent proposed', 'Undo');
    await workbench.until(() => readFileSync(file, 'utf8') === before, 'the file to be as it was');
    await workbench.foldView('Knowledge', false);
  });

  it('are not changed over what somebody has written since, unless the person says so having seen it', async () => {
    const file = inWorkspace('docs/guidelines/PAYMENTS.md');
    const before = readFileSync(file, 'utf8');
    const between = before.replace('Amounts are integer minor units', 'Amounts are whole minor units');
    await proposeUpdate(editor(), 'guidelines.payments.amounts', SHORTER);
    writeFileSync(file, between);
    await workbench.foldView('Knowledge', true);
    const row = workbench.treeRow(/guidelines\.payments\.amounts.*update the node/);
    await row.click();
    await workbench.page.locator('.monaco-diff-editor').getByText('Amounts are whole minor units').first().waitFor();
    const accept = row.getByRole('button', { name: 'Accept Proposed Change' });
    await accept.click();
    await workbench.dialog.getByText('was changed since Scripted Agent proposed this').waitFor();
    await workbench.rest();
    await workbench.screenshot('bases-conflict');
    await workbench.answerDialog('Cancel');
    assert.equal(readFileSync(file, 'utf8'), between);
    await row.hover();
    await accept.click();
    await workbench.answerDialog('Accept Anyway');
    await workbench.until(() => readFileSync(file, 'utf8').includes(SHORTER), 'the file to be written');
    // Whoever goes on writing does not lose that by taking the agent's change back.
    const after = readFileSync(file, 'utf8').replace(SHORTER, 'Amounts are counted in cents.');
    writeFileSync(file, after);
    await workbench.answerNotification('Accepted what Scripted Agent proposed', 'Undo');
    await workbench.notification('"guidelines.payments.amounts" was changed since.').waitFor();
    assert.equal(readFileSync(file, 'utf8'), after);
    writeFileSync(file, before);
    await workbench.foldView('Knowledge', false);
  });

  it('are counted on the dashboard when agents are recommended and take them', async () => {
    await discover(editor());
    await workbench.runCommand('Kaizen: Open Dashboard');
    const table = workbench.webview().getByRole('table', { name: 'What Agents Found' });
    await table.getByText('Refund limits').waitFor();
    await table.scrollIntoViewIfNeeded();
    await assertWebviewAccessible(workbench);
    await workbench.screenshot('bases-dashboard');
    await table.getByRole('button', { name: 'Refund limits' }).click();
    await workbench.page.locator('.editor-group-container .tab').filter({ hasText: 'PAYMENTS.md' }).first().waitFor();
  });

  it('are searched by meaning as well once a person has set that up, with the key in secret storage', async () => {
    const { url, keys, server } = await startEndpoint();
    try {
      await workbench.runCommand('Kaizen: Set Up Search by Meaning');
      await workbench.choices();
      await workbench.rest();
      await workbench.screenshot('bases-embeddings');
      await workbench.pick('An endpoint of your choice');
      await workbench.answer('Address of the OpenAI-compatible API', url);
      await workbench.answer('Name of the embedding model', 'tiny');
      await workbench.page.locator('.quick-input-widget').getByText('Key for 127.0.0.1').waitFor();
      await workbench.page.keyboard.type('a-secret');
      await workbench.page.keyboard.press('Enter');
      await workbench.notification('Search goes by meaning as well').waitFor();
      await view().getByText('by words and meaning').waitFor();
      assert.ok(keys.length > 1 && keys.every((key) => key === 'Bearer a-secret'));
      await workbench.clearNotifications();
      await workbench.runCommand('Kaizen: Show State of Search by Meaning');
      await workbench.notification('Search goes by words and meaning').waitFor();
      await workbench.clearNotifications();
      await workbench.runAndPick('Kaizen: Set Up Search by Meaning', 'Words only');
      await workbench.notification('Nothing leaves this machine').waitFor();
      await view().getByText('by words and meaning').waitFor({ state: 'hidden' });
      await workbench.runCommand("Kaizen: Forget the Endpoint's Key");
      await workbench.notification(`Forgotten: the key for ${new URL(url).origin}`).waitFor();
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('are let go, and the files stay', async () => {
    await workbench.treeRow(/^docs.*files/).hover();
    await workbench
      .treeRow(/^docs.*files/)
      .getByRole('button', { name: 'Remove Knowledge Base' })
      .click();
    await workbench.notification('Removed the knowledge base docs').waitFor();
    await view().getByText('Nothing is taken but what you choose').waitFor();
    assert.ok(existsSync(inWorkspace('docs/ARCHITECTURE.md')));
    // What came meanwhile stays when this one is taken back.
    const settings = inWorkspace('.vscode', 'settings.json');
    writeFileSync(settings, JSON.stringify({ 'kaizen.bases': { plans: { path: 'docs/plans' } } }));
    await shows(/^plans 1 file/);
    await workbench.answerNotification('Removed the knowledge base docs', 'Undo');
    await shows(/^docs 5 files/);
    await shows(/^plans 1 file/);
    writeFileSync(settings, JSON.stringify({ 'kaizen.bases': { docs: { path: 'docs' } } }));
  });

  it('lie outside of the workspace only where the person has allowed it', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'kaizen-team-'));
    const settings = inWorkspace('.vscode', 'settings.json');
    const before = readFileSync(settings, 'utf8');
    try {
      writeFileSync(path.join(outside, 'TEAM.md'), '# Team\n\nWho is who.\n');
      const bases = { docs: { path: 'docs' }, team: { path: outside }, gone: { path: 'not/there' } };
      writeFileSync(settings, JSON.stringify({ 'kaizen.bases': bases }));
      await workbench.notification('The knowledge base team of this workspace lies outside of it').waitFor();
      await shows(/^gone the folder is missing/);
      await workbench.rest();
      await workbench.screenshot('bases-outside');
      assert.ok(!(await workbench.viewRows(BASES)).some((row) => row.startsWith('team 1 file')));
      await workbench.clearNotifications();
      await workbench.treeRow('team: not used, it lies outside of the workspace').click();
      await workbench.dialog.getByText(outside).waitFor();
      await workbench.answerDialog('Allow');
      await shows(/^team 1 file, 1 node$/);
    } finally {
      writeFileSync(settings, before);
      rmSync(outside, { recursive: true });
    }
    await workbench.until(
      async () => !(await workbench.viewRows(BASES)).some((row) => row.startsWith('team')),
      'the base to go',
    );
  });

  it('are readable in light colours, too', async () => {
    await workbench.openFile('refunds.ts');
    await workbench.runAndPick('Preferences: Color Theme', 'Light Modern');
    await workbench.page.locator('.monaco-workbench.vs').waitFor();
    await shows('For refunds.ts what an agent gets');
    await assertAccessible(workbench, '.part.sidebar .pane-body');
    await workbench.rest();
    await workbench.screenshot('bases-light');
  });
});
