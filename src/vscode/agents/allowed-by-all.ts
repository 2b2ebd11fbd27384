/**
 * On unless somebody switched it off: a workspace cannot switch on what the person does not want. What is misspelt counts
 * as off.
 * @param values of the setting, by level; undefined where it is not set
 */
export function isAllowedByAll(values: readonly unknown[]): boolean {
  return values.every((value) => value === undefined || value === true);
}

/**
 * What the person has set, or what is usual, and no more than any of the others say. What is no number counts as not set.
 * @param own the person's value
 * @param here values of the workspace; undefined where it is not set
 */
export function leastOf(
  own: unknown,
  here: readonly unknown[],
  { least, most, usual }: { least: number; most: number; usual: number },
): number {
  const numbers = [own, ...here].map((value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? Math.min(most, Math.max(least, Math.round(value)))
      : undefined,
  );
  const [chosen = usual, ...others] = numbers;
  return Math.min(chosen, ...others.filter((value) => value !== undefined));
}
