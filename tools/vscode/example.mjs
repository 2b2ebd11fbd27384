// A working copy of the example workspace, and its knowledge in stores of its own.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from './paths.mjs';

const example = path.join(projectRoot, 'examples/checkout-api');
const knowledge = path.join(example, 'knowledge.jsonl');
const project = 'checkout-api';

/**
 * @typedef {object} Example
 * @property {string} workspace the folder to open
 * @property {Record<string, string>} env what makes the extension and the command line use the example's stores
 */

/** Copies the example and imports its knowledge into `directory`; what an earlier call left there is kept, unless the
 * example's knowledge has changed since.
 * @param {string} directory
 * @returns {Example} */
export function prepareExample(directory) {
  const workspace = path.join(directory, project);
  const data = path.join(directory, 'data');
  const shared = path.join(directory, 'shared');
  const stamp = path.join(directory, 'imported.sha256');
  const digest = createHash('sha256').update(readFileSync(knowledge)).digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
    for (const old of [workspace, data, shared, stamp]) rmSync(old, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    cpSync(example, workspace, { recursive: true });
    const stores = ['--data', data, '--shared', shared, '--project', project];
    const args = [path.join(projectRoot, 'dist/cli.js'), 'import', ...stores, knowledge];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
    if (status !== 0) throw new Error(`The example's knowledge could not be imported:\n${stdout}${stderr}`);
    writeFileSync(stamp, digest);
  }
  return { workspace, env: { KAIZEN_DATA: data, KAIZEN_SHARED: shared, KAIZEN_PROJECT: project } };
}

/** @typedef {'example' | 'fresh'} WorkspaceKind `fresh` is an empty folder, with the stores where VS Code puts them */

/** A workspace for one run of tests.
 * @param {WorkspaceKind} kind
 * @returns {Example & { remove: () => void }} */
export function temporaryWorkspace(kind) {
  const directory = mkdtempSync(path.join(tmpdir(), 'kzw-'));
  const remove = () => {
    process.off('exit', remove);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  process.once('exit', remove); // should the run be interrupted
  try {
    if (kind === 'example') return { ...prepareExample(directory), remove };
    const workspace = path.join(directory, 'fresh-folder');
    mkdirSync(workspace);
    return { workspace, env: {}, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
