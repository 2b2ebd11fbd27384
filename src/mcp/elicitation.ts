import { randomBytes } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type jsonSchemaValidator,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Log } from './calls';
import { FIRST_SESSIONLESS_REVISION, LIMITS } from './limits';
import type { Person, Question, QuestionText } from './question';

/** The one field of our one form, and the name of the question in a 2026-07-28 result. */
const FIELD = 'decision';

/** What the client carries from the question to the answer: which question it was. */
type State = { about: string };

/**
 * Asks the person through the client (MCP, "Elicitation"): by a request of our own to 2025 clients, which is withdrawn
 * when the call is cancelled, and by an answer that asks for input to those of 2026-07-28.
 */
export class Elicitation {
  /** Of this process: a client cannot answer what it was not asked here. */
  readonly #states: RequestStateCodec<State> = createRequestStateCodec({
    key: randomBytes(32),
    ttlSeconds: LIMITS.personMs / 1_000,
  });

  constructor(
    private readonly log: Log,
    private readonly personMs: number = LIMITS.personMs,
  ) {}

  /** The person behind the client of one call. */
  person(server: Server, context: ServerContext): Person<InputRequiredResult> {
    const isModern = (server.getNegotiatedProtocolVersion() ?? '') >= FIRST_SESSIONLESS_REVISION;
    return {
      ask: (question, signal) =>
        isModern ? this.#askByResult(question, context) : this.#askByRequest(question, server, context, signal),
    };
  }

  async #askByRequest({ options }: Question, server: Server, context: ServerContext, signal: AbortSignal) {
    if (!takesForms(server.getClientCapabilities())) return { choice: undefined };
    try {
      const { action, content } = await server.elicitInput(formOf(options), {
        relatedRequestId: context.mcpReq.id,
        timeout: this.personMs,
        signal,
      });
      return { choice: action === 'accept' ? chosen(options, content) : undefined };
    } catch (error) {
      if (!signal.aborted) this.log('The person could not be asked', error);
      return { choice: undefined };
    }
  }

  async #askByResult({ options }: Question, context: ServerContext) {
    const { mcpReq } = context;
    const answer = inputResponse(mcpReq.inputResponses, FIELD);
    // What has changed since it was asked, or was asked by another process, is asked anew.
    if (answer.kind === 'elicit' && (await this.#askedAbout(context)) === options.about) {
      return { choice: answer.action === 'accept' ? chosen(options, answer.content) : undefined };
    }
    // The SDK has checked the envelope by its schema, but does not type what it holds.
    const envelope: Record<string, unknown> = mcpReq.envelope ?? {};
    if (!takesForms(envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined)) {
      return { choice: undefined };
    }
    const later = inputRequired({
      inputRequests: { [FIELD]: inputRequired.elicit(formOf(options)) },
      requestState: await this.#states.mint({ about: options.about }),
    });
    return { later };
  }

  /** What the client was asked about by this process; undefined when that cannot be told for certain. */
  async #askedAbout(context: ServerContext): Promise<string | undefined> {
    const carried = context.mcpReq.requestState<unknown>();
    if (typeof carried !== 'string') return undefined;
    return this.#states.verify(carried, context).then(
      ({ about }) => about,
      () => undefined,
    );
  }
}

/** An empty declaration means forms: so it was before there were other modes. */
function takesForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function formOf({ message, choices }: QuestionText): ElicitRequestFormParams {
  return {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        [FIELD]: { type: 'string', title: 'Which one should hold?', enum: [...choices], default: choices[0] },
      },
      required: [FIELD],
    },
  };
}

/** The choice in what a client sent, which may be anything. */
function chosen({ choices }: QuestionText, content: unknown): string | undefined {
  const value = (content as Record<string, unknown> | undefined)?.[FIELD];
  return choices.find((choice) => choice === value);
}

/** The SDK would build a JSON Schema compiler for each `Server`, for forms only; ours is checked where it is read. */
export const FORMS_CHECKED_HERE: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};
