import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../files';
import type { AgentSurroundings } from './model';

/** Of which any being there tells that Claude Code is used: by this workspace, or by the person. */
export function claudeCodeTraces({ workspace, platform: { home } }: AgentSurroundings): string[] {
  return [join(workspace, '.claude'), join(workspace, 'CLAUDE.md'), join(home, '.claude'), join(home, '.claude.json')];
}

/** Of which any being there tells that Cursor is used. */
export function cursorTraces({ workspace, platform: { home } }: AgentSurroundings): string[] {
  return [join(workspace, '.cursor'), join(workspace, '.cursorrules'), join(home, '.cursor')];
}

/**
 * Whether any of these tells that a client is used. A folder outside of the workspace does only with something in it: it
 * stays when what Kaizen wrote into it is taken away again, since nobody knows who made it.
 */
export async function isAnySign(paths: readonly string[], around: AgentSurroundings): Promise<boolean> {
  for (const path of paths) if (await isSign(path, around)) return true;
  return false;
}

async function isSign(path: string, { workspace }: AgentSurroundings): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isDirectory() || isInside(workspace, path)) return stats !== undefined;
  return holdsAnything(path, DEEPEST);
}

/** Folders within the client's own into which Kaizen writes: `hooks` of Copilot CLI. */
const DEEPEST = 1;

async function holdsAnything(folder: string, depth: number): Promise<boolean> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  // What may not be looked into is somebody's.
  if (found === undefined || found.some((each) => depth === 0 || !each.isDirectory())) return true;
  for (const { name } of found) if (await holdsAnything(join(folder, name), depth - 1)) return true;
  return false;
}
