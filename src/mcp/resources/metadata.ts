/** What the reader of a resource should know first (seed 002, "Resource Metadata"). */
export type Metadata = Record<string, unknown>;
