import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { Kaizen, type KaizenParts } from '../../src/kaizen';
import { type SmallSite, startSmallSite } from '../support/small-site';
import { assertWebviewAccessible } from './support/accessibility';
import { type Editor, useEditor } from './support/editor';
import { chooseFile } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const PERSON = { author: 'ada' };
const UNANSWERED = 'How are refunds of vouchers booked?';
const HANDBOOK = `---
date: 2015-03-01
---
# Handbook of Tills

A till is counted every evening, by two people.
`;

/** As an agent's server works on the window's stores: what is asked and given is counted. */
async function withCounting<T>({ env, workspace }: Editor, action: (parts: KaizenParts) => Promise<T>): Promise<T> {
  const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = env;
  const kaizen = new Kaizen({ data, shared, project, workspace, countReads: true });
  try {
    return await action(await kaizen.parts());
  } finally {
    await kaizen.close();
  }
}

async function capture({ learning }: KaizenParts, title: string, visibility: 'team' | 'personal'): Promise<string> {
  const lesson = { title, lesson: `${title}: tell it to whoever comes next.`, visibility };
  const { record } = await learning.write({ operation: 'capture_lesson', lesson }, PERSON);
  return `knowledge://learning/lesson/${record.id}`;
}

/** Lessons of which one helped and one did not, questions, uses, and a document that is old. */
async function fill(parts: KaizenParts): Promise<void> {
  const { learning, library } = parts;
  const good = await capture(parts, 'Refunds first', 'team');
  const bad = await capture(parts, 'Guess the currency', 'team');
  await capture(parts, 'Sleep over it', 'personal');
  for (let times = 0; times < 4; times++) {
    const rate = (artifact_id: string, rating: number) =>
      learning.feedback(
        { operation: 'report_outcome', artifact_id, artifact_type: 'chunk', outcome_type: 'project_success', rating },
        PERSON,
      );
    await rate(good, 1);
    await rate(bad, 0);
  }
  for (let times = 0; times < 3; times++) {
    learning.noteQuery({ tool: 'knowledge_search', query: UNANSWERED, results: 0, best: 0 });
  }
  learning.noteQuery({ tool: 'discover_context', query: 'Where is the refund window checked?', results: 4, best: 0.9 });
  const given = 'knowledge://scopes/checkout-api/validation/refund_window';
  learning.noteUse('retrieved', [good, given]);
  learning.noteUse('used', [good]);
  await library.ingest({ source: `content:${HANDBOOK}` }, PERSON);
}

describe('the reports of the dashboard', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 1000 });
  let workbench: Workbench;
  let page: FrameLocator;

  async function show(tab: string): Promise<void> {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await page.locator('.part .caption').first().waitFor();
  }

  before(async () => {
    workbench = editor().workbench;
    await withCounting(editor(), fill);
    await workbench.runCommand('Kaizen: Open Dashboard');
    page = workbench.webview();
    await page.locator('.key-figures').waitFor();
  });
  afterEach(() => workbench.clearNotifications());

  it('says how everything is, and leads to what can be done about it', async () => {
    await show('Health');
    await page.getByRole('heading', { name: 'Something wants to be looked after' }).waitFor();
    await page.getByText('Sources that are old: 1. "Handbook of Tills"').waitFor();
    await page.getByText(`Asked and not found: “${UNANSWERED}”.`).waitFor();
    const lessons = page.locator('.area dl > div', { hasText: 'Lessons' }).locator('dd');
    assert.equal(await lessons.innerText(), '3');
    await page.getByRole('button', { name: 'Show What Was Asked' }).click();
    await page.getByRole('heading', { name: 'Asked and Not Found' }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'What Agents Ask' }).getAttribute('aria-selected'), 'true');
  });

  it('lists what was asked and not found, with the way to an answer', async () => {
    const row = page.getByRole('row', { name: UNANSWERED }).first();
    assert.deepEqual((await row.locator('td').allInnerTexts()).slice(0, 2), ['3', '3']);
    // It follows what is counted, by other processes too.
    await withCounting(editor(), async ({ learning }) => {
      learning.noteQuery({ tool: 'knowledge_search', query: UNANSWERED, results: 2, best: 0.1 });
    });
    await page
      .getByRole('img', { name: 'Asked over the last 60 days: 5, of which nothing was found for 4.' })
      .waitFor();
    assert.deepEqual((await row.locator('td').allInnerTexts()).slice(0, 2), ['4', '4']);
    const given = page.getByRole('table', { name: 'Given and Never Used' });
    await given.getByRole('button', { name: 'refund_window' }).waitFor();
    await page.getByRole('table', { name: 'Used Most' }).getByRole('button', { name: 'Refunds first' }).waitFor();

    await row.getByRole('button', { name: 'Store an Answer…' }).click();
    await workbench.pick('checkout-api');
    await workbench.pick('validation');
    await workbench.pick('how_are_refunds_of_vouchers_booked');
    await workbench.until(
      async () => (await workbench.quickInput.inputValue()).startsWith(UNANSWERED),
      'the question in front of its answer',
    );
    await workbench.answer('The rule or fact', `${UNANSWERED} To the account of the voucher.`);
    await workbench.answer('Why');
    await workbench.notification('Stored "how_are_refunds_of_vouchers_booked"').waitFor();
  });

  it('leads from a question to asking for a document', async () => {
    const row = page.getByRole('row', { name: UNANSWERED }).first();
    await row.getByRole('button', { name: 'Ask for a Document…' }).click();
    await workbench.answer('Topic that it is about');
    await workbench.answer('Why it is needed');
    await workbench.pick('Any document');
    await workbench.pick('important');
    await workbench.notification(`Asked for: ${UNANSWERED}`).waitFor();
    await show('Health');
    // It follows what is done.
    await page.getByText('1 document is asked for.').waitFor();
  });

  it('says what is old by the age that is chosen, and opens it', async () => {
    await show('What Is Old');
    const documents = page.locator('[data-list=old-documents]');
    await documents.getByRole('button', { name: 'Handbook of Tills' }).waitFor();
    const entries = page.locator('[data-list=old-entries]');
    for (const max_age_days of [730, 90]) {
      await page.locator('vscode-single-select').click();
      await page.getByRole('option', { name: `${max_age_days} days` }).click();
      const { counts } = await withCounting(editor(), ({ administration }) => administration.stale({ max_age_days }));
      const listed = async () => (await entries.locator('li').count()) === Math.min(8, counts.entries);
      await workbench.until(listed, `what is older than ${max_age_days} days`);
    }
    const entry = entries.getByRole('button').first();
    await entry.waitFor();
    const title = await entry.locator('.keyword').innerText();
    await entry.click();
    await workbench.page.locator('.editor-group-container .tab').filter({ hasText: title }).first().waitFor();
    await workbench.runCommand('Kaizen: Open Dashboard');
    // As it was.
    await entries.getByRole('button').first().waitFor();
  });

  it('says what helped and what did not', async () => {
    await show('What Helped');
    const best = page.getByRole('table', { name: 'What Helped Most' });
    await best.getByRole('button', { name: 'Refunds first', exact: true }).waitFor();
    await best.getByRole('button', { name: 'Explain the score of Refunds first' }).waitFor();
    const worst = page.getByRole('table', { name: 'What Helped Least' });
    await worst.getByRole('button', { name: 'Guess the currency', exact: true }).waitFor();
    await page.getByRole('img', { name: /^Scores by level\. highly effective: 0; quite effective: 1;/ }).waitFor();
  });

  it('exports what is chosen and not personal, and takes a file in once it said what that changes', async () => {
    const file = path.join(editor().workspace, 'learned.json');
    await page.getByRole('button', { name: 'Export What Was Learned…' }).click();
    await workbench.page.locator('.quick-input-widget').getByText('What is personal as well').waitFor();
    await workbench.page.keyboard.press('Enter');
    await chooseFile(workbench, file);
    await workbench.notification('What is personal is left out.').waitFor();
    const { records } = JSON.parse(readFileSync(file, 'utf8')) as { records: { record: { title: string } }[] };
    assert.deepEqual(records.map(({ record }) => record.title).sort(), ['Guess the currency', 'Refunds first']);
    await workbench.clearNotifications();

    await withCounting(editor(), async ({ learning }) => {
      for (const { id } of learning.list('lesson'))
        await learning.write({ operation: 'delete', kind: 'lesson', id }, PERSON);
    });
    await page.getByRole('button', { name: 'Import What Was Learned…' }).click();
    await chooseFile(workbench, file);
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Records: 2 new, 0 replaced, 0 as they are').waitFor();
    await workbench.answerDialog('Import');
    await workbench.notification('Imported. Records: 2 new').waitFor();
    const lessons = () => withCounting(editor(), async ({ learning }) => learning.list('lesson').length);
    assert.equal(await lessons(), 2);
    await workbench.answerNotification('Imported. Records: 2 new', 'Undo');
    await workbench.until(async () => (await lessons()) === 0, 'the import to be taken back');
    await workbench.clearNotifications();
    await page.getByRole('button', { name: 'Import What Was Learned…' }).click();
    await chooseFile(workbench, file);
    await workbench.answerDialog('Import');
    await workbench.until(async () => (await lessons()) === 2, 'the lessons');
  });

  for (const [name, theme, body] of [
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const) {
    it(`is readable and accessible: ${name}`, async () => {
      if (name === 'dark') {
        await workbench.page.setViewportSize({ width: 1280, height: 1400 });
        await workbench.runCommand('View: Close Primary Side Bar');
      } else {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.answer('Select Color Theme', theme);
      }
      await page.locator(`body.${body}`).waitFor();
      for (const [tab, file] of [
        ['Health', 'health'],
        ['What Agents Ask', 'asked'],
        ['What Is Old', 'old'],
        ['What Helped', 'helped'],
      ] as const) {
        await show(tab);
        await workbench.rest();
        await workbench.screenshot(`dashboard-${file}-${name}`);
        await assertWebviewAccessible(workbench);
      }
    });
  }
});

describe('old web pages on the dashboard', () => {
  const editor = useEditor({
    settings: {
      ...pictureSettings,
      'kaizen.library.web.allowPrivateAddresses': true,
      'kaizen.library.web.rateLimit': 100,
    },
  });
  let site: SmallSite;
  before(async () => {
    site = await startSmallSite();
  });
  after(() => site.stop());

  it('are looked at again as far as they are ticked, and no others', async () => {
    const { workbench } = editor();
    for (const [path, title] of [
      ['/srr', 'Reviews'],
      ['/bread', 'Bread'],
    ] as const) {
      const dated = `<article><h1>${title}</h1><time datetime="2014-05-01">2014</time><p>${title} of long ago.</p></article>`;
      site.serve(
        path,
        `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${dated}</body></html>`,
      );
      await workbench.runAndPick('Kaizen: Add to Library', 'Web page…');
      await workbench.answer('Address of the page or PDF', `${site.origin}${path}`);
      await workbench.notification(`Added "${title}"`).waitFor();
      await workbench.clearNotifications();
    }
    const asked = site.asked.length;
    await workbench.runCommand('Kaizen: Open Dashboard');
    const page = workbench.webview();
    await page.getByRole('tab', { name: 'What Is Old' }).click();
    await page.getByRole('button', { name: 'Look at Old Web Pages Again…' }).click();
    const bread = workbench.quickRows.filter({ hasText: 'Bread' });
    await bread.filter({ hasText: `${site.origin}/bread` }).waitFor();
    await workbench.quickRows.filter({ hasText: 'Reviews' }).waitFor();
    await bread.getByRole('checkbox').click();
    await workbench.quickInput.press('Enter');
    await workbench.notification('Web pages looked at: 1. Changed: 0.').waitFor();
    assert.deepEqual(
      site.asked.slice(asked).filter((path) => path !== '/robots.txt'),
      ['/srr'],
    );
  });
});

describe('the reports of the dashboard in an empty folder, in German', () => {
  const editor = useEditor({ workspace: 'fresh', language: 'de', settings: pictureSettings, width: 1280, height: 900 });

  it('says how to get there', async () => {
    const { workbench } = editor();
    await workbench.runCommand('Kaizen: Dashboard öffnen');
    const page = workbench.webview();
    await page.getByRole('tab', { name: 'Zustand' }).click();
    await page.getByRole('heading', { name: 'Alles in Ordnung' }).waitFor();
    await page.getByRole('tab', { name: 'Was Agents fragen' }).click();
    await page.getByText('Sobald Agents Wissen suchen und erfragen').waitFor();
    await page.getByRole('tab', { name: 'Was alt ist' }).click();
    await page.getByText('Kein Eintrag ist alt.').waitFor();
    await page.getByRole('tab', { name: 'Was geholfen hat' }).click();
    await page.getByRole('heading', { name: 'Noch nichts bewertet' }).waitFor();
    assert.equal(await page.locator('[lang=en]').count(), 0);
    await assertWebviewAccessible(workbench);
    await workbench.rest();
    await workbench.screenshot('dashboard-helped-german');
  });
});

describe('the reports of the dashboard in Restricted Mode', () => {
  const editor = useEditor({
    trustWorkspaces: false,
    settings: { ...pictureSettings, 'security.workspace.trust.startupPrompt': 'never' },
  });

  it('say what is known, and offer nothing that writes or fetches', async () => {
    const { workbench } = editor();
    await withCounting(editor(), fill);
    await workbench.runCommand('Kaizen: Open Dashboard');
    const page = workbench.webview();
    await page.getByRole('tab', { name: 'What Agents Ask' }).click();
    await page.getByRole('row', { name: UNANSWERED }).first().waitFor();
    await page.getByText('In Restricted Mode nothing is stored or fetched.').waitFor();
    assert.equal(
      await page.getByRole('button', { name: /Store an Answer|Search the Web|Ask for a Document/ }).count(),
      0,
    );
    await page.getByRole('tab', { name: 'What Helped' }).click();
    await page.getByRole('button', { name: 'Export What Was Learned…' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Import What Was Learned…' }).count(), 0);
    for (const title of ['Import What Was Learned', 'Look at Old Web Pages']) {
      const offered = (await workbench.commands(`Kaizen: ${title}`)).join('\n');
      assert.doesNotMatch(offered, /Import What Was Learned|Old Web Pages/);
    }
    await workbench.page.keyboard.press('Escape');
  });
});
