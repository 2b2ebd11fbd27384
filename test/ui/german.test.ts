import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Lock } from '../../src/store/lock';
import { projectRoot } from '../../tools/vscode/paths.mjs';
import { useEditor } from './support/editor';
import { pictureSettings, type Workbench } from './support/workbench';

const bundle = path.join(projectRoot, 'l10n/bundle.l10n.de.json');
const german = JSON.parse(readFileSync(bundle, 'utf8')) as Record<string, string>;
const germanTexts = new Set(Object.values(german));

describe('Kaizen in German', () => {
  const editor = useEditor({ language: 'de', settings: pictureSettings, width: 1440, height: 1000 });
  let workbench: Workbench;

  before(async () => {
    workbench = editor().workbench;
    await workbench.openContainer('Kaizen');
  });

  /** Fails when the page in front says something in English for which there is a German text, or next to nothing. */
  async function assertGermanPage(heading: string): Promise<void> {
    const page = workbench.webview();
    await page.getByText(heading, { exact: true }).first().waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    const read = async () => (await page.locator('body').innerText()).split('\n').map((line) => line.trim());
    // The heading is there before what the page is about.
    const lines = await workbench.until(async () => {
      const shown = await read();
      return shown.filter((line) => germanTexts.has(line)).length > 6 ? shown : undefined;
    }, `more than the heading ${heading} in German`);
    const english = lines.filter((line) => (german[line] ?? line) !== line);
    assert.deepEqual(english, []);
  }

  it('names its views, their lines and their hovers', async () => {
    await workbench.view('Wissen').waitFor();
    await workbench.view('Sitzungen & Fortschritt').waitFor();
    await workbench.treeShows('General general · 18 Einträge');
    await workbench.treeShows('In Arbeit 3');
    await workbench.treeRow('65 % abgeschlossen').waitFor();
    const tooltip = workbench.page.locator('.monaco-hover:visible').getByText('Erbt von').first();
    // A tree that is drawn anew under the pointer takes its hover away.
    await workbench.until(async () => {
      await workbench.treeRow('checkout-api').hover();
      const shown = await tooltip.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
      if (!shown) await workbench.rest();
      return shown;
    }, 'the hover of the project in German');
    await workbench.rest();
  });

  it('offers its commands in German, and finds them by their English names too', async () => {
    const commands = await workbench.commands('Kaizen: Store Knowledge');
    assert.equal(commands[0], 'Kaizen: Wissen speichern Kaizen: Store Knowledge');
  });

  it('asks in German', async () => {
    await workbench.runCommand('Kaizen: Wissen speichern');
    await workbench.page.locator('.quick-input-title').getByText('Wissen speichern').waitFor();
    assert.equal(await workbench.quickInput.getAttribute('placeholder'), 'Scope: wo es gilt');
    await workbench.page.keyboard.press('Escape');
  });

  it('says for which process it waits, until that one is done', async () => {
    const lock = new Lock(`${editor().env.KAIZEN_DATA}`, 'lock');
    await lock.acquire();
    try {
      await workbench.runCommand('Kaizen: Wissen speichern');
      await workbench.pick('checkout-api');
      await workbench.answer('Kategorie', 'git.workflows');
      await workbench.answer('Stichwort', 'rebase');
      await workbench.answer('Die Regel oder Tatsache', 'Rebase before you push.');
      await workbench.answer('Warum?');
      const waits = `Kaizen wartet: Der Speicher des Arbeitsbereichs wird von Prozess ${process.pid} gehalten`;
      const item = workbench.statusBarItem(waits);
      await item.waitFor();
      lock.release();
      await item.waitFor({ state: 'hidden' });
      await workbench.notification('„rebase“ in').waitFor();
    } finally {
      lock.dispose();
    }
    await workbench.clearNotifications();
  });

  it('shows its pages in German', async () => {
    await workbench.runCommand('Kaizen: Dashboard öffnen');
    await assertGermanPage('Wissens-Dashboard');
    await workbench.rest();
    await workbench.screenshot('german');

    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Kaizen: Projekt öffnen');
    await assertGermanPage('Wichtigste Einschränkungen');

    await workbench.runCommand('View: Close All Editors');
    await workbench.runAndPick('Kaizen: Eintrag öffnen', 'refund_amounts');
    await assertGermanPage('Wie Risiken gelesen werden');
  });

  it('shows notes in German, and asks about them so', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.foldView('Notizen', true);
    await workbench.until(
      async () => (await workbench.viewRows('Notizen').catch(() => [])).some((row) => /^Projekt 6 Notizen/.test(row)),
      'the notes of the project in German',
    );
    await workbench.runCommand('Kaizen: Neue Sammlung von Notizen');
    await workbench.answer('Name der Sammlung', 'Sicher abrechnen');
    await workbench.until(
      async () => (await workbench.choices()).some((row) => row.startsWith('Lernpfad')),
      'the types of collections in German',
    );
    await workbench.rest();
    await workbench.screenshot('german-notes');
    await workbench.page.keyboard.press('Escape');
  });

  it('explains itself in German to those who begin', async () => {
    await workbench.runCommand('Kaizen: Erste Schritte');
    const { page } = workbench;
    await page.getByRole('heading', { name: 'Erste Schritte mit Kaizen' }).first().waitFor();
    await page.getByText('Agents damit arbeiten lassen').first().waitFor();
  });
});
