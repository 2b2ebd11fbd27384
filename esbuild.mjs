// Builds what is shipped: dist/{extension,cli,commands,hook,kaizen,occurrences,mcp,frontmatter,rules,doctor,notes-format,notes-publishing,registry,postgres,safety,webviews,checkpoint-worker,embedding-worker,library-worker}.js,
// each CommonJS for Node, and the pages of the webviews in dist/webview, for browsers.
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
const rooms = {
  commands: 'src/cli/index.ts',
  // What a hook needs, and no more: it is started before each thing that an agent does.
  hook: 'src/cli/hook/index.ts',
  occurrences: 'src/knowledge/applicability-occurrences.ts',
  kaizen: 'src/kaizen.ts',
  mcp: 'src/mcp/index.ts',
  agents: 'src/agents/index.ts',
  guard: 'src/guard/index.ts',
  frontmatter: 'src/frontmatter/index.ts',
  rules: 'src/transfer/rules/index.ts',
  doctor: 'src/doctor/index.ts',
  'notes-format': 'src/notes/format/index.ts',
  'notes-publishing': 'src/notes/publishing/index.ts',
  registry: 'src/notes/registry/index.ts',
  postgres: 'src/postgres/index.ts',
  // A thread of its own; without one its door is called.
  'library-worker': 'src/library/extraction/worker.ts',
  // Most of it is secretlint's; loaded with the first text that is written.
  safety: 'src/safety/secrets/index.ts',
  webviews: 'src/vscode/editors/webviews.ts',
};

/** @type {esbuild.Plugin}
 * Lets a bundle `import()` another room's bundle instead of swallowing the room; those with YAML, node-postgres or RE2 nobody swallows. */
const roomsApart = {
  name: 'rooms-apart',
  setup(build) {
    const doors = new Map(Object.entries(rooms).map(([name, file]) => [path.join(root, file), name]));
    build.onResolve({ filter: /^\.{1,2}\// }, async (args) => {
      if (!/^(dynamic-import|import-statement)$/.test(args.kind) || args.pluginData === 'asked') return undefined;
      if (
        args.kind === 'import-statement' &&
        !/\/(frontmatter|format|postgres|applicability-occurrences)$/.test(args.path)
      )
        return undefined;
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

/** @type {esbuild.Plugin}
 * Of secretlint's preset one rule, which is not used, reads PKCS #12 files: with a library of its own that is larger than all the rest. */
const withoutForge = {
  name: 'without-forge',
  setup(build) {
    build.onResolve({ filter: /^\.\/index-.+\.js$/ }, ({ importer, kind }) =>
      kind === 'dynamic-import' && importer.includes('secretlint-rule-preset-recommend')
        ? { path: 'forge', namespace: 'nothing' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'export default undefined;' }));
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
  // Its CommonJS build hides its own `require` from bundlers.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // By this variable pg asks for its native client, which is not in the bundle.
  define: { 'process.env.NODE_PG_FORCE_NATIVE': 'undefined' },
  plugins: [roomsApart, withoutForge],
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** @type {esbuild.BuildOptions}
 * A thread that loads modules from the disk, which are there only once they were downloaded: `import()` stays as it is. */
const threads = {
  ...options,
  entryPoints: { 'embedding-worker': 'src/search/embeddings/local/worker.ts' },
  supported: {},
  plugins: [],
};

/** The pages of the webviews: for the browser that the editor is. @type {esbuild.BuildOptions} */
const pages = {
  absWorkingDir: root,
  entryPoints: ['entry', 'project', 'dashboard', 'note', 'graph', 'coverage', 'relations', 'projects', 'score'].flatMap(
    (name) => [`webview-ui/${name}/${name}.ts`, `webview-ui/${name}/${name}.css`],
  ),
  entryNames: '[name]',
  outdir: 'dist/webview',
  bundle: true,
  platform: 'browser',
  format: 'esm',
  // Shared by the pages: the controls are most of each.
  splitting: true,
  chunkNames: 'shared-[hash]',
  target: 'es2022',
  tsconfig: 'webview-ui/tsconfig.json',
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** Files of packages that are shipped as they are: what → where. */
const copies = {
  'sql.js/dist/sql-wasm.wasm': 'dist/sql-wasm.wasm',
  '@vscode/codicons/dist/codicon.css': 'dist/webview/codicon.css',
  '@vscode/codicons/dist/codicon.ttf': 'dist/webview/codicon.ttf',
};

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
mkdirSync(path.join(root, 'dist/webview'), { recursive: true });
for (const [from, to] of Object.entries(copies)) {
  copyFileSync(createRequire(import.meta.url).resolve(from), path.join(root, to));
}

if (watch) {
  for (const each of [options, threads, pages]) {
    const context = await esbuild.context({ ...each, logLevel: 'info' });
    await context.watch();
  }
} else {
  const built = await Promise.all([options, threads, pages].map((each) => esbuild.build(each)));
  const copied = Object.fromEntries(Object.keys(copies).map((file) => [`node_modules/${file}`, {}]));
  const inputs = Object.assign(copied, ...built.map(({ metafile }) => metafile?.inputs));
  writeFileSync(path.join(root, 'dist/THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, { inputs, outputs: {} }));
}
