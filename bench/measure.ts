import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Times {
  median: number;
  p95: number;
}

/** Milliseconds of `rounds` calls after `warmUp` uncounted ones. */
export async function timed(
  rounds: number,
  action: (round: number) => unknown,
  warmUp = Math.ceil(rounds / 10),
): Promise<Times> {
  const times: number[] = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    const start = performance.now();
    await action(round);
    if (round >= warmUp) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)]!, p95: times[Math.floor(times.length * 0.95)]! };
}

export function shown({ median, p95 }: Times): string {
  return `${milliseconds(median)} (p95 ${milliseconds(p95)})`;
}

export function milliseconds(value: number): string {
  return `${value < 0.1 ? value.toFixed(4) : value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

/** A Markdown table, so that the output can stand in docs/benchmarks.md as it is. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MB of heap and array buffers, after what nobody holds was let go of. */
export function memory(): number {
  for (let round = 0; round < 3; round++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1024 / 1024;
}

/**
 * Milliseconds that this thread has run, which others who use the machine do not make longer; of Linux, elsewhere those
 * that have passed.
 */
export function threadTime(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Mean milliseconds of the thread's own time: the system counts too coarsely to tell one call from another. */
export async function meanOnThread(rounds: number, action: (round: number) => unknown): Promise<number> {
  const start = threadTime();
  for (let round = 0; round < rounds; round++) await action(round);
  return (threadTime() - start) / rounds;
}

export interface Hold {
  /** Milliseconds that have passed. */
  passed: number;
  /** Milliseconds that this thread has run. */
  run: number;
}

/** Looks every millisecond how long nothing else could run. Answers the longest times since it began, and stops. */
export function watchTurns(): () => Hold {
  let last = performance.now();
  let lastRun = threadTime();
  const longest = { passed: 0, run: 0 };
  const look = () => {
    const [now, run] = [performance.now(), threadTime()];
    longest.passed = Math.max(longest.passed, now - last - 1);
    longest.run = Math.max(longest.run, run - lastRun);
    [last, lastRun] = [now, run];
  };
  const timer = setInterval(look, 1);
  return () => {
    look();
    clearInterval(timer);
    return longest;
  };
}
