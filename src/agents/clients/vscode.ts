import { join } from 'node:path';
import { sentence } from '../../core/sentence';
import { serverCommand, variable } from './command-line';
import { jsonServerWriter } from './json-client';

/**
 * VS Code's own servers of a workspace: `.vscode/mcp.json`, whose object is called `servers`. Predefined variables are
 * put in (https://code.visualstudio.com/docs/copilot/reference/mcp-configuration). For those who work without the
 * extension: with it the server is there by itself, and would be there twice.
 */
export const vscode = jsonServerWriter({
  client: 'vscode',
  title: sentence('VS Code without the extension'),
  servers: 'servers',
  place: ({ workspace }) => ({ file: join(workspace, '.vscode', 'mcp.json'), place: 'workspace', traces: [] }),
  command: (around) => {
    const variables = { home: variable('userHome'), workspace: variable('workspaceFolder') };
    return serverCommand(around, variables, { namesWorkspace: true });
  },
  before: { type: 'stdio' },
  note: {
    sentence: sentence('The extension brings its own server; this one is for people who work without it.'),
    isCovered: true,
  },
});
