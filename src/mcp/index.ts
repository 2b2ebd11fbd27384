import { randomBytes } from 'node:crypto';
import { KaizenError } from '../core/errors';
import type { Toolset } from './tool';
import { discoveryToolset } from './toolsets/discovery';
import { learningToolset } from './toolsets/learning';
import { libraryToolset } from './toolsets/library';
import { notesToolset } from './toolsets/notes';
import { protocolToolset } from './toolsets/protocol';
import { workflowsToolset } from './toolsets/workflows';

/** The front door of everything that speaks MCP. */

export type { Log } from './calls';
export type { KaizenHall } from './hall';
export { AGENT_WRITES, type AgentWrites } from './policy';
export { Surface, type SurfaceOptions } from './server';
export { type HttpOptions, type HttpServer, serveHttp } from './serving/http';
export { type StdioConnection, type StdioOptions, serveStdio } from './serving/stdio';

/** Every toolset there is, in the order in which its tools are listed. */
const TOOLSETS: readonly { toolset: Toolset; isDefault: boolean }[] = [
  { toolset: protocolToolset, isDefault: true },
  { toolset: discoveryToolset, isDefault: true },
  { toolset: notesToolset, isDefault: false },
  { toolset: libraryToolset, isDefault: false },
  { toolset: workflowsToolset, isDefault: false },
  { toolset: learningToolset, isDefault: false },
];

export const toolsetNames: readonly string[] = TOOLSETS.map(({ toolset }) => toolset.name);

/**
 * The toolsets that a person asked for: names separated by commas, `all`, or the default ones when nothing is said.
 * Throws `invalid_argument`, naming the known ones, for a name that is unknown.
 */
export function resolveToolsets(wanted?: string): Toolset[] {
  const names = (wanted ?? '').split(',').flatMap((name) => name.trim() || []);
  if (names.length === 0) return TOOLSETS.filter((row) => row.isDefault).map((row) => row.toolset);
  const unknown = names.find((name) => name !== 'all' && !toolsetNames.includes(name));
  if (unknown !== undefined) {
    const known = [...toolsetNames, 'all'].join(', ');
    throw new KaizenError('invalid_argument', `There is no toolset ${unknown}.`, `Known are: ${known}.`);
  }
  return TOOLSETS.filter(({ toolset }) => names.includes('all') || names.includes(toolset.name)).map(
    (row) => row.toolset,
  );
}

/** A new secret for `serveHttp`: 256 random bits, fit for a header and a shell. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}
