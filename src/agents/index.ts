/** Setting agents up: instructions, servers and hooks in the files of their programs, looked at, shown, and written when ticked. */
export { apply } from './applying';
export { serverSnippet } from './clients';
export { differenceOf } from './difference';
export { agentGuide, shortAgentGuide } from './guide';
export { type HookFlag, readHookFlags, storeFlags } from './hook-flags';
export { HOOK_NAMES } from './hook-line';
export { flagsInWords } from './hook-stores';
export { inspect } from './inspecting';
export { planKnowledgeSection, writeKnowledgeSection } from './knowledge-section';
export { launcherCommand, launcherPath, readLauncher, writeLauncher } from './launcher';
export {
  AGENT_CLIENTS,
  type AgentClient,
  type AgentSurroundings,
  type FileChange,
  type KaizenCommand,
  type PieceKind,
  type SetUpChoice,
  type SetUpPiece,
} from './model';
export { ownCommand } from './own-command';
export type { PieceWriter } from './piece';
export { plan } from './planning';
export { switchesHooksOff } from './switched-off';
export { WRITERS } from './writers';
