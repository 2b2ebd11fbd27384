export interface Limits {
  /** Bytes. */
  fileSize: number;
  files: number;
  /** Of all files of a base together: each takes about a kilobyte of memory, and more in the index. */
  nodes: number;
  /** Bytes of all files of a base together. */
  totalSize: number;
  /** Folders in one another below the root. */
  depth: number;
  /** That are looked into. */
  folders: number;
  /** Reads and looks at the disk that are under way at once. */
  concurrency: number;
}

/** What a base takes at most (seed 002, "Resource Limits", and what keeps a root of `/` from taking everything). */
export const LIMITS: Limits = {
  fileSize: 1_048_576,
  files: 20_000,
  nodes: 200_000,
  totalSize: 268_435_456,
  depth: 32,
  folders: 50_000,
  concurrency: 16,
};
