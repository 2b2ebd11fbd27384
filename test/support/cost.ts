/**
 * Milliseconds of the processor that the cheapest of some runs takes. Worth something beside another cost of the same
 * minute: how quick the machine is, and what else it does, raises both.
 */
export function cost(work: () => unknown, runs = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
