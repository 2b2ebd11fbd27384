export { AgentsAtWork } from './agents-at-work';
export { type HookSettings, hookSettings } from './settings';
