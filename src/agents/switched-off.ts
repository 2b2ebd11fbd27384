import { jsonAt } from './json-edit';
import type { AgentSurroundings, SetUpPiece } from './model';
import { readSetUpFile } from './set-up-file';

/**
 * Whether a piece's file has the setting of Claude Code's that keeps all hooks from running, whoever's they are
 * (`disableAllHooks`, https://code.claude.com/docs/en/hooks). A file that cannot be read has none.
 */
export async function switchesHooksOff(
  { kind, client, file }: SetUpPiece,
  around: AgentSurroundings,
): Promise<boolean> {
  if (kind !== 'hooks' || client !== 'claude-code') return false;
  const read = await readSetUpFile(file, around);
  return 'text' in read && read.text !== undefined && jsonAt(read.text, ['disableAllHooks']) === true;
}
