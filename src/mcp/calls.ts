import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { describeError, isKaizenError, KaizenError } from '../core/errors';
import type { KaizenParts } from '../kaizen';
import { asAgent, described, type SecretPlace } from '../safety';
import { READ } from './annotations';
import { Gate } from './gate';
import { LIMITS } from './limits';
import { type Person, Question } from './question';
import type { Outcome, Tool, ToolCall } from './tool';

/** Where the server writes what a person may want to read later; never the protocol's own channel. */
export type Log = (message: string, error?: unknown) => void;

export interface CallLimits {
  callsAtOnce: number;
  callMs: number;
  /** Of tools that are long; those of the others unless told. */
  longCallsAtOnce?: number;
  longCallMs?: number;
  stopMs: number;
  /** How long the person may think. */
  personMs?: number;
}

/** What is done: its name, whether it writes, and whether it may take long. */
type Work = Pick<Tool, 'name' | 'annotations'> & { isLong?: boolean };

/** Why there is no result, for who reads and for programs. */
interface Failure {
  code: string;
  message: string;
}

/** The one wrapper that every tool call goes through: arguments, places, time, errors. */
export class Calls {
  readonly #gate: Gate;
  readonly #longGate: Gate;

  constructor(
    private readonly parts: () => Promise<KaizenParts>,
    private readonly log: Log,
    private readonly limits: CallLimits = LIMITS,
  ) {
    this.#gate = new Gate(limits.callsAtOnce);
    this.#longGate = new Gate(limits.longCallsAtOnce ?? limits.callsAtOnce);
  }

  /**
   * Runs one tool. Never throws: whatever goes wrong becomes an `isError` result of one or two sentences. A tool may
   * have a question for the person: while they think, the call takes no place and its clock stands still.
   * @param rawArguments as they came over the wire
   * @param signal aborted when the client cancels
   */
  async call(
    tool: Tool,
    rawArguments: unknown,
    by: Omit<ToolCall, 'signal'>,
    person: Person<InputRequiredResult>,
    signal: AbortSignal,
  ): Promise<CallToolResult | InputRequiredResult> {
    const began = performance.now();
    const answer = (outcome: { value: unknown } | { error: Failure }) =>
      answerOf(tool, { ...outcome, ms: performance.now() - began });
    const checked = tool.input.safeParse(withoutNulls(rawArguments ?? {}), { reportInput: true });
    if (!checked.success) {
      return answer({ error: { code: 'invalid_argument', message: describeIssues(tool, checked.error) } });
    }
    const { name, annotations, isLong = false } = tool;
    const work = { name, annotations, isLong: typeof isLong === 'function' ? isLong(checked.data) : isLong };
    try {
      const { value, redacted } = await asAgent(() =>
        this.#step(work, signal, (parts, inner) => tool.run(parts, checked.data, { ...by, signal: inner })),
      );
      if (!(value instanceof Question)) return withRedacted(answer({ value }), redacted);
      const said = await person.ask(value, signal);
      if ('later' in said) return said.later;
      const { choice } = said;
      if (choice === undefined) return answer({ value: value.options.otherwise });
      const { value: decided, redacted: late } = await asAgent(() =>
        this.#step(work, signal, (_parts, inner) => value.options.decided(choice, inner)),
      );
      return withRedacted(answer({ value: decided }), [...redacted, ...late]);
    } catch (error) {
      return answer({ error: this.#explain(tool, error) });
    }
  }

  /**
   * Answers what is no tool call (a resource, a completion) by the same rules: a place of its own, and a time.
   * Throws a protocol error of one or two sentences; those that `work` throws pass as they are.
   */
  async read<T>(
    name: string,
    signal: AbortSignal,
    work: (parts: KaizenParts, inner: AbortSignal) => T | Promise<T>,
  ): Promise<T> {
    const request = { name, annotations: READ };
    try {
      return (await this.#step(request, signal, work)) as T;
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      throw new ProtocolError(ProtocolErrorCode.InternalError, this.#explain(request, error).message);
    }
  }

  /** One go at the stores: in a place of its own and within the time for one call. */
  async #step(
    tool: Work,
    signal: AbortSignal,
    work: (parts: KaizenParts, inner: AbortSignal) => unknown,
  ): Promise<unknown> {
    const gate = tool.isLong ? this.#longGate : this.#gate;
    try {
      await gate.enter(signal);
    } catch {
      throw new KaizenError('cancelled', `${tool.name} was cancelled before it started.`, 'Nothing was changed.');
    }
    try {
      return await this.#withinTime(tool, signal, async (inner) => {
        const parts = await this.parts();
        // Opening the stores may have taken long: a call that was stopped meanwhile must not write any more.
        inner.throwIfAborted();
        return work(parts, inner);
      });
    } finally {
      gate.leave();
    }
  }

  /**
   * A call that is stopped is asked to stop and then waited for a little: only the domain knows whether it had already
   * written, and an answer that says "nothing was changed" has to be true.
   */
  async #withinTime<T>(tool: Work, signal: AbortSignal, work: (inner: AbortSignal) => Promise<T>): Promise<T> {
    const { stopMs } = this.limits;
    const callMs = (tool.isLong ? this.limits.longCallMs : undefined) ?? this.limits.callMs;
    const controller = new AbortController();
    const writes = !tool.annotations.readOnlyHint;
    let why = '';
    let timer: NodeJS.Timeout | undefined;
    let onCancel: () => void = () => {};
    const gaveUp = new Promise<never>((_resolve, reject) => {
      const stop = (reason: string) => {
        why = reason;
        clearTimeout(timer);
        const unsure = writes
          ? new KaizenError('cancelled', why, 'It may have been stored or not: look before you try again.')
          : new KaizenError('cancelled', why);
        timer = setTimeout(() => reject(unsure), stopMs);
        controller.abort(new KaizenError('cancelled', why));
      };
      timer = setTimeout(() => stop(`${tool.name} took longer than ${callMs / 1000} s and was stopped.`), callMs);
      onCancel = () => {
        if (!why) stop(`${tool.name} was cancelled.`);
      };
      signal.addEventListener('abort', onCancel, { once: true });
    });
    const outcome = work(controller.signal).catch((error: unknown) => {
      // What the domain throws when it heeds the signal does not know why it was stopped.
      if (!why || !isStopped(error, controller.signal)) throw error;
      throw new KaizenError('cancelled', why, writes ? 'Nothing was changed.' : undefined, { cause: error });
    });
    try {
      return await Promise.race([outcome, gaveUp]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onCancel);
    }
  }

  #explain(tool: { name: string }, error: unknown): Failure {
    if (isKaizenError(error)) return { code: error.code, message: describeError(error) };
    this.log(`${tool.name} failed`, error);
    const message = `${tool.name} failed for a reason that Kaizen did not expect; its log says more.`;
    return { code: 'internal_error', message };
  }
}

function isStopped(error: unknown, signal: AbortSignal): boolean {
  if (error === signal.reason) return true;
  return isKaizenError(error) ? error.code === 'cancelled' : error instanceof Error && error.name === 'AbortError';
}

/** In the toolset's own form, where it has one. */
function answerOf({ envelope }: Tool, outcome: Outcome): CallToolResult {
  const isError = 'error' in outcome ? { isError: true } : {};
  if (envelope) return { ...result(envelope(outcome)), ...isError };
  return 'error' in outcome ? errorResult(outcome.error.message) : result(outcome.value);
}

/** What a tool answers is an object, or a list. */
function result(value: unknown): CallToolResult {
  const structured = value as CallToolResult['structuredContent'];
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: structured };
}

/** Says beside an answer what was taken out of what was written, and where; the answer itself keeps its form. */
function withRedacted(answer: CallToolResult, places: readonly SecretPlace[]): CallToolResult {
  if (places.length === 0) return answer;
  const text = `Stored without what looks like a secret (${described(places)}). Say where it is kept instead.`;
  return { ...answer, content: [...answer.content, { type: 'text', text }] };
}

function errorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Many models send `null` for an optional argument that they leave out; no argument of ours takes null. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const pairs = Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, withoutNulls(each)]]));
  return Object.fromEntries(pairs);
}

const MAX_ISSUES = 5;

/** Which argument is wrong and why, for an agent that will correct itself by this sentence. */
function describeIssues(tool: Tool, error: z.ZodError): string {
  // What is of the wrong type has the wrong length as well: the first one says what to mend.
  const first = new Map(error.issues.map((issue) => [issue.path.join('\0'), issue] as const).reverse());
  const issues = error.issues.filter((issue) => first.get(issue.path.join('\0')) === issue);
  const shown = issues.slice(0, MAX_ISSUES).map((issue) => describeIssue(tool, issue));
  const more = issues.length - shown.length;
  return `Bad arguments for ${tool.name}: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

function describeIssue(tool: Tool, issue: z.core.$ZodIssue): string {
  const where = issue.path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : i ? `.${String(part)}` : part))
    .join('');
  if (issue.code === 'unrecognized_keys') {
    const known = where ? '' : ` (it takes ${Object.keys(tool.input.shape).join(', ') || 'none'})`;
    return `${where ? `${where}: ` : ''}unknown argument ${issue.keys.join(', ')}${known}`;
  }
  if (issue.code === 'invalid_type' && issue.input === undefined && where) return `${where} is required`;
  const why = issue.message.replace(/^(Invalid input: |Invalid option: |Too big: |Too small: )/, '');
  return where ? `${where}: ${why}` : why;
}
