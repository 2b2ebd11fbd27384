/** What a caller may settle beforehand; a person is asked for what is left out. */
export interface ImportCommandOptions {
  /** Where goes what is from elsewhere. */
  scope?: string;
  /** What to do with what is stored already and differs. */
  conflicts?: 'keep' | 'replace';
  /** What is from elsewhere: stores what is proposed without showing it. */
  entries?: 'proposed';
}

/** What stands in a caller's argument, which may be anything. */
export function importOptionsOf(given: unknown): ImportCommandOptions {
  const { scope, conflicts, entries } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >;
  return {
    ...(typeof scope === 'string' ? { scope } : {}),
    ...(conflicts === 'keep' || conflicts === 'replace' ? { conflicts } : {}),
    ...(entries === 'proposed' ? { entries } : {}),
  };
}
