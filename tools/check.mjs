// What holds for the code itself: lint and format, types, layers, and that package.json says what the code does.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkAgentTexts } from './agent-texts.mjs';
import { checkTranslations } from './l10n.mjs';
import { report } from './testing/report.cjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8');

/**
 * The house, from the cellar up: a room may import from rooms on lower floors and, where it stands here, from single
 * neighbours. Rooms on one floor do not know each other. `docs/architecture.md` has the same picture.
 * @type {Record<string, { floor: number, packages: RegExp, behind?: string, doors?: string[] }>}
 */
const ROOMS = {
  core: { floor: 0, packages: /^node:/ },
  // What is wrong is said without the YAML reader.
  frontmatter: { floor: 0.5, packages: /^(node:|yaml$)/, doors: ['frontmatter/faults.ts'] },
  markdown: { floor: 0.5, packages: /^node:/ },
  transfer: { floor: 1.5, packages: /^node:/, doors: ['transfer/rules/index.ts'] },
  safety: { floor: 1, packages: /^(node:|@secretlint\/)/ },
  store: {
    floor: 1,
    packages: /^(node:|sql\.js$)/,
    doors: ['store/stamps.ts', 'store/stored-since.ts', 'store/process-identity.ts'],
  },
  files: { floor: 1, packages: /^node:/ },
  search: { floor: 1, packages: /^(node:|@orama\/stemmers\/)/ },
  postgres: { floor: 1, packages: /^(node:|pg$)/ },
  agents: { floor: 2, packages: /^(node:|jsonc-parser$|diff$)/ },
  relations: { floor: 2, packages: /^node:/ },
  knowledge: {
    floor: 2,
    packages: /^(node:|fastest-levenshtein$|re2js$)/,
    doors: ['knowledge/applicability-occurrences.ts'],
  },
  continuity: { floor: 2, packages: /^node:/ },
  bases: { floor: 2, packages: /^(node:|fastest-levenshtein$)/ },
  notes: {
    floor: 2,
    packages: /^(node:|fastest-levenshtein$|semver(\/|$)|diff$)/,
    doors: ['notes/format/index.ts', 'notes/registry/index.ts'],
  },
  library: {
    floor: 2,
    packages: /^(node:|unpdf(\/|$)|mammoth$|@mozilla\/readability$|linkedom$|turndown(\/|$))/,
    doors: ['library/reading/index.ts'],
  },
  learning: { floor: 2.5, packages: /^(node:|hyparquet(-writer)?(\/|$))/ },
  ends: { floor: 2.7, packages: /^node:/ },
  discovery: { floor: 3, packages: /^node:/ },
  review: { floor: 3, packages: /^node:/ },
  guard: { floor: 3, packages: /^(node:|re2js$)/, doors: ['guard/hooks/index.ts', 'guard/kept/index-writing.ts'] },
  'write-doors.ts': { floor: 3.2, packages: /^node:/ },
  'opening.ts': { floor: 3.5, packages: /^node:/ },
  'stored-secrets.ts': { floor: 3.7, packages: /^node:/ },
  'imported-secrets.ts': { floor: 3.8, packages: /^node:/ },
  'kaizen.ts': { floor: 4, packages: /^node:/ },
  doctor: { floor: 4.5, packages: /^node:/ },
  mcp: { floor: 5, packages: /^(node:|zod$|@modelcontextprotocol\/server(\/|$))/ },
  vscode: { floor: 6, packages: /^(node:|vscode$|zod$)/ },
  cli: { floor: 6, packages: /^node:/ },
  'cli.ts': { floor: 7, packages: /^node:/, behind: 'cli' },
  'extension.ts': { floor: 7, packages: /^(node:|vscode$)/, behind: 'vscode' },
};

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^;'"]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** @returns {{ file: string, target: string }[]} every import of the sources, as written */
function imports() {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const name = file.replaceAll('\\', '/');
      return [...read(`src/${name}`).matchAll(IMPORT)].map((match) => ({
        file: name,
        target: match[1] ?? match[2] ?? '',
      }));
    });
}

function checkLayers() {
  const problems = [];
  /** @type {Map<string, Set<string>>} */
  const edges = new Map();
  for (const { file, target } of imports()) {
    const from = file.split('/')[0] ?? '';
    const room = ROOMS[from];
    if (!room) problems.push(`src/${file}: the room ${from} is not in the house plan`);
    else if (!target.startsWith('.')) {
      if (!room.packages.test(target)) problems.push(`src/${file} imports ${target}, which ${from} may not know`);
    } else {
      const inside = path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
      if (inside.startsWith('..')) continue;
      const resolved = resolveModule(inside);
      if (!resolved) problems.push(`src/${file} imports ${target}, which is not there`);
      else {
        const list = edges.get(file) ?? new Set();
        edges.set(file, list.add(resolved));
        const to = resolved.split('/')[0] ?? '';
        const other = ROOMS[to];
        if (to === from || !other) continue;
        if (other.floor >= room.floor)
          problems.push(`src/${file} imports ${target}: ${to} does not stand below ${from}`);
        // A door composes what stands in the room behind it; everybody else comes in by the room's own front door.
        else if (to !== 'core' && room.behind !== to && !isFrontDoor(other, resolved)) {
          problems.push(`src/${file} imports ${target} past the front door of ${to}`);
        }
      }
    }
  }
  return [...problems, ...cycles(edges)];
}

/** @param {{ doors?: string[] }} room @param {string} file its `index.ts`, or what is a bundle of its own */
function isFrontDoor(room, file) {
  return /^[^/]+(\/index)?\.ts$/.test(file) || room.doors?.includes(file) === true;
}

const sources = new Set(
  readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/')),
);

/** @param {string} name a path below src without its ending */
function resolveModule(name) {
  return [`${name}.ts`, `${name}/index.ts`, name].find((file) => file.endsWith('.ts') && sources.has(file));
}

/** @param {Map<string, Set<string>>} edges */
function cycles(edges) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, 'open' | 'done'>} */
  const state = new Map();
  /** @param {string} file @param {string[]} trail */
  const visit = (file, trail) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      problems.push(`a cycle: ${[...trail.slice(trail.indexOf(file)), file].join(' → ')}`);
      return;
    }
    state.set(file, 'open');
    for (const next of edges.get(file) ?? []) visit(next, [...trail, file]);
    state.set(file, 'done');
  };
  for (const file of edges.keys()) visit(file, []);
  return problems;
}

function checkCommands() {
  const manifest = JSON.parse(read('package.json'));
  const declared = manifest.contributes.commands.map((/** @type {{ command: string }} */ { command }) => command);
  const registered = readdirSync(path.join(root, 'src/vscode/commands'))
    .filter((file) => file.endsWith('-commands.ts'))
    .flatMap((file) => [...read(`src/vscode/commands/${file}`).matchAll(/'(kaizen\.\w+)':/g)])
    .map((match) => match[1] ?? '');
  const used = [...JSON.stringify(manifest.contributes.menus).matchAll(/"command":"([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  );
  return [
    ...declared
      .filter((/** @type {string} */ id) => !registered.includes(id))
      .map((/** @type {string} */ id) => `${id} is declared but not registered`),
    ...registered.filter((id) => !declared.includes(id)).map((id) => `${id} is registered but not declared`),
    ...used.filter((id) => !declared.includes(id)).map((id) => `${id} is in a menu but not declared`),
  ];
}

/** What must never be committed: a registry's host in a lockfile, the path of a machine. */
function checkTraces() {
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  return tracked
    .filter(
      (file) => existsSync(path.join(root, file)) && /\.(ts|mjs|cjs|json|md|yml|svg|html|css)$|^\.ci\//.test(file),
    )
    .flatMap((file) => {
      const text = read(file);
      const problems = [];
      if (/package-lock\.json$/.test(file) && /"resolved": "http/.test(text))
        problems.push(`${file} names a registry's host`);
      if (text.includes(`${root}${path.sep}`)) problems.push(`${file} holds the path of a machine`);
      return problems;
    });
}

/** @param {string[]} args */
function runTool(args) {
  try {
    execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error);
    return [`${stdout}${stderr}`.trim()];
  }
}

const checks = {
  'lint and format': () => runTool(['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']),
  types: () => [
    ...runTool(['node_modules/typescript/bin/tsc', '--noEmit']),
    ...runTool(['node_modules/typescript/bin/tsc', '--noEmit', '--project', 'webview-ui']),
  ],
  layers: checkLayers,
  'declared commands are registered commands': checkCommands,
  'every text is translated': checkTranslations,
  "agents' texts are what their source says": checkAgentTexts,
  'no trace of a machine': checkTraces,
};

let failed = 0;
report({ event: 'suite', title: 'the code itself', depth: 0 });
for (const [name, check] of Object.entries(checks)) {
  const problems = await check();
  console.log(`${problems.length === 0 ? '✔' : '✖'} ${name}`);
  for (const problem of problems) console.log(`    ${problem.replaceAll('\n', '\n    ')}`);
  const error = problems.join('\n');
  if (error) report({ event: 'fail', title: name, path: name, depth: 1, error });
  else report({ event: 'pass', title: name, depth: 1, milliseconds: 0 });
  if (error) failed++;
}
report({ event: 'end' });
process.exitCode = failed === 0 ? 0 : 1;
