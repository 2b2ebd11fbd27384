import type { Turns } from '../core/turns';

/** Items of a list that are copied before others have a turn. */
const AT_ONCE = 200;

/**
 * A copy of what is known of a file, as it will come out of the cache. Strings that were cut from a text keep all of that
 * text in memory for as long as one of them lives; those of the copy do not.
 */
export async function detach<Value>(value: Value, turns: Turns): Promise<Value> {
  return (await copied(value, turns)) as Value;
}

async function copied(value: unknown, turns: Turns): Promise<unknown> {
  if (Array.isArray(value)) {
    const copies: unknown[] = [];
    for (let at = 0; at < value.length; at += AT_ONCE) {
      copies.push(...(throughJson(value.slice(at, at + AT_ONCE)) as unknown[]));
      await turns.pause();
    }
    return copies;
  }
  if (typeof value !== 'object' || value === null) return throughJson(value);
  const copies: [string, unknown][] = [];
  for (const [name, part] of Object.entries(value)) {
    if (part !== undefined) copies.push([name, await copied(part, turns)]);
  }
  return Object.fromEntries(copies);
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
