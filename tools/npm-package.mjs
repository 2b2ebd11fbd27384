// Makes kaizen-knowledge-<version>.tgz, the command line without the editor, and checks what is in it: npm run package:npm
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain } from './main.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const sizeLimit = 3 * 1024 * 1024;

/** Bundles that only the editor loads. */
const editorOnly = ['extension.js', 'webviews.js'];

/** Everything the tarball may hold; whatever else gets in is a mistake. */
const allowed = [
  /^package\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE$/,
  /^dist\/[\w.-]+\.(js|wasm)$/,
  /^dist\/THIRD-PARTY-NOTICES\.txt$/,
];

/** What must be in it: without one of these no command starts. */
const needed = ['package.json', 'LICENSE', 'dist/cli.js', 'dist/commands.js', 'dist/kaizen.js', 'dist/mcp.js'];

/** @param {string} script
 * @param {string[]} args */
function node(script, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${path.basename(script)} failed:\n${stdout}${stderr}`);
}

/** @param {string} name
 * @returns {string} */
function oneLine(name) {
  const { [name]: text } = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8'));
  if (typeof text !== 'string') throw new Error(`package.nls.json has no ${name}.`);
  return text;
}

/** The files as they are installed: the bundles, and a package.json without the editor and without dependencies.
 * @param {string} folder */
function stage(folder) {
  const { name, version, license, engines, keywords } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  const manifest = {
    name,
    version,
    description: oneLine('description'),
    license,
    keywords,
    engines: { node: engines.node },
    // The package's own name as well: `npx kaizen-knowledge` starts the command of that name.
    bin: { kaizen: 'dist/cli.js', [name]: 'dist/cli.js' },
  };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) {
    copyFileSync(path.join(root, file), path.join(folder, file));
  }
  mkdirSync(path.join(folder, 'dist'));
  for (const file of readdirSync(path.join(root, 'dist'))) {
    const isMeant = /\.(js|wasm)$/.test(file) || file === 'THIRD-PARTY-NOTICES.txt';
    if (!isMeant || editorOnly.includes(file)) continue;
    copyFileSync(path.join(root, 'dist', file), path.join(folder, 'dist', file));
  }
}

/** Packs what is in dist.
 * @param {string} destination the folder that the tarball goes to
 * @returns {string} the tarball's path
 * @throws when npm fails, a file is in it that should not be or is missing */
export function packBuilt(destination) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kaizen-npm-'));
  try {
    stage(folder);
    const args = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', path.resolve(destination)];
    const { status, stdout, stderr } = spawnSync('npm', args, {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm pack failed:\n${stdout}${stderr}`);
    const said = JSON.parse(stdout);
    // A list until npm 10, by the packages' names since.
    const [packed] = Array.isArray(said) ? said : Object.values(said);
    /** @type {string[]} */
    const files = packed.files.map((/** @type {{ path: string }} */ file) => file.path);
    const strangers = files.filter((file) => !allowed.some((pattern) => pattern.test(file)));
    if (strangers.length > 0) throw new Error(`Not meant to be in the package: ${strangers.join(', ')}`);
    const missing = needed.filter((file) => !files.includes(file));
    if (missing.length > 0) throw new Error(`Missing in the package: ${missing.join(', ')}`);
    console.log(`${packed.filename}: ${files.length} files, ${(packed.size / 1024 / 1024).toFixed(2)} MB`);
    if (packed.size > sizeLimit) throw new Error(`The package is larger than ${sizeLimit / 1024 / 1024} MB.`);
    return path.join(path.resolve(destination), packed.filename);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) {
  try {
    node(path.join(root, 'esbuild.mjs'), ['--production']);
    packBuilt(root);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
