import { join } from 'node:path';
import { sentence } from '../../core/sentence';
import { readYamlTree, type YamlTree } from '../../frontmatter';
import type { AgentSurroundings } from '../model';
import type { PieceReading, PieceWriter } from '../piece';
import {
  isSameCommand,
  mergedCommand,
  ownArguments,
  type ServerCommand,
  serverCommand,
  startsKaizen,
} from './command-line';
import { SERVER_NAME, unlessInShell } from './json-client';

const HEAD = "# Kaizen's server for Continue, written by Kaizen. It is taken away by the command that wrote it.\n";

/**
 * Continue's servers of a workspace: a file each in `.continue/mcpServers`, with a head of its own
 * (https://docs.continue.dev/customize/deep-dives/mcp). No variables are put in but secrets, so that the file holds this
 * machine's paths. The older `config.json` takes servers only as an experiment and is given up: it is left alone.
 */
export const continueDev: PieceWriter = {
  id: 'server:continue',
  kind: 'server',
  client: 'continue',
  title: 'Continue',
  place: ({ workspace, platform: { home } }) => ({
    file: join(workspace, '.continue', 'mcpServers', `${SERVER_NAME}.yaml`),
    place: 'workspace',
    traces: [join(workspace, '.continue'), join(home, '.continue')],
  }),
  read(text, around) {
    const own = commandFor(around);
    if (text === undefined || text.trim() === '') return unlessInShell('absent', own, own, around);
    const found = readServer(text);
    if ('unreadable' in found) return found;
    const wanted = mergedCommand(found, own);
    if (wanted !== undefined && isSameCommand(found, wanted)) return 'current';
    return unlessInShell('outdated', wanted ?? own, own, around);
  },
  write(text, around) {
    if (this.read(text, around) === 'current') return text!;
    const found = text === undefined || text.trim() === '' ? undefined : readServer(text);
    const former = found === undefined || 'unreadable' in found ? undefined : found;
    const wanted = commandFor(around);
    const { command, args } = (former && mergedCommand(former, wanted)) ?? wanted;
    return fileText(command, args);
  },
  remove: () => undefined,
  started(text) {
    const found = readServer(text);
    return 'unreadable' in found ? undefined : found;
  },
  ownSettings(text, around) {
    const found = readServer(text);
    return 'unreadable' in found ? [] : [...ownArguments(found, commandFor(around)), ...ownKeys(text)];
  },
  notes(text, around) {
    const notes = [sentence("It holds this machine's paths, since Continue puts in no variables: keep it out of git.")];
    // The file is written as a whole, with nothing but the command taken over.
    const loses = text !== undefined && this.read(text, around) === 'outdated' && ownKeys(text).length > 0;
    if (loses) notes.push(sentence('What else is in the file goes when it is brought up to date.'));
    return notes.map((each) => ({ sentence: each, isCovered: false }));
  },
};

function commandFor(around: AgentSurroundings): ServerCommand {
  return serverCommand(around, {}, { namesWorkspace: true });
}

/** A JSON string is a YAML string (YAML 1.2.2, "1.2. YAML History"). */
function fileText(command: string, args: readonly string[]): string {
  const lines = [
    'name: Kaizen',
    'version: 1.0.0',
    'schema: v1',
    'mcpServers:',
    `  - name: ${SERVER_NAME}`,
    '    type: stdio',
    `    command: ${JSON.stringify(command)}`,
    '    args:',
    ...args.map((arg) => `      - ${JSON.stringify(arg)}`),
  ];
  return `${HEAD}${lines.join('\n')}\n`;
}

/** The one server of a file of Kaizen's; of any other file a sentence. */
function readServer(text: string): ServerCommand | Exclude<PieceReading, string> {
  const { tree, faults } = readYamlTree(text);
  const [fault] = faults;
  if (fault !== undefined) {
    return { unreadable: sentence('It cannot be read from line {0} on. Mend or remove it first.', fault.line) };
  }
  const servers = itemsOf(tree, 'mcpServers');
  const [own] = servers.flatMap(startedBy).filter(startsKaizen);
  if (servers.length === 1 && own !== undefined) return own;
  return {
    unreadable: sentence("It does not hold Kaizen's server alone. Rename or remove it first."),
    holdsNothing: own === undefined,
  };
}

/** What a server's entry starts; nothing where it is another kind of server. */
function startedBy(server: YamlTree): ServerCommand[] {
  const command = under(server, 'command');
  const args = itemsOf(server, 'args').map((arg) => (arg.kind === 'text' ? arg.text : ''));
  return command?.kind === 'text' ? [{ command: command.text, args }] : [];
}

/** Names of what a file of Kaizen's holds beside what Kaizen wrote; `env` is named by its variables. */
function ownKeys(text: string): string[] {
  const { tree } = readYamlTree(text);
  const [server] = itemsOf(tree, 'mcpServers');
  const others = [
    ...keysOf(tree).filter((key) => !['name', 'version', 'schema', 'mcpServers'].includes(key)),
    ...keysOf(server).filter((key) => !['name', 'type', 'command', 'args'].includes(key)),
  ];
  const variables = keysOf(under(server, 'env'));
  return others.flatMap((key) => (key === 'env' && variables.length > 0 ? variables : [key]));
}

function keysOf(tree: YamlTree | undefined): string[] {
  return tree?.kind === 'mapping' ? tree.entries.map(({ key }) => key) : [];
}

function under(tree: YamlTree | undefined, key: string): YamlTree | undefined {
  return tree?.kind === 'mapping' ? tree.entries.find((entry) => entry.key === key)?.value : undefined;
}

function itemsOf(tree: YamlTree | undefined, key: string): YamlTree[] {
  const list = under(tree, key);
  return list?.kind === 'list' ? list.items : [];
}
