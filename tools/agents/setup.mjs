// Installs the agent programs that tests drive, unless they are there: node tools/agents/setup.mjs
// Exit code: 0 there, 3 not to be had here; the tests that take one are then skipped.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain } from '../main.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const modules = path.join(here, 'node_modules');
const stampFile = path.join(modules, '.installed');

/** @param {string} line */
const say = (line) => console.log(`[setup] ${line}`);

/** @returns {string | undefined} the program of Claude Code: the one that CLAUDE_CODE_EXECUTABLE names, else the installed one */
export function findClaudeCode() {
  const named = process.env.CLAUDE_CODE_EXECUTABLE;
  if (named) return named;
  const program = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const scope = path.join(modules, '@anthropic-ai');
  // A Linux without glibc has a package of its own; npm installs the one that fits.
  return [`${process.platform}-${process.arch}`, `${process.platform}-${process.arch}-musl`]
    .map((platform) => path.join(scope, `claude-code-${platform}`, program))
    .find((file) => existsSync(file));
}

function expectedStamp() {
  return createHash('sha256')
    .update(readFileSync(path.join(here, 'package-lock.json')))
    .digest('hex');
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === expectedStamp();
}

/** Installs what is missing; quick and silent when nothing is.
 * @returns {boolean} whether the programs are there */
export function setUpAgents() {
  if (process.env.CLAUDE_CODE_EXECUTABLE) return true;
  if (!isInstalled()) install();
  if (isInstalled() && findClaudeCode()) return true;
  say('there is no agent program here: the tests that drive a real one are skipped');
  return false;
}

function install() {
  const start = Date.now();
  say('packages: agent programs (380 MB) …');
  rmSync(stampFile, { force: true });
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error', '--no-fund', '--no-audit'], {
    cwd: here,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status === 0) writeFileSync(stampFile, expectedStamp());
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  say(`packages: agent programs: ${status === 0 ? 'done' : 'failed'} in ${seconds} s`);
}

if (isMain(import.meta.url)) process.exit(setUpAgents() ? 0 : 3);
