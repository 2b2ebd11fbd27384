import { join } from 'node:path';
import type { AgentSurroundings } from './model';

/** Of which any being there tells that Claude Code is used: by this workspace, or by the person. */
export function claudeCodeTraces({ workspace, platform: { home } }: AgentSurroundings): string[] {
  return [join(workspace, '.claude'), join(workspace, 'CLAUDE.md'), join(home, '.claude'), join(home, '.claude.json')];
}

/** Of which any being there tells that Cursor is used. */
export function cursorTraces({ workspace, platform: { home } }: AgentSurroundings): string[] {
  return [join(workspace, '.cursor'), join(workspace, '.cursorrules'), join(home, '.cursor')];
}
