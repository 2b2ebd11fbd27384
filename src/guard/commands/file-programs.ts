/** Programs that work on files by the names in their words. */

/** Their plain words are files, so that `touch Dockerfile` means the file though it has no dot and no slash. */
const FILE_PROGRAMS = new Set(
  (
    'rm rmdir unlink shred touch mkdir cp mv ln install tee truncate dd sed perl awk gawk sort patch chmod chown chgrp ' +
    'rsync scp tar unzip gunzip gzip ed ex vi vim nano emacs code split del erase rd copy xcopy robocopy move ren rename ' +
    'mklink trash mkfifo csplit remove-item set-content add-content clear-content new-item move-item copy-item rename-item ' +
    'out-file tee-object ri ni mi ci rni sc ac clc'
  ).split(' '),
);

/** Of PowerShell: takes away or changes the files that a pipe hands on. */
const TAKES_OBJECTS = /^((remove|clear|move|rename)-.*|r[idm]|rmdir|del|erase|clc|mi|mv|move|rni|ren)$/i;

export function isFileProgram(name: string): boolean {
  return FILE_PROGRAMS.has(name.toLowerCase()) || name === 'git' || name === 'find';
}

/** PowerShell's pipes hand on files: `Get-ChildItem migrations | Remove-Item`, or `| ForEach-Object { Remove-Item $_.FullName }`. */
export function takesObjects(name: string, args: readonly string[], piped: boolean): boolean {
  const has = (pattern: RegExp) => args.some((word) => pattern.test(word));
  // What is written comes from the pipe, unless it is told.
  const takesFiles = TAKES_OBJECTS.test(name) || (/^([sa]c|.*-content)$/i.test(name) && has(/^-v/i));
  return (piped && takesFiles) || has(/^\$_\b/);
}
