export { Migrating } from './migrating';
