import type { RuleKind } from './model';

/** Where a folder is looked through: files by name, wherever they lie. */
export const PATTERNS: readonly string[] = [
  'AGENTS.md',
  'AGENTS.override.md',
  'GEMINI.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  '**/.claude/CLAUDE.md',
  '**/.claude/rules/**/*.md',
  '**/.github/copilot-instructions.md',
  '**/*.instructions.md',
  '**/.github/instructions/**/*.instructions.md',
  '*.mdc',
  '**/.cursor/rules/**/*.mdc',
  '.cursorrules',
  '.clinerules',
  '**/.clinerules/**/*.{md,txt}',
  '.windsurfrules',
  '**/.windsurf/rules/**/*.md',
  '**/{doc,docs,architecture}/{adr,adrs,decisions}/**/*.md',
  '**/{adr,adrs}/**/*.md',
  '**/{architecture,architectural}-{decision,decisions,decision-records}/**/*.md',
  'memory.json',
  'memory.jsonl',
];

/** What others made, and what is no source. */
export const PASSED_OVER: readonly string[] = ['**/node_modules/**', '**/.git/**', '**/.venv/**', '**/vendor/**'];

const KINDS: readonly (readonly [RuleKind, RegExp])[] = [
  ['agents', /(?:^|\/)(?:AGENTS(?:\.override)?|GEMINI)\.md$/i],
  ['claude', /(?:^|\/)(?:CLAUDE(?:\.local)?\.md|\.claude\/rules\/.+\.md)$/i],
  ['copilot', /(?:^|\/)(?:copilot-instructions|[^/]+\.instructions)\.md$/i],
  ['cursor', /(?:^|\/)(?:[^/]+\.mdc|\.cursorrules)$/i],
  ['cline', /(?:^|\/)\.clinerules(?:\/.+\.(?:md|txt))?$/i],
  ['windsurf', /(?:^|\/)(?:\.windsurfrules|\.windsurf\/rules\/.+\.md)$/i],
  [
    'adr',
    /(?:^|\/)(?:(?:docs?|architecture)\/decisions|architect(?:ure|ural)-decision(?:s|-records)?|adrs?)\/.+\.md$/i,
  ],
  ['memory', /(?:^|\/)memory\.jsonl?$/i],
];

/** Whose file it is, by its path (`/` between its parts); undefined for any other file. */
export function kindOf(path: string): RuleKind | undefined {
  return KINDS.find(([, pattern]) => pattern.test(path))?.[0];
}

/** Folders of tools: what lies in them holds for the folder that they lie in. */
const TOOL_FOLDER = /(?:^|\/)\.(?:claude|github|cursor|clinerules|windsurf)(?:\/.*)?$/;

/** The folder that a file holds for, relative like its path; empty for all that was given. */
export function folderOf(path: string, kind: RuleKind): string {
  if (kind === 'adr' || kind === 'memory' || kind === 'lines') return '';
  const folder = path.split('/').slice(0, -1).join('/');
  // Loose rules, such as a collection's, lie where they lie; Copilot's and Cursor's say themselves what they hold for.
  const isLoose = /(?:^|\/)[^/]+\.(?:mdc|instructions\.md)$/i.test(path) && !TOOL_FOLDER.test(folder);
  return isLoose ? '' : folder.replace(TOOL_FOLDER, '');
}
