/** What a caller may settle beforehand; a person is asked for what is left out. */
export interface ImportCommandOptions {
  /** Where notes go that do not say it themselves. */
  scope?: string;
  /** What to do with what is stored already and differs. */
  conflicts?: 'keep' | 'replace';
  /** What other tools keep: stores what is proposed without showing it. */
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
