export { Downloading } from './downloading';
export { Getting } from './getting';
export { InRegistry } from './in-registry';
export { Publishing } from './publishing';
