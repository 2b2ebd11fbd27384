/** A word of a POSIX shell, which git brings along on Windows, in which nothing is replaced. */
export function quoted(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
