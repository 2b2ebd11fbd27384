// Makes kaizen-knowledge-<version>.vsix and checks what is in it: npm run package
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain } from './main.mjs';
import { zipContents } from './zip.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
// What is larger by a mistake stands out: the package has 3.0 MB, a quarter of it what reads documents.
const sizeLimit = 3.25 * 1024 * 1024;

/** Everything a package may hold; whatever else gets in, a source map or a test, is a mistake. */
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/package(\.nls(\.[\w-]+)?)?\.json$/,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/(LICENSE\.txt|dist\/THIRD-PARTY-NOTICES\.txt)$/,
  /^extension\/docs\/images\/[\w-]+\.png$/,
  /^extension\/dist\/[\w.-]+\.(js|wasm)$/,
  /^extension\/l10n\/bundle\.l10n\.[\w-]+\.json$/,
  /^extension\/dist\/webview\/[\w./-]+\.(js|css|ttf|woff2)$/,
  /^extension\/media\/[\w./-]+\.(svg|png|md)$/,
  // What agents in the editor are given: hooks, a skill, instructions.
  /^extension\/agent-plugin\/[\w./-]+\.(json|md)$/,
];

/** @returns {string} where the package of this version goes */
function packageFile() {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return path.join(root, `${name}-${version}.vsix`);
}

/** @returns {string} the package of this version
 * @throws when it has not been made */
export function newestPackage() {
  const file = packageFile();
  if (!existsSync(file)) throw new Error('There is no package yet. Run: npm run package');
  return file;
}

/** @param {string} script
 * @param {string[]} args */
function node(script, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${path.basename(script)} failed:\n${stdout}${stderr}`);
}

/** Builds and packages.
 * @returns {string} the package's path
 * @throws when building fails, a file is in it that should not be, or it is too large */
export function makePackage() {
  const file = packageFile();
  rmSync(file, { force: true });
  node(path.join(root, 'esbuild.mjs'), ['--production']);
  const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
  // Relative links stay as they are: the README's pictures travel in the package.
  node(vsce, [
    'package',
    '--no-dependencies',
    '--no-rewrite-relative-links',
    '--allow-missing-repository',
    '--out',
    file,
  ]);

  const contents = zipContents(file);
  for (const { name, bytes } of contents) console.log(`${String(bytes).padStart(9)}  ${name}`);
  const strangers = contents.filter(({ name }) => !allowed.some((pattern) => pattern.test(name)));
  const { size } = statSync(file);
  console.log(`${path.basename(file)}: ${contents.length} files, ${(size / 1024 / 1024).toFixed(2)} MB`);
  if (strangers.length > 0) {
    throw new Error(`Not meant to be in the package: ${strangers.map(({ name }) => name).join(', ')}`);
  }
  if (size > sizeLimit) throw new Error(`The package is larger than ${sizeLimit / 1024 / 1024} MB.`);
  return file;
}

if (isMain(import.meta.url)) {
  try {
    makePackage();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
