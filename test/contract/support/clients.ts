import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { serverArguments, startHttp } from './kaizen-process';

export interface Answer {
  text: string;
  isError: boolean;
  structured: unknown;
}

/** What a client was told of changes, as it comes. */
export interface Followed {
  updated: string[];
  listChanges: number;
}

/** What the tests need of a client, whichever SDK it comes from. */
export interface ContractClient extends Offers {
  toolNames(): Promise<string[]>;
  call(
    name: string,
    args?: Record<string, unknown>,
    signal?: AbortSignal,
    onprogress?: (progress: { progress: number; message?: string | undefined }) => void,
  ): Promise<Answer>;
  server(): { name: string; version: string } | undefined;
  instructions(): string | undefined;
  revision(): string | undefined;
  /** Asks to be told of changes of these resources and of the list, in the way of the client's era. */
  follow(...uris: string[]): Promise<Followed>;
  close(): Promise<void>;
}

/** The same in both SDKs. */
type Offers = Pick<
  ClientV2,
  'listResources' | 'listResourceTemplates' | 'readResource' | 'listPrompts' | 'getPrompt' | 'complete'
>;

export const CLIENT = { name: 'Contract Client', version: '1.2.3' };

/** What a person says to a question; `signal` aborts when it is withdrawn. */
export type Elicit = (
  params: { message: string; requestedSchema?: unknown },
  signal: AbortSignal,
) => Promise<{ action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> }>;

interface Row {
  name: string;
  /** The revision in which the client and the server end up. */
  revision: '2025-11-25' | '2026-07-28';
  /** With `elicit` the client declares that it can ask a person. */
  connect(flags: string[], elicit?: Elicit): Promise<ContractClient>;
}

type ErasedClient = Offers &
  Pick<
    ClientV2,
    'listTools' | 'callTool' | 'getServerVersion' | 'getInstructions' | 'subscribeResource' | 'listen' | 'close'
  >;

/** The options come second in v2 and third, after the result's schema, in v1. */
function callWith(client: ErasedClient, call: { name: string; arguments: object }, options: object) {
  const callTool = client.callTool.bind(client) as (...args: unknown[]) => ReturnType<ErasedClient['callTool']>;
  return client instanceof ClientV2 ? callTool(call, options) : callTool(call, undefined, options);
}

async function follow(client: ErasedClient, isModern: boolean, uris: string[]): Promise<Followed> {
  const followed: Followed = { updated: [], listChanges: 0 };
  const updated = ({ params }: { params: { uri: string } }) => void followed.updated.push(params.uri);
  const listChanged = () => void followed.listChanges++;
  if (client instanceof ClientV2) {
    client.setNotificationHandler('notifications/resources/updated', updated);
    client.setNotificationHandler('notifications/resources/list_changed', listChanged);
  } else {
    const v1 = client as unknown as ClientV1;
    v1.setNotificationHandler(ResourceUpdatedNotificationSchema, updated);
    v1.setNotificationHandler(ResourceListChangedNotificationSchema, listChanged);
  }
  if (isModern) await client.listen({ resourceSubscriptions: uris, resourcesListChanged: true });
  else for (const uri of uris) await client.subscribeResource({ uri });
  return followed;
}

function wrap(client: ErasedClient, revision: () => string | undefined, stop = async () => {}): ContractClient {
  return {
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, args = {}, signal, onprogress) => {
      const call = { name, arguments: args };
      const options = { ...(signal ? { signal } : {}), ...(onprogress ? { onprogress } : {}) };
      const result = signal || onprogress ? await callWith(client, call, options) : await client.callTool(call);
      const [content, ...more] = result.content as { type: string; text: string }[];
      if (content?.type !== 'text' || more.length > 0) throw new Error(`Not one text: ${JSON.stringify(result)}`);
      return { text: content.text, isError: result.isError === true, structured: result.structuredContent };
    },
    server: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    revision,
    listResources: client.listResources.bind(client),
    listResourceTemplates: client.listResourceTemplates.bind(client),
    readResource: client.readResource.bind(client),
    listPrompts: client.listPrompts.bind(client),
    getPrompt: client.getPrompt.bind(client),
    complete: client.complete.bind(client),
    follow: (...uris) => follow(client, (revision() ?? '') >= '2026-07-28', uris),
    close: async () => {
      await client.close();
      await stop();
    },
  };
}

const FORMS = { capabilities: { elicitation: { form: {} } } };

function clientV1(elicit?: Elicit): ClientV1 {
  if (!elicit) return new ClientV1(CLIENT);
  const client = new ClientV1(CLIENT, FORMS);
  client.setRequestHandler(ElicitRequestSchema, (request, { signal }) => elicit(request.params, signal));
  return client;
}

type Mode = NonNullable<NonNullable<ConstructorParameters<typeof ClientV2>[1]>['versionNegotiation']>['mode'];

function clientV2(mode: Mode) {
  return (elicit?: Elicit): ClientV2 => {
    const client = new ClientV2(CLIENT, { versionNegotiation: { mode }, ...(elicit ? FORMS : {}) });
    if (elicit) {
      client.setRequestHandler('elicitation/create', (request, { mcpReq }) => elicit(request.params, mcpReq.signal));
    }
    return client;
  };
}

const legacyV2 = clientV2('legacy');
const modernV2 = clientV2({ pin: '2026-07-28' });
const autoV2 = clientV2('auto');

async function stdioV1(flags: string[], elicit?: Elicit): Promise<ContractClient> {
  const client = clientV1(elicit);
  const transport = new StdioV1({ command: process.execPath, args: serverArguments(...flags) });
  let version: string | undefined;
  Object.assign(transport, { setProtocolVersion: (negotiated: string) => (version = negotiated) });
  await client.connect(transport);
  return wrap(client as unknown as ErasedClient, () => version);
}

async function httpV1(flags: string[], elicit?: Elicit): Promise<ContractClient> {
  const { url, token, stop } = await startHttp(flags);
  const client = clientV1(elicit);
  const transport = new HttpV1(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } });
  await client.connect(transport);
  const close = async () => {
    await transport.terminateSession().catch(() => {});
    await stop();
  };
  return wrap(client as unknown as ErasedClient, () => transport.protocolVersion, close);
}

function stdioV2(make: (elicit?: Elicit) => ClientV2) {
  return async (flags: string[], elicit?: Elicit): Promise<ContractClient> => {
    const client = make(elicit);
    await client.connect(new StdioV2({ command: process.execPath, args: serverArguments(...flags) }));
    return wrap(client, () => client.getNegotiatedProtocolVersion());
  };
}

function httpV2(make: (elicit?: Elicit) => ClientV2) {
  return async (flags: string[], elicit?: Elicit): Promise<ContractClient> => {
    const { url, token, stop } = await startHttp(flags);
    const client = make(elicit);
    await client.connect(new HttpV2(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
    return wrap(client, () => client.getNegotiatedProtocolVersion(), stop);
  };
}

/** Today's clients (v1 is what most of them are built on) and tomorrow's, in both eras, on both transports. */
export const CLIENTS: Row[] = [
  { name: 'SDK v1 over stdio', revision: '2025-11-25', connect: stdioV1 },
  { name: 'SDK v1 over HTTP', revision: '2025-11-25', connect: httpV1 },
  { name: 'SDK v2 in the 2025 era over stdio', revision: '2025-11-25', connect: stdioV2(legacyV2) },
  { name: 'SDK v2 in the 2025 era over HTTP', revision: '2025-11-25', connect: httpV2(legacyV2) },
  { name: 'SDK v2 in the 2026 era over stdio', revision: '2026-07-28', connect: stdioV2(modernV2) },
  { name: 'SDK v2 in the 2026 era over HTTP', revision: '2026-07-28', connect: httpV2(modernV2) },
  { name: 'SDK v2 choosing by itself over stdio', revision: '2026-07-28', connect: stdioV2(autoV2) },
  { name: 'SDK v2 choosing by itself over HTTP', revision: '2026-07-28', connect: httpV2(autoV2) },
];
