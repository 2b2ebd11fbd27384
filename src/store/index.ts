export type { SqlValue } from './journal';
export { rehearse, tryOut } from './rehearsal';
export type { Schema } from './schema';
export { type Commit, Store, type StoreOptions } from './store';
export type { Reader, Transaction } from './transaction';
export { Turnstile } from './turnstile';
