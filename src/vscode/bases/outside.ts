import { realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * Whether a folder lies in one of the others, links followed. What lies elsewhere by its name alone is not looked at:
 * looking at a share of the network would tell its server who is here.
 */
export function liesInside(folder: string, folders: readonly string[]): boolean {
  return placeOutside(folder, folders) === undefined;
}

/** Where a folder leads that does not lie in one of the others; undefined when it does. The same holds. */
export function placeOutside(folder: string, folders: readonly string[]): string | undefined {
  if (!isNamedInside(folder, folders)) return folder;
  const real = realPathOf(folder);
  return isNamedInside(real, folders.map(realPathOf)) ? undefined : real;
}

/** Whether a folder lies in one of the others as far as names tell. */
export function isNamedInside(folder: string, folders: readonly string[]): boolean {
  return folders.some((each) => {
    const relative = path.relative(each, folder);
    return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  });
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
