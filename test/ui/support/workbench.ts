import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { outDirectory } from '../../../tools/vscode/paths.mjs';

const screenshots = path.join(outDirectory, 'ui');

/** Settings for a window that is to be shown: nothing that distracts, nor what this VS Code was packaged as. */
export const pictureSettings = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor fills these in
  'window.title': '${activeEditorShort}${separator}${rootName}',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.scrollBeyondLastLine': false,
};

/** VS Code's window as a person uses it. */
export class Workbench {
  readonly quickInput: Locator;
  readonly quickRows: Locator;
  /** The modal dialog in front, where there is one. */
  readonly dialog: Locator;

  constructor(readonly page: Page) {
    this.quickInput = page.locator('.quick-input-widget input[type=text]').first();
    this.quickRows = page.locator('.quick-input-list .monaco-list-row');
    this.dialog = page.locator('.monaco-dialog-box');
  }

  /** Waits for the window to be drawn and the extensions' views to be known. */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 40_000 });
    await this.page.locator('.activitybar a').first().waitFor({ timeout: 40_000 });
  }

  /** Asks until the answer is truthy.
   * @returns that answer
   * @throws naming `what` was waited for */
  async until<T>(question: () => T | Promise<T>, what: string, milliseconds = 30_000): Promise<NonNullable<T>> {
    const end = Date.now() + milliseconds;
    for (;;) {
      const answer = await question();
      if (answer) return answer;
      if (Date.now() > end) throw new Error(`Waited ${milliseconds / 1000} s in vain for ${what}.`);
      await this.page.waitForTimeout(100);
    }
  }

  /** Runs a command from the palette by its whole title, such as `Kaizen: Store Knowledge`. */
  async runCommand(title: string): Promise<void> {
    const row = this.quickRows.filter({ hasText: title }).first();
    await this.#openQuickInput(`>${title}`, () => row.click({ timeout: 2500 }));
  }

  /** The commands that the palette offers for a text. */
  async commands(text: string): Promise<string[]> {
    let titles: string[] = [];
    await this.#openQuickInput(`>${text}`, async () => {
      titles = await this.choices();
    });
    await this.page.keyboard.press('Escape');
    return titles;
  }

  /** Chooses a line of the quick pick that is open, or about to open. */
  async pick(text: string | RegExp): Promise<void> {
    await this.quickRows.filter({ hasText: text }).first().click();
  }

  /** Runs a command and chooses a line of each list that it opens. Lists race with their own closing, so the whole way
   * is gone again when a line is not to be clicked. */
  async runAndPick(title: string, ...lines: string[]): Promise<void> {
    await this.until(
      async () => {
        try {
          await this.runCommand(title);
          for (const line of lines) await this.quickRows.filter({ hasText: line }).first().click({ timeout: 3_000 });
          return true;
        } catch {
          await this.page.keyboard.press('Escape');
          return false;
        }
      },
      `${lines.join(' → ')} by the command ${title}`,
      40_000,
    );
  }

  /** What the open quick pick offers, a text a line; waits for the first. */
  async choices(): Promise<string[]> {
    await this.quickRows.first().waitFor();
    return (await this.quickRows.allInnerTexts()).map(asOneLine);
  }

  /** Opens a file of the workspace by its name. */
  async openFile(name: string): Promise<void> {
    const row = this.quickRows.filter({ hasText: name }).first();
    await this.#openQuickInput(name, () => row.click({ timeout: 2500 }));
    await this.page.locator('.editor-group-container .tab').filter({ hasText: name }).first().waitFor();
  }

  /** Types into the input box whose title, prompt or placeholder holds `about`, and confirms it. Naming the box keeps
   * an answer from landing in the one before it.
   * @param text takes what the box proposes when it is left out */
  async answer(about: string, text?: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget');
    await this.until(async () => {
      const placeholder = (await this.quickInput.getAttribute('placeholder')) ?? '';
      return `${await widget.textContent()} ${placeholder}`.includes(about);
    }, `an input box about "${about}"`);
    if (text !== undefined) await this.quickInput.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Opens a container of the activity bar, unless it is open. */
  async openContainer(title: string): Promise<void> {
    const item = this.page.locator(`.activitybar .action-item:has(a[aria-label^="${title}"])`);
    const button = item.locator('a');
    await button.waitFor({ timeout: 40_000 });
    const isOpen = async () => (await item.getAttribute('aria-expanded')) === 'true';
    // The bar is drawn anew while extensions come, and a click on what it was is lost.
    await this.until(async () => {
      if (!(await isOpen())) {
        // A badge lies over it, and hands on what is clicked.
        await button.click({ force: true, timeout: 2_000 }).catch(() => {});
        // A second click would close what is slow to open.
        for (let turn = 0; turn < 20 && !(await isOpen()); turn++) await this.page.waitForTimeout(100);
      }
      await this.page.waitForTimeout(300);
      return isOpen();
    }, `the container ${title} to be open`);
  }

  /** Clicks a button that a line shows under the pointer, from which it moves away while the view follows a change. */
  async clickInLine(row: Locator, label: string): Promise<void> {
    await this.until(async () => {
      await row.hover();
      const button = row.getByRole('button', { name: label });
      return button.click({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    }, `the button "${label}" of a line`);
  }

  /** Chooses from the context menu of a line. A menu that has only just opened ignores a click, so that a right click
   * chooses nothing by accident. */
  async chooseFromMenu(row: Locator, label: string): Promise<void> {
    await row.click({ button: 'right' });
    const item = this.page.locator('.monaco-menu [role="menuitem"]').filter({ hasText: label });
    await item.waitFor();
    await this.until(async () => {
      if (await item.isHidden()) return true;
      await item.click({ timeout: 1_000 }).catch(() => {});
      await this.page.waitForTimeout(100);
      return item.isHidden();
    }, `the menu to take ${label}`);
  }

  /** A line of a tree in the side bar. */
  treeRow(text: string | RegExp): Locator {
    return this.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text }).first();
  }

  /** The lines of the side bar's trees that are in view: label and description. */
  async treeRows(): Promise<string[]> {
    const rows = await this.page.locator('.part.sidebar .monaco-list-row').all();
    const texts = rows.map((row) => row.locator('.label-name, .label-description').allInnerTexts());
    return (await Promise.all(texts)).map((parts) => asOneLine(parts.join(' ')));
  }

  /** One of the views in the side bar, by its title. */
  view(title: string): Locator {
    const header = this.page.locator(`.pane-header[aria-label^="${title}"]`);
    return this.page.locator('.part.sidebar .pane').filter({ has: header }).first();
  }

  /** Unfolds a view of the side bar, or folds it; a click while the side bar is drawn anew is lost. */
  async foldView(title: string, isOpen: boolean): Promise<void> {
    const header = this.view(title).locator('.pane-header').first();
    const state = isOpen ? 'unfolded' : 'folded';
    await header.waitFor();
    await this.until(async () => {
      if ((await header.getAttribute('aria-expanded')) === String(isOpen)) return true;
      await header
        .locator('.title')
        .first()
        .click({ timeout: 2_000 })
        .catch(() => {});
      await this.page.waitForTimeout(300);
      return false;
    }, `the view ${title} to be ${state}`);
  }

  /** Has one view of the side bar unfolded, alone: there is room for all of its lines. */
  async showAlone(title: string, others: readonly string[] = ['Sessions & Progress', 'Knowledge']): Promise<void> {
    for (const other of others) await this.foldView(other, other === title);
    await this.foldView(title, true);
  }

  /** The lines of one view that are in view, as `treeRows` gives them. */
  async viewRows(title: string): Promise<string[]> {
    const rows = await this.view(title).locator('.monaco-list-row').all();
    const texts = rows.map((row) => row.locator('.label-name, .label-description').allInnerTexts());
    return (await Promise.all(texts)).map((parts) => asOneLine(parts.join(' ')));
  }

  /** Waits until a view has exactly these lines in view. */
  async viewShows(title: string, lines: readonly string[]): Promise<void> {
    let rows: string[] = [];
    await this.until(
      async () => {
        rows = await this.viewRows(title).catch(() => []);
        return JSON.stringify(rows) === JSON.stringify(lines);
      },
      `the view ${title} to show ${lines.join(' | ')}`,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)} It shows ${rows.join(' | ')}`);
    });
  }

  /** Waits until a tree of the side bar has a line of that label and description. */
  async treeShows(line: string): Promise<void> {
    await this.until(async () => (await this.treeRows()).includes(line), `the line "${line}" in the tree`);
  }

  /** Waits until no tree of the side bar has a line of that label, whatever its description. */
  async treeLacks(label: string): Promise<void> {
    const isThere = (lines: string[]) => lines.some((line) => line === label || line.startsWith(`${label} `));
    await this.until(async () => !isThere(await this.treeRows()), `"${label}" to leave the tree`);
  }

  /** Unfolds lines of a tree, one below the other. */
  async unfold(...texts: (string | RegExp)[]): Promise<void> {
    for (const text of texts) {
      const row = this.treeRow(text);
      await row.waitFor();
      // The tree may be drawn anew between the look and the click.
      await this.#retry(async () => {
        if ((await row.getAttribute('aria-expanded')) === 'false') {
          await row.locator('.monaco-tl-twistie').click({ timeout: 2500 });
        }
        await this.until(
          async () => (await row.getAttribute('aria-expanded')) !== 'false',
          `"${text}" to unfold`,
          2500,
        );
      });
    }
  }

  /** The lines of the Problems panel; opens it. */
  async problems(): Promise<string[]> {
    await this.runCommand('Problems: Focus on Problems View');
    const panel = this.page.locator('.markers-panel');
    await panel.waitFor();
    return (await panel.locator('.monaco-list-row').allInnerTexts()).map(asOneLine);
  }

  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text }).first();
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
  }

  /** Presses a button of a notification, and waits for the notification to go. */
  async answerNotification(text: string | RegExp, button: string): Promise<void> {
    const notification = this.notification(text);
    await notification.getByRole('button', { name: button, exact: true }).click();
    await notification.waitFor({ state: 'hidden' });
  }

  /**
   * Waits until VS Code shows notifications again: more than three within 800 ms, progress counted, go to the
   * notification centre unseen (`NotificationsToasts.SPAM_PROTECTION`), and a test is quicker than a person.
   */
  async restOfNotifications(): Promise<void> {
    await this.page.waitForTimeout(800);
  }

  async clearNotifications(): Promise<void> {
    await this.runCommand('Notifications: Clear All Notifications');
    await this.page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'hidden' });
  }

  /** Presses a button of the modal dialog. */
  async answerDialog(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
    await this.dialog.waitFor({ state: 'hidden' });
  }

  /** Closes the editor that lies over the window and swallows nearly every key. */
  async closeModalEditor(): Promise<void> {
    const modal = this.page.locator('.monaco-modal-editor-block');
    await modal.getByRole('button', { name: 'Close Modal Editor' }).click();
    await modal.waitFor({ state: 'hidden' });
  }

  /** What is inside the webview in front. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Drags something onto something else, slowly enough for the editor to see where it is dragged. */
  async drag(from: Locator, to: Locator): Promise<void> {
    const places = async () => JSON.stringify([await from.boundingBox(), await to.boundingBox()]);
    // What is drawn anew would move away from under the pointer.
    await this.until(async () => {
      const before = await places();
      await this.page.waitForTimeout(500);
      return before === (await places());
    }, 'the lines to stay where they are');
    await from.hover();
    await this.page.mouse.down();
    const box = await to.boundingBox();
    if (!box) throw new Error('There is nothing to drag it onto.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await this.page.mouse.move(x, y - 3, { steps: 8 });
    await this.page.mouse.move(x, y, { steps: 3 });
    await this.page.waitForTimeout(300);
    await this.page.mouse.up();
  }

  /** Drags the border between a side bar and the editors. */
  async setWidth(part: 'sidebar' | 'auxiliarybar', width: number): Promise<void> {
    const box = await this.page.locator(`.part.${part}`).boundingBox();
    if (!box) throw new Error(`The ${part} is not shown.`);
    // The border lies in the gap between the two.
    const [from, to] =
      part === 'sidebar' ? [box.x + box.width + 2, box.x + width + 2] : [box.x - 2, box.x + box.width - width - 2];
    const y = box.y + box.height / 3;
    await this.page.mouse.move(from, y);
    await this.page.mouse.down();
    await this.page.mouse.move(to, y, { steps: 5 });
    await this.page.mouse.up();
  }

  /** Moves the pointer where it shows no hover and lights nothing up. */
  async rest(): Promise<void> {
    await this.page.mouse.move(this.page.viewportSize()!.width / 2, 1);
    await this.page.locator('.monaco-hover:visible').first().waitFor({ state: 'hidden' });
    await this.page.waitForTimeout(400); // what lit up fades
  }

  /** Saves out/ui/<name>.png.
   * @returns its path */
  async screenshot(name: string): Promise<string> {
    mkdirSync(screenshots, { recursive: true });
    const file = path.join(screenshots, `${name.replace(/[^\w-]+/g, '-')}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }

  /** Opens the quick input, fills it and acts on it: all three again when one fails, for the quick input may still be
   * closing after the previous pick. */
  async #openQuickInput(text: string, action: () => Promise<void>): Promise<void> {
    await this.#retry(async () => {
      const widget = this.page.locator('.quick-input-widget');
      await widget.waitFor({ state: 'hidden', timeout: 2000 }).catch(() => this.page.keyboard.press('Escape'));
      await this.page.keyboard.press('F1');
      await this.quickInput.waitFor({ state: 'visible', timeout: 1500 });
      await this.quickInput.fill(text, { timeout: 1500 });
      await action();
    });
  }

  async #retry(action: () => Promise<void>, attempts = 5): Promise<void> {
    for (let left = attempts; ; left -= 1) {
      try {
        return await action();
      } catch (error) {
        if (left <= 1) throw error;
      }
    }
  }
}

function asOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
