import {
  type GetPromptResult,
  type Prompt as ListedPrompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

/** What may be proposed for an argument while a person types it. */
export type ArgumentKind = 'project' | 'nodes';

export interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  completes?: ArgumentKind;
}

/** What a person picks by name, and the client then says in their place. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** Whether it asks for a tool that writes: it is not offered where there is none. */
  writes?: boolean;
  text(args: Readonly<Record<string, string>>, project: string | undefined): string;
}

const MAX_ARGUMENT = 16_384;

export function listedPrompt({ name, title, description, arguments: args }: Prompt): ListedPrompt {
  return {
    name,
    title,
    description,
    arguments: args.map(({ name, description, required }) => ({ name, description, required })),
  };
}

/** Fills in a prompt. Throws `InvalidParams` for an argument that is missing, empty or too long. */
export function fillIn(
  prompt: Prompt,
  given: Record<string, string> | undefined,
  project: string | undefined,
): GetPromptResult {
  const args: Record<string, string> = {};
  for (const { name, required } of prompt.arguments) {
    const value = (given?.[name] ?? '').trim();
    if (value.length > MAX_ARGUMENT) throw invalid(`${name} has more than ${MAX_ARGUMENT} characters.`);
    if (required && value === '') throw invalid(`The prompt ${prompt.name} needs ${name}.`);
    if (value !== '') args[name] = value;
  }
  const text = prompt.text(args, project);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
