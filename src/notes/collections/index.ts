export { Collecting } from './collecting';
