import { join } from 'node:path';
import { claudeCodeTraces } from '../traces';
import { serverCommand, variable } from './command-line';
import { jsonServerWriter } from './json-client';

/**
 * Claude Code's servers of a project: `.mcp.json` in its root, meant to be shared. `${VAR}` of the environment is put in
 * for `command`, `args` and `env`; servers start in the project's folder
 * (https://code.claude.com/docs/en/mcp, "Project scope", "Environment variable expansion in .mcp.json").
 */
export const claudeCode = jsonServerWriter({
  client: 'claude-code',
  title: 'Claude Code',
  servers: 'mcpServers',
  place: (around) => ({
    file: join(around.workspace, '.mcp.json'),
    place: 'workspace',
    traces: claudeCodeTraces(around),
  }),
  command: (around) => {
    const home = variable(around.platform.platform === 'win32' ? 'USERPROFILE' : 'HOME');
    return serverCommand(around, { home, workspace: '.' }, { namesWorkspace: false });
  },
});
