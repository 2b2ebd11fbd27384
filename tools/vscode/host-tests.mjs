// The tests that run inside the extension host: which there are, how they are built, how their report is followed.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { describe, readReport } from '../testing/report.cjs';
import { outDirectory, projectRoot } from './paths.mjs';

/** @typedef {import('./example.mjs').WorkspaceKind} Suite */

/** Where each suite's tests live; the suite names the workspace they run on.
 * @type {Record<Suite, string>} */
const sources = { example: 'test/host/example', fresh: 'test/host/fresh' };

export const harness = path.join(projectRoot, 'test/host/harness');
export const builtTests = path.join(outDirectory, 'host');
export const testsEntry = path.join(builtTests, 'index.js');

/** @param {Suite} suite
 * @returns {string[]} absolute paths */
function testFiles(suite) {
  const directory = path.join(projectRoot, sources[suite]);
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith('.test.ts'));
  return names.sort().map((name) => path.join(directory, name));
}

/** Bundles the tests to out/host, for VS Code's Node.
 * @returns {Promise<Suite[]>} the suites that have tests */
export async function buildHostTests() {
  rmSync(builtTests, { recursive: true, force: true });
  const suites = /** @type {Suite[]} */ (Object.keys(sources)).filter((suite) => testFiles(suite).length > 0);
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // mocha keeps the suite being defined in its own module: it must be the one that runs the tests.
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  };
  await esbuild.build({ ...options, entryPoints: [path.join(projectRoot, 'test/host/index.ts')], outfile: testsEntry });
  for (const suite of suites) {
    await esbuild.build({ ...options, entryPoints: testFiles(suite), outdir: path.join(builtTests, suite) });
  }
  return suites;
}

/** The arguments that both runners take.
 * @param {string[]} args
 * @returns {{ vsix: string | undefined, suites: Suite[] | undefined, grep: string | undefined,
 *   env: Record<string, string>, settings: Record<string, unknown> }} */
export function parseHostArguments(args) {
  const { values } = parseArgs({
    args,
    options: {
      vsix: { type: 'string' },
      suite: { type: 'string', multiple: true },
      grep: { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
      setting: { type: 'string', multiple: true, default: [] },
    },
  });
  /** @param {string[]} list */
  const pairs = (list) => list.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return {
    vsix: values.vsix && path.resolve(values.vsix),
    suites: /** @type {Suite[] | undefined} */ (values.suite),
    grep: values.grep,
    env: Object.fromEntries(pairs(values.env)),
    settings: Object.fromEntries(pairs(values.setting).map(([name, json]) => [name, JSON.parse(json ?? 'null')])),
  };
}

/** A fresh report for a suite, whose lines are printed as they come.
 * @param {string} name
 * @returns {{ file: string, finish: () => import('../testing/report.cjs').Report }} */
export function followReport(name) {
  const directory = path.join(outDirectory, 'reports');
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, `${name}.jsonl`);
  rmSync(file, { force: true });
  let printed = 0;
  const print = () => {
    const report = readReport(file);
    for (const event of report.events.slice(printed)) {
      const line = describe(event);
      if (line !== undefined) console.log(line);
    }
    printed = report.events.length;
    return report;
  };
  const timer = setInterval(print, 250);
  return {
    file,
    finish: () => {
      clearInterval(timer);
      return print();
    },
  };
}

/** @param {import('../testing/report.cjs').Report} report
 * @returns {string | undefined} why the run proves nothing: VS Code reports success even for a killed extension host */
export function whyIncomplete(report) {
  if (!report.ended) return 'the extension host ended before its tests did';
  if (report.passed + report.failed === 0) return 'no test ran';
  return undefined;
}
