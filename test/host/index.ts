// What VS Code calls to run tests inside its extension host: the packaged one and desktop VS Code alike.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import Mocha, { type ReporterConstructor } from 'mocha';
import Reporter from '../../tools/testing/mocha-reporter.cjs';

/** Runs the suite that KAIZEN_TEST_SUITE names; what happened is in the report that KAIZEN_TEST_REPORT names.
 * @throws when a test failed */
export async function run(): Promise<void> {
  const directory = path.join(__dirname, process.env.KAIZEN_TEST_SUITE ?? 'example');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    failZero: true,
    forbidOnly: true,
    grep: process.env.KAIZEN_TEST_GREP || undefined,
    // The types know only reporters that extend mocha's own base, which ours has no use for.
    reporter: Reporter as unknown as ReporterConstructor,
    reporterOptions: { reportFile: process.env.KAIZEN_TEST_REPORT, print: false },
  });
  for (const file of readdirSync(directory).sort()) {
    if (file.endsWith('.test.js')) mocha.addFile(path.join(directory, file));
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} tests failed`);
}
