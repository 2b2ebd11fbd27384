import { posix } from 'node:path';
import type { Platform } from '../../src/core/locations';
import { decide, emptyState } from '../../src/guard/hooks';
import type { Disk } from '../../src/guard/hooks/workspace-files';
import {
  type GuardIndex,
  type GuardRule,
  type HookCall,
  type HookClient,
  type HookEvent,
  INDEX_FORMAT,
} from '../../src/guard/model';
import type { RiskLevel } from '../../src/knowledge';

export const WORKSPACE = '/srv/shop';
export const LINUX: Platform = { platform: 'linux', env: {}, home: '/home/maria' };
export const WINDOWS: Platform = { platform: 'win32', env: {}, home: 'C:\\Users\\maria' };

/** A rule with a risk; what is not told has no part in the test. */
export function guardRule(level: RiskLevel, globs: string | null, more: Partial<GuardRule> = {}): GuardRule {
  const keyword = more.keyword ?? `RULE_${level.replace(' ', '_')}`;
  return {
    keyword,
    category: 'DATA',
    scope_id: 'shop',
    tier: 'PROJECT',
    revision: 1,
    risks: [{ level, text: `${keyword} is meant.` }],
    content: `${level}: ${keyword} is meant.`,
    reason: null,
    applies_to: globs,
    matches: null,
    needs: null,
    author: 'Maria',
    by_agent: false,
    ...more,
  };
}

export function guardIndex(rules: readonly GuardRule[]): GuardIndex {
  return {
    format: INDEX_FORMAT,
    project: 'shop',
    shared: '/shared',
    // Where the stores stood is the business of who reads the index.
    stamps: { workspace: {}, shared: {} } as GuardIndex['stamps'],
    topics: { rules: [], brief: [] },
    rules: [...rules],
    brief: {
      overview: null,
      sessions: [],
      progress: null,
      open_warnings: [],
      open_warnings_count: 0,
      entries: 1,
      entries_with_risk: 1,
    },
  };
}

/** A disk with these files, their content by absolute POSIX path; `links` lead from one folder to another. */
export function fakeDisk(files: Record<string, string>, links: Record<string, string> = {}): Disk {
  const real = (path: string): string => {
    for (const [link, target] of Object.entries(links)) {
      if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
    }
    return path;
  };
  const names = Object.keys(files);
  const kindOf = (path: string): 'file' | 'folder' | undefined => {
    const at = real(path);
    if (at in files) return 'file';
    return names.some((name) => name.startsWith(at === '/' ? '/' : `${at}/`)) ? 'folder' : undefined;
  };
  return {
    kindOf,
    realPath: (path) => (kindOf(path) ? real(path) : undefined),
    read: (path) => files[real(path)],
    below(folder, limit) {
      const found = names.filter((name) => name.startsWith(`${real(folder)}/`));
      const relative = found.map((name) => posix.relative(real(folder), name));
      return { files: relative.slice(0, limit), complete: relative.length <= limit };
    },
  };
}

let calls = 0;

export function toolCall(
  event: HookEvent,
  name: string,
  input: Record<string, unknown>,
  more: Partial<HookCall> & { use_id?: string | undefined } = {},
): HookCall {
  const { use_id = `use-${++calls}`, ...rest } = more;
  const client: HookClient = 'claude-code';
  return { event, client, session_id: 's1', cwd: WORKSPACE, tool: { name, input, use_id }, ...rest };
}

/** What a DANGER rule for the files of `globs` asks about before a command that is run in the workspace. */
export async function askedBefore(command: string, globs: string, disk: Disk) {
  const call = toolCall('pre-tool-use', 'Bash', { command });
  const around = { workspace: WORKSPACE, state: emptyState(), disk, platform: LINUX };
  return (await decide(call, [guardRule('DANGER', globs)], around)).asked;
}
