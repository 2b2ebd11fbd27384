// `npm start`: a real VS Code on the example, with the extension and the example's knowledge in it.
//   node tools/vscode/start.mjs [--web | --desktop] [--port N] [--reset] [--dry-run] [--exit-when-ready] [--directory DIR] [--vsix FILE]
// --web, --desktop: that one and no other; --reset: the example as it was; --dry-run: says what it would open;
// --exit-when-ready: opens it and ends; --directory: where it keeps everything, by default .kaizen-example/;
// --vsix: this package instead of building one.
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makePackage } from '../package.mjs';
import { findDesktop, installInDesktop, openDesktop, ownProfile } from './desktop.mjs';
import { prepareExample } from './example.mjs';
import { quietSettings, startServer } from './host.mjs';
import { platformHasPackagedHost, projectRoot } from './paths.mjs';
import { setUp } from './setup.mjs';

const { values: options } = parseArgs({
  options: {
    web: { type: 'boolean', default: false },
    desktop: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
    reset: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    'exit-when-ready': { type: 'boolean', default: false },
    directory: { type: 'string', default: path.join(projectRoot, '.kaizen-example') },
    vsix: { type: 'string' },
  },
});

const kept = path.resolve(options.directory);

const settings = {
  // The person came for Kaizen: its view is one click away, and nothing else asks for attention.
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'readme',
  'git.openRepositoryInParentFolders': 'never',
};

/** Ends this script's wait: a signal, from Ctrl+C or from whoever started it. */
const interrupted = new Promise((resolve) => {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.once(signal, resolve);
});

/** @param {import('./desktop.mjs').Desktop} desktop
 * @param {string} vsix
 * @param {import('./example.mjs').Example} example */
async function openOnDesktop(desktop, vsix, example) {
  const profile = ownProfile(path.join(kept, 'desktop'));
  const settingsFile = path.join(profile.user, 'User/settings.json');
  if (!existsSync(settingsFile)) {
    mkdirSync(path.dirname(settingsFile), { recursive: true });
    writeFileSync(settingsFile, `${JSON.stringify({ ...quietSettings, ...settings }, null, 2)}\n`);
  }
  installInDesktop(desktop, profile.args, vsix);
  const window = openDesktop(desktop, profile.args, example.workspace, example.env);
  console.log(`Kaizen is open in ${desktop.description}. Close the window or press Ctrl+C to end.`);
  if (!options['exit-when-ready']) await Promise.race([once(window, 'exit'), interrupted]);
  window.kill();
}

/** @param {string} vsix
 * @param {import('./example.mjs').Example} example */
async function openInBrowser(vsix, example) {
  setUp();
  const home = path.join(kept, 'web');
  const server = await startServer({ home, vsix: [vsix], settings, env: example.env, port: Number(options.port) });
  console.log(`\nKaizen is ready. Open this in a browser:\n\n  ${server.url(example.workspace)}\n`);
  if (!options['exit-when-ready']) {
    console.log('Press Ctrl+C to end.');
    await interrupted;
  }
  await server.stop();
  console.log('Ended.');
}

/** @returns {Promise<import('./desktop.mjs').Desktop | 'web'>}
 * @throws when there is no VS Code here */
async function chooseEditor() {
  const webIsPossible = platformHasPackagedHost();
  if (options.web && webIsPossible) return 'web';
  const found = options.web ? { reason: 'not asked for' } : await findDesktop({ onPath: true });
  if ('desktop' in found && found.desktop) return found.desktop;
  const reason = 'reason' in found ? found.reason : '';
  if (!options.desktop && webIsPossible) {
    console.log(`No desktop VS Code: ${reason}. Taking the packaged one, in a browser.`);
    return 'web';
  }
  throw new Error(
    `No VS Code to open: ${reason}${webIsPossible ? '' : '; the packaged one runs on Linux x64 only'}. ` +
      'Install VS Code with its `code` command, or set VSCODE_EXECUTABLE to one.',
  );
}

try {
  const editor = await chooseEditor();
  if (options['dry-run']) {
    console.log(
      `Would open examples/checkout-api in ${editor === 'web' ? 'the packaged VS Code' : editor.description}.`,
    );
    process.exit(0);
  }
  if (options.reset) rmSync(kept, { recursive: true, force: true });
  const vsix = options.vsix ? path.resolve(options.vsix) : makePackage();
  const example = prepareExample(kept);
  await (editor === 'web' ? openInBrowser(vsix, example) : openOnDesktop(editor, vsix, example));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
