import * as z from 'zod';
import { isoTime, systemClock } from '../core/clock';
import type { KaizenParts } from '../kaizen';
import type { Held } from './policy';
import type { Outcome, Tool, ToolAnnotations, ToolCall } from './tool';

/** Seed 003, 4.7: the form of every answer, errors as well. */
const SCHEMA_VERSION = '2.0';

/** What a tool came to. */
export interface EnvelopedResult {
  result: object;
  coverage_metadata?: object | undefined;
}

interface ReadingTool<Input extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** The fields of `result`. */
  result: z.ZodRawShape;
  annotations: ToolAnnotations;
  isLong?: boolean | ((args: z.output<Input>) => boolean);
  /** What is offered under its name where agents may not write; see `Tool`. */
  reading?: Tool;
  run(parts: KaizenParts, args: z.output<Input>, call: ToolCall): Promise<EnvelopedResult>;
}

interface WritingTool<Input extends z.ZodObject> extends Omit<ReadingTool<Input>, 'run'> {
  run(parts: KaizenParts, args: z.output<Input>, call: ToolCall): Promise<EnvelopedResult | Held>;
}

/** A tool that reads. */
export function readingTool<Input extends z.ZodObject>(tool: ReadingTool<Input>): Tool {
  return writingTool(tool);
}

/** A tool that may be held for review: `result.pending` says so then. */
export function writingTool<Input extends z.ZodObject>({ result, isLong = false, ...tool }: WritingTool<Input>): Tool {
  const { name } = tool;
  return {
    ...tool,
    ...(typeof isLong === 'function' ? { isLong: (args) => isLong(args as z.output<Input>) } : { isLong }),
    run: (parts, args, call) => tool.run(parts, args as z.output<Input>, call),
    output: envelopeOf(result),
    envelope: (outcome) => enveloped(name, outcome),
  };
}

/** Every field is there, null where it says nothing, as the seed's own form has it. */
function envelopeOf(result: z.ZodRawShape) {
  return z.strictObject({
    schema_version: z.literal(SCHEMA_VERSION),
    tool: z.string(),
    success: z.boolean(),
    result: z.looseObject(result).partial().nullable(),
    error: z.string().nullable(),
    error_code: z.string().nullable(),
    coverage_metadata: z.looseObject({}).nullable(),
    execution_time_ms: z.int().min(0),
    timestamp: z.string(),
  });
}

function enveloped(tool: string, outcome: Outcome): Record<string, unknown> {
  const { success, result, coverage_metadata = null } = 'value' in outcome ? read(outcome.value) : FAILED;
  const { message = null, code = null } = 'error' in outcome ? outcome.error : {};
  return {
    schema_version: SCHEMA_VERSION,
    tool,
    success,
    result,
    error: message,
    error_code: code,
    coverage_metadata,
    execution_time_ms: Math.round(outcome.ms),
    timestamp: isoTime(systemClock.now()),
  };
}

const FAILED = { success: false, result: null, coverage_metadata: null };

/** What waits for a person is no error, and not done either. */
function read(value: unknown): { success: boolean; result: object; coverage_metadata?: object | undefined } {
  if (typeof value === 'object' && value !== null && 'pending' in value) {
    const { pending } = value as Held;
    return { success: false, result: { status: 'pending', pending } };
  }
  return { success: true, ...(value as EnvelopedResult) };
}
