import { isDeepStrictEqual } from 'node:util';
import { type Sentence, sentence } from '../../core/sentence';
import { jsonAt, readJson, withJson, withoutJson } from '../json-edit';
import type { AgentClient, AgentSurroundings } from '../model';
import { ownPaths } from '../own-paths';
import type { PieceNote, PiecePlace, PieceReading, PieceWriter } from '../piece';
import {
  folderOf,
  isSameCommand,
  mergedCommand,
  ownArguments,
  type ServerCommand,
  shellProblem,
  startsKaizen,
} from './command-line';

/** The name of Kaizen's server in every configuration. */
export const SERVER_NAME = 'kaizen';

/** A client that keeps its servers in an object of a JSON file, by their names. */
export interface JsonClient {
  client: AgentClient;
  title: string | Sentence;
  /** The key of that object. */
  servers: 'mcpServers' | 'servers';
  place(around: AgentSurroundings): PiecePlace | undefined;
  command(around: AgentSurroundings): ServerCommand;
  /** Properties that stand before and behind the command when Kaizen makes the entry; a person's own stay afterwards. */
  before?: Readonly<Record<string, unknown>>;
  behind?: Readonly<Record<string, unknown>>;
  note?: PieceNote;
  /** The client opens no folder, and has one file for all of them: its server works in the one that it is told. */
  servesOneFolder?: boolean;
}

export function jsonServerWriter(client: JsonClient): PieceWriter {
  const path = [client.servers, SERVER_NAME];

  function entryOf(text: string | undefined): { entry: unknown } | Exclude<PieceReading, string> {
    if (text === undefined) return { entry: undefined };
    const document = readJson(text);
    if ('unreadable' in document) return document;
    if (document.root === undefined) return { entry: undefined };
    const servers = jsonAt(text, [client.servers]);
    if (servers === undefined) return { entry: undefined };
    if (!isObject(servers)) {
      const unreadable = sentence('"{0}" in it is not an object. Mend it first.', client.servers);
      return { unreadable, holdsNothing: true };
    }
    return { entry: jsonAt(text, path) };
  }

  function read(text: string | undefined, around: AgentSurroundings): PieceReading {
    const found = entryOf(text);
    if ('unreadable' in found) return found;
    const own = client.command(around);
    if (found.entry === undefined) return unlessInShell('absent', own, own, around);
    const former = commandOf(found.entry);
    if (former === undefined || !startsKaizen(former)) return foreign(client.servers);
    const wanted = mergedCommand(former, own);
    if (wanted !== undefined && isSameCommand(former, wanted)) return 'current';
    return unlessInShell('outdated', wanted ?? own, own, around);
  }

  return {
    id: `server:${client.client}`,
    kind: 'server',
    client: client.client,
    title: client.title,
    place: (around) => client.place(around),
    read,
    write(text, around) {
      const found = entryOf(text);
      const entry = 'entry' in found ? found.entry : undefined;
      if (entry === undefined) {
        return withJson(text, path, { ...client.before, ...client.command(around), ...client.behind });
      }
      const former = commandOf(entry);
      const merged = former && mergedCommand(former, client.command(around));
      if (former === undefined || merged === undefined || isSameCommand(former, merged)) return text!;
      return withJson(withJson(text, [...path, 'command'], merged.command), [...path, 'args'], merged.args);
    },
    remove: (text) => withoutJson(text, path),
    started(text) {
      const found = entryOf(text);
      return 'entry' in found ? commandOf(found.entry) : undefined;
    },
    served(text) {
      const found = client.servesOneFolder ? entryOf(text) : undefined;
      const command = found && 'entry' in found ? commandOf(found.entry) : undefined;
      return command && folderOf(command);
    },
    ownSettings(text, around) {
      const found = entryOf(text);
      const former = 'entry' in found ? commandOf(found.entry) : undefined;
      if (former === undefined || !startsKaizen(former)) return [];
      const written: Readonly<Record<string, unknown>> = { ...client.before, ...client.behind };
      const { command: _, args: __, ...others } = (found as { entry: Record<string, unknown> }).entry;
      const properties = Object.entries(others).flatMap(([key, value]) => {
        if (isDeepStrictEqual(value, written[key]) || (key === 'type' && value === 'stdio')) return [];
        return key === 'env' && isObject(value) ? Object.keys(value) : [key];
      });
      return [...ownArguments(former, client.command(around)), ...properties];
    },
    notes: (_text, around) => [
      ...(client.place(around)?.place === 'workspace' ? ownPaths(client.command(around).args) : []),
      ...(client.note ? [client.note] : []),
    ],
  };
}

/** The state of what is to be written, or why it cannot be; `own` is what Kaizen writes where nothing was. */
export function unlessInShell(
  state: 'absent' | 'outdated',
  wanted: ServerCommand,
  own: ServerCommand,
  around: AgentSurroundings,
): PieceReading {
  const problem = shellProblem(wanted, own, around);
  return problem === undefined ? state : { unreadable: problem, holdsNothing: state === 'absent' };
}

/** What an entry starts; undefined where it is another kind of server, or none. */
export function commandOf(entry: unknown): ServerCommand | undefined {
  if (!isObject(entry)) return undefined;
  const { command, args = [] } = entry;
  if (typeof command !== 'string' || !Array.isArray(args)) return undefined;
  return args.every((arg) => typeof arg === 'string') ? { command, args } : undefined;
}

export function foreign(place: string): Exclude<PieceReading, string> {
  return {
    holdsNothing: true,
    unreadable: sentence(
      'Its "{0}" has a server called "{1}" that does not start Kaizen. Rename or remove it first.',
      place,
      SERVER_NAME,
    ),
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
