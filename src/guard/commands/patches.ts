/** What a patch does, in the two forms that agents write: apply_patch's envelope, and a unified diff (POSIX diff -u). */
export interface PatchFiles {
  paths: string[];
  /** Lines that it adds and takes away. */
  texts: string[];
  /** Files that it takes away, or moves, as a whole. */
  replaced: string[];
}

export function readPatch(patch: string): PatchFiles {
  const paths = new Set<string>();
  const replaced = new Set<string>();
  const lines: string[] = [];
  let last: string | undefined;
  let removed: string | undefined;
  for (const line of patch.split(/\r?\n/)) {
    const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line.trim());
    const moved = /^\*\*\* Move to: (.+)$/.exec(line.trim());
    const git = /^rename (from|to) (.+)$/.exec(line);
    const file = /^(---|\+\+\+) (?:[ab]\/)?([^\t]+)/.exec(line);
    if (header) {
      last = header[2]!.trim();
      paths.add(last);
      if (header[1] === 'Delete') replaced.add(last);
    } else if (moved) {
      paths.add(moved[1]!.trim());
      if (last !== undefined) replaced.add(last);
    } else if (git) {
      paths.add(git[2]!);
      if (git[1] === 'from') replaced.add(git[2]!);
    } else if (file) {
      const name = file[2]!.trim();
      if (file[1] === '---') removed = name;
      // In a unified diff a file that becomes nothing is taken away.
      if (name !== '/dev/null') paths.add(name);
      else if (file[1] === '+++' && removed !== undefined) replaced.add(removed);
    } else if (/^[+-]/.test(line)) {
      lines.push(line.slice(1));
    }
  }
  return { paths: [...paths], texts: [lines.join('\n')], replaced: [...replaced] };
}
