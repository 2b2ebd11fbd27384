export interface FolderLimits {
  /** Bytes. */
  fileSize: number;
  files: number;
  /** Bytes of all files of a folder together. */
  totalSize: number;
  /** Folders in one another below the root. */
  depth: number;
  /** That are looked into. */
  folders: number;
  /** Reads and looks at the disk that are under way at once. */
  concurrency: number;
}

/** What a folder takes at most, so that a root of `/` does not take everything (seed 002, "Resource Limits"). */
export const FOLDER_LIMITS: FolderLimits = {
  fileSize: 1_048_576,
  files: 20_000,
  totalSize: 268_435_456,
  depth: 32,
  folders: 50_000,
  concurrency: 16,
};
