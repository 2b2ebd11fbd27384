// Builds what is shipped: dist/{extension,cli,kaizen,mcp,checkpoint-worker}.js, each CommonJS for Node.
// `--production` minifies and leaves source maps out, `--watch` rebuilds on change.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { thirdPartyNotices } from './tools/notices.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/**
 * The parts that are loaded when they are first needed, each a bundle of its own, so that activating the extension
 * loads neither SQLite nor the MCP SDK: bundle name → front door.
 */
const rooms = { kaizen: 'src/kaizen.ts', mcp: 'src/mcp/index.ts' };

/** @type {esbuild.Plugin}
 * Lets a bundle `import()` another room's bundle instead of swallowing the room. */
const roomsApart = {
  name: 'rooms-apart',
  setup(build) {
    const doors = new Map(Object.entries(rooms).map(([name, file]) => [path.join(root, file), name]));
    build.onResolve({ filter: /^\.{1,2}\// }, async (args) => {
      if (args.kind !== 'dynamic-import' || args.pluginData === 'asked') return undefined;
      const { path: resolved } = await build.resolve(args.path, {
        resolveDir: args.resolveDir,
        kind: args.kind,
        pluginData: 'asked',
      });
      const name = doors.get(resolved);
      return name ? { path: `./${name}.js`, external: true } : undefined;
    });
  },
};

/** @type {esbuild.BuildOptions} */
const options = {
  absWorkingDir: root,
  entryPoints: {
    extension: 'src/extension.ts',
    cli: 'src/cli.ts',
    'checkpoint-worker': 'src/store/checkpoint-worker.ts',
    ...rooms,
  },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // `require` when it is needed: the extension host and Node treat it alike.
  supported: { 'dynamic-import': false },
  // The wasm file is looked up in the package only when the code runs from source.
  external: ['vscode', 'sql.js/dist/sql-wasm.wasm'],
  plugins: [roomsApart],
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
mkdirSync(path.join(root, 'dist'), { recursive: true });
copyFileSync(
  createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'),
  path.join(root, 'dist/sql-wasm.wasm'),
);

if (watch) {
  const context = await esbuild.context({ ...options, logLevel: 'info' });
  await context.watch();
} else {
  const { metafile } = await esbuild.build(options);
  if (metafile) writeFileSync(path.join(root, 'dist/THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, metafile));
}
