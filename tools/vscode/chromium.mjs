// Finds a Chromium for the workbench, or installs one.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { projectRoot } from './paths.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Ubuntu ships a `chromium-browser` that only says "install the snap", hence the question for its version.
 * @param {string} command */
function runs(command) {
  const answer = spawnSync(command, ['--version'], { encoding: 'utf8', timeout: 15_000 });
  return answer.status === 0 && /\d+\.\d+/.test(answer.stdout);
}

/** @returns {string | undefined} a Chromium that starts: the CHROMIUM variable, the PATH, Playwright's own cache */
export function findChromium() {
  const named = process.env.CHROMIUM;
  if (named) {
    if (!runs(named)) throw new Error(`CHROMIUM names ${named}, which does not start.`);
    return named;
  }
  const onPath = names.find(runs);
  if (onPath) return spawnSync('which', [onPath], { encoding: 'utf8' }).stdout.trim() || onPath;
  const cached = chromium.executablePath();
  return cached && existsSync(cached) ? cached : undefined;
}

/** @param {(line: string) => void} say
 * @returns {string} the Chromium that was found or installed
 * @throws with an instruction when there is no way here */
export function ensureChromium(say) {
  const found = findChromium();
  if (found) return found;

  const isRoot = process.getuid?.() === 0;
  const isDebian = existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  if (isRoot && isDebian) {
    say('installing Chromium with apt-get');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { stdio: 'inherit', env });
  } else {
    say("installing Playwright's Chromium");
    const args = ['playwright-core', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'];
    spawnSync('npx', args, { cwd: projectRoot, stdio: 'inherit' });
  }
  const installed = findChromium();
  if (!installed) {
    throw new Error(
      'No Chromium was found and none could be installed. Install one (Debian: apt-get install chromium; ' +
        'Ubuntu: google-chrome from Google; elsewhere: npx playwright-core install chromium), ' +
        'or set CHROMIUM to the path of one.',
    );
  }
  return installed;
}
