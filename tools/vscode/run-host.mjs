// Runs the host tests inside the packaged VS Code, against the installed .vsix:
//   node tools/vscode/run-host.mjs [--vsix FILE] [--suite example|fresh]… [--grep TEXT] [--env NAME=VALUE]… [--setting NAME=JSON]…
// Exit code: 0 all passed, 1 a test failed, 2 VS Code itself broke.
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { newestPackage } from '../package.mjs';
import { report } from '../testing/report.cjs';
import { temporaryWorkspace } from './example.mjs';
import { openBrowser, startServer } from './host.mjs';
import { buildHostTests, followReport, harness, parseHostArguments, testsEntry, whyIncomplete } from './host-tests.mjs';
import { outDirectory } from './paths.mjs';
import { setUp } from './setup.mjs';

const timeLimit = 300_000;
const options = parseHostArguments(process.argv.slice(2));

/** @param {import('./host-tests.mjs').Suite} suite
 * @returns {Promise<number>} this script's exit code */
async function runSuite(suite) {
  const out = path.join(outDirectory, 'host-logs', suite);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const follower = followReport(`host-${suite}`);
  const workspace = temporaryWorkspace(suite);
  /** @type {import('./host.mjs').Server | undefined} */
  let server;
  /** @type {import('playwright-core').Browser | undefined} */
  let browser;
  /** @type {unknown} */
  let broken;
  try {
    server = await startServer({
      vsix: [options.vsix ?? newestPackage()],
      testDriver: true,
      // Faster and quieter, and MCP does not need it.
      settings: { 'chat.disableAIFeatures': true, ...options.settings },
    });
    const opened = await openBrowser();
    browser = opened.browser;
    const { page } = opened;
    const exited = new Promise((resolve, reject) => {
      page.on('crash', () => reject(new Error('the workbench crashed')));
      page.on('close', () => reject(new Error('the workbench was closed')));
      void page.exposeFunction('codeAutomationExit', resolve);
      setTimeout(() => reject(new Error(`not done after ${timeLimit / 1000} s`)), timeLimit).unref();
    });
    exited.catch(() => {}); // looked at below; it may reject before that
    await page.exposeFunction('codeAutomationLog', (/** @type {string} */ type, /** @type {unknown[]} */ args) =>
      appendFileSync(path.join(out, 'workbench.log'), `[${type}] ${format(...args)}\n`),
    );
    const { authority } = server;
    const onServer = (/** @type {string} */ file) => `vscode-remote://${authority}${file}`;
    const environment = {
      ...workspace.env,
      ...options.env,
      KAIZEN_TEST_SUITE: suite,
      KAIZEN_TEST_REPORT: follower.file,
      ...(options.grep ? { KAIZEN_TEST_GREP: options.grep } : {}),
    };
    await page.goto(
      server.url(workspace.workspace, [
        ['extensionDevelopmentPath', onServer(harness)],
        ['extensionTestsPath', onServer(testsEntry)],
        ['extensionEnvironment', JSON.stringify(environment)],
        ['skipWelcome', 'true'],
      ]),
    );
    await exited;
  } catch (error) {
    broken = error;
    const page = browser?.contexts()[0]?.pages()[0];
    await page?.screenshot({ path: path.join(out, 'broken.png') }).catch(() => {});
  } finally {
    await browser?.close().catch(() => {});
    if (server && existsSync(server.logs)) cpSync(server.logs, path.join(out, 'logs'), { recursive: true });
    await server?.stop();
    workspace.remove();
  }
  const result = follower.finish();
  for (const event of result.events) if (event.event !== 'end') report(event);
  const reason = broken instanceof Error ? broken.message : whyIncomplete(result);
  if (reason) {
    console.error(`VS Code broke on the ${suite} workspace: ${reason}; its logs are in ${path.relative('.', out)}`);
    return 2;
  }
  return result.failed > 0 ? 1 : 0;
}

try {
  setUp();
  const withTests = await buildHostTests();
  const suites = options.suites ?? withTests;
  let code = 0;
  for (const suite of suites) {
    console.log(`${suite} workspace`);
    code = Math.max(code, await runSuite(suite));
  }
  if (suites.length === 0) console.error('There is no host test.');
  else report({ event: 'end' });
  process.exit(suites.length === 0 ? 2 : code);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
