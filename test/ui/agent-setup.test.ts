import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { type Editor, useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const SET_UP = 'Kaizen: Set Up Agents';
const guide = '# Conventions\r\n\r\nTabs, please.\r\n\r\nNo final newline';
const servers = `{
  // Started by hand elsewhere.
  "mcpServers": {
    "other": { "command": "other", "args": [] }, // ours since May
  }
}
`;
const damaged = '{ "mcpServers": { "other": ';

/** Every file of a folder with its bytes. */
function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(path.join(folder, name)).isFile()).sort();
  return Object.fromEntries(files.map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]));
}

/** The titles of the editors that are open. */
async function openTabs({ page }: Workbench): Promise<string[]> {
  return page.locator('.editor-group-container .tabs-container .tab .label-name').allInnerTexts();
}

/** The list of what can be set up. */
class Pieces {
  constructor(private readonly workbench: Workbench) {}

  static async open(workbench: Workbench, command = SET_UP): Promise<Pieces> {
    await workbench.runCommand(command);
    const pieces = new Pieces(workbench);
    await pieces.row('AGENTS.md').waitFor();
    return pieces;
  }

  row(text: string | RegExp): Locator {
    return this.workbench.quickRows.filter({ hasText: text }).first();
  }

  async isTicked(text: string | RegExp): Promise<boolean> {
    const box = this.row(text).locator('[role=checkbox], input[type=checkbox], .quick-input-list-checkbox').first();
    return (await box.getAttribute('aria-checked')) === 'true' || box.isChecked().catch(() => false);
  }

  async tick(text: string | RegExp, wanted: boolean): Promise<void> {
    await this.workbench.until(
      async () => {
        if ((await this.isTicked(text)) === wanted) return true;
        await this.row(text).click();
        return false;
      },
      `${text} to be ${wanted ? 'ticked' : 'left'}`,
    );
  }

  async accept(): Promise<void> {
    await this.workbench.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
  }
}

describe('setting agents up', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 900 });
  let workbench: Workbench;
  let original: Record<string, string>;

  const file = (name: string) => path.join(editor().workspace, name);
  const text = (name: string) => readFileSync(file(name), 'utf8');

  before(async function () {
    this.timeout(120_000);
    workbench = editor().workbench;
    writeFileSync(file('AGENTS.md'), guide);
    writeFileSync(file('.mcp.json'), servers);
    mkdirSync(file('.cursor'));
    writeFileSync(file('.cursor/mcp.json'), damaged);
    original = contentsOf(editor().workspace);
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('checkout-api 15 entries');
  });
  afterEach(async () => {
    await workbench.page.keyboard.press('Escape');
    await workbench.clearNotifications();
    await workbench.runCommand('View: Close All Editors');
  });

  it('proposes what is for agents that are used here, and can be read without seeing', async () => {
    const pieces = await Pieces.open(workbench);
    await pieces.row('Claude Code').waitFor();
    const lines = await workbench.choices();
    for (const heading of ['Instructions', 'MCP servers', 'Hooks']) {
      assert.ok(
        lines.some((line) => line.includes(heading)),
        `${heading} in\n${lines.join('\n')}`,
      );
    }
    assert.equal(await pieces.isTicked('AGENTS.md'), true);
    assert.equal(await pieces.isTicked('.github/copilot-instructions.md'), false);
    assert.ok(
      lines.some((line) => line.includes('.cursor/mcp.json · cannot be changed')),
      lines.join('\n'),
    );
    const spoken = await pieces.row('AGENTS.md').getAttribute('aria-label');
    assert.match(spoken ?? '', /AGENTS\.md.*no section yet/);
    await workbench.rest();
    await workbench.screenshot('agent-setup');
  });

  it('writes nothing before it was shown and agreed to', async () => {
    for (const answer of ['Write nothing', 'Escape']) {
      const pieces = await Pieces.open(workbench);
      await pieces.tick('AGENTS.md', true);
      await pieces.tick(/^Claude Code.*\.mcp\.json/, true);
      await pieces.accept();
      await workbench.quickRows.filter({ hasText: 'Write nothing' }).first().waitFor();
      await workbench.page.locator('.multiDiffEditor').getByText('kaizen:begin').first().waitFor();
      if (answer === 'Escape') await workbench.page.keyboard.press('Escape');
      else await workbench.pick(answer);
      await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      await workbench.notification('Nothing was written.').waitFor();
      // What was shown goes with the question.
      await workbench.page.locator('.multiDiffEditor').waitFor({ state: 'hidden' });
      assert.deepEqual(await openTabs(workbench), []);
      assert.deepEqual(contentsOf(editor().workspace), original);
      await workbench.clearNotifications();
    }
  });

  it('writes what is ticked into what is there, and nothing else', async () => {
    const pieces = await Pieces.open(workbench);
    for (const line of ['AGENTS.md', /^Claude Code.*\.mcp\.json/]) await pieces.tick(line, true);
    await pieces.accept();
    await workbench.page.locator('.multiDiffEditor').getByText('kaizen:begin').first().waitFor();
    await workbench.rest();
    await workbench.screenshot('agent-setup-preview');
    await workbench.pick(/Write \d+ files?/);
    await workbench.notification('Agents are set up.').waitFor();
    assert.deepEqual(await openTabs(workbench), []);
    assert.ok(text('AGENTS.md').startsWith(guide));
    assert.match(text('AGENTS.md'), /<!-- kaizen:begin -->[\s\S]*`checkout-api`[\s\S]*<!-- kaizen:end -->/);
    assert.match(text('.mcp.json'), /\/\/ ours since May/);
    assert.match(text('.mcp.json'), /"kaizen": \{/);
    assert.equal(text('.cursor/mcp.json'), damaged);
  });

  it('finds it up to date the next time', async () => {
    const pieces = await Pieces.open(workbench);
    assert.equal(await pieces.isTicked('AGENTS.md'), true);
    await workbench.quickRows
      .filter({ hasText: /AGENTS\.md.*up to date/ })
      .first()
      .waitFor();
    await pieces.accept();
    await workbench.notification('All of it is as it should be.').waitFor();
  });

  it('takes away what loses its tick, to the byte', async () => {
    const pieces = await Pieces.open(workbench);
    const ticked = (await workbench.choices()).filter((line) => /up to date/.test(line));
    assert.ok(ticked.length >= 2, ticked.join('\n'));
    await pieces.tick('AGENTS.md', false);
    await pieces.tick(/^Claude Code.*\.mcp\.json/, false);
    await pieces.accept();
    await workbench.pick(/Write \d+ files?/);
    await workbench.notification('Agents are set up.').waitFor();
    const after = contentsOf(editor().workspace);
    assert.equal(after['AGENTS.md'], original['AGENTS.md']);
    assert.equal(after['.mcp.json'], original['.mcp.json']);
  });

  it('undoes what it wrote', async () => {
    const now = contentsOf(editor().workspace);
    const pieces = await Pieces.open(workbench);
    await pieces.tick('.github/copilot-instructions.md', true);
    await pieces.accept();
    await workbench.pick(/Write \d+ files?/);
    await workbench.answerNotification('Agents are set up.', 'Undo');
    await workbench.notification('As before: ').waitFor();
    assert.deepEqual(contentsOf(editor().workspace), now);
  });

  it('says so where a file was changed after it was shown, and leaves it', async () => {
    const pieces = await Pieces.open(workbench);
    await pieces.tick('AGENTS.md', true);
    await pieces.accept();
    await workbench.page.locator('.multiDiffEditor').getByText('kaizen:begin').first().waitFor();
    writeFileSync(file('AGENTS.md'), 'Written meanwhile.\n');
    await workbench.pick(/Write \d+ files?/);
    await workbench.notification(/AGENTS\.md/).waitFor();
    assert.equal(text('AGENTS.md'), 'Written meanwhile.\n');
    writeFileSync(file('AGENTS.md'), guide);
  });

  it('copies a client’s configuration', async () => {
    await workbench.runCommand('Kaizen: Copy Configuration for an Agent');
    await workbench.pick('Claude Desktop');
    await workbench
      .notification('Copied. It belongs in ~/.config/Claude/claude_desktop_config.json; where the file exists')
      .waitFor();
    // Nobody is asked to save it.
    const tabs = await openTabs(workbench);
    assert.deepEqual([tabs.length, tabs[0]?.startsWith('claude_desktop_config')], [1, true], tabs.join());
    assert.equal(await workbench.page.locator('.tabs-container .tab.dirty').count(), 0);
    const copied = await workbench.page.evaluate<string>('navigator.clipboard.readText()');
    const { kaizen } = (JSON.parse(copied) as { mcpServers: Record<string, { command: string }> }).mcpServers;
    assert.equal(kaizen?.command, path.join(editor().home, '.local/share/kaizen/bin/kaizen'));
    assert.ok(statSync(kaizen.command).isFile(), 'what it starts is there');
  });
});

describe('exporting to AGENTS.md', () => {
  const editor = useEditor({ settings: pictureSettings, width: 1280, height: 900 });
  let workbench: Workbench;
  let file: string;

  before(async () => {
    workbench = editor().workbench;
    file = path.join(editor().workspace, 'AGENTS.md');
    writeFileSync(file, guide);
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('checkout-api 15 entries');
  });
  afterEach(async () => {
    await workbench.page.keyboard.press('Escape');
    await workbench.clearNotifications();
    await workbench.runCommand('View: Close All Editors');
  });

  const exportSection = async () => {
    await workbench.runCommand('Kaizen: Export Knowledge');
    for (const line of ['A section of AGENTS.md', /^checkout-api/, 'Without names']) await workbench.pick(line);
    await workbench.page.locator('.multiDiffEditor').getByText('kaizen:knowledge:begin').first().waitFor();
  };

  it('writes nothing before it was shown and agreed to', async () => {
    await exportSection();
    await workbench.rest();
    await workbench.screenshot('export-section');
    await workbench.page.keyboard.press('Escape');
    await workbench.notification('Nothing was written.').waitFor();
    assert.deepEqual(await openTabs(workbench), []);
    assert.equal(readFileSync(file, 'utf8'), guide);
  });

  it('names the file, and undoes what it wrote', async () => {
    await exportSection();
    await workbench.pick('Write 1 file');
    await workbench.notification(/The section in AGENTS\.md holds \d+ entries/).waitFor();
    assert.match(readFileSync(file, 'utf8'), /No final newline\s+<!-- kaizen:knowledge:begin -->/);
    await workbench.answerNotification('The section in AGENTS.md holds', 'Undo');
    await workbench.notification('As before: AGENTS.md').waitFor();
    assert.equal(readFileSync(file, 'utf8'), guide);
  });

  it('is seen in what is set up, and taken away there, to the byte', async () => {
    await exportSection();
    await workbench.pick('Write 1 file');
    await workbench.notification('The section in AGENTS.md holds').waitFor();
    const pieces = await Pieces.open(workbench);
    assert.ok((await workbench.choices()).some((line) => line.includes('Exported knowledge')));
    const exported = /AGENTS\.md\s*there.*Put there by an export/s;
    await pieces.row(exported).waitFor();
    await workbench.rest();
    await workbench.screenshot('agent-setup-exported');
    await pieces.tick(/AGENTS\.md\s*no section yet/, false);
    await pieces.tick(exported, false);
    await pieces.accept();
    await workbench.pick(/Write \d+ files?/);
    await workbench.notification('Agents are set up.').waitFor();
    assert.equal(readFileSync(file, 'utf8'), guide);
  });
});

describe('setting agents up, in German', () => {
  const editor = useEditor({ settings: pictureSettings, language: 'de' });

  it('asks in German', async () => {
    const { workbench, workspace }: Editor = editor();
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('checkout-api 15 Einträge');
    mkdirSync(path.join(workspace, '.cursor'));
    writeFileSync(path.join(workspace, '.cursor/mcp.json'), damaged);
    const pieces = await Pieces.open(workbench, 'Kaizen: Agents einrichten');
    const lines = (await workbench.choices()).join('\n');
    for (const line of [
      'Claude Code, in diesem Ordner',
      'Sie ist kein JSON: ein Wert fehlt, in Zeile 1.',
      'Öffnet keinen Ordner: ',
    ])
      assert.ok(lines.includes(line), `${line} in\n${lines}`);
    await workbench.quickRows.filter({ hasText: 'Anweisungen' }).first().waitFor();
    await workbench.page.locator('.quick-input-title').getByText('Agents einrichten').waitFor();
    await pieces.tick('AGENTS.md', true);
    await pieces.accept();
    await workbench.pick(/\d+ Dateien schreiben/);
    await workbench.notification('Die Agents sind eingerichtet. Geändert: AGENTS.md').waitFor();
    rmSync(path.join(workspace, 'AGENTS.md'));
  });
});

describe('setting agents up in a workspace of several folders', () => {
  const editor = useEditor({ settings: pictureSettings });
  let root = '';

  before(() => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-folders-'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('asks which folder is meant, and writes there; so does the doctor, who looks there', async () => {
    const { workbench, workspace }: Editor = editor();
    const other = path.join(root, 'harbour');
    mkdirSync(other);
    const several = path.join(root, 'both.code-workspace');
    writeFileSync(several, JSON.stringify({ folders: [{ path: workspace }, { path: other }] }));
    const before = contentsOf(workspace);
    await editor().openFolder(several);
    await workbench.openContainer('Kaizen');
    await workbench.runCommand(SET_UP);
    await workbench.pick('harbour');
    const pieces = new Pieces(workbench);
    await pieces.row('AGENTS.md').waitFor();
    await pieces.tick('AGENTS.md', true);
    await pieces.accept();
    await workbench.pick(/Write \d+ files?/);
    await workbench.notification('Agents are set up.').waitFor();
    assert.match(readFileSync(path.join(other, 'AGENTS.md'), 'utf8'), /^<!-- kaizen:begin -->/);
    assert.deepEqual(contentsOf(workspace), before);

    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Export Knowledge');
    for (const line of ['A section of AGENTS.md', /^checkout-api/, 'Without names', 'harbour', 'Write 1 file']) {
      await workbench.pick(line);
    }
    await workbench.notification('The section in AGENTS.md holds').waitFor();
    assert.match(readFileSync(path.join(other, 'AGENTS.md'), 'utf8'), /\n<!-- kaizen:knowledge:begin -->/);
    assert.deepEqual(contentsOf(workspace), before);

    writeFileSync(path.join(other, '.mcp.json'), '{ "mcpServers": { broken');
    await workbench.clearNotifications();
    await workbench.runCommand('Kaizen: Diagnose');
    await workbench.pick('harbour');
    await workbench.quickRows.filter({ hasText: 'The server in .mcp.json (Claude Code)' }).first().waitFor();
    await workbench.page.keyboard.press('Escape');
  });
});

describe('the offer to set agents up', () => {
  const editor = useEditor({ settings: pictureSettings });
  const offer = 'Set up your other agents…';

  it('is made where there are files of other agents, and no more once it is declined', async () => {
    const { workbench, workspace } = editor();
    await workbench.openContainer('Kaizen');
    await workbench.treeShows('checkout-api 15 entries');
    await workbench.treeLacks(offer);
    mkdirSync(path.join(workspace, '.cursor'));
    // Files of others are looked at when the window opens, and when the settings change.
    const settings = path.join(workspace, '.vscode/settings.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('{', '{ "kaizen.agents.briefTokens": 1400,'));
    await workbench.treeShows(offer);
    const row = workbench.treeRow(offer);
    await row.hover();
    await row.locator('[aria-label^="Do Not Offer Again"]').first().click();
    await workbench.treeLacks(offer);
  });
});
