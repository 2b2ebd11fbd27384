import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/** Says to a process that it runs from a bundle already. */
const BUNDLED = 'KAIZEN_BENCH_BUNDLED';

/**
 * Runs a bench bundled, with the store's worker beside it: from sources, snapshots of the store are made in the thread
 * that is measured.
 * @param file the bench's own
 */
export function asShipped(file: string, main: () => Promise<void>): void {
  (process.env[BUNDLED] ? main() : bundled(file)).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}

async function bundled(file: string): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-bundle-'));
  try {
    await build({
      entryPoints: { bench: file, 'checkpoint-worker': 'src/store/checkpoint-worker.ts' },
      ...{ outdir: home, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error', minify: false },
      external: ['sql.js/dist/sql-wasm.wasm', 'esbuild', 'pg-native', 'onnxruntime-node', 'canvas', '@napi-rs/canvas'],
    });
    cpSync(require.resolve('sql.js/dist/sql-wasm.wasm'), path.join(home, 'sql-wasm.wasm'));
    const env = { ...process.env, [BUNDLED]: '1', NODE_PATH: path.resolve('node_modules') };
    const args = [...process.execArgv.filter((each) => !each.includes('tsx') && each !== '--import')];
    const { status } = spawnSync(process.execPath, [...args, path.join(home, 'bench.js'), ...process.argv.slice(2)], {
      ...{ env, stdio: 'inherit' },
    });
    process.exitCode = status ?? 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
