export { checkInput, checkPatch } from './checks';
export { HandedOut } from './handed-out';
export { LocalWriting } from './local-writing';
export { Writer } from './writer';
