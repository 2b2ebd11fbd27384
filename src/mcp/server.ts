import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { version } from '../../package.json';
import type { KaizenParts } from '../kaizen';
import { type CallLimits, Calls, type Log } from './calls';
import type { Tool, Toolset } from './tool';

/** What serving needs of the hall. */
export interface KaizenHall {
  /** The current project's scope id. */
  readonly project: string | undefined;
  /** Opens the stores on the first call, so it is called by a tool and never while a client connects. */
  parts(): Promise<KaizenParts>;
}

export interface SurfaceOptions {
  kaizen: KaizenHall;
  toolsets: readonly Toolset[];
  /** Leaves out every tool that writes. */
  readOnly?: boolean | undefined;
  log?: Log | undefined;
  /** For tests only. */
  limits?: CallLimits | undefined;
}

type ListedTool = ListToolsResult['tools'][number];

interface Row {
  tool: Tool;
  listed: ListedTool;
}

/** The tools do not change while a server lives, so a client may keep the list; it is not for shared caches. */
const CACHE = { ttlMs: 60 * 60_000, cacheScope: 'private' } as const;

/** The SDK would build a JSON Schema compiler for each `Server`; it serves elicitation only, which is not used here. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not supported' }),
};

/**
 * What one process publishes: the tools with their schemas converted once, and the calls with their limits. Every
 * connection, session or modern request gets a `Server` of its own from `connect()`, which is cheap.
 */
export class Surface {
  readonly #rows: ReadonlyMap<string, Row>;
  readonly #list: ListToolsResult;
  readonly #calls: Calls;

  constructor(private readonly options: SurfaceOptions) {
    const tools = options.toolsets
      .flatMap((toolset) => toolset.tools)
      .filter((tool) => !options.readOnly || tool.annotations.readOnlyHint);
    this.#rows = new Map(tools.map((tool) => [tool.name, { tool, listed: listTool(tool) }]));
    this.#list = { tools: [...this.#rows.values()].map((row) => row.listed) };
    this.#calls = new Calls(() => options.kaizen.parts(), options.log ?? (() => {}), options.limits);
  }

  /** What `tools/list` answers, in its fixed order. */
  get tools(): readonly ListedTool[] {
    return this.#list.tools;
  }

  /** What an agent is told about the server as a whole. */
  get instructions(): string {
    const { toolsets, kaizen, readOnly = false } = this.options;
    return toolsets.map((toolset) => toolset.instructions(kaizen.project, readOnly)).join('\n\n');
  }

  /** A server for one connection, one session or one modern request. */
  connect(): Server {
    const server = new Server(
      { name: 'kaizen', title: 'Kaizen', version },
      {
        capabilities: { tools: {} },
        instructions: this.instructions,
        jsonSchemaValidator: NO_VALIDATOR,
        cacheHints: { 'tools/list': CACHE, 'server/discover': CACHE },
      },
    );
    server.setRequestHandler('tools/list', () => this.#list);
    server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult> => {
      const row = this.#rows.get(request.params.name);
      if (row === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${request.params.name}`);
      }
      const author = clientName(server, context);
      const result = await this.#calls.call(row.tool, request.params.arguments, author, context.mcpReq.signal);
      return server.projectCallToolResult(result, row.listed.outputSchema);
    });
    return server;
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

function listTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input, 'input') as ListedTool['inputSchema'],
    outputSchema: jsonSchema(tool.output, 'output') as ListedTool['outputSchema'],
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
