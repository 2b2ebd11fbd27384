import { performance } from 'node:perf_hooks';

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
