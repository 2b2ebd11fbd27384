import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { FrameLocator } from 'playwright-core';
import { entryUri, learningUri } from '../../src/core/knowledge-uri';
import type { KaizenParts } from '../../src/kaizen';
import { RELATION_TYPES, type Relation, type RelationType } from '../../src/relations';
import { assertWebviewAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { withParts } from './support/library';
import { pictureSettings, type Workbench } from './support/workbench';

const PERSON = { author: 'ada' };
const ENTRY = entryUri({ scope_id: 'checkout-api', category: 'validation', keyword: 'refund_window' });

/** Lessons by name, each with how it is related to others. */
const LESSONS = ['Cavitation', 'Worn impellers', 'Low flow', 'Blocked strainers', 'Harbour flooding', 'Early alarms'];
const RELATED: readonly [from: string, type: RelationType, to: string, confidence?: number][] = [
  ['Blocked strainers', 'causes', 'Low flow'],
  ['Low flow', 'causes', 'Cavitation', 0.8],
  ['Cavitation', 'causes', 'Worn impellers'],
  ['Worn impellers', 'causes', 'Harbour flooding', 0.4],
  ['Early alarms', 'prevents', 'Harbour flooding'],
];

const MANY = 2_000;

/** Entries with three relations each, in clusters around their first. */
async function writeMany({ knowledge, relations }: KaizenParts): Promise<void> {
  const keys = Array.from({ length: MANY }, (_, index) => {
    return { scope_id: 'checkout-api', category: 'pumps', keyword: `pump_${index}` };
  });
  for (const key of keys) {
    const { scope_id: target_scope_id, category, keyword } = key;
    await knowledge.storeOverwrite(
      { target_scope_id, category, keyword, content: `What is known of ${keyword}.` },
      PERSON,
    );
  }
  const all = keys.flatMap((key, index) =>
    [index - (index % 14), index >> 1, (index * 7 + 3) % MANY].flatMap((other, place): Relation[] => {
      if (other === index) return [];
      const [source, target] = [entryUri(key), entryUri(keys[other]!)];
      const type = RELATION_TYPES[(index + 5 * place) % RELATION_TYPES.length]!;
      const said = { confidence: 1, bidirectional: false, context: '', created_by: 'inferred', evidence: [] } as const;
      const made = { author: 'ada', created_at: '2026-01-01T00:00:00.000Z', origin: 'stored' } as const;
      return [{ id: randomUUID(), source, target, type, ...said, ...made }];
    }),
  );
  await relations.import(all, {}, PERSON);
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

function summary(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [median, slowest] = [sorted[sorted.length >> 1]?.toFixed(1), sorted.at(-1)?.toFixed(1)];
  return `${sorted.length} frames, median ${median} ms, slowest ${slowest} ms`;
}

describe('the graph of relations', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1400, height: 900 });
  let workbench: Workbench;
  let page: FrameLocator;

  const parts = <T>(action: (parts: KaizenParts) => T | Promise<T>) => withParts(editor(), action);
  const canvas = () => page.getByRole('application', { name: 'Graph' });
  const list = () => page.getByRole('listbox', { name: 'Nodes' });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const counted = (text: string) => page.locator('.count', { hasText: text }).waitFor();
  const card = () => page.locator('.card');
  const select = async (name: string) => {
    await list().getByRole('option', { name }).first().click();
    await card().getByRole('heading', { name }).waitFor();
  };
  const press = (name: string) => card().getByText(name, { exact: true }).click();
  const settled = () =>
    workbench.until(
      () => canvas().evaluate("!document.querySelector('kaizen-graph-picture').layout.isMoving"),
      'the layout to rest',
    );
  /** Types into a list until the line is there, and chooses it. */
  async function find(about: string, text: string, line: string): Promise<void> {
    await workbench.until(
      async () => ((await workbench.quickInput.getAttribute('placeholder')) ?? '').includes(about),
      `the list about ${about}`,
    );
    await workbench.quickInput.fill(text);
    await workbench.quickRows.filter({ hasText: line }).first().click();
  }

  before(async () => {
    workbench = editor().workbench;
    await parts(async ({ learning, relations }) => {
      const uris = new Map<string, string>([['refund_window', ENTRY]]);
      for (const title of LESSONS) {
        const lesson = { title, lesson: `What was seen of ${title.toLowerCase()}.` };
        const { record } = await learning.write({ operation: 'capture_lesson', lesson }, PERSON);
        uris.set(title, learningUri('lesson', record.id));
      }
      const all: typeof RELATED = [['refund_window', 'related', 'Early alarms'], ...RELATED];
      for (const [from, type, to, confidence = 1] of all) {
        const [source, target] = [uris.get(from)!, uris.get(to)!];
        await relations.add({ source, target, type, confidence, context: `Seen at the harbour: ${from}.` }, PERSON);
      }
    });
  });
  afterEach(() => workbench.clearNotifications());

  it('begins with an entry of the view, and says what it is related to', async () => {
    await workbench.openContainer('Kaizen');
    await workbench.unfold('validation');
    await workbench.chooseFromMenu(workbench.treeRow('refund_window'), 'Show Relations');
    page = workbench.webview();
    await heading('Relations of refund_window').waitFor();
    await counted('2 nodes, 1 relation');
    await card().getByText('is related to').waitFor();
    await card().getByText('Seen at the harbour: refund_window.').waitFor();
    await card().getByText('said by somebody · ada').waitFor();
    await workbench.runCommand('View: Close Primary Side Bar');
  });

  it('unfolds neighbours in place, goes further, and back', async () => {
    await select('Early alarms');
    await press('With Its Neighbours');
    await counted('3 nodes, 2 relations');
    await page.getByRole('combobox', { name: 'How far' }).selectOption('3');
    await counted('4 nodes, 3 relations');
    await page.getByRole('button', { name: 'Go Back' }).click();
    await counted('2 nodes, 1 relation');
    await select('Early alarms');
    await press('Show from Here');
    await heading('Relations of Early alarms').waitFor();
    await counted('3 nodes, 2 relations');
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('outgoing');
    await counted('2 nodes, 1 relation');
    await list().getByRole('option', { name: 'Harbour flooding' }).waitFor();
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('incoming');
    await list().getByRole('option', { name: 'refund_window' }).waitFor();
    await counted('2 nodes, 1 relation');
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('both');
    await counted('3 nodes, 2 relations');
  });

  it('is narrowed by type and by how sure relations are', async () => {
    await select('Harbour flooding');
    await press('Show from Here');
    await page.getByRole('combobox', { name: 'How far' }).selectOption('3');
    await counted('6 nodes, 5 relations');
    await page.getByRole('combobox', { name: 'How sure' }).selectOption('0.5');
    await counted('3 nodes, 2 relations');
    await page.getByRole('combobox', { name: 'How sure' }).selectOption('0');
    await counted('6 nodes, 5 relations');
    const causes = page.locator('.legend').getByRole('button', { name: /^causes/ });
    await causes.getByText('3').waitFor();
    await causes.click();
    // What only they led to is not reached any more.
    await counted('3 of 6 nodes, 2 relations');
    await causes.click();
    await counted('6 nodes, 5 relations');
  });

  it('shows the shortest way to another thing, in words and in the picture', async () => {
    await select('Harbour flooding');
    await press('Way to…');
    await find('Where it leads', 'blocked strainers', 'Blocked strainers');
    await page.getByRole('heading', { name: /^Way: 4 steps, 32\s?% sure$/ }).waitFor();
    const steps = (await page.locator('.way li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    assert.deepEqual(steps, [
      'Harbour flooding',
      'caused by Worn impellers',
      'caused by Cavitation',
      'caused by Low flow',
      'caused by Blocked strainers',
    ]);
    await settled();
    await workbench.rest();
    await workbench.screenshot('relations-way');
    await page.getByRole('button', { name: 'Close the Way' }).click();
    await page.locator('.way').waitFor({ state: 'detached' });
  });

  it('adds a relation from the card, and takes it back on Undo', async () => {
    await select('Harbour flooding');
    await press('Add Relation…');
    await find('What is Harbour flooding', 'contradicts', 'contradicts');
    await find('Harbour flooding contradicts', 'early alarms', 'Early alarms');
    await find('the other way round', '', 'Both ways');
    await find('How sure is it', '', '70 %');
    await workbench.answer('Why it holds', 'The alarm was silent.');
    await card().getByText('The alarm was silent.').waitFor();
    await card()
      .getByText(/^70\s?% sure · both ways · said by somebody/)
      .waitFor();
    const [added] = await parts(({ relations }) => relations.find({ types: ['contradicts'] }));
    assert.deepEqual([added?.confidence, added?.bidirectional, added?.context], [0.7, true, 'The alarm was silent.']);
    await workbench.answerNotification('Harbour flooding contradicts Early alarms.', 'Undo');
    await card().getByText('The alarm was silent.').waitFor({ state: 'detached' });
  });

  it('removes a relation from the card, and puts it back on Undo', async () => {
    await select('Harbour flooding');
    await card().getByRole('button', { name: 'Remove: prevented by Early alarms' }).click();
    await workbench.notification('Removed: Early alarms prevents Harbour flooding.').waitFor();
    // What only it led to is gone with it.
    await counted('4 nodes, 3 relations');
    await workbench.answerNotification('Removed: Early alarms prevents Harbour flooding.', 'Undo');
    await counted('6 nodes, 5 relations');
  });

  it('follows what others say meanwhile', async () => {
    const add = async ({ learning, relations }: KaizenParts) => {
      const lesson = { title: 'Sandbags', lesson: 'They were there in time.' };
      const { record } = await learning.write({ operation: 'capture_lesson', lesson }, PERSON);
      const flooding = learning.list('lesson').find(({ title }) => title === 'Harbour flooding')!;
      const [source, target] = [learningUri('lesson', record.id), learningUri('lesson', flooding.id)];
      await relations.add({ source, target, type: 'prevents' }, PERSON);
    };
    await parts(add);
    await counted('7 nodes, 6 relations');
    await list().getByRole('option', { name: 'Sandbags' }).waitFor();
  });

  it('is walked with keys alone', async () => {
    const { keyboard } = workbench.page;
    await page.getByRole('searchbox', { name: 'Search nodes' }).focus();
    await keyboard.type('cavi');
    await counted('1 of 7 nodes');
    await keyboard.press('ArrowDown');
    await keyboard.press('Home');
    await card().getByRole('heading', { name: 'Cavitation' }).waitFor();
    await page.getByRole('button', { name: 'Show All' }).click();
    await canvas().focus();
    const reached = new Set<string>();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
      await keyboard.press(key);
      reached.add(await card().locator('h2').innerText());
    }
    assert.ok(reached.size >= 2, 'arrow keys lead to other nodes');
    await keyboard.press('Escape');
    await card().waitFor({ state: 'detached' });
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
      await select('Harbour flooding');
      await page.getByRole('button', { name: 'Clear Selection' }).click();
      await page.getByRole('button', { name: 'Fit to View' }).click();
      await settled();
      await workbench.rest();
      await workbench.screenshot(`relations-${name}`);
      await select('Harbour flooding');
      await workbench.rest();
      await workbench.screenshot(`relations-selected-${name}`);
      await assertWebviewAccessible(workbench);
    });
  }

  it('shows all that is stored, and opens what is chosen', async () => {
    await page.getByRole('button', { name: 'All Stored Relations' }).click();
    await heading('All Stored Relations').waitFor();
    await counted('8 nodes, 7 relations');
    await select('refund_window');
    await press('Open');
    await workbench.page.locator('.tab', { hasText: 'refund_window' }).waitFor();
  });

  it('holds 2,000 nodes with 6,000 relations', async function () {
    this.timeout(180_000);
    await parts(writeMany);
    // The entry that was opened is in front.
    await workbench.runCommand('Kaizen: Show Relations');
    page = workbench.webview();
    // The window takes in all that was written first.
    await heading('Relations of refund_window').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'All Stored Relations' }).click();
    await heading('All Stored Relations').waitFor({ timeout: 60_000 });
    await counted('2,000 nodes');
    await counted('Of 2,008 nodes, the 2,000 that are linked most are shown.');
    const settling: number[] = await canvas().evaluate(
      framesWhile("document.querySelector('kaizen-graph-picture').layout.isMoving && n < 1500"),
    );
    await page.getByRole('button', { name: 'Fit to View' }).click();
    await workbench.rest();
    await workbench.screenshot('relations-2000');
    const drawn = await list().getByRole('option').count();
    assert.ok(drawn > 5 && drawn < 60, `${drawn} rows stand for all`);
    const box = (await canvas().boundingBox())!;
    const { mouse } = workbench.page;
    const panning: Promise<number[]> = canvas().evaluate(framesWhile('n < 60'));
    await mouse.move(box.x + 800, box.y + 30);
    await mouse.down();
    for (let step = 0; step < 40; step++) await mouse.move(box.x + 800 - step * 5, box.y + 30 + step * 3);
    await mouse.up();
    console.log(`      settling: ${summary(settling)}; panning: ${summary(await panning)}`);
  });
});
