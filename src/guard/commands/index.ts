/** What a shell's line does to files, read from its words alone: nothing is run, and no disk is asked. */
export { type CommandFiles, readCommand } from './command-files';
export { type PatchFiles, readPatch } from './patches';
