// Builds and measures: `npm run bench` the stores and the server, `npm run bench -- window` a real window.
// The tables go to standard output, ready for docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const what = process.argv[2] === 'window' ? 'bench/window.ts' : 'bench/run.ts';
for (const args of [
  ['esbuild.mjs', '--production'],
  ['--import', 'tsx', what],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
