/**
 * All numbers in it as they are meant, with six decimals at most, as explanations of scores have them: sums of binary
 * fractions end in 0.7949999999999999 where it is 0.795.
 */
export function rounded<T>(value: T): T {
  if (typeof value === 'number') return (Math.round(value * 1e6) / 1e6) as T;
  if (Array.isArray(value)) return value.map((each) => rounded<unknown>(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded<unknown>(each)])) as T;
}
