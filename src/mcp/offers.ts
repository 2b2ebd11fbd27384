import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Calls, Log } from './calls';
import { complete } from './completion';
import { indexed } from './first-indexing';
import { fillIn, listedPrompt, type Prompt } from './prompt';
import { documentsOf } from './resources/documents';
import { listResources } from './resources/list';
import { readResource, TEMPLATES } from './resources/read';
import { recordsOf } from './resources/records';

/** What the server offers beside its tools: resources, prompts, and proposals for what is typed into them. */
export class Offers {
  constructor(
    private readonly calls: Calls,
    private readonly prompts: readonly Prompt[],
    private readonly options: {
      project: () => string | undefined;
      /** Whether the library's documents are listed. */
      usesLibrary: boolean;
      /** Whether captured records are listed. */
      usesLearning: boolean;
      log: Log;
    },
  ) {}

  serve(server: Server): void {
    const { calls, prompts } = this;
    const { project, usesLibrary, usesLearning, log } = this.options;
    server.setRequestHandler('resources/list', ({ params }, { mcpReq }) =>
      calls.read('resources/list', mcpReq.signal, async (parts, signal) => {
        const documents = usesLibrary ? await documentsOf(parts.library, log) : [];
        const records = usesLearning ? recordsOf(parts.learning) : [];
        return listResources({ ...parts, documents, records }, project(), params?.cursor, signal);
      }),
    );
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }));
    server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
      calls.read('resources/read', mcpReq.signal, (parts, signal) => readResource(parts, params.uri, signal)),
    );
    server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(listedPrompt) }));
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: args } }) => {
      const prompt = prompts.find((each) => each.name === name);
      if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
      return fillIn(prompt, args, project());
    });
    server.setRequestHandler('completion/complete', ({ params }, { mcpReq }) =>
      calls.read('completion/complete', mcpReq.signal, async (parts, signal) => {
        await Promise.all([indexed(parts.bases, signal), indexed(parts.notes, signal)]);
        return complete(parts, project(), prompts, params);
      }),
    );
  }
}
