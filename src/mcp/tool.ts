import type { z } from 'zod';
import type { KaizenParts } from '../kaizen';
import type { AgentWrites, Held } from './policy';
import type { Prompt } from './prompt';
import type { Question } from './question';

/** What a tool is told about the call beside its arguments. */
export interface ToolCall {
  /** The MCP client's name: the author of whatever the call writes. */
  author: string;
  /** What becomes of what the call writes. */
  agentWrites: AgentWrites;
  /** Aborted when the client cancels or the time limit passes. */
  signal: AbortSignal;
  /** Tells the client how far the call has come; absent where it did not ask for that. */
  onProgress?: ((progress: CallProgress) => void) | undefined;
}

export interface CallProgress {
  message: string;
  /** 0 to 1, where it can be told. */
  done?: number | undefined;
}

/** What a call came to: the result of the tool or the sentence that would be answered instead, after so many milliseconds. */
export type Outcome = { ms: number } & ({ value: unknown } | { error: { code: string; message: string } });

export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

type ToolResult<Output extends z.ZodType> = z.input<Output> | Held | Question<z.input<Output>>;

/** One MCP tool: what an agent reads of it, what it takes and gives, and what it does. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  /** Says when to call it; every word of it costs the model tokens. */
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  /** It may go on for minutes, or does so with some arguments: it has a time limit, and places, of its own then. */
  isLong?: boolean | ((args: z.output<Input>) => boolean);
  /** Puts each outcome into the form in which its toolset answers; without one, results and sentences are answered as they are. */
  envelope?: (outcome: Outcome) => Record<string, unknown>;
  /** May return a question in place of the result: see `Question`. */
  run(parts: KaizenParts, args: z.output<Input>, call: ToolCall): ToolResult<Output> | Promise<ToolResult<Output>>;
  /** What is offered under its name where agents may not write: the part of it that reads. Without one, nothing is. */
  reading?: Tool;
}

/** What is offered of the tools: all of them, or what reads. */
export function offeredTools(tools: readonly Tool[], agentWrites: AgentWrites): Tool[] {
  if (agentWrites !== 'deny') return [...tools];
  return tools.flatMap((tool) => (tool.annotations.readOnlyHint ? tool : (tool.reading ?? [])));
}

/** A named group of tools that is switched on or off as a whole. */
export interface Toolset {
  name: string;
  tools: readonly Tool[];
  prompts?: readonly Prompt[];
  /** It works with the library: this is opened once a client has come, and its documents are listed among the resources. */
  usesLibrary?: boolean;
  /** It works with captured records: they are listed among the resources. */
  usesLearning?: boolean;
  /**
   * What the server's `instructions` say when this toolset is on. `project` is the current project's scope id. With
   * `deny` the tools that write are left out, so nobody is told to call them.
   */
  instructions(project: string | undefined, agentWrites: AgentWrites): string;
}

/** Keeps the types of input and output together while the list of tools forgets them. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(tool: Tool<Input, Output>): Tool {
  return tool as unknown as Tool;
}
