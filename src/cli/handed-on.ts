import { resolve } from 'node:path';
import type { Arguments } from './command';

/**
 * The flags by which a person said which knowledge is meant, with their values, as what agents' programs start gets them:
 * paths are absolute. The folder is not among them: programs start in one.
 */
export function handedOn(args: Arguments): [flag: string, value: string][] {
  return ['data', 'shared', 'project'].flatMap((name): [string, string][] => {
    const value = args.string(name);
    return value === undefined ? [] : [[`--${name}`, name === 'project' ? value : resolve(value)]];
  });
}
