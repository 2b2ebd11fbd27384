// Builds and measures: `npm run bench`. The tables go to standard output, ready for docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
for (const args of [
  ['esbuild.mjs', '--production'],
  ['--import', 'tsx', 'bench/run.ts'],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
