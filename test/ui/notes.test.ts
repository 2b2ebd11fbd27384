import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kaizen } from '../../src/kaizen';
import type { NotePatch } from '../../src/notes';
import { outDirectory } from '../../tools/vscode/paths.mjs';
import { type DatabaseServer, OWNER, startDatabaseServer, withQuery } from '../support/postgres';
import { assertAccessible } from './support/accessibility';
import { type Editor, useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const NOTES = 'Notes';
const CHARGE = '002-charge-once';
const SUBJECT = 'Charge a cart once, however often it is asked for';

/** Publishes a change of a note, or the note as the window has it, as somebody else on another machine. */
async function publishElsewhere(url: string, { workspace }: Editor, id: string, patch: NotePatch): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'kzn-'));
  const project = path.join(directory, 'clone');
  mkdirSync(project);
  const kaizen = new Kaizen({
    data: path.join(directory, 'data'),
    shared: path.join(directory, 'shared'),
    notes: { project },
    registry: { url },
  });
  const change = { author: 'Robin' };
  try {
    const { notes } = await kaizen.parts();
    notes.start();
    await notes.ready(10_000);
    const registry = await notes.registry();
    if (await registry.get(id)) {
      await notes.write({ action: 'download', zettel_id: id, destination: ['project'] }, change);
    } else {
      const file = readdirSync(workspace, { recursive: true, encoding: 'utf8' }).find((each) =>
        each.endsWith(`${id}.md`),
      );
      writeFileSync(path.join(project, `${id}.md`), readFileSync(path.join(workspace, file ?? '')));
      await notes.rescan();
    }
    await notes.write({ action: 'update', zettel_id: id, patch }, change);
    await notes.write({ action: 'publish', zettel_id: id }, change);
  } finally {
    await kaizen.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What an agent in another process would change, where its writes wait for review. */
async function proposeTitle({ env, workspace }: Editor, id: string, title: string): Promise<void> {
  const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = env;
  const notes = { project: path.join(workspace, '.ai', 'knowledge') };
  const kaizen = new Kaizen({ data, shared, project, notes });
  try {
    const parts = await kaizen.parts();
    parts.notes.start();
    await parts.notes.ready(10_000);
    const input = { action: 'update', location: 'project', zettel_id: id, patch: { title } } as const;
    await parts.review.propose({ operation: 'write_note', input }, { author: 'Scripted Agent', by_agent: true });
  } finally {
    await kaizen.close();
  }
}

describe('the notes', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 900 });
  let workbench: Workbench;
  let server: DatabaseServer;
  let url: string;
  const noteFile = (...names: string[]) => path.join(editor().workspace, '.ai', 'knowledge', ...names);
  const text = (...names: string[]) => readFileSync(noteFile(...names), 'utf8');
  const has = async (line: string | RegExp) => {
    const rows = await workbench.viewRows(NOTES).catch(() => []);
    return rows.some((row) => (line instanceof RegExp ? line.test(row) : row === line));
  };
  const shows = (line: string | RegExp) => workbench.until(() => has(line), `the line ${line} in the view`);
  const tab = (name: string | RegExp) =>
    workbench.page.locator('.editor-group-container .tab').filter({ hasText: name }).first();
  /** Answers a box that hides what is typed. */
  const answerSecretly = async (about: string, secret: string) => {
    await workbench.page.locator('.quick-input-widget').getByText(about).waitFor();
    await workbench.page.keyboard.type(secret);
    await workbench.page.keyboard.press('Enter');
  };
  const selectNote = async (row: RegExp) => {
    await workbench.treeRow(row).click();
    await workbench.treeRow(row).click();
  };

  before(async function () {
    this.timeout(120_000);
    server = await startDatabaseServer({ tls: true });
    url = await server.createDatabase();
    workbench = editor().workbench;
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('checkout-api 15 entries');
    await workbench.setWidth('sidebar', 420);
    await workbench.showAlone(NOTES);
  });
  after(async () => {
    await server?.stop();
  });
  afterEach(() => workbench.clearNotifications());

  it('are shown by space and category, with their collections', async () => {
    await shows(/^Project 6 notes/);
    await shows('User no notes yet');
    await workbench.unfold('patterns', 'learnings', 'Collections', 'Charging safely');
    await shows(`${SUBJECT} ${CHARGE} · pattern`);
    await shows('Charging safely 3 notes · learning path');
    await selectNote(/Charge a cart once/);
    await tab(CHARGE).waitFor();
    await workbench.webview().getByText(SUBJECT).first().waitFor();
    await assertAccessible(workbench, '.part.sidebar .pane-body');
    await workbench.rest();
    await workbench.screenshot('notes');
  });

  it('are made from a template, with an id that is proposed', async () => {
    await workbench.runCommand('Kaizen: New Note');
    await workbench.rest();
    await workbench.screenshot('notes-new');
    await workbench.pick('learning');
    await workbench.answer('Title of the note', 'Refunds can fail late');
    await workbench.pick('Project');
    await workbench.answer('Id of the note');
    await tab('006-refunds-can-fail-late').waitFor();
    const made = text('learnings', '006-refunds-can-fail-late.md');
    assert.match(
      made,
      /^---\nzettel_id: 006-refunds-can-fail-late\ntitle: Refunds can fail late\nentry_type: learning\n/,
    );
    assert.match(made, /# Refunds can fail late[\s\S]*## What happened/);
    await shows(/^Refunds can fail late/);
    // The form takes the focus once it is there, and no list must be open then.
    await workbench.webview().getByText('Refunds can fail late').first().waitFor();
    await workbench.until(
      async () => (await workbench.treeRow(/Refunds can fail late/).getAttribute('aria-selected')) === 'true',
      'the new note to be selected in the view',
    );
  });

  it('are linked with each other, which can be taken back', async () => {
    const linked = () => /depends_on:[\s\S]*002-charge-once/.test(text('learnings', '006-refunds-can-fail-late.md'));
    // The list of hits is drawn anew while it is searched, and a click can fall between two of them.
    await workbench.until(async () => {
      if (linked()) return true;
      await workbench.runAndPick('Kaizen: Link Notes', 'depends on');
      await workbench.quickInput.fill('charge once');
      await workbench.until(
        async () => (await workbench.choices()).some((choice) => choice.includes(CHARGE)),
        'the note among the hits',
      );
      // Others quote its id.
      await workbench.pick(`${CHARGE} · pattern`);
      return workbench.until(linked, 'the link in the front matter', 5_000).catch(() => false);
    }, 'the notes to be linked');
    await workbench.answerNotification('006-refunds-can-fail-late depends on 002-charge-once', 'Undo');
    await workbench.until(() => !linked(), 'the link to go');
  });

  it('are renamed by the keyboard, and links follow', async () => {
    // The form that opens takes the focus once it is there.
    await workbench.until(async () => {
      await workbench.treeRow(/The double charges of March/).click();
      await workbench.page.keyboard.press('F2');
      return workbench.quickInput.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    }, 'the question for the new id');
    await workbench.answer('Links in other notes follow', '003-double-charges');
    await workbench.until(() => existsSync(noteFile('learnings', '003-double-charges.md')), 'the file of the new name');
    await workbench.until(
      () =>
        !existsSync(noteFile('learnings', '003-double-charge-of-march.md')) &&
        /\[\[003-double-charges\|We charged 312 carts twice\]\]/.test(text('patterns', '002-charge-once.md')) &&
        /\[\[003-double-charges\]\]/.test(text('collections', 'charging-safely.md')),
      'the links to follow, and the old name to go',
    );
    await workbench.answerNotification('files whose links followed', 'Undo');
    await workbench.until(() => existsSync(noteFile('learnings', '003-double-charge-of-march.md')), 'the old name');
    await workbench.until(
      () => /\[\[003-double-charge-of-march\|/.test(text('patterns', '002-charge-once.md')),
      'the links to the old name',
    );
    await tab('003-double-charge-of-march').waitFor();
  });

  it('are moved by dragging, after a question, and moved back', async () => {
    const category = workbench.treeRow(/^patterns/);
    await workbench.drag(workbench.treeRow(/Refunds can fail late/), category);
    await workbench.answerDialog('Move');
    await workbench.until(() => existsSync(noteFile('patterns', '006-refunds-can-fail-late.md')), 'the file to move');
    await workbench.answerNotification('Moved 006-refunds-can-fail-late to Project, patterns', 'Undo');
    await workbench.until(
      () => existsSync(noteFile('learnings', '006-refunds-can-fail-late.md')),
      'the file to return',
    );
  });

  it('are moved to another space by a command, and moved back by undoing the last change', async () => {
    const file = noteFile('learnings', '006-refunds-can-fail-late.md');
    const before = readFileSync(file);
    await workbench.treeRow(/Refunds can fail late/).click();
    await workbench.runCommand('Kaizen: Move Note');
    await workbench.pick('User');
    await workbench.answer('Category: pick one', 'learnings');
    await workbench.until(() => !existsSync(file), 'the file to go');
    await shows(/^User 1 note/);
    await workbench.notification('Moved 006-refunds-can-fail-late to User, learnings').waitFor();
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Undo Last Change of Notes');
    await workbench.dialog.getByText('Undo the last change of 006-refunds-can-fail-late?').waitFor();
    await workbench.screenshot('notes-undo');
    await workbench.answerDialog('Undo');
    await workbench.until(() => existsSync(file), 'the file to return');
    await workbench.page.locator('.breadcrumbs-control').getByText('.ai').waitFor();
    assert.deepEqual(readFileSync(file), before);
    await shows('User no notes yet');
  });

  it('are gathered in a new collection', async () => {
    await workbench.runCommand('Kaizen: New Collection of Notes');
    await workbench.answer('Name of the collection', 'Refunding');
    await workbench.pick('learning path');
    await workbench.answer('What it is for');
    await workbench.pick('Project');
    await workbench.pick('004-refund-in-bulk');
    await workbench.page.keyboard.press('Enter');
    await shows('Refunding 1 note · learning path');
    assert.match(text('collections', 'refunding.md'), /\n- \[\[004-refund-in-bulk\]\]/);
    await workbench.answerNotification('Made the collection Refunding', 'Undo');
    await workbench.until(() => !existsSync(noteFile('collections', 'refunding.md')), 'the collection to go');
  });

  it('are put into a collection', async () => {
    const collection = workbench.treeRow('Charging safely');
    await workbench.clickInLine(collection, 'Add to Collection');
    await workbench.quickInput.fill('sandbox');
    await workbench.quickRows.filter({ hasText: '005-sandbox-key-lifetime' }).first().click();
    await workbench.page.keyboard.press('Enter');
    await shows('Charging safely 4 notes · learning path');
    assert.match(text('collections', 'charging-safely.md'), /\n- \[\[005-sandbox-key-lifetime\]\]/);
    await workbench.answerNotification('Added 005-sandbox-key-lifetime to Charging safely', 'Undo');
    await shows('Charging safely 3 notes · learning path');
  });

  it('are changed by agents as the person accepts, who can take it back', async () => {
    const before = text('patterns', '002-charge-once.md');
    await proposeTitle(editor(), CHARGE, 'Charge once');
    await workbench.runCommand('Kaizen: Review Proposed Changes');
    await workbench.until(
      async () => (await workbench.choices()).some((row) => row.includes('change the note, by Scripted Agent')),
      'the proposal in the list',
    );
    await workbench.pick(CHARGE);
    await workbench.page.locator('.monaco-diff-editor').getByText('Charge once').first().waitFor();
    await workbench.rest();
    await workbench.screenshot('notes-proposal');
    const row = workbench.quickRows.filter({ hasText: CHARGE }).first();
    await row.hover();
    await row.getByRole('button', { name: 'Accept' }).click();
    await workbench.until(() => /\ntitle: Charge once\n/.test(text('patterns', '002-charge-once.md')), 'the new title');
    await workbench.answerNotification('Accepted what Scripted Agent proposed', 'Undo');
    await workbench.until(() => text('patterns', '002-charge-once.md') === before, 'the file of before');
  });

  it('are brought over from the old layout, after a look at what would be written', async () => {
    const old = path.join(editor().workspace, 'knowledge', 'base', 'patterns');
    mkdirSync(old, { recursive: true });
    writeFileSync(
      path.join(old, '090-old.md'),
      '---\nzettel_id: 090-old\ntitle: Old\nentry_type: pattern\n---\n\nText.\n',
    );
    // The form of the note that is open may take the focus late, which closes a list.
    await workbench.runAndPick('Kaizen: Migrate Old Notes', 'knowledge/base', 'Project');
    await workbench.page.locator('.monaco-editor').getByText('Nothing is written yet').first().waitFor();
    await workbench.rest();
    await workbench.screenshot('notes-migration');
    assert.ok(!existsSync(noteFile('patterns', '090-old.md')));
    await workbench.answerNotification('Bring 1 note over to Project', 'Bring Over');
    await workbench.until(() => existsSync(noteFile('patterns', '090-old.md')), 'the note');
    assert.ok(existsSync(path.join(old, '090-old.md')), 'the old file stays');
    await workbench.answerNotification('Brought over: 1', 'Undo');
    await workbench.until(() => !existsSync(noteFile('patterns', '090-old.md')), 'the note to go');
  });

  it('have a list of what was changed through Kaizen', async () => {
    await workbench.runCommand('Kaizen: Show Changes of Notes');
    assert.match((await workbench.choices()).join('\n'), /changed by Scripted Agent/);
    await workbench.rest();
    await workbench.screenshot('notes-changes');
    await workbench.quickInput.fill('renamed by');
    await workbench.until(
      async () => (await workbench.choices()).every((row) => row.includes('renamed by')),
      'the rename in the list',
    );
    await workbench.page.keyboard.press('Escape');
  });

  it('are shared through a registry once it was tried, with what is wrong said in words', async () => {
    const wrong = new URL(url);
    wrong.port = '1';
    await workbench.runCommand('Kaizen: Connect to Registry');
    await answerSecretly('Address of the PostgreSQL database', wrong.href);
    await workbench.notification(/registry/i).waitFor();
    await workbench.rest();
    await workbench.screenshot('notes-unreachable');
    await workbench.clearNotifications();
    // PGlite speaks no TLS.
    const isProven = server.kind === 'pglite';
    const address = isProven ? url : withQuery(url, { sslmode: 'verify-full' });
    for (const answer of isProven ? [] : ['Cancel', 'Connect Without Checking']) {
      await workbench.runCommand('Kaizen: Connect to Registry');
      await answerSecretly('Address of the PostgreSQL database', address);
      await workbench.dialog.getByText('cannot be verified').waitFor();
      await workbench.screenshot('notes-registry-certificate');
      await workbench.answerDialog(answer);
      assert.ok(!(await has(/^Registry/)), 'nothing is kept yet');
    }
    if (isProven) {
      await workbench.runCommand('Kaizen: Connect to Registry');
      await answerSecretly('Address of the PostgreSQL database', address);
    }
    await workbench.dialog.getByText('Set up a registry in').waitFor();
    await workbench.screenshot('notes-registry-set-up');
    await workbench.answerDialog('Set Up');
    await workbench.notification(isProven ? 'Connected to' : 'TLS, certificate not checked').waitFor();
    await shows(/^Registry .*as team$/);
    const shown = (await workbench.viewRows(NOTES)).join('\n');
    assert.ok(!shown.includes(new URL(url).password), 'the password is shown nowhere');
  });

  it('are published with a version, and the difference is shown before the next one', async () => {
    await workbench.treeRow(/Charge a cart once/).click();
    await workbench.runCommand('Kaizen: Publish Note');
    await workbench.pick('1.0.0');
    await workbench.notification(`Published ${CHARGE} as 1.0.0`).waitFor();
    await workbench.until(() => /\nversion: "?1\.0\.0"?\n/.test(text('patterns', '002-charge-once.md')), 'the version');
    const file = noteFile('patterns', '002-charge-once.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('never of the time.', 'and of nothing else.'));
    await workbench.runCommand('Kaizen: Publish Note');
    await workbench.page.locator('.monaco-diff-editor').getByText('and of nothing else.').first().waitFor();
    await workbench.rest();
    await workbench.screenshot('notes-publish');
    await workbench.pick('1.1.0');
    await workbench.notification(`Published ${CHARGE} as 1.1.0`).waitFor();
    await workbench.runCommand('Kaizen: Compare Note with Registry');
    await workbench.pick('1.0.0');
    await tab('registry 1.0.0').waitFor();
    await workbench.page.locator('.monaco-diff-editor').getByText('never of the time.').first().waitFor();
  });

  it('are not published over what somebody else has published since, unless the person has seen it', async () => {
    await publishElsewhere(url, editor(), CHARGE, { title: 'Charge a cart once' });
    const file = noteFile('patterns', '002-charge-once.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('people press the button twice', 'people press twice'));
    await workbench.treeRow(/Charge a cart once/).click();
    await workbench.runCommand('Kaizen: Publish Note');
    await workbench.pick('1.1.2');
    const conflict = workbench.notification('Robin has published 1.1.1 since');
    await conflict.waitFor();
    await workbench.rest();
    await workbench.screenshot('notes-conflict');
    await workbench.answerNotification('Robin has published 1.1.1 since', 'Leave It');
    await workbench.runCommand('Kaizen: Publish Note');
    await workbench.pick('1.1.2');
    await workbench.answerNotification('Robin has published 1.1.1 since', 'Publish as 1.1.2');
    await workbench.notification(`Published ${CHARGE} as 1.1.2`).waitFor();
  });

  it('are downloaded, and a file that says something else stays until the person replaces it', async () => {
    await publishElsewhere(url, editor(), '004-refund-in-bulk', { tags: ['refunds'] });
    const file = noteFile('workflows', '004-refund-in-bulk.md');
    const before = readFileSync(file, 'utf8');
    await workbench.runCommand('Kaizen: Search Registry');
    await workbench.quickInput.fill('second mistake');
    await workbench.until(
      async () => (await workbench.choices()).some((choice) => choice.includes('004-refund-in-bulk')),
      'the note of the registry',
    );
    await workbench.rest();
    await workbench.screenshot('notes-registry-search');
    await workbench.pick('004-refund-in-bulk');
    await tab('004-refund-in-bulk@1.0.0').waitFor();
    await shows('Refund many charges without a second mistake 004-refund-in-bulk · 1.0.0');
    const line = workbench.treeRow(/004-refund-in-bulk · 1\.0\.0/);
    await workbench.clickInLine(line, 'Download Note from Registry');
    await workbench.pick('Both');
    await workbench.page.locator('.monaco-diff-editor').first().waitFor();
    await workbench.rest();
    await workbench.screenshot('notes-download-conflict');
    await workbench.answerNotification('Your file stays unless you replace it', 'Keep');
    await shows(/^User 1 note/);
    assert.equal(readFileSync(file, 'utf8'), before);
    await workbench.clearNotifications();
    // Lines move down while the note comes in above them.
    await workbench.rest();
    await workbench.clickInLine(line, 'Download Note from Registry');
    await workbench.pick('Project');
    await workbench.answerNotification('Your file stays unless you replace it', 'Replace');
    await workbench.until(
      () => /tags: \[?\s*-? ?refunds\]?\n/.test(readFileSync(file, 'utf8')),
      'the file of the registry',
    );
    await workbench.answerNotification('Downloaded 004-refund-in-bulk', 'Undo');
    await workbench.until(() => readFileSync(file, 'utf8') === before, 'the file of before');
  });

  it('stay when the registry is disconnected, which can be taken back', async () => {
    await workbench.runCommand('Kaizen: Disconnect from Registry');
    await workbench.until(async () => !(await has(/^Registry/)), 'the registry to leave the view');
    await shows(/^Project 7 notes/);
    await workbench.answerNotification('Disconnected from', 'Undo');
    await shows(/^Registry .*as team$/);
  });

  it('go on without the registry when it is down', async () => {
    await server.crash();
    await workbench.runCommand('Kaizen: Show State of Registry');
    await workbench
      .notification(/registry/i)
      .getByRole('button', { name: 'Connect…' })
      .waitFor();
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Find Note');
    await workbench.quickInput.fill('sandbox');
    await workbench.until(
      async () => (await workbench.choices()).some((choice) => choice.includes('005-sandbox-key-lifetime')),
      'the note among the hits',
    );
    await workbench.rest();
    await workbench.screenshot('notes-find');
    await workbench.page.keyboard.press('Escape');
  });

  it('are filtered with each key, and deleted so that it can be undone', async () => {
    await workbench.runCommand('Kaizen: Filter Notes');
    await workbench.answer('Filter Notes', 'sandbox');
    await shows('Project 1 of 7 notes');
    await workbench.rest();
    await workbench.screenshot('notes-filtered');
    const question = workbench.dialog.getByText('Links that will lead nowhere');
    // The note that a click opens may take the focus as it comes.
    await workbench.until(async () => {
      await workbench.treeRow(/How long the sandbox/).click();
      await workbench.page.keyboard.press('Delete');
      return question.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
    }, 'the question about deleting');
    await workbench.screenshot('notes-delete');
    await workbench.answerDialog('Delete');
    const file = noteFile('experiments', '005-sandbox-key-lifetime.md');
    await workbench.until(() => !existsSync(file), 'the file to go');
    await workbench.answerNotification('Deleted 005-sandbox-key-lifetime', 'Undo');
    await workbench.until(() => existsSync(file), 'the file to come back');
    await workbench.runCommand('Kaizen: Clear Filter of Notes');
    await shows(/^Project 7 notes/);
  });

  it('leave the password of the registry in no log, and in no file of the workspace or the stores', () => {
    editor().keepLogs('notes-secret');
    const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '' } = editor().env;
    const logs = path.join(outDirectory, 'ui-logs', 'notes-secret');
    const files = [logs, editor().workspace, data, shared].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    );
    assert.ok(
      files.some((file) => file.startsWith(logs) && /cannot be reached/.test(readFileSync(file, 'utf8'))),
      'what was wrong is logged',
    );
    for (const file of files) {
      const bytes = readFileSync(file);
      for (const secret of [OWNER.password, encodeURIComponent(OWNER.password)])
        assert.ok(!bytes.includes(secret), `the password is in ${file}`);
    }
  });

  it('show in light and in high contrast what they show in dark', async () => {
    for (const [name, theme] of [
      ['light', 'Light Modern'],
      ['contrast', 'Dark High Contrast'],
    ] as const) {
      await workbench.runCommand('Preferences: Color Theme');
      await workbench.answer('Select Color Theme', theme);
      await workbench.rest();
      await assertAccessible(workbench, '.part.sidebar .pane-body');
      await workbench.screenshot(`notes-${name}`);
    }
  });
});
