/** Fields of what a program sent: anything may be missing, or be something else. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of the fields that holds a text; undefined without one. */
export function textIn(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** All texts that these fields hold, on their own or in lists. */
export function textsIn(fields: Fields, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = fields[name];
    if (typeof value === 'string') return [value];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  });
}

/** The lists of objects that these fields hold, one after the other. */
export function recordsIn(fields: Fields, names: readonly string[]): Fields[] {
  return names.flatMap((name) => {
    const value = fields[name];
    return Array.isArray(value) ? value.filter(isFields) : [];
  });
}
