export { checkContent, checkInput, checkPatch, checkTags, checkTitle } from './checks';
export { HandedOut } from './handed-out';
export { LocalWriting } from './local-writing';
export { Writer } from './writer';
