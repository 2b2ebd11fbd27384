import { isAbsolute, join } from 'node:path';
import type { Platform } from '../../core/locations';
import { sentence } from '../../core/sentence';
import { serverCommand } from './command-line';
import { jsonServerWriter } from './json-client';

/**
 * Claude Desktop's servers: `claude_desktop_config.json` in its data directory. It puts in no variables and starts its
 * servers in no folder of the person's, so that the flags say which is meant
 * (https://modelcontextprotocol.io/docs/develop/connect-local-servers; on Linux the place that Electron takes).
 */
export const claudeDesktop = jsonServerWriter({
  client: 'claude-desktop',
  title: 'Claude Desktop',
  servers: 'mcpServers',
  place: ({ platform }) => {
    const directory = dataDirectory(platform);
    return { file: join(directory, 'claude_desktop_config.json'), place: 'user', traces: [directory] };
  },
  command: (around) => serverCommand(around, {}, { namesWorkspace: true }),
  servesOneFolder: true,
  note: {
    sentence: sentence("It opens no folder: it gets this one's knowledge, whatever it is asked about."),
    isCovered: false,
  },
});

function dataDirectory({ platform, env, home }: Platform): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Claude');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Claude');
  const config = env.XDG_CONFIG_HOME;
  return join(config && isAbsolute(config) ? config : join(home, '.config'), 'Claude');
}
