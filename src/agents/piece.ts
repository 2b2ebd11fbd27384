import type { Sentence } from '../core/sentence';
import type { HookFlag } from './hook-flags';
import type { AgentClient, AgentSurroundings, KaizenCommand, PieceKind } from './model';

/**
 * What a file's text has of a piece. `unreadable` says, in a sentence, why the file cannot be changed and what to do;
 * `holdsNothing` that nothing of the piece is in it all the same, so that there is nothing to take away.
 */
export type PieceReading = 'absent' | 'current' | 'outdated' | { unreadable: Sentence; holdsNothing?: boolean };

/** Where a piece goes on this machine. */
export interface PiecePlace {
  /** Absolute. */
  file: string;
  /** `workspace`: the file lies in the workspace's folder and is never written through a link that leads out of it. */
  place: 'workspace' | 'user';
  /**
   * Files and folders, absolute, of which any being there tells that the client is used; outside of the workspace only a
   * folder with something in it. Not the piece's own file, which counts too.
   */
  traces: readonly string[];
}

/**
 * One piece: what a file's text is with it and without it. Knows no disk: texts come in as they are in the file (a byte
 * order mark is U+FEFF, line ends are the file's) and go out the same way; whatever is not the piece's own stays byte
 * for byte. `inspect`, `plan` and `apply` do the reading and the writing. JSON with comments is edited by `json-edit.ts`.
 */
export interface PieceWriter {
  /** `instructions:AGENTS.md`, `server:cursor`, `hooks:claude-code`; unique. */
  readonly id: string;
  readonly kind: PieceKind;
  readonly client: AgentClient | undefined;
  /** Put there by something else than setting up: it is a piece only where it is there, to be seen and taken away. */
  readonly isOnlyTaken?: true;
  /** For a person: the client's name, or the file's. */
  readonly title: string | Sentence;
  /** Undefined where there is no such thing on this platform. */
  place(around: AgentSurroundings): PiecePlace | undefined;
  /** `text` is undefined where there is no file. Never throws. */
  read(text: string | undefined, around: AgentSurroundings): PieceReading;
  /** With the piece as it is to be now; the same text where it is so already. Called only where `read` finds nothing unreadable. */
  write(text: string | undefined, around: AgentSurroundings): string;
  /** Without the piece; undefined where nothing is left of a file that Kaizen made. Called only where `read` finds the piece. */
  remove(text: string, around: AgentSurroundings): string | undefined;
  /** What the file has a client start; of servers. Never throws. */
  started?(text: string): Pick<KaizenCommand, 'command' | 'args'> | undefined;
  /** The folder that a server works in whose client opens none, whatever folder is asked about. Never throws. */
  served?(text: string): string | undefined;
  /** Names of what somebody put to it beyond what Kaizen writes: arguments, variables, other properties; of servers. Never throws. */
  ownSettings?(text: string, around: AgentSurroundings): string[];
  /** Of hooks that are there: the flags that can be read, where they are others than would be written now. Never throws. */
  otherFlags?(text: string, around: AgentSurroundings): readonly HookFlag[] | undefined;
  /** What a person should know before ticking it. */
  notes?(text: string | undefined, around: AgentSurroundings): PieceNote[];
}

export interface PieceNote {
  sentence: Sentence;
  /** Whether the piece is better left out unless it is asked for by name. */
  isCovered: boolean;
  /** Whether it is told once more where the piece is to be written. */
  isWarning?: boolean;
}
