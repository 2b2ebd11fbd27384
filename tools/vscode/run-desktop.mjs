// Runs the host tests inside desktop VS Code, with the arguments of run-host.mjs. VSCODE_EXECUTABLE names the application;
// without it @vscode/test-electron downloads one (VSCODE_VERSION, by default stable).
// Exit code: 0 all passed, 1 a test failed, 2 VS Code itself broke, 3 there is no desktop VS Code here.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { newestPackage } from '../package.mjs';
import { report } from '../testing/report.cjs';
import { findDesktop, installInDesktop, ownProfile } from './desktop.mjs';
import { temporaryWorkspace } from './example.mjs';
import { cleanEnvironment, quietSettings } from './host.mjs';
import { buildHostTests, followReport, harness, parseHostArguments, testsEntry, whyIncomplete } from './host-tests.mjs';

const options = parseHostArguments(process.argv.slice(2));

/** @param {import('./desktop.mjs').Desktop & { executable: string }} desktop
 * @param {import('./host-tests.mjs').Suite} suite
 * @returns {Promise<number>} this script's exit code */
async function runSuite(desktop, suite) {
  const follower = followReport(`desktop-${suite}`);
  const workspace = temporaryWorkspace(suite);
  const home = mkdtempSync(path.join(tmpdir(), 'kzd-'));
  const profile = ownProfile(home);
  /** @type {unknown} */
  let broken;
  try {
    mkdirSync(path.join(profile.user, 'User'), { recursive: true });
    const settings = { ...quietSettings, 'chat.disableAIFeatures': true, ...options.settings };
    writeFileSync(path.join(profile.user, 'User/settings.json'), JSON.stringify(settings));
    installInDesktop(desktop, profile.args, options.vsix ?? newestPackage());
    // runTests adds to this process's environment and cannot take away from it.
    for (const name of Object.keys(process.env)) if (!(name in cleanEnvironment())) delete process.env[name];
    await runTests({
      vscodeExecutablePath: desktop.executable,
      extensionDevelopmentPath: harness,
      extensionTestsPath: testsEntry,
      launchArgs: [workspace.workspace, ...profile.args],
      extensionTestsEnv: {
        ...workspace.env,
        ...options.env,
        KAIZEN_TEST_SUITE: suite,
        KAIZEN_TEST_REPORT: follower.file,
        KAIZEN_TEST_GREP: options.grep,
      },
    });
  } catch (error) {
    broken = error;
  } finally {
    workspace.remove();
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  const result = follower.finish();
  for (const event of result.events) if (event.event !== 'end') report(event, reportFile);
  const reason = whyIncomplete(result) ?? (broken && result.failed === 0 ? String(broken) : undefined);
  if (reason) {
    console.error(`VS Code broke on the ${suite} workspace: ${reason}${broken ? ` (${broken})` : ''}`);
    return 2;
  }
  return result.failed > 0 ? 1 : 0;
}

// Kept from before the environment is cleaned for VS Code.
const reportFile = process.env.KAIZEN_TEST_REPORT;

const found = await findDesktop({ onPath: false });
if (!found.desktop?.executable) {
  const reason = found.desktop ? 'it is not the application itself' : found.reason;
  console.error(`No desktop VS Code to test in: ${reason}. Set VSCODE_EXECUTABLE to one, or allow the download.`);
  process.exit(3);
}
try {
  const withTests = await buildHostTests();
  const suites = options.suites ?? withTests;
  let code = suites.length === 0 ? 2 : 0;
  if (suites.length === 0) console.error('There is no host test.');
  for (const suite of suites) {
    console.log(`${suite} workspace, ${found.desktop.description}`);
    code = Math.max(code, await runSuite({ ...found.desktop, executable: found.desktop.executable }, suite));
  }
  if (code < 2) report({ event: 'end' }, reportFile);
  process.exit(code);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
