import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Whether a module is the script that was started, rather than one that another imports. Node resolves links in the
 * one name and not in the other.
 * @param {string} moduleUrl the module's `import.meta.url` */
export function isMain(moduleUrl) {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl);
}
