import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Kaizen, type KaizenParts } from '../../../src/kaizen';
import type { DocumentRequestInput } from '../../../src/library';
import type { Editor } from './editor';
import type { Workbench } from './workbench';

export const TITLE = 'Handbook of Tide Gauges';
const AGENT = { author: 'Scripted Agent', by_agent: true };

const HANDBOOK = `# ${TITLE}

## 1 Purpose

A tide gauge measures the height of the sea. It is read once an hour, and each reading is kept with its time. Readings
of several gauges are compared before a warning is given, so that a single gauge that fails warns nobody.

## 2 Calibration

### 2.1 Interval

The gauge shall be calibrated every ninety days. A gauge that was not calibrated shall not be used for warnings.
According to ISO 4373:2022 the uncertainty of a reading is stated with it.

### 2.2 Records

Each calibration is written into the log with the name of whoever made it. The log is kept for ten years.

## 3 Warnings

A warning is given when two gauges read more than forty centimetres above the forecast within one hour.
`;

const NOTES = `# Notes on Harbour Pumps

Pumps run when the tide is high. They are looked at in spring.
`;

/** Puts documents into the folder that is open. */
export function writeDocuments({ workspace }: Editor): string {
  const folder = path.join(workspace, 'library');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'tide-gauges.md'), HANDBOOK);
  writeFileSync(path.join(folder, 'pumps.md'), NOTES);
  return folder;
}

/** Works on the window's stores and library from another process, as an agent does. */
export async function withParts<T>(
  { env, workspace }: Editor,
  action: (parts: KaizenParts) => T | Promise<T>,
): Promise<T> {
  const { KAIZEN_DATA: data = '', KAIZEN_SHARED: shared = '', KAIZEN_PROJECT: project } = env;
  const kaizen = new Kaizen({ data, shared, project, workspace });
  try {
    return await action(await kaizen.parts());
  } finally {
    await kaizen.close();
  }
}

/** What an agent asks people for, in another process. */
export function askForDocument(editor: Editor, topic: string, more: Partial<DocumentRequestInput> = {}) {
  const rationale = 'Warnings rest on it, and the handbook only names it.';
  const request = { topic, rationale, document_type: 'standard', urgency: 'blocking', ...more } as const;
  return withParts(editor, ({ library }) => library.requestDocument(request, AGENT));
}

/** Types an address of the disk into the editor's own dialog for files, which fills itself in when it opens. */
export async function chooseFile(workbench: Workbench, file: string): Promise<void> {
  const { page, quickInput } = workbench;
  await workbench.until(async () => /[/\\]/.test(await quickInput.inputValue()), 'the dialog for files');
  await workbench.until(async () => {
    if (!(await quickInput.isVisible())) return true;
    await quickInput.fill(file);
    await page.waitForTimeout(700);
    if ((await quickInput.inputValue().catch(() => '')) !== file) return false;
    await page.keyboard.press('Enter');
    await page.waitForTimeout(700);
    return !(await quickInput.isVisible());
  }, `the choice of ${file}`);
}

/** The view *Library*. */
export class LibraryPane {
  private constructor(
    readonly workbench: Workbench,
    private readonly title: string,
  ) {}

  /** Opens it, alone: there is room for all of its lines. @param views names of all of them that are open at first */
  static async open(
    workbench: Workbench,
    title = 'Library',
    others: readonly string[] = ['Sessions & Progress', 'Knowledge'],
  ): Promise<LibraryPane> {
    await workbench.openContainer('Kaizen');
    await workbench.view(title).locator('.pane-header').first().waitFor({ timeout: 60_000 });
    await workbench.setWidth('sidebar', 420);
    await workbench.showAlone(title, others);
    return new LibraryPane(workbench, title);
  }

  get pane(): Locator {
    return this.workbench.view(this.title);
  }

  async has(line: RegExp): Promise<boolean> {
    return (await this.workbench.viewRows(this.title).catch(() => [])).some((row) => line.test(row));
  }

  async shows(line: RegExp): Promise<void> {
    await this.workbench.until(() => this.has(line), `the line ${line} in the view`);
  }

  async lacks(line: RegExp): Promise<void> {
    await this.workbench.until(async () => !(await this.has(line)), `the line ${line} to leave the view`);
  }

  /** Drops addresses onto the view, as another program or the browser does. */
  async drop(target: Locator, ...addresses: string[]): Promise<void> {
    const list = JSON.stringify(addresses.join('\r\n'));
    // As text: what a page knows is not known here.
    const dataTransfer = await this.workbench.page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.setData('text/uri-list', ${list}); return data; })()`,
    );
    for (const event of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(event, { dataTransfer });
  }

  /** Presses a button on the line of something. */
  async pressOn(line: string | RegExp, button: string): Promise<void> {
    const row = this.workbench.treeRow(line);
    await row.hover();
    await row.locator(`.action-label[aria-label^="${button}"]`).click();
  }
}
