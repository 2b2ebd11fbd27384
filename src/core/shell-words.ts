/** Words of a command that is shown to a person, who may run it as it stands: in none of them is anything replaced. */

/** Of a POSIX shell. */
export function posixWord(text: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Of the shell that a person may have on this platform. Undefined where no way of writing it holds in all of them: on
 * Windows PowerShell runs `$(…)` between double quotes and takes typographic quotes for its own, cmd replaces what stands
 * between `%`, and neither of them knows the other's way out.
 */
export function shellWord(text: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return posixWord(text);
  if (/^\w[\w+=:./-]*$/.test(text)) return text;
  return OF_WINDOWS.test(text) || text.endsWith('\\') ? undefined : `"${text}"`;
}

const OF_WINDOWS = /["%$`\u2018-\u201F]/;
