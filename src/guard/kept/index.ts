/** What the guard keeps beside a store, read and written without opening it: what a hook can afford. */
export { type Freshness, freshness, type Standing, stampsGrew } from './freshness';
export {
  DamagedIndex,
  type GuardPlace,
  guardIndexFile,
  guardPlace,
  holdsGuardIndex,
  indexVersion,
  openGuardIndex,
  readGuardIndex,
} from './index-file';
