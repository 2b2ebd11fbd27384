import type { z } from 'zod';
import type { KaizenParts } from '../kaizen';

/** What a tool is told about the call beside its arguments. */
export interface ToolCall {
  /** The MCP client's name: the author of whatever the call writes. */
  author: string;
  /** Aborted when the client cancels or the time limit passes. */
  signal: AbortSignal;
}

export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** One MCP tool: what an agent reads of it, what it takes and gives, and what it does. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  /** Says when to call it; every word of it costs the model tokens. */
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  run(parts: KaizenParts, args: z.output<Input>, call: ToolCall): z.input<Output> | Promise<z.input<Output>>;
}

/** A named group of tools that is switched on or off as a whole. */
export interface Toolset {
  name: string;
  tools: readonly Tool[];
  /**
   * What the server's `instructions` say when this toolset is on. `project` is the current project's scope id;
   * `readOnly` when the tools that write are left out, so that nobody is told to call them.
   */
  instructions(project: string | undefined, readOnly: boolean): string;
}

/** Keeps the types of input and output together while the list of tools forgets them. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(tool: Tool<Input, Output>): Tool {
  return tool as unknown as Tool;
}
