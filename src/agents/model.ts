import type { Platform } from '../core/locations';
import type { Sentence } from '../core/sentence';
import type { HookFlag } from './hook-flags';

/**
 * Setting agents up: instructions in the files that they read, servers in their configuration, hooks. Everything is a
 * piece: looked at, shown as a change of a file, and written only when a person has ticked it. Knowledge that was exported
 * into one of these files is a piece, too, where it is there: to be seen, and to be taken away.
 */

export const AGENT_CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'continue', 'copilot-cli'] as const;
export type AgentClient = (typeof AGENT_CLIENTS)[number];

/** How a client starts Kaizen: a program and its arguments, without a shell. */
export interface KaizenCommand {
  command: string;
  /** Before `mcp` or `hook`, such as the path of a script; empty for a launcher. */
  args: readonly string[];
  /** The flags that say which knowledge is meant: `--data`, `--shared`, `--workspace`, `--project`; often none. */
  flags: readonly string[];
  /** The script is that of a package that a project holds: a file that a team shares starts it without this Node's path. */
  ofProject?: boolean | undefined;
}

/** What setting up has to know of the machine and the workspace. */
export interface AgentSurroundings {
  /** The folder that is worked in, absolute. */
  workspace: string;
  /** The current project's scope, where one is known: instructions name it. */
  project: string | undefined;
  platform: Platform;
  kaizen: KaizenCommand;
}

export type PieceKind = 'instructions' | 'knowledge' | 'server' | 'hooks';

/** Something of Kaizen's that is, or could be, in one file of a client. */
export interface SetUpPiece {
  /** `instructions:AGENTS.md`, `knowledge:AGENTS.md`, `server:cursor`, `hooks:claude-code`. */
  id: string;
  kind: PieceKind;
  client: AgentClient | undefined;
  /** For a person: the client's name, or the file's. */
  title: string | Sentence;
  /** Absolute. */
  file: string;
  /** Whether the file belongs to the workspace, and may be shared with a team, or to the person. */
  place: 'workspace' | 'user';
  /**
   * `unreadable`: the file is not what the client takes, so that it cannot be changed; `problem` says why. Exported
   * knowledge that is there is `current`, however old it is: the stores are not opened to look at it.
   */
  state: 'absent' | 'current' | 'outdated' | 'unreadable';
  problem?: Sentence | undefined;
  /** Of what is `unreadable`: whether it is told all the same that nothing of Kaizen's is in it. */
  holdsNothing?: boolean | undefined;
  /** Whether there is a file with a text that can be read, with the piece or without it. */
  hasFile: boolean;
  /** Whether the file has it, up to date or not: `current` or `outdated`. */
  isThere: boolean;
  /** Whether the client seems to be used here: its file, folder or program is there. */
  detected: boolean;
  /** What a person should know before ticking it: that another file does the same already, and the like. */
  notes: readonly Sentence[];
  /** Of the notes those that are told once more where the piece is to be written. */
  warnings?: readonly Sentence[] | undefined;
  /** Of a server that is there: what the client starts, with the variables that it puts in. */
  starts?: Pick<KaizenCommand, 'command' | 'args'> | undefined;
  /** Of a server that is there: names of what Kaizen would not have written, and leaves: arguments, variables, properties. */
  ownSettings?: readonly string[] | undefined;
  /**
   * Of hooks with other flags than those that are given now: these, with values that anybody may have put there. Where the
   * hooks are otherwise what Kaizen writes their state is `current`, else `outdated`; in either they get the flags that are
   * given now only when they are asked for by name.
   */
  otherFlags?: readonly HookFlag[] | undefined;
  /**
   * Of the server of a client that opens no folder: another folder, absolute, whose knowledge it has been given. Its state
   * is what it is there; it is turned to this folder only when it is asked for by name.
   */
  servesFolder?: string | undefined;
  /** It would do what something else does already: left out unless it is asked for by name. */
  isCovered?: boolean | undefined;
}

/** What would become of a file. Undefined where there is none before, or none is left. */
export interface FileChange {
  /** Absolute. */
  file: string;
  before: string | undefined;
  after: string | undefined;
  /** The pieces that the change is for. */
  pieces: string[];
}

/** What a person ticked: these are written or brought up to date, those are taken away. */
export interface SetUpChoice {
  install: readonly string[];
  remove: readonly string[];
}
