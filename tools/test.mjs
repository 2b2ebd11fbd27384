// Runs the tests: `npm test` everything, `npm run test:<part>` one part, `node tools/test.mjs unit contract` several.
// The last line is `N passed, N failed`; the exit code is 0 only when all parts ran, came to their end and passed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setUpAgents } from './agents/setup.mjs';
import { setUpPostgres } from './postgres/setup.mjs';
import { describeFailures, failedFiles, REPORT_VARIABLE, readReport, replaceFiles } from './testing/report.cjs';
import { otherPlatformAdvice, platformHasPackagedHost } from './vscode/paths.mjs';
import { setUp } from './vscode/setup.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const reports = path.join(root, 'out/reports');

/**
 * @typedef {object} Part
 * @property {string[]} command arguments to Node
 * @property {'build' | 'package'} [needs] what must be made before
 * @property {boolean} [needsHost] whether it takes the packaged VS Code or its Node
 * @property {boolean} [needsPostgres] whether it tests on a database server where there can be one
 * @property {boolean} [needsAgents] whether it drives a real agent program where there can be one
 * @property {boolean} [countsAsOne] it keeps no report unless it says so itself: its success is one test
 * @property {number} minutes the longest it may take
 * @property {boolean} [again] whether files with failures run once more: a browser on a loaded machine can be late for
 *   reasons of its own. What passes only then is told as flaky, which is something to mend.
 */

/** @param {string} part
 * @returns {string[]} the files of its tests, from the root */
function testFiles(part) {
  const directory = path.join(root, 'test', part);
  const files = existsSync(directory) ? readdirSync(directory, { recursive: true, encoding: 'utf8' }) : [];
  const tests = files.filter((file) => file.endsWith('.test.ts')).sort();
  return tests.map((file) => path.join('test', part, file));
}

/** @param {string} part
 * @param {number} timeout for one test, in milliseconds
 * @returns {string[]} what runs its tests; the files follow */
function mocha(part, timeout) {
  return [
    ...['--import', 'tsx', 'node_modules/mocha/bin/mocha.js'],
    ...['--reporter', 'tools/testing/mocha-reporter.cjs', '--timeout', String(timeout)],
    ...['--forbid-only', '--fail-zero', ...testFiles(part)],
  ];
}

/** @type {Record<string, Part>} */
const parts = {
  check: { command: ['tools/check.mjs'], countsAsOne: true, minutes: 5 },
  build: { command: ['esbuild.mjs'], countsAsOne: true, minutes: 2 },
  package: { command: ['tools/package.mjs'], countsAsOne: true, minutes: 3 },
  unit: { command: mocha('unit', 60_000), minutes: 25 },
  contract: {
    command: mocha('contract', 60_000),
    needs: 'build',
    needsHost: true,
    needsPostgres: true,
    needsAgents: true,
    minutes: 30,
  },
  faults: { command: mocha('faults', 180_000), needs: 'build', needsPostgres: true, minutes: 25 },
  host: {
    command: [platformHasPackagedHost() ? 'tools/vscode/run-host.mjs' : 'tools/vscode/run-desktop.mjs'],
    needs: 'package',
    needsHost: true,
    minutes: 15,
  },
  ui: { command: mocha('ui', 120_000), needs: 'package', needsHost: true, minutes: 60, again: true },
};

/** What runs side by side when everything runs: two cores carry two of the light ones; the windows of the last one want
 * both to themselves. The package holds the build, so nothing is built twice. */
const everything = [['check', 'package'], ['unit', 'contract'], ['faults', 'host'], ['ui']];

/** How long a part may take to end once its last test is done: whatever keeps it alive is a leak. */
const graceSeconds = 15;

/** What would make tests read a person's own knowledge. */
const personal = [
  'KAIZEN_DATA',
  'KAIZEN_SHARED',
  'KAIZEN_PROJECT',
  'KAIZEN_PROJECT_NOTES',
  'KAIZEN_USER_NOTES',
  'KAIZEN_REGISTRY_URL',
];

/** @param {string[]} names
 * @returns {string[][]} the stages that run these parts, with what they need before them */
function stagesOf(names) {
  const unknown = names.filter((name) => !(name in parts));
  if (unknown.length > 0) {
    throw new Error(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
  }
  const needed = new Set(names.map((name) => parts[name]?.needs));
  const maker = needed.has('package') ? 'package' : needed.has('build') ? 'build' : undefined;
  const before = maker && !names.includes(maker) ? [[maker]] : [];
  return [...before, ...everything.map((stage) => stage.filter((name) => names.includes(name)))];
}

/** Lets parts that run side by side speak one after the other: the first speaks at once, the others when it is done. */
class Stage {
  /** @type {{ name: string, held: string[], done: boolean }[]} */
  #speakers = [];

  /** @param {string} name */
  join(name) {
    const speaker = { name, held: [`\n== ${name}\n`], done: false };
    this.#speakers.push(speaker);
    this.#speak();
    return {
      write: (/** @type {string} */ text) => {
        speaker.held.push(text);
        this.#speak();
      },
      end: () => {
        speaker.done = true;
        this.#speak();
      },
    };
  }

  #speak() {
    for (;;) {
      const [first] = this.#speakers;
      if (!first) return;
      for (const text of first.held.splice(0)) process.stdout.write(text);
      if (!first.done) return;
      this.#speakers.shift();
    }
  }
}

/** Process groups under way, so that an interrupted run leaves nobody behind. @type {Set<number>} */
const groups = new Set();

/** @param {number} pid
 * @param {NodeJS.Signals} signal */
function kill(pid, signal) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // Already gone.
  }
}

process.on('exit', () => {
  for (const pid of groups) kill(pid, 'SIGTERM');
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => process.exit(130));

/** Runs a command until it ends or is overdue.
 * @param {string[]} command arguments to Node
 * @param {string} reportFile
 * @param {number} minutes the longest it may take
 * @param {(text: string) => void} write
 * @returns {Promise<{ code: number | null, overdue: string | undefined }>} */
async function runCommand(command, reportFile, minutes, write) {
  const start = Date.now();
  rmSync(reportFile, { force: true });
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !personal.includes(name))),
      [REPORT_VARIABLE]: reportFile,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32', // a group of its own, so that all of it can be ended
  });
  const pid = /** @type {number} */ (child.pid);
  groups.add(pid);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', write);
  }
  /** @type {string | undefined} */
  let overdue;
  let ended = 0;
  const timer = setInterval(() => {
    if (overdue) return;
    if (readReport(reportFile).ended) ended ||= Date.now();
    if (ended && Date.now() - ended > graceSeconds * 1000) {
      overdue = `still running ${graceSeconds} s after its last test: something was left open`;
    } else if (Date.now() - start > minutes * 60_000) overdue = `not done after ${minutes} minutes`;
    else return;
    kill(pid, 'SIGTERM');
    setTimeout(() => kill(pid, 'SIGKILL'), 5000).unref();
  }, 2000);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  kill(pid, 'SIGKILL'); // whatever it left behind
  groups.delete(pid);
  return { code, overdue };
}

/** Runs files with failures once more, and puts what they say then in the place of what they said before.
 * @param {Part} part
 * @param {import('./testing/report.cjs').Report} first what all of them said; to its end
 * @param {string} reportFile
 * @param {(text: string) => void} write
 * @returns {Promise<{ report: import('./testing/report.cjs').Report, flaky: string[] }>} `flaky`: the files that passed
 *   only then */
async function runFailedAgain(part, first, reportFile, write) {
  const failed = failedFiles(first).map((file) => path.relative(root, file));
  write(`\nonce more: ${failed.join(', ')}\n`);
  const command = [...part.command.filter((argument) => !argument.endsWith('.test.ts')), ...failed];
  const { overdue } = await runCommand(command, `${reportFile}.again`, part.minutes, write);
  const second = readReport(`${reportFile}.again`);
  if (overdue || !second.ended) return { report: first, flaky: [] };
  const still = failedFiles(second).map((file) => path.relative(root, file));
  return { report: replaceFiles(first, second), flaky: failed.filter((file) => !still.includes(file)) };
}

/** @param {string} name
 * @param {Stage} stage
 * @returns {Promise<{ name: string, passed: number, failed: number, skipped: number, flaky: string[], seconds: number,
 *   failures: string[] }>} `failures`: each failed test in words, with where it is and what was wrong */
async function runPart(name, stage) {
  const part = /** @type {Part} */ (parts[name]);
  const speaker = stage.join(name);
  const start = Date.now();
  const reportFile = path.join(reports, `${name}.jsonl`);
  const { code, overdue } = await runCommand(part.command, reportFile, part.minutes, speaker.write);

  let report = readReport(reportFile);
  /** @type {string[]} */
  let flaky = [];
  if (part.again && report.ended && !overdue && report.failed > 0 && failedFiles(report).length > 0) {
    ({ report, flaky } = await runFailedAgain(part, report, reportFile, speaker.write));
  }
  let { passed, failed } = report;
  const seen = passed + failed;
  if (part.countsAsOne && seen === 0) {
    if (code === 0) passed = 1;
    else failed = 1;
  } else if (
    overdue ||
    seen === 0 ||
    (!part.countsAsOne && !report.ended) ||
    (code !== 0 && failed === 0 && flaky.length === 0)
  ) {
    const reason = overdue ?? (seen === 0 ? 'no test ran' : `ended with ${code}`);
    speaker.write(`✗ ${name}: ${reason}\n`);
    failed += 1;
  }
  speaker.end();
  const failures = describeFailures(report).map((failure) => failure.replaceAll(root + path.sep, ''));
  return { name, passed, failed, skipped: report.skipped, flaky, seconds: (Date.now() - start) / 1000, failures };
}

async function main() {
  const asked = process.argv.slice(2);
  let names = asked.length > 0 ? asked : everything.flat();
  if (!platformHasPackagedHost()) {
    console.log(otherPlatformAdvice);
    console.log('The host tests run in desktop VS Code; the ui tests are left out.');
    names = names.filter((name) => name !== 'ui');
  }
  const stages = stagesOf(names);
  mkdirSync(reports, { recursive: true });
  if (platformHasPackagedHost() && names.some((name) => parts[name]?.needsHost)) setUp();
  if (names.some((name) => parts[name]?.needsPostgres)) setUpPostgres();
  if (names.some((name) => parts[name]?.needsAgents)) setUpAgents();

  const results = [];
  for (const names of stages) {
    const stage = new Stage();
    results.push(...(await Promise.all(names.map((name) => runPart(name, stage)))));
    // Nothing after it means anything without what was to be tested.
    if (results.some(({ name, failed }) => failed > 0 && (name === 'build' || name === 'package'))) break;
  }

  // Once more at the end, where whoever reads only the last lines of a long run finds them.
  const failures = results.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`));
  if (failures.length > 0) console.log(`\n== failures\n${failures.join('\n')}`);

  console.log('\n== summary');
  for (const { name, passed, failed, skipped, flaky, seconds } of results) {
    const notes = [skipped > 0 && `, ${skipped} skipped`, flaky.length > 0 && `, flaky: ${flaky.join(' ')}`]
      .filter(Boolean)
      .join('');
    console.log(
      `${failed > 0 ? '✗' : '✓'} ${name.padEnd(9)} ${passed} passed, ${failed} failed${notes} (${seconds.toFixed(1)} s)`,
    );
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
