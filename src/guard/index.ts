/** What hooks answer from: the index of a project's risks and its brief, built from open stores and kept fresh. */
export { buildGuardIndex, type GuardSource } from './building';
export { readRecords } from './hooks/log';
export {
  type GuardedHall,
  type KeepingOptions,
  type KeptGuardIndex,
  keepGuardIndex,
  refreshGuardIndex,
} from './keeping';
export { type GuardPlace, guardPlace, holdsGuardIndex } from './kept';
export * from './model';
