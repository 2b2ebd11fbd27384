/** Speaking to PostgreSQL: addresses with their secrets, pooled connections, errors for people. Knows no tables. */
export { type Address, readAddress } from './address';
export { AskAgain, Connections, type Session } from './connections';
export type { DatabaseOptions, DatabaseUse } from './model';
export { schemaVersion, setUpTables, type TablesPlan } from './setting-up';
