import { copilotPlace } from '../copilot-place';
import { serverCommand } from './command-line';
import { jsonServerWriter } from './json-client';

/**
 * The servers of GitHub Copilot CLI. They start in the folder in which it was started. `tools` says which tools may be
 * used (https://docs.github.com/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers).
 */
export const copilotCli = jsonServerWriter({
  client: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  servers: 'mcpServers',
  place: (around) => copilotPlace(around, 'mcp-config.json'),
  command: (around) => serverCommand(around, {}, { namesWorkspace: false }),
  before: { type: 'local' },
  behind: { tools: ['*'] },
});
