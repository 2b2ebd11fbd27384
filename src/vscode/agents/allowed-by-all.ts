/**
 * On unless somebody switched it off: a workspace cannot switch on what the person does not want. What is misspelt counts
 * as off.
 * @param values of the setting, by level; undefined where it is not set
 */
export function isAllowedByAll(values: readonly unknown[]): boolean {
  return values.every((value) => value === undefined || value === true);
}
