import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool as the editor offers it to the model. */
export interface OfferedTool {
  name: string;
  description: string;
  parameters: unknown;
}

/** One request of the editor's agent to its model. */
export interface ModelRequest {
  /** The system prompt, where the server's instructions end up. */
  system: string;
  /** What the person asked last. */
  question: string;
  /** All that the model is told: the system prompt, and every message with what the editor adds to it. */
  prompt: string;
  tools: OfferedTool[];
  /** The results of tools called so far, oldest first. */
  results: string[];
}

export interface ModelReply {
  say?: string;
  /** Tools to call, by the name that the request offered. */
  call?: { name: string; arguments: Record<string, unknown> }[];
}

interface WireMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | { text?: string }[] | null;
}

interface WireRequest {
  messages: WireMessage[];
  tools?: { function: OfferedTool }[];
}

/** A language model whose answers the test writes: an OpenAI-style endpoint on loopback. The editor's own agent talks to
 * it as it would to any other model, so what is proven is the whole way from the prompt to the tool and back. */
export class ScriptedModel {
  static readonly modelName = 'Scripted Model';

  /** What the agent asked, oldest first. Side questions that offer no tools, such as for a title, are not among them. */
  readonly requests: ModelRequest[] = [];

  private constructor(
    private readonly server: Server,
    private script: (request: ModelRequest) => ModelReply,
  ) {}

  /** @param script answers each request that offers tools */
  static async start(script: (request: ModelRequest) => ModelReply = () => ({ say: 'Nothing to say.' })) {
    const server = createServer();
    const model = new ScriptedModel(server, script);
    server.on('request', async (request, response) => {
      if (request.method !== 'POST') {
        response.writeHead(404).end();
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const reply = model.#answer(JSON.parse(Buffer.concat(chunks).toString('utf8')) as WireRequest);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(asEvents(reply));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  /** Forgets the requests so far and follows another script. */
  follow(script: (request: ModelRequest) => ModelReply): void {
    this.requests.length = 0;
    this.script = script;
  }

  /** The files of the person's settings that make the editor use this model. */
  get userFiles(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    const model = {
      id: 'scripted',
      name: ScriptedModel.modelName,
      url: `http://127.0.0.1:${port}/v1/chat/completions`,
      toolCalling: true,
      vision: false,
      maxInputTokens: 128_000,
      maxOutputTokens: 8_000,
    };
    const provider = { name: 'Test', vendor: 'customendpoint', apiType: 'chat-completions', models: [model] };
    return { 'chatLanguageModels.json': JSON.stringify([provider]) };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #answer(wire: WireRequest): ModelReply {
    if (!wire.tools?.length) return { say: 'Test' };
    const texts = (role: WireMessage['role']) => wire.messages.filter((each) => each.role === role).map(textOf);
    // Results belong to the last question only: an agent sends the whole conversation again.
    const lastQuestion = wire.messages.findLastIndex((each) => each.role === 'user');
    const request: ModelRequest = {
      system: texts('system').join('\n'),
      question: personsWords(texts('user').at(-1) ?? ''),
      prompt: wire.messages.map(textOf).join('\n'),
      tools: wire.tools.map((tool) => tool.function),
      results: wire.messages
        .slice(lastQuestion)
        .filter((each) => each.role === 'tool')
        .map(textOf),
    };
    this.requests.push(request);
    return this.script(request);
  }
}

/** A scripted model for the tests of a `describe`.
 * @returns gives it, inside a test */
export function useScriptedModel(): () => ScriptedModel {
  let model: ScriptedModel | undefined;
  before(async () => {
    model = await ScriptedModel.start();
  });
  after(() => model?.stop());
  return () => {
    if (!model) throw new Error('The model is there only while tests run.');
    return model;
  };
}

/** @returns the offered tool of that name, whatever prefix the editor gave it */
export function offered(request: ModelRequest, name: string): OfferedTool | undefined {
  return request.tools.find((tool) => tool.name === name || tool.name.endsWith(`_${name}`));
}

/** The agent wraps what the person typed in reminders and context. */
function personsWords(message: string): string {
  return /<userRequest>\s*([\s\S]*?)\s*<\/userRequest>/.exec(message)?.[1] ?? message;
}

function textOf({ content }: WireMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

function asEvents({ say = '', call = [] }: ModelReply): string {
  const toolCalls = call.map(({ name, arguments: input }, index) => ({
    index,
    id: `call_${index}_${Date.now()}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const delta = { role: 'assistant', content: say, ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) };
  const chunk = (part: unknown, finish: string | null) => ({
    id: 'scripted',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta: part, finish_reason: finish }],
  });
  const events = [chunk(delta, null), chunk({}, toolCalls.length > 0 ? 'tool_calls' : 'stop')];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
}
