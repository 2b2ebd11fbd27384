export { inspectLocks, inspectStore, type LockInspection, type StoreInspection } from './inspecting';
export type { SqlValue } from './journal';
export { rehearse, tryOut } from './rehearsal';
export type { Schema } from './schema';
export { isStore, isUnchanged, type StoreStamp } from './stamps';
export { type Commit, Store, type StoreOptions } from './store';
export { type StoredSince, storedSince } from './stored-since';
export type { Reader, Transaction } from './transaction';
export { Turnstile } from './turnstile';
