/** Paths as a line writes them: nothing is looked up. */

/** No system has longer ones. */
export const MAX_PATH_LENGTH = 4_096;

export function isDevice(target: string): boolean {
  return /^(\/dev\/(null|stdout|stderr|tty|fd\/\d+)|nul|\$null)$/i.test(target);
}

export function joined(folder: string, written: string): string {
  const path = written.replace(/^(\$(\{PWD\}|PWD\b)|~\+)(?=[/\\]|$)/, '.');
  if (folder === '' || /^([/\\~]|[A-Za-z]:[/\\]|file:|\$(\{\w+\}|\w+)[/\\])/.test(path)) return path;
  // It stays too long for whatever is below.
  return folder.length > MAX_PATH_LENGTH ? folder : `${withoutEnd(folder)}/${path}`;
}

/** Without the slashes at its end. */
export function withoutEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/' || path[end - 1] === '\\') end--;
  return path.slice(0, end);
}
