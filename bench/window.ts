// What a person waits for in a real window, at two sizes side by side: `npm run bench -- window`.
// Needs the packaged VS Code, as the UI tests do.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kaizen } from '../src/kaizen';
import type { EntryRecord, ParsedRecord } from '../src/transfer';
import { Editor } from '../test/ui/support/editor';
import { makePackage } from '../tools/package.mjs';
import { corpus, PROJECT } from './corpus';
import { milliseconds, table } from './measure';

const SIZES = [100, 10_000];
/** Half of the entries stand in one category, so that unfolding it is as hard as it gets. */
const FULL_CATEGORY = 'all';

type Row = Record<string, number>;

function records(size: number): ParsedRecord[] {
  const spread = corpus(size / 2);
  const crowded = Array.from({ length: size / 2 }, (_, index): EntryRecord => {
    const change = {
      action: 'create',
      author: 'bench',
      by_agent: false,
      at: '2026-01-05T09:00:00.000Z',
      reason: null,
    } as const;
    return {
      type: 'entry',
      scope: PROJECT,
      category: FULL_CATEGORY,
      keyword: `rule-${String(index).padStart(5, '0')}`,
      content: index % 10 === 0 ? `WARNING: Mind rule ${index}.` : `Rule ${index}: ${'the order matters '.repeat(10)}`,
      metaknowledge: index % 10 === 0 ? { APPLIES_TO: `src/area-${index}/**` } : {},
      project_context: PROJECT,
      revisions: [],
      ...change,
    };
  });
  return [...spread, ...crowded.map((record, index) => ({ line: spread.length + index + 1, record }))];
}

/** Resident memory of the extension host below a process, in MB. */
function extensionHostMemory(home: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      if (!command.includes('extensionHost') || !environment.includes(home)) continue;
      const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return Number(resident) / 1024;
    } catch {
      // It ended meanwhile.
    }
  }
  return Number.NaN;
}

async function measure(size: number): Promise<Row> {
  const directory = mkdtempSync(path.join(tmpdir(), 'kzb-'));
  const env = { KAIZEN_DATA: path.join(directory, 'data'), KAIZEN_SHARED: path.join(directory, 'shared') };
  const kaizen = new Kaizen({ data: env.KAIZEN_DATA, shared: env.KAIZEN_SHARED });
  await kaizen.importRecords(records(size), { author: 'bench' });
  await kaizen.close();
  const settings = { 'kaizen.project': PROJECT, 'kaizen.entries.openAs': 'text' };
  const editor = await Editor.open({ workspace: 'fresh', env, settings });
  const { workbench } = editor;
  const row: Row = {};
  const time = async (what: string, action: () => Promise<unknown>) => {
    const start = performance.now();
    await action();
    row[what] = performance.now() - start;
  };
  try {
    await time('show the view', async () => {
      await workbench.openContainer('Kaizen');
      await workbench.treeRow(new RegExp(`^${FULL_CATEGORY}`)).waitFor();
    });
    await time('unfold half of all entries', async () => {
      await workbench.unfold(new RegExp(`^${FULL_CATEGORY}`));
      await workbench.treeRow('rule-00000').waitFor();
    });
    const tab = workbench.page.locator('.tab.active');
    await time('open an entry as text', async () => {
      await workbench.treeRow('rule-00000').click();
      await tab.filter({ hasText: 'rule-00000' }).waitFor();
      await workbench.page.locator('.view-lines').getByText('Mind rule 0').waitFor();
    });
    await workbench.page.locator('.monaco-editor .view-lines').last().click();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type(' Please.');
    await time('save it', async () => {
      await workbench.page.keyboard.press('Control+S');
      await workbench.page.locator('.tab.active:not(.dirty)').waitFor();
    });
    await time('open the dashboard', async () => {
      await workbench.runCommand('Kaizen: Open Dashboard');
      await workbench.webview().locator('svg').first().waitFor();
    });
    row['memory of the extension host'] = extensionHostMemory(env.KAIZEN_DATA);
    return row;
  } finally {
    await editor.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  makePackage();
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(await measure(size));
  const [small = {}, large = {}] = rows;
  const shown = (what: string, value: number) =>
    what.startsWith('memory') ? `${value.toFixed(0)} MB` : milliseconds(value);
  const lines = Object.keys(large).map((what) => [
    what,
    shown(what, small[what] ?? 0),
    shown(what, large[what] ?? 0),
    ((large[what] ?? 0) / (small[what] ?? 1)).toFixed(2),
  ]);
  console.log(`\n${table(['in a window', ...SIZES.map((size) => `${size} entries`), 'ratio'], lines)}`);
}

void main();
