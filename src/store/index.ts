export type { SqlValue } from './journal';
export type { Schema } from './schema';
export { type Commit, type Reader, Store, type StoreOptions, type Transaction } from './store';
