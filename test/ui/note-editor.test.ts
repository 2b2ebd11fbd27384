import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { assertWebviewAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const THEMES = { dark: 'Dark Modern', light: 'Light Modern', contrast: 'Dark High Contrast' };

const NOTES = {
  'patterns/042-email-deliverability.md': `---
zettel_id: 042-email-deliverability
title: Email Deliverability Best Practices
# Asked for by support.
entry_type: pattern
tags: [email, deliverability]
source_type: experiment
source_url: https://example.com/deliverability
created_at: 2025-01-15T10:00:00Z
updated_at: 2025-01-15T10:00:00Z
team: growth
relationships:
  extends: [043-spf-records]
---

# Email Deliverability Best Practices

Mail that is not signed lands among spam.

## Related Entries

- [[043-spf-records]] - SPF record setup
- [[044-dkim-stup]] - DKIM configuration
`,
  'references/043-spf-records.md': `---
zettel_id: 043-spf-records
title: SPF Records
entry_type: reference
tags: [email, dns]
---

# SPF Records

One record for each domain, as [[042-email-deliverability]] asks.

## Limits

Ten lookups at most.
`,
  'references/044-dkim-setup.md': `---
zettel_id: 044-dkim-setup
title: DKIM Setup
entry_type: reference
---

# DKIM Setup

Rotate the keys.
`,
  'collections/email.md': `---
name: Email Infrastructure
description: All entries about email setup
collection_type: topic
created_at: 2025-01-15T10:00:00Z
---

- [[042-email-deliverability]] Email Deliverability Best Practices
`,
  'concepts/unreadable.md': '---\ntitle: "open\nentry_type: concept\n---\n\nStill here.\n',
};

describe('the note editor', () => {
  const user = mkdtempSync(path.join(tmpdir(), 'kaizen-user-notes-'));
  const editor = useEditor({
    files: Object.fromEntries(Object.entries(NOTES).map(([name, text]) => [`zettels/${name}`, text])),
    settings: {
      ...pictureSettings,
      'files.autoSave': 'off',
      'kaizen.notes.projectFolder': 'zettels',
      'kaizen.notes.userFolder': user,
      'workbench.editorAssociations': { '**/zettels/**/*.md': 'kaizen.noteEditor' },
    },
    env: { USER: 'maria', KAIZEN_USER_NOTES: user },
    width: 1440,
    height: 1000,
  });
  let workbench: Workbench;
  let form: FrameLocator;
  let content: Locator;
  let root: string;
  const refusals: string[] = [];
  let isProbing = false;

  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const probe = async (look: () => Promise<unknown>) => {
    isProbing = true;
    await look();
    isProbing = false;
  };
  const picture = (name: string) => probe(() => workbench.screenshot(name));
  const isAccessible = () => probe(() => assertWebviewAccessible(workbench));
  const chooseTheme = async (theme: string) => {
    await workbench.runCommand('Preferences: Color Theme');
    await workbench.quickRows.first().waitFor();
    await workbench.quickInput.fill(theme);
    await workbench.pick(theme);
    await workbench.rest();
  };
  const open = async (name: string, title: string) => {
    await workbench.openFile(name);
    await form.getByRole('heading', { level: 1, name: title }).waitFor({ timeout: 30_000 });
  };
  const save = async (file: string, words: RegExp) => {
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await workbench.until(() => words.test(read(file)), `${words} in ${file}`);
  };

  before(async () => {
    workbench = editor().workbench;
    root = path.join(editor().workspace, 'zettels');
    workbench.page.on('console', (message) => {
      if (!isProbing && /Content.Security.Policy/i.test(message.text())) refusals.push(message.text());
    });
    form = workbench.webview();
    content = form.getByRole('textbox', { name: 'Text' });
  });

  after(() => rmSync(user, { recursive: true, force: true }));

  it('shows what a note says, what links to it, which collections hold it, and what is wrong with it', async () => {
    await open('042-email-deliverability.md', 'Email Deliverability Best Practices');
    assert.match(await content.inputValue(), /^# Email Deliverability Best Practices\n/);
    assert.equal(
      await form.getByRole('textbox', { name: 'Title' }).inputValue(),
      'Email Deliverability Best Practices',
    );
    assert.equal(await form.getByRole('combobox', { name: 'Type', exact: true }).inputValue(), 'pattern');
    assert.deepEqual(
      (await form.locator('.tag').allInnerTexts()).map((tag) => tag.trim()),
      ['email', 'deliverability'],
    );
    await form.locator('.relationships').getByText('SPF Records').waitFor();
    await form.locator('.backlinks').getByRole('button', { name: 'SPF Records' }).waitFor();
    await form.locator('.collections').getByRole('button', { name: 'Email Infrastructure' }).waitFor();
    await form.locator('.banner', { hasText: 'No note is called "044-dkim-stup".' }).waitFor();
    await isAccessible();
  });

  it('makes pictures in every theme', async () => {
    for (const [name, theme] of Object.entries(THEMES)) {
      await chooseTheme(theme);
      await picture(`note-form-${name}`);
      await isAccessible();
    }
    await chooseTheme(THEMES.dark);
  });

  it('links to a note by completion, and keeps every byte of the front matter', async () => {
    const { page } = workbench;
    const file = 'patterns/042-email-deliverability.md';
    const before = read(file);
    await content.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('See [[dkim');
    await form.getByRole('option', { name: /044-dkim-setup/ }).waitFor();
    await picture('note-form-completion');
    await page.keyboard.press('Enter');
    await workbench.until(
      async () => (await content.inputValue()).endsWith('See [[044-dkim-setup]]'),
      'the link in the text',
    );
    await form.locator('.rendering').getByRole('button', { name: '044-dkim-setup' }).waitFor();
    await save(file, /See \[\[044-dkim-setup\]\]$/);
    const said = (text: string) => text.replace(/^updated_at: .*$/m, 'updated_at: then');
    assert.equal(said(read(file)), `${said(before)}See [[044-dkim-setup]]`);
    assert.match(read(file), /^updated_at: 20(?!25-01-15)/m, 'it says when it was changed');
  });

  it('edits tags, type and relationships as splices of the front matter, and undoes them', async () => {
    const { page } = workbench;
    const file = 'patterns/042-email-deliverability.md';
    const tag = form.getByRole('combobox', { name: 'Add a tag' });
    await tag.click();
    await tag.pressSequentially('dns');
    await page.keyboard.press('Enter');
    await form.locator('.tag', { hasText: 'dns' }).waitFor();
    await form.getByRole('combobox', { name: 'Type', exact: true }).selectOption('concept');
    await form.getByRole('combobox', { name: 'Kind of relationship' }).selectOption('depends_on');
    const target = form.getByRole('combobox', { name: 'Note that it leads to' });
    await target.click();
    await target.pressSequentially('setup');
    await form.getByRole('option', { name: /044-dkim-setup/ }).click();
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await form.locator('.relationships').getByRole('button', { name: 'DKIM Setup' }).waitFor();
    await save(file, /depends_on/);
    const text = read(file);
    assert.match(text, /^tags: \[email, deliverability, dns\]$/m);
    assert.match(text, /^entry_type: concept$/m);
    assert.match(text, /^ {2}depends_on: \[044-dkim-setup\]$/m);
    assert.match(text, /^# Asked for by support\.$/m);
    assert.match(text, /^team: growth$/m);
    await form.getByRole('button', { name: 'Remove the relationship to 044-dkim-setup' }).click();
    await form.locator('.relationships').getByRole('button', { name: 'DKIM Setup' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Z');
    await form.locator('.relationships').getByRole('button', { name: 'DKIM Setup' }).waitFor();
  });

  it('makes the note that a broken link asks for', async () => {
    await form.locator('.banner', { hasText: '044-dkim-stup' }).getByRole('button', { name: 'Create Note' }).click();
    await form.getByRole('heading', { level: 1, name: 'Dkim stup' }).waitFor({ timeout: 20_000 });
    await form.locator('.backlinks').getByRole('button', { name: 'Email Deliverability Best Practices' }).waitFor();
    assert.ok(existsSync(path.join(root, 'concepts/044-dkim-stup.md')));
  });

  it('renames the note, and has the links to it follow', async () => {
    await form.getByRole('button', { name: 'Rename…' }).click();
    await workbench.answer('New id', '045-dkim-mended');
    await workbench.until(() => existsSync(path.join(root, 'concepts/045-dkim-mended.md')), 'the file of the new name');
    await workbench.until(
      () => read('patterns/042-email-deliverability.md').includes('[[045-dkim-mended]] - DKIM'),
      'the link to follow',
    );
    await form.getByText('045-dkim-mended').first().waitFor();
  });

  it('offers to have links follow a file that is renamed in the Explorer', async () => {
    const { page } = workbench;
    await workbench.runCommand('File: Reveal Active File in Explorer View');
    await workbench.treeRow('045-dkim-mended.md').click();
    await page.keyboard.press('F2');
    const name = page.locator('.explorer-item-edited input');
    await name.fill('046-dkim-again.md');
    await name.press('Enter');
    await workbench.dialog.getByText('wants to make refactoring changes').waitFor();
    await picture('note-rename-file');
    await workbench.answerDialog('OK');
    // The editor leaves what it changes to be looked at, undone, or saved.
    await workbench.page.locator('.tab.dirty', { hasText: '046-dkim-again' }).waitFor();
    await workbench.runCommand('File: Save All');
    await workbench.until(
      () => read('patterns/042-email-deliverability.md').includes('[[046-dkim-again]] - DKIM'),
      'the link to follow',
    );
    await workbench.until(
      () => /^zettel_id: 046-dkim-again$/m.test(read('concepts/046-dkim-again.md')),
      'the id to be that of the file',
    );
  });

  it('shows a note of two megabytes with thousands of links, and keeps what is typed in it', async () => {
    const { page } = workbench;
    const file = 'concepts/long.md';
    const line = 'As [[043-spf-records]] has it, and many more words to go on with, line after line.\n\n';
    const text = `---\ntitle: Long\nentry_type: concept\nzettel_id: long\n---\n\n${line.repeat(22_000)}`;
    writeFileSync(path.join(root, file), text);
    await open('long.md', 'Long');
    await workbench.until(async () => (await content.inputValue()).length > 1_800_000, 'the text');
    await content.focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('The end.');
    await save(file, /The end\.$/);
    assert.equal(read(file), `${text}The end.`);
  });

  it('lets front matter that cannot be read be edited as text, and what stands below it here', async () => {
    await open('unreadable.md', '"open');
    await form.getByText('The front matter cannot be read').waitFor();
    await workbench.until(async () => /Still here\./.test(await content.inputValue()), 'the text');
    assert.ok(!(await form.getByRole('textbox', { name: 'Title' }).isEditable()));
    await picture('note-form-unreadable');
    await isAccessible();
    await form.getByRole('toolbar').getByRole('button', { name: 'Open as Text' }).click();
    await workbench.page.locator('.editor-group-container .view-lines').last().getByText('Still here.').waitFor();
    assert.deepEqual(refusals, [], 'the policy of the page refuses nothing that it does');
  });
});

describe('the note editor where the stores cannot be opened', () => {
  const broken = path.join(mkdtempSync(path.join(tmpdir(), 'kaizen-broken-')), 'shared');
  writeFileSync(broken, 'This is no folder.');
  const note = 'zettels/patterns/042-email-deliverability.md';
  const text = NOTES['patterns/042-email-deliverability.md'].replace(/^updated_at: .*\n/m, '');
  const editor = useEditor({
    workspace: 'fresh',
    files: { [note]: text },
    settings: {
      'files.autoSave': 'off',
      'kaizen.notes.projectFolder': 'zettels',
      'workbench.editorAssociations': { '**/zettels/**/*.md': 'kaizen.noteEditor' },
    },
    env: { KAIZEN_SHARED: broken, KAIZEN_USER_NOTES: path.join(path.dirname(broken), 'notes') },
  });

  after(() => rmSync(path.dirname(broken), { recursive: true, force: true }));

  it('shows and keeps a note all the same, says why the rest is not known, and calls no link broken', async () => {
    const { workbench, workspace } = editor();
    const file = path.join(workspace, note);
    await workbench.openFile('042-email-deliverability.md');
    const form = workbench.webview();
    await form.getByRole('heading', { level: 1, name: 'Email Deliverability Best Practices' }).waitFor();
    await form.locator('.banner.danger').getByRole('button', { name: 'Try Again' }).waitFor();
    await form.locator('.relationships').getByRole('button', { name: '043-spf-records', exact: true }).waitFor();
    assert.equal(await form.getByRole('button', { name: 'Create Note' }).count(), 0);
    await form.getByRole('textbox', { name: 'Text' }).focus();
    await workbench.page.keyboard.press('ControlOrMeta+End');
    await workbench.page.keyboard.type('It is kept.');
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await workbench.until(() => readFileSync(file, 'utf8') === `${text}It is kept.`, 'the text to be kept');
    await workbench.screenshot('note-form-without-stores');
  });
});
