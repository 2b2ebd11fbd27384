/** What the guard keeps beside a store, read and written without opening it: what a hook can afford. */
export { type Freshness, freshness, type Standing, stampsGrew } from './freshness';
export {
  type GuardPlace,
  guardIndexFile,
  guardPlace,
  holdsGuardIndex,
  readGuardIndex,
} from './index-file';
