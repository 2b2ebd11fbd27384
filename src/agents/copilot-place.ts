import { isAbsolute, join } from 'node:path';
import type { AgentSurroundings } from './model';
import type { PiecePlace } from './piece';

/** What Copilot CLI itself leaves in its folder. The folder is no trace: VS Code makes it, too, for `ide/`. */
const TRACES = ['settings.json', 'config.json', 'mcp-config.json', 'logs'];

/**
 * A file in GitHub Copilot CLI's folder: `~/.copilot`, or what COPILOT_HOME says
 * (https://docs.github.com/copilot/reference/copilot-cli-reference/cli-config-dir-reference).
 */
export function copilotPlace({ platform: { env, home } }: AgentSurroundings, ...path: string[]): PiecePlace {
  const own = env.COPILOT_HOME;
  const directory = own && isAbsolute(own) ? own : join(home, '.copilot');
  return { file: join(directory, ...path), place: 'user', traces: TRACES.map((name) => join(directory, name)) };
}
