import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../../core/locations';
import { isStore } from '../../store/stamps';
import type { GuardIndex } from '../model';
import { isGuardIndex } from './checking';

/** Bytes. Some 10,000 rules; a larger file is not ours, or not worth reading in a hook. */
export const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const FORMAT = 1;

/** The stores that a hook speaks for, and where the guard keeps its files. */
export interface GuardPlace {
  /** `guard`, beside the workspace's store; it need not exist. */
  directory: string;
  /** Directory of the workspace's store. */
  data: string;
  shared: string;
  /** The current project's scope. */
  project: string;
}

/**
 * Where the guard's files are for these stores. Where one of them is not there, the other
 * one is both: what is shared holds for a workspace without a store, too. Undefined where there is no store at all. Throws what the system says where they may not be looked at.
 */
export function guardPlace({ data, shared, project }: Omit<GuardPlace, 'directory'>): GuardPlace | undefined {
  const common = isStore(shared) ? realPath(shared) : undefined;
  const home = isStore(data) ? realPath(data) : common;
  if (home === undefined) return undefined;
  return { directory: join(home, 'guard'), data: home, shared: common ?? home, project };
}

/** The index of one project, seen with one shared store. Another format has another name, so that two builds can go on side by side. */
export function guardIndexFile({ directory, shared, project }: GuardPlace): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([FORMAT, project, shared]))
    .digest('hex');
  return join(directory, `${hash.slice(0, 24)}.json`);
}

/** Whether an index was made here before: somebody uses hooks. */
export function holdsGuardIndex(place: GuardPlace): boolean {
  return statSync(guardIndexFile(place), { throwIfNoEntry: false })?.isFile() === true;
}

/** Undefined where there is none, or it is damaged, too large, of another format, project or shared store. Never throws. */
export function readGuardIndex(place: GuardPlace): GuardIndex | undefined {
  const file = guardIndexFile(place);
  try {
    if (statSync(file).size > MAX_INDEX_BYTES) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const isOurs = isGuardIndex(value) && value.project === place.project && value.shared === place.shared;
    return isOurs ? value : undefined;
  } catch {
    return undefined;
  }
}
