import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { FrameLocator } from 'playwright-core';
import { Kaizen } from '../../src/kaizen';
import type { KnowledgePart, KnowledgeStatistics } from '../../src/knowledge';
import { assertWebviewAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const SIZE = { width: 1280, height: 1000 };
const PICTURE = { width: 1280, height: 1720 };

describe('the dashboard', () => {
  const editor = useEditor({ settings: pictureSettings, ...SIZE });
  let workbench: Workbench;
  let page: FrameLocator;
  let kaizen: Kaizen;
  let knowledge: KnowledgePart;

  /** As the page asks for them. */
  function statistics(): Promise<KnowledgeStatistics> {
    return knowledge.statistics({ days: 90, stale_days: 180 });
  }

  function scrolled(): Promise<number> {
    return page.locator('main').evaluate('scrollY');
  }

  async function scrollTo(place: number): Promise<void> {
    await page.locator('main').evaluate(`scrollTo(0, ${place})`);
  }

  async function keyFigures(): Promise<Record<string, string>> {
    const figures = await page.locator('.key-figures > div').all();
    const texts = figures.map(async (figure) => [
      await figure.locator('dt').innerText(),
      await figure.locator('.value').innerText(),
    ]);
    return Object.fromEntries(await Promise.all(texts));
  }

  async function shows(label: string, value: number): Promise<void> {
    const what = `the key figure ${label} to be ${value}`;
    await workbench.until(async () => (await keyFigures())[label] === String(value), what);
  }

  before(async () => {
    workbench = editor().workbench;
    const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = editor().env;
    kaizen = new Kaizen({ data, shared, project, countReads: true });
    knowledge = (await kaizen.parts()).knowledge;
    await workbench.runCommand('Kaizen: Open Dashboard');
    page = workbench.webview();
    await page.locator('.key-figures').waitFor();
  });

  after(() => kaizen?.close());

  it('says what the stores hold', async () => {
    const { tiers, risks, stale_count, reads_since } = await statistics();
    const sum = (key: 'entries' | 'scopes') => tiers.reduce((total, tier) => total + tier[key], 0);
    assert.equal(reads_since, null);
    assert.deepEqual(await keyFigures(), {
      Entries: String(sum('entries')),
      Scopes: String(sum('scopes')),
      DANGER: String(risks.DANGER),
      WARNING: String(risks.WARNING),
      'LAST TIME': String(risks['LAST TIME']),
      Stale: String(stale_count),
      'Never read': '–',
      Pending: '0',
    });
    assert.ok(sum('entries') > 80 && risks.DANGER > 5);
    await page.getByRole('img', { name: 'Entries by tier. General: 18 entries in 1 scope' }).waitFor();
    await page.getByRole('img', { name: 'When sessions took place' }).waitFor();
  });

  it('has a table behind each chart, by keyboard too', async () => {
    const charts = page.locator('kaizen-chart-figure').filter({ has: page.locator('svg[role=img]') });
    assert.equal(await charts.locator('summary').count(), await charts.count());
    const risks = page.locator('kaizen-chart-figure', { hasText: 'Risks by Level' });
    const table = risks.getByRole('table');
    assert.equal(await table.isVisible(), false);
    await risks.locator('summary').focus();
    await workbench.page.keyboard.press('Enter');
    await table.waitFor();
    const counted = (await statistics()).risks;
    const rows = await table.locator('tbody tr').all();
    assert.deepEqual(await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts())), [
      ['DANGER', String(counted.DANGER)],
      ['WARNING', String(counted.WARNING)],
      ['LAST TIME', String(counted['LAST TIME'])],
    ]);
    await workbench.page.keyboard.press('Enter');
    await table.waitFor({ state: 'hidden' });
  });

  it('follows what people and agents do, and keeps its place', async () => {
    await scrollTo(300);
    const before = await statistics();
    const entries = before.tiers.reduce((sum, tier) => sum + tier.entries, 0);
    const entry = (keyword: string) => ({
      target_scope_id: 'checkout-api',
      category: 'operations.alerts',
      keyword,
      content: 'DANGER: An alert that nobody is paged for is an incident that lasts all night.',
    });
    await knowledge.storeOverwrite(entry('paging'), { author: 'claude-code', by_agent: true });
    await knowledge.storeOverwrite(entry('silences'), { author: 'mara' });
    await shows('Entries', entries + 2);
    await shows('DANGER', before.risks.DANGER + 2);
    await page.getByText('Changes over the last 90 days: 1 by people, 1 by agents.').waitFor();
    assert.equal(await scrolled(), 300);
  });

  it('names what no agent was given since counting began', async () => {
    knowledge.noteReads(knowledge.getKnowledge('checkout-api', ['refund_amounts', 'paging']));
    await kaizen.close(); // writes down what was read
    const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = editor().env;
    kaizen = new Kaizen({ data, shared, project });
    knowledge = (await kaizen.parts()).knowledge;
    const { never_read_count } = await statistics();
    await shows('Never read', never_read_count);
    assert.ok(never_read_count > 80);
  });

  it('opens a stale entry, and is as it was on the way back', async () => {
    await page.locator('vscode-single-select').click();
    await page.getByRole('option', { name: 'Last year' }).click();
    const year = await knowledge.statistics({ days: 365 });
    const total = (by: 'by_people' | 'by_agents') => year.activity.reduce((sum, day) => sum + day[by], 0);
    await page.getByText(`: ${total('by_people')} by people, ${total('by_agents')} by agents.`).waitFor();
    const [stale] = year.stale;
    assert.ok(stale);
    const button = page.getByRole('button', { name: `${stale.keyword} ${stale.scope_id} · ${stale.category}` }).first();
    await button.focus();
    const place = await scrolled();
    assert.ok(place > 0);
    await workbench.page.waitForTimeout(400); // the place is kept once scrolling has come to rest
    await workbench.page.keyboard.press('Enter');
    const tabs = workbench.page.locator('.editor-group-container .tab');
    await tabs.filter({ hasText: stale.keyword }).first().waitFor();
    await workbench.runCommand('Kaizen: Open Dashboard');
    await page.locator('.key-figures').waitFor();
    assert.equal(await tabs.filter({ hasText: 'Dashboard' }).count(), 1);
    await page.getByText('Changes over the last 365 days').waitFor();
    await workbench.until(async () => Math.abs((await scrolled()) - place) < 2, 'the page to be where it was');
  });

  it('is there again after the window was reloaded', async () => {
    await Promise.all([workbench.page.waitForEvent('load'), workbench.runCommand('Developer: Reload Window')]);
    await workbench.ready();
    await page.locator('.key-figures').waitFor({ timeout: 30_000 });
    await page.getByText('Changes over the last 365 days').waitFor();
  });

  it('says why nothing can be counted, and counts once it can', async () => {
    const { KAIZEN_DATA: data = '' } = editor().env;
    renameSync(data, `${data}-away`);
    writeFileSync(data, 'not a directory');
    await Promise.all([workbench.page.waitForEvent('load'), workbench.runCommand('Developer: Reload Window')]);
    await workbench.ready();
    const again = page.locator('.problem').getByRole('button', { name: 'Try Again' });
    await again.waitFor({ timeout: 30_000 });
    await assertWebviewAccessible(workbench);
    await workbench.screenshot('dashboard-problem');
    rmSync(data);
    renameSync(`${data}-away`, data);
    await again.click();
    await page.locator('.key-figures').waitFor();
    await again.waitFor({ state: 'detached' });
    await workbench.clearNotifications();
  });

  for (const [name, theme, body] of [
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const) {
    it(`is readable and accessible: ${name}`, async () => {
      if (name === 'dark') {
        await workbench.page.setViewportSize(PICTURE);
        await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
      } else {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.answer('Select Color Theme', theme);
      }
      await page.locator(`body.${body}`).waitFor();
      await scrollTo(0);
      await workbench.rest();
      await workbench.screenshot(`dashboard-${name}`);
      await assertWebviewAccessible(workbench);
    });
  }
});
