/** Setting agents up: instructions, servers and hooks in the files of their programs, looked at, shown, and written when ticked. */
export { apply } from './applying';
export { type ServerSnippet, serverSnippet } from './clients';
export { differenceOf } from './difference';
export { agentGuide, shortAgentGuide } from './guide';
export { HOOK_NAMES, HOOK_TIMEOUT, type HookName } from './hook-line';
export { inspect } from './inspecting';
export { writeKnowledgeSection } from './knowledge-section';
export {
  type LauncherTarget,
  launcherCommand,
  launcherPath,
  readLauncher,
  removeLauncher,
  writeLauncher,
} from './launcher';
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
export type { PieceNote, PiecePlace, PieceReading, PieceWriter } from './piece';
export { plan } from './planning';
export { WRITERS } from './writers';
