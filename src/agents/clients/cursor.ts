import { join } from 'node:path';
import { cursorTraces } from '../traces';
import { serverCommand, variable } from './command-line';
import { jsonServerWriter } from './json-client';

/**
 * Cursor's servers of a project: `.cursor/mcp.json`. `${userHome}` and `${workspaceFolder}` are put in for `command`,
 * `args` and `env` (https://cursor.com/docs/mcp, "Config interpolation"). The person's own `~/.cursor/mcp.json` is left
 * alone: there `${workspaceFolder}` is not the folder that is open.
 */
export const cursor = jsonServerWriter({
  client: 'cursor',
  title: 'Cursor',
  servers: 'mcpServers',
  place: (around) => ({
    file: join(around.workspace, '.cursor', 'mcp.json'),
    place: 'workspace',
    traces: cursorTraces(around),
  }),
  command: (around) => {
    const variables = { home: variable('userHome'), workspace: variable('workspaceFolder') };
    return serverCommand(around, variables, { namesWorkspace: true });
  },
});
