import { realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * Whether a folder lies in one of the others, links followed. What lies elsewhere by its name alone is not looked at:
 * looking at a share of the network would tell its server who is here.
 */
export function liesInside(folder: string, folders: readonly string[]): boolean {
  const isIn = (inner: string, outer: string) => {
    const relative = path.relative(outer, inner);
    return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  };
  if (!folders.some((each) => isIn(folder, each))) return false;
  const real = realPathOf(folder);
  return folders.some((each) => isIn(real, realPathOf(each)));
}

/** With links followed as far as there is something. */
function realPathOf(folder: string): string {
  const missing: string[] = [];
  for (let there = folder; ; there = path.dirname(there)) {
    try {
      return path.join(realpathSync.native(there), ...missing);
    } catch {
      if (path.dirname(there) === there) return folder;
      missing.unshift(path.basename(there));
    }
  }
}
