/**
 * What a shell's line does to files, read from its words alone: nothing is run, and no disk is asked. From the line to its
 * files in four steps: `shell/` takes it apart into commands, `programs.ts` says which program each is about,
 * `command-files.ts` asks what such a program does with its words (a file for each kind: `git-commands.ts`, `filters.ts`,
 * `inline-scripts.ts`, …) and reads the lines that it gives to a shell in turn, and `touched-paths.ts` gathers what is
 * touched, below the folder that `working-folder.ts` follows.
 */
export { type CommandFiles, readCommand } from './command-files';
export { type PatchFiles, readPatch } from './patches';
