import assert from 'node:assert/strict';
import { assertAccessible } from './support/accessibility';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

describe('the example in the window', () => {
  const editor = useEditor({ settings: pictureSettings, height: 840 });
  let workbench: Workbench;

  before(async () => {
    workbench = editor().workbench;
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('General general · 18 entries');
  });

  it('shows tiers, scopes, categories and entries, the most specific first, with risks in words', async () => {
    await workbench.viewShows('Knowledge', [
      'PROJECT',
      'checkout-api 15 entries',
      'api 1',
      'coding 1',
      'database 4',
      'git 1',
      'operations 3',
      'testing 2',
      'validation 3',
      'GROUP',
      'Auth auth · 8 entries',
      'Mobile mobile · 7 entries',
      'Payments payments · 13 entries',
      'Web web · 7 entries',
      'PRODUCT',
      'Web App webapp · 15 entries',
      'GENERAL',
      'General general · 18 entries',
    ]);
    await workbench.unfold('validation', 'database');
    for (const line of ['refund_window', 'refund_amounts DANGER, LAST TIME', 'user_table WARNING']) {
      await workbench.treeShows(line);
    }
  });

  it('tells a screen reader what it shows', async () => {
    const name = (text: string | RegExp) => workbench.treeRow(text).getAttribute('aria-label');
    assert.match((await name(/^\s*PROJECT/)) ?? '', /^PROJECT\b/);
    assert.match((await name('Payments')) ?? '', /^Payments, payments · 13 entries/);
    assert.match((await name('refund_amounts')) ?? '', /^refund_amounts, DANGER, LAST TIME/);
    await assertAccessible(workbench, '.part.sidebar .pane-body');
  });

  it('names the project and counts its risks in the status bar', async () => {
    const item = workbench.statusBarItem('checkout-api');
    assert.match(await item.innerText(), /checkout-api: [1-9]\d* risks/);
    await item.hover();
    await workbench.page.locator('.monaco-hover:visible').getByText('refund_amounts').waitFor();
    await workbench.rest();
  });

  it('opens an entry, with its risks in the Problems panel', async () => {
    const { page } = workbench;
    await workbench.treeRow('refund_amounts').click();
    await page.locator('.tab', { hasText: 'refund_amounts.md' }).waitFor();
    const problems = await workbench.until(async () => {
      const lines = await workbench.problems();
      return lines.length >= 3 ? lines : undefined;
    }, 'the risks of the entry');
    assert.match(problems[0] ?? '', /^refund_amounts\.md *\/checkout-api\/validation/);
    assert.match(problems[1] ?? '', /DANGER: A positive refund line charges the customer a second time\./);
    assert.match(problems[2] ?? '', /LAST TIME: 38 customers /);
    assert.equal(problems.length, 3);
  });

  it('makes a picture for the README', async () => {
    await workbench.setWidth('sidebar', 360);
    await workbench.unfold('operations');
    await workbench.problems();
    // A selected problem shows a light bulb in place of its severity.
    await workbench.page.keyboard.press('ArrowUp');
    await workbench.treeRow('refund_amounts').click();
    await workbench.rest();
    await workbench.screenshot('explorer');
  });

  it('is on the editor’s list of MCP servers, starts, and has its tools discovered', async () => {
    await workbench.runAndPick('MCP: List Servers', 'Kaizen', 'Start Server');
    await workbench.runAndPick('MCP: List Servers', 'Kaizen', 'Show Output');
    const output = workbench.page.locator('.part.panel .view-lines');
    await workbench.until(
      async () => /Discovered 20 tools/.test((await output.innerText()).replace(/\s/g, ' ')),
      'the tools in the output of the server',
    );
  });
});
