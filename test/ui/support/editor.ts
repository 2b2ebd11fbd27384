import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { newestPackage } from '../../../tools/package.mjs';
import { temporaryWorkspace, type WorkspaceKind } from '../../../tools/vscode/example.mjs';
import { openBrowser, type Server, startServer } from '../../../tools/vscode/host.mjs';
import { outDirectory, projectRoot } from '../../../tools/vscode/paths.mjs';
import { Workbench } from './workbench';

/** Ours to VS Code's names. */
const themes = { dark: 'Dark Modern', light: 'Light Modern', contrast: 'Default High Contrast' };

export interface EditorOptions {
  /** The example with its knowledge, or an empty folder; the example by default. */
  workspace?: WorkspaceKind;
  /**
   * Files that the folder holds besides: path to text. They are there before the window opens, since VS Code's watcher on
   * Linux misses a folder that is made together with the one it lies in.
   */
  files?: Record<string, string>;
  /** On top of the quiet ones. */
  settings?: Record<string, unknown>;
  /** Files of the person's settings folder: name to text. */
  userFiles?: Record<string, string>;
  /** What the extension sees, on top of the example's stores. */
  env?: Record<string, string>;
  /** The display language of the extensions, such as `de`; VS Code's own texts stay English. */
  language?: string;
  /** False shows workspace trust as a person has it; it is off by default. */
  trustWorkspaces?: boolean;
  width?: number;
  height?: number;
  /** Dark by default. */
  theme?: keyof typeof themes;
}

/** A VS Code window with the packaged extension installed. */
export class Editor {
  private constructor(
    readonly workbench: Workbench,
    /** The folder that is open. */
    readonly workspace: string,
    /** Makes the command line use the same stores as the window. */
    readonly env: Readonly<Record<string, string>>,
    private readonly server: Server,
    private readonly browser: Browser,
    private readonly removeWorkspace: () => void,
  ) {}

  static async open(options: EditorOptions = {}): Promise<Editor> {
    const { workspace: kind = 'example', files = {}, settings = {}, userFiles = {}, trustWorkspaces = true } = options;
    const workspace = temporaryWorkspace(kind);
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(workspace.workspace, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    let server: Server | undefined;
    try {
      const env = { ...workspace.env, ...options.env };
      server = await startServer({
        vsix: [newestPackage()],
        settings: {
          'workbench.secondarySideBar.defaultVisibility': 'hidden',
          'workbench.colorTheme': themes[options.theme ?? 'dark'],
          ...settings,
        },
        userFiles,
        env,
        language: options.language,
        trustWorkspaces,
      });
      const { width = 1280, height = 800 } = options;
      const { browser, page } = await openBrowser({ width, height });
      const workbench = new Workbench(page);
      const editor = new Editor(workbench, workspace.workspace, env, server, browser, workspace.remove);
      try {
        await page.goto(server.url(workspace.workspace));
        await workbench.ready();
        // Before the window knows what extensions contribute, files open as text.
        await page.locator('.activitybar a[aria-label^="Kaizen"]').waitFor({ timeout: 40_000 });
        return editor;
      } catch (error) {
        await workbench.screenshot('window-did-not-open').catch(() => {});
        await browser.close();
        throw error;
      }
    } catch (error) {
      await server?.stop();
      workspace.remove();
      throw error;
    }
  }

  /** Opens another folder, or a workspace's file, in the same window. */
  async openFolder(folder: string): Promise<void> {
    await this.workbench.page.goto(this.server.url(folder));
    await this.workbench.ready();
  }

  /** The folder of the person's settings, and of what VS Code keeps for extensions. */
  get userFolder(): string {
    return this.server.user;
  }

  /** The person's own directory. */
  get home(): string {
    return this.server.home;
  }

  /** Runs the command line on the window's stores, as another process would; what it printed. */
  async kaizen(...args: string[]): Promise<string> {
    const cli = path.join(projectRoot, 'dist/cli.js');
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args], {
      env: { ...process.env, ...this.env },
    });
    return stdout;
  }

  /** Copies VS Code's own logs to out/ui-logs/<name>. */
  keepLogs(name: string): void {
    const directory = path.join(outDirectory, 'ui-logs', name.replace(/[^\w-]+/g, '-'));
    rmSync(directory, { recursive: true, force: true });
    if (existsSync(this.server.logs)) cpSync(this.server.logs, directory, { recursive: true });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    this.removeWorkspace();
  }
}

/** A window for the tests of a `describe`: opened before them, closed after them; a test that fails leaves a screenshot
 * in out/ui and VS Code's logs in out/ui-logs.
 * @returns gives the window, inside a test
 * @param options or what makes them, for options that are known only when the tests start */
export function useEditor(options: EditorOptions | (() => EditorOptions) = {}): () => Editor {
  let editor: Editor | undefined;
  before(async () => {
    editor = await Editor.open(typeof options === 'function' ? options() : options);
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed' || !editor) return;
    const name = `failed-${this.currentTest.fullTitle()}`;
    await editor.workbench.screenshot(name).catch(() => {});
    editor.keepLogs(name);
  });
  after(async function () {
    // Where a hook before the tests has failed, none of them says so.
    const tests = this.test?.parent?.tests ?? [];
    if (editor && tests.length > 0 && tests.every(({ state }) => state === undefined)) {
      const name = `not-begun-${this.test!.parent!.fullTitle()}`;
      await editor.workbench.screenshot(name).catch(() => {});
      editor.keepLogs(name);
    }
    await editor?.close();
    editor = undefined;
  });
  return () => {
    if (!editor) throw new Error('The window is open only while tests run.');
    return editor;
  };
}
