import { scaleLinear } from 'd3-scale';

export interface NumberAxis {
  /** Round numbers from 0 to the axis' end. */
  ticks: number[];
  /** The last tick, or beyond it. */
  end: number;
}

/** An axis from 0 for counts up to `max`, with about so many round ticks; where `max` is no whole number, beyond it. */
export function countAxis(max: number, wanted: number): NumberAxis {
  const scale = scaleLinear().domain([0, Math.max(max, 1)]);
  const ticks = scale
    .nice(wanted)
    .ticks(wanted)
    .filter((tick) => Number.isInteger(tick));
  return { ticks, end: Math.max(ticks.at(-1) ?? 1, Math.ceil(max)) };
}

const MINUTE_STEPS = [5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880, 7200, 14400];

/** An axis from 0 for durations in minutes, in steps that are round on a clock. */
export function durationAxis(max: number, wanted: number): NumberAxis {
  const step = MINUTE_STEPS.find((each) => max / each <= wanted) ?? Math.ceil(max / wanted / 1440) * 1440;
  const count = Math.max(1, Math.ceil(max / step));
  return { ticks: Array.from({ length: count + 1 }, (_, index) => index * step), end: count * step };
}

/** Leaves out labels of which the earlier would touch the next; the last one stays. */
export function withoutOverlap<T extends { from: number; to: number }>(labels: readonly T[], gap: number): T[] {
  const kept: T[] = [];
  for (const label of [...labels].reverse()) {
    const next = kept[0];
    if (!next || label.to + gap <= next.from) kept.unshift(label);
  }
  return kept;
}
