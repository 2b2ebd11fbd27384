import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { Kaizen } from '../../src/kaizen';
import { agentsFile, type Holding, htmlReport, parseLines } from '../../src/transfer';
import { openBrowser } from '../../tools/vscode/host.mjs';
import { useEditor } from './support/editor';

describe('Diagnose, with a store that does not open and a client that is not configured well', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-ui-doctor-'));
  const data = path.join(root, 'quiet-harbour', 'store');
  const journal = path.join(data, 'journal-000001');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(journal, 'This was a journal once.');
  const editor = useEditor({ env: { KAIZEN_DATA: data } });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('lists what does not work first, mends nothing by itself, and leads to what mends it', async () => {
    const { workbench, workspace } = editor();
    const config = path.join(workspace, '.mcp.json');
    writeFileSync(config, '{ "mcpServers": { broken');
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Diagnose');
    await workbench.quickRows.filter({ hasText: 'damaged, and nothing in it can be read' }).first().waitFor();
    const rows = await workbench.choices();
    const at = (text: string) => rows.findIndex((row) => row.includes(text));
    assert.ok(at("The workspace's store is damaged") >= 0, rows.join('\n'));
    assert.ok(at('The server in .mcp.json (Claude Code)') >= 0, rows.join('\n'));
    assert.ok(!rows.join('\n').includes(data), 'no folder is named');
    await workbench.screenshot('doctor');
    assert.equal(readFileSync(journal, 'utf8'), 'This was a journal once.');
    assert.equal(readFileSync(config, 'utf8'), '{ "mcpServers": { broken');
    await workbench.pick('The server in .mcp.json (Claude Code)');
    const { dialog } = workbench;
    await dialog.filter({ hasText: 'It is not JSON' }).waitFor();
    assert.match((await dialog.textContent()) ?? '', /kaizen setup --install server:claude-code/);
    await workbench.answerDialog('Set Up Agents');
    await workbench.quickRows.filter({ hasText: '.mcp.json' }).first().waitFor();
    await workbench.page.keyboard.press('Escape');
    assert.equal(readFileSync(config, 'utf8'), '{ "mcpServers": { broken');
  });

  it('shows and copies a report that names nobody and nothing', async () => {
    const { workbench } = editor();
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.runAndPick('Kaizen: Diagnose', 'Copy Report for an Issue');
    const copied = await workbench.until(async () => {
      const text = await workbench.page.evaluate<string>('navigator.clipboard.readText()');
      return text.includes('### Kaizen: Diagnose') ? text : undefined;
    }, 'the report in the clipboard');
    assert.match(copied, /✖ `store_damaged`/);
    assert.match(copied, /✖ `server_unreadable`/);
    assert.doesNotMatch(copied, /quiet-harbour|checkout-api/);
    await workbench.runAndPick('Kaizen: Diagnose', 'Show Report');
    await workbench.page.locator('.view-lines').filter({ hasText: 'store_damaged' }).first().waitFor();
    await workbench.page.locator('.tab').filter({ hasText: 'diagnosis.md' }).first().waitFor();
    assert.equal(await workbench.page.locator('.tab.dirty').count(), 0, 'nothing is left to be saved');
  });
});

for (const [where, trustWorkspaces, said] of [
  ['before anything is stored', true, 'What clients start (the launcher) is not there yet'],
  ['in Restricted Mode', false, 'in Restricted Mode it is not made'],
] as const)
  describe(`Diagnose, ${where}`, () => {
    const settings = trustWorkspaces ? {} : { 'security.workspace.trust.startupPrompt': 'never' };
    const editor = useEditor({ workspace: 'fresh', trustWorkspaces, settings });

    it('misses nothing that is made later, and promises no help of a new window', async () => {
      const { workbench } = editor();
      await workbench.runCommand('Kaizen: Diagnose');
      await workbench.quickRows.filter({ hasText: said }).first().waitFor();
      await workbench.page.getByText('Diagnosis: nothing is wrong').first().waitFor();
      const rows = (await workbench.choices()).join('\n');
      assert.doesNotMatch(rows, /Reload the window/);
      assert.equal(/Trust the folder/.test(rows), !trustWorkspaces, rows);
      await workbench.screenshot(`doctor-first-${trustWorkspaces ? 'trusted' : 'restricted'}`);
      await workbench.page.keyboard.press('Escape');
    });
  });

describe('the report of what holds, in a browser', () => {
  let holding: Holding;
  before(async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'kaizen-ui-report-'));
    const kaizen = new Kaizen({ data: path.join(root, 'd'), shared: path.join(root, 's') });
    try {
      const text = readFileSync('examples/checkout-api/knowledge.jsonl', 'utf8');
      await kaizen.importRecords(parseLines(text, { author: 'me', at: '2026-01-01T00:00:00.000Z' }), { author: 'me' });
      holding = await kaizen.holding('checkout-api');
    } finally {
      await kaizen.close();
      rmSync(root, { recursive: true, force: true });
    }
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no fault that axe finds, in ${colorScheme} colours and on paper, and asks the network for nothing`, async () => {
      const { browser } = await openBrowser();
      try {
        const context = await browser.newContext({ colorScheme });
        const page = await context.newPage();
        const asked: string[] = [];
        const said: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        page.on('console', (message) => said.push(message.text()));
        const file = path.join(mkdtempSync(path.join(tmpdir(), 'kaizen-ui-report-')), 'report.html');
        writeFileSync(file, await htmlReport(holding));
        await page.goto(`file://${file}`);
        assert.deepEqual(asked, [`file://${file}`]);
        assert.deepEqual(said, []);
        await page.screenshot({ path: `out/ui/report-${colorScheme}.png` });
        for (const media of ['screen', 'print'] as const) {
          await page.emulateMedia({ media, colorScheme });
          const { violations, passes } = await new AxeBuilder({ page }).analyze();
          assert.ok(passes.length > 5);
          assert.deepEqual(
            violations.map(({ id, nodes }) => `${media} ${id}: ${nodes[0]?.html}`),
            [],
          );
        }
        rmSync(path.dirname(file), { recursive: true, force: true });
      } finally {
        await browser.close();
      }
    });
  }

  it('runs nothing of a hostile entry', async () => {
    const payload =
      '<img src=x onerror="document.title=1"><script>document.title=1</script>[a](javascript:document.title=1)';
    const hostile: Holding = {
      ...holding,
      entries: holding.entries.slice(0, 1).map((entry) => ({ ...entry, keyword: payload, content: payload })),
    };
    assert.ok(agentsFile(hostile).text.includes('onerror'));
    const { browser, page } = await openBrowser();
    try {
      await page.setContent(await htmlReport(hostile));
      assert.match(await page.title(), /^What is known/);
      assert.equal(await page.locator('img, script, a[href^="javascript"]').count(), 0);
    } finally {
      await browser.close();
    }
  });
});
