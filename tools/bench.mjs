// Measures: `npm run bench` the stores and the server, `npm run bench -- window` a real window, and so on: each file of
// bench/ that is no part of another. What follows the name is its own.
// The tables go to standard output, ready for docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [name = 'run', ...more] = process.argv.slice(2);
/** These run what is shipped. */
const build = ['run', 'window', 'library-reading', 'library-ingest', 'hooks'].includes(name)
  ? [['esbuild.mjs', '--production']]
  : [];
for (const args of [...build, ['--import', 'tsx', `bench/${name}.ts`, ...more]]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
