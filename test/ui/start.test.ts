import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newestPackage } from '../../tools/package.mjs';
import { openBrowser } from '../../tools/vscode/host.mjs';
import { hostRoot } from '../../tools/vscode/paths.mjs';
import { Workbench } from './support/workbench';

describe('npm start', () => {
  let directory: string;
  let running: ChildProcess | undefined;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'kzs-'));
  });
  afterEach(async () => {
    if (running && running.exitCode === null) {
      running.kill('SIGTERM');
      await once(running, 'exit');
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  /** Starts it in the browser; `output` gives what it has printed so far. */
  function start(): { child: ChildProcess; output: () => string } {
    const args = ['--web', '--directory', directory, '--vsix', newestPackage()];
    const child = spawn(process.execPath, [path.join(hostRoot, 'start.mjs'), ...args]);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    running = child;
    return { child, output: () => printed };
  }

  it('prints the address of a real VS Code with Kaizen in it, and leaves nothing running', async () => {
    const { child, output } = start();
    const { browser, page } = await openBrowser();
    try {
      const workbench = new Workbench(page);
      const url = await workbench.until(() => /http:\/\/127\.0\.0\.1\S+/.exec(output())?.[0], 'the address', 60_000);
      await page.goto(url);
      await workbench.ready();
      await workbench.openContainer('Kaizen');
      assert.match(await page.title(), /checkout-api/);

      const ended = once(child, 'exit');
      child.kill('SIGINT');
      assert.deepEqual(await ended, [0, null], output());
      await assert.rejects(fetch(url), 'the server is gone');
    } finally {
      await browser.close();
    }
  });
});
