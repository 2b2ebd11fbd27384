import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { assertWebviewAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const SIZE = { width: 1400, height: 900 };
const TYPES = ['api_fact', 'pattern', 'concept', 'learning', 'experiment', 'reference', 'template', 'workflow'];
const FOLDERS = ['apis', 'patterns', 'concepts', 'learnings', 'experiments', 'references', 'templates', 'workflows'];
const RELATED = ['extends', 'contradicts', 'implements', 'supersedes', 'depends_on', 'related', 'example_of'];
const SUBJECTS = [
  'SPF records',
  'DKIM keys',
  'Bounce handling',
  'Token rotation',
  'Retry budget',
  'Dead letters',
  'Cache eviction',
];

interface Written {
  id: string;
  title: string;
  links: readonly string[];
  related?: Readonly<Record<string, string>>;
}

function writeNote(root: string, place: number, { id, title, links, related = {} }: Written): void {
  const folder = path.join(root, FOLDERS[place % FOLDERS.length]!);
  mkdirSync(folder, { recursive: true });
  const relations = Object.entries(related).map(([type, to]) => `  ${type}: [${to}]`);
  const head = [
    `zettel_id: ${id}`,
    `title: ${title}`,
    `entry_type: ${TYPES[place % TYPES.length]}`,
    'tags: [email]',
    'created_at: 2026-01-01T00:00:00Z',
    'updated_at: 2026-01-01T00:00:00Z',
    ...(relations.length > 0 ? ['relationships:', ...relations] : []),
  ];
  const text = ['---', ...head, '---', '', `# ${title}`, '', ...links.map((to) => `See [[${to}]].`), ''].join('\n');
  writeFileSync(path.join(folder, `${id}.md`), text);
}

const idOf = (index: number) =>
  `${String(index).padStart(4, '0')}-${SUBJECTS[index % 7]!.toLowerCase().replace(' ', '-')}`;
const titleOf = (index: number) =>
  index < 7 ? SUBJECTS[index]! : `${SUBJECTS[index % 7]} ${Math.floor(index / 7) + 1}`;

/** A space of so many notes, in clusters around their first; each has so many links. */
function writeSpace(root: string, count: number, links: number): void {
  for (let index = 0; index < count; index++) {
    const hub = index - (index % 14);
    const targets = [hub, index >> 1, (index * 7 + 3) % count].slice(0, links);
    const others = targets.filter((to) => to !== index).map(idOf);
    const [first, ...rest] = [...new Set(others)];
    const related = first && index % 3 === 0 ? { [RELATED[index % RELATED.length]!]: first } : undefined;
    writeNote(root, index, {
      id: idOf(index),
      title: titleOf(index),
      links: related || !first ? rest : [first, ...rest],
      related,
    });
  }
}

/** For the page: how long each frame took for as long as something holds; `n` counts them. */
function framesWhile(condition: string): string {
  return `new Promise((done) => {
    const times = [];
    let last = performance.now();
    const frame = (now) => {
      times.push(now - last);
      last = now;
      const n = times.length;
      if (${condition}) requestAnimationFrame(frame);
      else done(times);
    };
    requestAnimationFrame(frame);
  })`;
}

describe('the graph of notes', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'kaizen-graph-'));
  const user = path.join(home, 'user');
  const editor = useEditor(() => {
    writeNote(user, 3, {
      id: 'u1-postmortem',
      title: 'Postmortem of the outage',
      links: ['u2-checklist', 'not-written-yet'],
    });
    writeNote(user, 7, { id: 'u2-checklist', title: 'Checklist for outages', links: [] });
    writeNote(user, 2, { id: 'u3-alone', title: 'Linked with nothing', links: [] });
    // Not by the setting: it is one of the machine, which the window of a server takes from nowhere else.
    return { settings: pictureSettings, env: { KAIZEN_USER_NOTES: user }, ...SIZE };
  });
  let workbench: Workbench;
  let page: FrameLocator;
  let root: string;

  const canvas = () => page.getByRole('application', { name: 'Graph' });
  const list = () => page.getByRole('listbox', { name: 'Nodes' });
  const search = (text: string) => page.getByRole('searchbox', { name: 'Search nodes' }).fill(text);
  /** Only what is in view of the list is there. */
  async function found(text: string, name: string | RegExp = text): Promise<Locator> {
    await search(text);
    const row = list().getByRole('option', { name }).first();
    await row.waitFor();
    return row;
  }
  async function select(text: string): Promise<void> {
    await (await found(text)).click();
    await card().getByText(text).waitFor();
    await search('');
  }
  const counted = (text: string) => page.locator('.count', { hasText: text }).waitFor();
  const card = () => page.locator('.card h2');

  /** Waits until the layout rests: how many frames that took and how long the slowest ones were. */
  async function settled(): Promise<number[]> {
    return canvas().evaluate(framesWhile("document.querySelector('kaizen-graph-picture').layout.isMoving && n < 1500"));
  }

  before(async () => {
    workbench = editor().workbench;
    root = path.join(editor().workspace, '.ai', 'knowledge');
    rmSync(root, { recursive: true, force: true });
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility').catch(() => undefined);
  });

  after(() => rmSync(home, { recursive: true, force: true }));

  it('shows notes of both spaces, what they link to, and what does not exist', async () => {
    writeSpace(root, 40, 2);
    await workbench.runCommand('Kaizen: Open Graph of Notes');
    page = workbench.webview();
    await counted('44 nodes');
    await found('postmortem user', 'Postmortem of the outage User · learnings');
    await found('not-written-yet', 'not-written-yet does not exist');
    await search('');
    await page
      .locator('.legend')
      .getByRole('button', { name: /depends on/ })
      .waitFor();
    await settled();
  });

  it('tells what is linked with the selected note, and goes from one to the next', async () => {
    await select('Postmortem of the outage');
    await page.locator('.card dt', { hasText: 'references' }).waitFor();
    await page.locator('.card').getByRole('button', { name: 'Checklist for outages' }).click();
    await card().getByText('Checklist for outages').waitFor();
    await page.locator('.card dt', { hasText: 'referenced by' }).waitFor();
    await workbench.screenshot('graph-selected');
  });

  it('is walked by keyboard: the list, and the picture along its links', async () => {
    const { keyboard } = workbench.page;
    await search('outage');
    await counted('2 of 44 nodes');
    await keyboard.press('ArrowDown');
    await keyboard.press('Home');
    await card().getByText('Checklist for outages').waitFor();
    await keyboard.press('ArrowDown');
    await card().getByText('Postmortem of the outage').waitFor();
    await page.getByRole('button', { name: 'Show All' }).click();
    await counted('44 nodes');

    await (await found('spf apis', /^SPF records Project · apis/)).click();
    await search('');
    await canvas().focus();
    const reached = new Set<string>();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
      await keyboard.press(key);
      reached.add(await card().innerText());
    }
    assert.ok(reached.size >= 2, 'arrow keys lead to other nodes');
    await page
      .getByText(/, (api fact|API fact|pattern|concept|learning|experiment|reference|template|workflow), .*links?$/)
      .waitFor({ state: 'attached' });
    await keyboard.press('Escape');
    await card().waitFor({ state: 'detached' });
  });

  it('is narrowed by type, place, links and neighbours', async () => {
    const legend = page.locator('.legend');
    await legend.getByRole('button', { name: /^concept/ }).click();
    await counted('38 of 44 nodes');
    await legend.getByRole('button', { name: /^concept/ }).click();
    await page.getByRole('combobox', { name: 'Filter by place' }).selectOption({ label: 'All of User' });
    await counted('3 of 44 nodes');
    await legend.getByText('Hide what has no links').click();
    await counted('2 of 44 nodes');
    await page.getByRole('button', { name: 'Show All' }).click();
    await (await found('spf apis', /^SPF records Project · apis/)).click();
    await search('');
    await page.locator('.card').getByText('Only Neighbours').click();
    await page.getByText('Neighbours of SPF records').waitFor();
    const near = Number((await page.locator('.count').innerText()).split(' ')[0]);
    await page.getByRole('combobox', { name: 'Within how many steps' }).selectOption('2');
    await workbench.until(
      async () => Number((await page.locator('.count').innerText()).split(' ')[0]) > near,
      'more neighbours',
    );
    await workbench.screenshot('graph-neighbours');
  });

  it('is as it was when it comes back into view, and opens a note', async () => {
    await (await found('spf apis', /^SPF records Project · apis/)).click();
    await search('');
    await page.locator('.card').getByText('Open', { exact: true }).click();
    const tabs = workbench.page.locator('.editor-group-container .tab');
    await tabs
      .filter({ hasText: /SPF records|0000-spf-records/ })
      .first()
      .waitFor();
    await workbench.runCommand('Kaizen: Open Graph of Notes');
    await page.getByText('Neighbours of SPF records').waitFor();
    await card().getByText('SPF records').waitFor();
    await page.getByRole('button', { name: 'Show All' }).first().click();
    await counted('44 nodes');
  });

  it('follows the files, and keeps what stays where it was', async () => {
    await settled();
    const places = (): Promise<[id: string, at: { x: number; y: number }][]> =>
      canvas().evaluate("[...document.querySelector('kaizen-graph-picture').layout.places()]");
    const before = new Map(await places());
    writeNote(root, 1, { id: 'fresh', title: 'A fresh note', links: [idOf(0)] });
    await counted('45 nodes');
    await settled();
    const after = (await places()).filter(([id]) => before.has(id));
    const strayed = after.map(([id, { x, y }]) => Math.hypot(x - before.get(id)!.x, y - before.get(id)!.y));
    assert.ok(strayed.reduce((sum, way) => sum + way, 0) / strayed.length < 60);
    unlinkSync(path.join(root, 'patterns', 'fresh.md'));
    await counted('44 nodes');
  });

  it('offers to create what is linked to and does not exist', async () => {
    await select('not-written-yet');
    await page.locator('.card').getByText('Create Note…').click();
    await workbench.quickInput.waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.quickInput.waitFor({ state: 'hidden' });
  });

  for (const [name, theme, body] of [
    ['dark', 'Dark Modern', 'vscode-dark'],
    ['light', 'Light Modern', 'vscode-light'],
    ['contrast', 'Dark High Contrast', 'vscode-high-contrast'],
  ] as const) {
    it(`is readable and accessible: ${name}`, async () => {
      if (name !== 'dark') {
        await workbench.runCommand('Preferences: Color Theme');
        await workbench.answer('Select Color Theme', theme);
      }
      await page.locator(`body.${body}`).waitFor();
      await (await found('spf apis', /^SPF records Project · apis/)).click();
      await search('');
      await page.getByRole('button', { name: 'Fit to View' }).click();
      await settled();
      await workbench.rest();
      await workbench.screenshot(`graph-${name}`);
      await assertWebviewAccessible(workbench);
    });
  }

  it('holds 2,000 notes with 6,000 links', async function () {
    this.timeout(120_000);
    const many = path.join(home, 'many');
    writeSpace(many, 2_000, 3);
    for (const folder of FOLDERS) {
      rmSync(path.join(root, folder), { recursive: true, force: true });
      renameSync(path.join(many, folder), path.join(root, folder));
    }
    await workbench.until(async () => /2,0\d\d/.test(await page.locator('.count').innerText()), '2,000 nodes', 60_000);
    const settling = await settled();
    await page.getByRole('button', { name: 'Clear Selection' }).click();
    await page.getByRole('button', { name: 'Fit to View' }).click();
    await workbench.rest();
    await workbench.screenshot('graph-2000');
    const drawn = await list().getByRole('option').count();
    assert.ok(drawn > 5 && drawn < 60, `${drawn} rows stand for all`);

    const box = (await canvas().boundingBox())!;
    const { mouse } = workbench.page;
    const frames: Promise<number[]> = canvas().evaluate(framesWhile('n < 60'));
    await mouse.move(box.x + 800, box.y + 30);
    await mouse.down();
    for (let step = 0; step < 40; step++) await mouse.move(box.x + 800 - step * 5, box.y + 30 + step * 3);
    await mouse.up();
    const summary = (times: number[]) => {
      const sorted = times.toSorted((a, b) => a - b);
      return `${sorted.length} frames, median ${sorted[sorted.length >> 1]?.toFixed(1)} ms, slowest ${sorted.at(-1)?.toFixed(1)} ms`;
    };
    console.log(`      settling: ${summary(settling)}; panning: ${summary(await frames)}`);
    await select('Retry budget 100');
    await workbench.screenshot('graph-2000-found');
  });
});
