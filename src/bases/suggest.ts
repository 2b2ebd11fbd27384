import { readFile, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { scopeIdFromName } from '../core/locations';
import { Turns } from '../core/turns';
import { compilePatterns, scan } from '../files';
import { LIMITS } from './limits';

/** A base that a workspace could have. It is only offered: nothing of it is indexed until somebody takes it. */
export interface BaseSuggestion {
  kind: 'instructions' | 'docs' | 'notes';
  name: string;
  /** Absolute. */
  root: string;
  include: string[];
  exclude: string[];
  /** How many files it has now, as far as there was time to look. */
  files: number;
  /** What it is, in a sentence. */
  why: string;
}

/** Milliseconds. */
const TIME_LIMIT = 2_000;

/** Where tools keep what they tell agents. */
const INSTRUCTIONS = [
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.github/copilot-instructions.md',
  '.github/instructions/**/*.md',
  '.github/prompts/**/*.md',
  '.github/skills/**/*.md',
  '.github/agents/**/*.md',
  '.github/chatmodes/**/*.md',
  '.agents/**/*.md',
  '.claude/**/*.md',
  '.cursor/rules/**/*.{md,mdc}',
  '.windsurf/rules/**/*.md',
  '.clinerules/**/*.md',
];

/** Folders for documentation at the top of a workspace, by their names in lower case. */
const DOCS = ['docs', 'doc', 'documentation', 'wiki', 'knowledge', 'knowledge_bases'];

/** What others wrote or a tool made. */
const FOREIGN = [
  'node_modules',
  'bower_components',
  'vendor',
  'third_party',
  'site-packages',
  'venv',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
];

/** What a workspace folder has that could be a knowledge base: files for agents, documentation, and other Markdown. */
export async function suggestBases(workspaceFolder: string): Promise<BaseSuggestion[]> {
  const realRoot = await realpath(workspaceFolder).catch(() => undefined);
  if (realRoot === undefined) return [];
  const foreign = [...FOREIGN, ...(await ignoredFolders(realRoot))].map((name) => `**/${name}/**`);
  const patterns = compilePatterns(['**/*.md', ...INSTRUCTIONS], foreign);
  const deadline = performance.now() + TIME_LIMIT;
  const found = await scan({
    realRoot,
    patterns,
    limits: LIMITS,
    deadline,
    signal: new AbortController().signal,
  });
  const files = found.files.map(({ file }) => file);
  const name = scopeIdFromName(basename(realRoot)).slice(0, 80);

  const turns = new Turns();
  const instructions: string[] = [];
  for (const glob of INSTRUCTIONS.map(tied)) {
    const { takes } = compilePatterns([glob], []);
    if ((await countOf(files, takes, turns)) > 0) instructions.push(glob);
  }
  const docs = [...new Set(files.filter((file) => file.includes('/')).map((file) => file.slice(0, file.indexOf('/'))))]
    .filter((folder) => DOCS.includes(folder.toLowerCase()))
    .map((folder) => ({ folder, suffix: folder.toLowerCase().replace(/[^a-z]+/g, '-') }));
  const suggestions: Omit<BaseSuggestion, 'files'>[] = [
    {
      kind: 'instructions',
      name: `${name}-instructions`,
      root: workspaceFolder,
      include: instructions,
      exclude: [],
      why: 'What this workspace tells coding agents: instructions, rules and skills.',
    },
    ...docs.map(({ folder, suffix }) => ({
      kind: 'docs' as const,
      name: `${name}-${suffix}`,
      root: join(workspaceFolder, folder),
      include: ['**/*.md'],
      exclude: ['**/node_modules/**', '**/.git/**'],
      why: `The documentation in ${folder}.`,
    })),
    {
      kind: 'notes',
      name: `${name}-notes`,
      root: workspaceFolder,
      include: ['**/*.md'],
      exclude: [...foreign, '**/.git/**', ...docs.map(({ folder }) => `/${folder}/**`), ...instructions],
      why: 'The READMEs and other Markdown files of this workspace.',
    },
  ];
  const present: BaseSuggestion[] = [];
  for (const each of suggestions) {
    const { reaches } = compilePatterns(each.include, each.exclude);
    const folder = each.root === workspaceFolder ? '' : `${basename(each.root)}/`;
    const isPart = (file: string) => file.startsWith(folder) && reaches(file.slice(folder.length));
    const count = each.include.length === 0 ? 0 : await countOf(files, isPart, turns);
    if (count > 0) present.push({ ...each, files: count });
  }
  return present;
}

/** From the root, so that `AGENTS.md` is not one in any folder. */
function tied(glob: string): string {
  return glob.includes('/') ? glob : `/${glob}`;
}

async function countOf(files: readonly string[], isPart: (file: string) => boolean, turns: Turns): Promise<number> {
  let count = 0;
  for (const file of files) {
    if (isPart(file)) count++;
    await turns.pause();
  }
  return count;
}

/** Plain names of folders in .gitignore: what is not part of the repository is nobody's documentation. */
async function ignoredFolders(root: string): Promise<string[]> {
  const text = await readFile(join(root, '.gitignore'), 'utf8').catch(() => '');
  const names = text.split(/\r?\n/).map((line) => /^\/?([\w.-]+)\/$/.exec(line.trim())?.[1]);
  return [...new Set(names.filter((name) => name !== undefined && !/^\.+$/.test(name) && !FOREIGN.includes(name)))]
    .slice(0, 20)
    .map(String);
}
