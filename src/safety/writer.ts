import { AsyncLocalStorage } from 'node:async_hooks';
import type { SecretPlace } from './model';

/** Whose write it is, for as long as it goes on. */
interface Writer {
  /** What was taken out of what an agent wrote. */
  redacted: SecretPlace[];
}

/** One for the process and not for each bundle: the server that is called and the store that is written to are two. */
const KEY = Symbol.for('kaizen.agent-writing');
const holder = globalThis as { [KEY]?: AsyncLocalStorage<Writer> };
holder[KEY] ??= new AsyncLocalStorage();
const writers = holder[KEY];

/** Does what an agent asks for: whatever is written meanwhile is the agent's. Answers what was redacted as well. */
export async function asAgent<T>(action: () => Promise<T>): Promise<{ value: T; redacted: SecretPlace[] }> {
  const writer: Writer = { redacted: [] };
  return { value: await writers.run(writer, action), redacted: writer.redacted };
}

/** The agent that writes now; undefined when a person does. */
export function agentWriting(): Writer | undefined {
  return writers.getStore();
}
