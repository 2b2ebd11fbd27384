import { isAbsolute, join } from 'node:path';
import { serverCommand } from './command-line';
import { jsonServerWriter } from './json-client';

/**
 * The servers of GitHub Copilot CLI: `mcp-config.json` in `~/.copilot`, or where COPILOT_HOME says. They start in the
 * folder in which it was started. `tools` says which tools may be used
 * (https://docs.github.com/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers and
 * https://docs.github.com/copilot/reference/copilot-cli-reference/cli-config-dir-reference).
 */
export const copilotCli = jsonServerWriter({
  client: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  servers: 'mcpServers',
  place: ({ platform: { env, home } }) => {
    const own = env.COPILOT_HOME;
    const directory = own && isAbsolute(own) ? own : join(home, '.copilot');
    return { file: join(directory, 'mcp-config.json'), place: 'user', traces: [directory] };
  },
  command: (around) => serverCommand(around, {}, { namesWorkspace: false }),
  before: { type: 'local' },
  behind: { tools: ['*'] },
});
