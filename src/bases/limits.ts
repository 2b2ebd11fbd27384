import { FOLDER_LIMITS, type FolderLimits } from '../files';

export interface Limits extends FolderLimits {
  /** Of all files of a base together: each takes about a kilobyte of memory, and more in the index. */
  nodes: number;
}

/** What a base takes at most (seed 002, "Resource Limits"). */
export const LIMITS: Limits = { ...FOLDER_LIMITS, nodes: 200_000 };
