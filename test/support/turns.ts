/**
 * How many turns of the event loop something takes because it gives way to others, and not because it waits for a file.
 * Each of its pauses counts: the clock tells no time meanwhile, so that no step is too short to give way after it. The
 * number is that of the steps, then, on a quick machine as on one that is busy.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const { setImmediate } = globalThis;
  const counting = (...args: Parameters<typeof setImmediate>) => {
    turns++;
    return setImmediate(...args);
  };
  globalThis.setImmediate = Object.assign(counting, { __promisify__: setImmediate.__promisify__ });
  // What is not a number is never below the time that a turn may take.
  performance.now = () => Number.NaN;
  try {
    await work();
  } finally {
    globalThis.setImmediate = setImmediate;
    Reflect.deleteProperty(performance, 'now');
  }
  return turns;
}
