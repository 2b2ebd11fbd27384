import type { Sentence } from '../../core/sentence';
import type { AgentClient, AgentSurroundings } from '../model';
import type { PieceWriter } from '../piece';
import { claudeCode } from './claude-code';
import { claudeDesktop } from './claude-desktop';
import { continueDev } from './continue';
import { copilotCli } from './copilot-cli';
import { cursor } from './cursor';
import { vscode } from './vscode';

/** Kaizen's server in the configuration of each client. */
export const SERVER_WRITERS: readonly PieceWriter[] = [
  claudeCode,
  cursor,
  copilotCli,
  claudeDesktop,
  continueDev,
  vscode,
];

/** A client's whole configuration with nothing but Kaizen's server in it, to be shown and copied. */
export interface ServerSnippet {
  title: string | Sentence;
  /** Absolute: where it goes. */
  file: string;
  language: 'json' | 'yaml';
  text: string;
}

/** Undefined where the client is not known on this platform. */
export function serverSnippet(client: AgentClient, around: AgentSurroundings): ServerSnippet | undefined {
  const writer = SERVER_WRITERS.find((each) => each.client === client);
  const file = writer?.place(around)?.file;
  if (writer === undefined || file === undefined) return undefined;
  const language = file.endsWith('.yaml') ? 'yaml' : 'json';
  return { title: writer.title, file, language, text: writer.write(undefined, around) };
}
