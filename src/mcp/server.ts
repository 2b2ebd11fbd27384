import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type InputRequiredResult,
  isInputRequiredResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { version } from '../../package.json';
import { orHeld } from './agent-writes';
import { type CallLimits, Calls, type Log } from './calls';
import { Elicitation, FORMS_CHECKED_HERE } from './elicitation';
import type { KaizenHall } from './hall';
import { Offers } from './offers';
import type { AgentWrites } from './policy';
import { progressTeller } from './progress';
import { Notices } from './resources/notices';
import { tellOfChanges } from './resources/subscriptions';
import { offeredTools, type Tool, type Toolset } from './tool';

/** What a server is made for. */
export interface ConnectOptions {
  /** The era of the protocol; 2025 unless told. */
  era?: 'legacy' | 'modern';
  /** It answers one request and is gone: nobody can be told anything by it. */
  isForOneRequest?: boolean;
}

export interface SurfaceOptions {
  kaizen: KaizenHall;
  toolsets: readonly Toolset[];
  /** What becomes of what agents write: `allow` unless told. */
  agentWrites?: AgentWrites | undefined;
  log?: Log | undefined;
  /** For tests only. */
  limits?: CallLimits | undefined;
}

type ListedTool = ListToolsResult['tools'][number];

interface Row {
  tool: Tool;
  listed: ListedTool;
}

/** These lists do not change while a server lives, so a client may keep them; they are not for shared caches. */
const CACHE = { ttlMs: 60 * 60_000, cacheScope: 'private' } as const;

/**
 * What one process publishes: the tools with their schemas converted once, and the calls with their limits. Every
 * connection, session or modern request gets a `Server` of its own from `connect()`, which is cheap.
 */
export class Surface {
  readonly #rows: ReadonlyMap<string, Row>;
  readonly #list: ListToolsResult;
  readonly #calls: Calls;
  readonly #elicitation: Elicitation;
  readonly #agentWrites: AgentWrites;
  readonly #offers: Offers;
  readonly #log: Log;
  /** Of what resources have changed. */
  readonly notices: Notices;

  constructor(private readonly options: SurfaceOptions) {
    const { agentWrites = 'allow', log = () => {} } = options;
    this.#agentWrites = agentWrites;
    this.#log = log;
    const tools = offeredTools(
      options.toolsets.flatMap((toolset) => toolset.tools),
      agentWrites,
    );
    this.#rows = new Map(tools.map((tool) => [tool.name, { tool, listed: listTool(tool, agentWrites) }]));
    this.#list = { tools: [...this.#rows.values()].map((row) => row.listed) };
    this.#calls = new Calls(() => options.kaizen.parts(), log, options.limits);
    this.#elicitation = new Elicitation(log, options.limits?.personMs);
    const prompts = options.toolsets
      .flatMap((toolset) => toolset.prompts ?? [])
      .filter((prompt) => agentWrites !== 'deny' || !prompt.writes);
    const usesLibrary = options.toolsets.some((toolset) => toolset.usesLibrary);
    const usesLearning = options.toolsets.some((toolset) => toolset.usesLearning);
    const uses = { usesLibrary, usesLearning };
    this.#offers = new Offers(this.#calls, prompts, { project: () => options.kaizen.project, ...uses, log });
    this.notices = new Notices(options.kaizen, log, uses);
  }

  /** What `tools/list` answers, in its fixed order. */
  get tools(): readonly ListedTool[] {
    return this.#list.tools;
  }

  /** What an agent is told about the server as a whole. */
  get instructions(): string {
    const { toolsets, kaizen } = this.options;
    return toolsets.map((toolset) => toolset.instructions(kaizen.project, this.#agentWrites)).join('\n\n');
  }

  /** A server for one connection, one session or one modern request. */
  connect({ era = 'legacy', isForOneRequest = false }: ConnectOptions = {}): Server {
    const server = new Server(
      { name: 'kaizen', title: 'Kaizen', version },
      {
        capabilities: {
          tools: {},
          resources: { subscribe: true, listChanged: true },
          prompts: {},
          completions: {},
        },
        instructions: this.instructions,
        jsonSchemaValidator: FORMS_CHECKED_HERE,
        cacheHints: {
          'tools/list': CACHE,
          'server/discover': CACHE,
          'prompts/list': CACHE,
          'resources/templates/list': CACHE,
        },
      },
    );
    server.setRequestHandler('tools/list', () => this.#list);
    server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult | InputRequiredResult> => {
      const row = this.#rows.get(request.params.name);
      if (row === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${request.params.name}`);
      }
      const by = {
        author: clientName(server, context),
        agentWrites: this.#agentWrites,
        onProgress: progressTeller(context, this.#log),
      };
      const person = this.#elicitation.person(server, context);
      const result = await this.#calls.call(row.tool, request.params.arguments, by, person, context.mcpReq.signal);
      return isInputRequiredResult(result) ? result : server.projectCallToolResult(result, row.listed.outputSchema);
    });
    this.#offers.serve(server);
    this.#follow(server, era === 'modern', isForOneRequest);
    return server;
  }

  /** Stops following what changes; the stores are closed by who opened them. */
  close(): void {
    this.notices.end();
  }

  /** Nothing is opened before a client has come: connecting stays cheap. */
  #follow(server: Server, isModern: boolean, isForOneRequest: boolean): void {
    if (isModern) this.notices.begin();
    else server.oninitialized = () => this.notices.begin();
    if (isForOneRequest) return;
    const telling = tellOfChanges(server, this.notices, isModern, this.#log);
    server.onclose = () => telling.dispose();
  }
}

const MAX_CLIENT_NAME = 100;

/** The name a client gave itself: with each request since 2026-07-28, at `initialize` before. */
function clientName(server: Server, context: ServerContext): string {
  // The SDK has checked the envelope by its schema, but does not type what it holds.
  const envelope: Record<string, unknown> = context.mcpReq.envelope ?? {};
  const client = (envelope[CLIENT_INFO_META_KEY] as Implementation | undefined) ?? server.getClientVersion();
  return authorName(client?.name ?? '') || 'unknown client';
}

/** On one line, well-formed and not too long: nobody shall be unable to write because of what their client is called. */
function authorName(clientName: string): string {
  const line = clientName.replace(/\p{Cc}+/gu, ' ').replace(/\p{Cs}/gu, '');
  return [...line.trim()].slice(0, MAX_CLIENT_NAME).join('').trim();
}

function listTool(tool: Tool, agentWrites: AgentWrites): ListedTool {
  // An envelope has its own place for what is held.
  const held = agentWrites === 'review' && !tool.annotations.readOnlyHint && !tool.envelope;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input, 'input') as ListedTool['inputSchema'],
    outputSchema: jsonSchema(held ? orHeld(tool.output) : tool.output, 'output') as ListedTool['outputSchema'],
    annotations: { ...tool.annotations },
  };
}

/**
 * JSON Schema 2020-12 without the `$schema` that Zod adds: that dialect is MCP's default, and the line costs every model
 * tokens. A schema that names its dialect itself keeps it.
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  return schema.meta()?.$schema === undefined ? rest : { $schema, ...rest };
}
