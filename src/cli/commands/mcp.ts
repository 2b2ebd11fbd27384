import { type Arguments, type Command, expectWords, UsageError } from '../command';
import { readKnowledgeOptions } from '../knowledge-options';
import { learningOptionsOf } from '../learning-options';
import { libraryOptionsOf } from '../library-options';
import { notesOptionsOf } from '../notes-options';
import { SECRETS_OPTION, safetyOptionsOf } from '../safety-options';
import {
  BASES_OPTIONS,
  expectFolder,
  HELP_OPTION,
  LIBRARY_OPTIONS,
  LOCATION_OPTIONS,
  locate,
  NOTES_OPTIONS,
} from '../session';
import { onTermination } from '../signals';
import { sayingWaits } from '../waiting';

/** Seed 002, "Configuration Schema". */
const DEFAULT_PORT = 8_765;

export const mcp: Command = {
  name: 'mcp',
  usage: ['mcp [options]'],
  summary: 'Serve the knowledge to AI agents over MCP',
  details: [
    'On standard input and output unless --http is given. Store directories are created when they are missing; without',
    "--data and --shared they are in the platform's data directory, one for each repository and one shared.",
  ].join('\n'),
  options: {
    ...LOCATION_OPTIONS,
    project: {
      type: 'string',
      value: 'SCOPE_ID',
      help: "the current project's scope, defined when it does not exist (KAIZEN_PROJECT)",
    },
    ...BASES_OPTIONS,
    ...NOTES_OPTIONS,
    ...LIBRARY_OPTIONS,
    ...SECRETS_OPTION,
    toolsets: { type: 'string', value: 'A,B|all', help: 'the groups of tools to offer' },
    'agent-writes': {
      type: 'string',
      value: 'allow|review|deny',
      help: 'what becomes of what agents write; review holds it for "kaizen review" (KAIZEN_AGENT_WRITES)',
    },
    'read-only': { type: 'boolean', help: 'leave out the tools that write; the same as --agent-writes deny' },
    http: { type: 'string', value: 'PORT', help: 'serve HTTP on 127.0.0.1 instead; 0 takes a free port' },
    token: { type: 'string', value: 'T', help: 'what HTTP clients must present; made and printed when left out' },
    help: HELP_OPTION,
  },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    const givenPort = readPort(args.string('http'));
    const givenToken = args.string('token');
    if (givenToken === '') throw new UsageError('--token needs a value that is not empty.');

    const [
      { checkDefinitions, Kaizen, keepGuardIndex },
      { AGENT_WRITES, newToken, resolveToolsets, serveHttp, serveStdio, Surface },
    ] = await Promise.all([import('../../kaizen'), import('../../mcp')]);
    const toolsets = resolveToolsets(args.string('toolsets'));
    const { workspace, data, shared, project, isProjectNamed, editor } = locate(args);
    // Of a name that is mistyped there would be a store of its own, and an empty one.
    expectFolder(workspace);
    const agentWrites = strictest(AGENT_WRITES, [readPolicy(args, AGENT_WRITES), editor?.agentWrites]);
    const { options, server: configured } = await readKnowledgeOptions(args, shared, terminal);
    // The stores are opened by the first call only: what no call could work with is said before there is one.
    checkDefinitions(options.bases ?? []);
    const port = givenPort ?? (configured.transport === 'http' ? (configured.port ?? DEFAULT_PORT) : undefined);
    if (givenToken !== undefined && port === undefined) throw new UsageError('--token only goes with --http.');
    let kept: ReturnType<typeof keepGuardIndex> | undefined;
    const kaizen = new Kaizen({
      workspace,
      data,
      shared,
      project,
      // Hooks of the same agent then need not look into the stores themselves.
      onOpened: () => {
        kept = keepGuardIndex(kaizen, { data, shared, project, log: (message) => terminal.say(`kaizen: ${message}`) });
      },
      defineProject: isProjectNamed,
      countReads: agentWrites !== 'deny',
      watchBases: true,
      ...options,
      ...notesOptionsOf(args, workspace),
      ...libraryOptionsOf(args),
      ...learningOptionsOf(),
      ...safetyOptionsOf(args, terminal),
      onReport: (message) => terminal.say(`kaizen: ${message}`),
      onWaiting: sayingWaits(args, { data, shared }, terminal),
    });
    const log = (message: string, error?: unknown) => {
      terminal.say(`kaizen: ${message}${error instanceof Error ? `: ${error.message}` : ''}`);
    };
    const surface = new Surface({ kaizen, toolsets, agentWrites, log });

    try {
      if (port === undefined) {
        const connection = serveStdio({ surface, log });
        onTermination(() => void connection.close());
        await connection.closed;
      } else {
        const token = givenToken ?? newToken();
        const server = await serveHttp({ surface, listen: { port }, token, log });
        terminal.say(`listening on ${server.url}`);
        if (givenToken === undefined) terminal.say(`token: ${token}`);
        await new Promise<void>((resolve) => onTermination(resolve));
        await server.close();
      }
    } finally {
      // What was stored last is not to make the next hook slow.
      const index = await kept;
      await index?.settled();
      index?.dispose();
      await kaizen.close();
    }
    return 0;
  },
};

/** The flags win over the environment variable, an empty one counts as unset; reading only wins over everything. */
function readPolicy<Policy extends string>(args: Arguments, known: readonly Policy[]): Policy | 'deny' | undefined {
  const flag = args.string('agent-writes');
  const wanted = flag ?? (process.env.KAIZEN_AGENT_WRITES || undefined);
  const policy = known.find((each) => each === wanted);
  if (wanted !== undefined && policy === undefined) {
    const source = flag === undefined ? 'KAIZEN_AGENT_WRITES' : '--agent-writes';
    throw new UsageError(`${source} takes ${known.join(', ')}, not "${wanted}".`);
  }
  return args.flag('read-only') ? 'deny' : policy;
}

/** The last of what was said in the order from loose to strict; undefined where nothing was. */
function strictest<Policy>(fromLoose: readonly Policy[], said: readonly (Policy | undefined)[]): Policy | undefined {
  return fromLoose.findLast((policy) => said.includes(policy));
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--http needs a port from 0 to 65535, not "${text}".`);
  return port;
}
