/** What a note may have at most, in characters unless another unit is told. */
export const LIMITS = {
  id: 120,
  title: 300,
  tags: 50,
  tag: 60,
  url: 2_000,
  version: 100,
  description: 2_000,
  /** What is written through here, in bytes of UTF-8. */
  content: 256 * 1024,
  /** Of one type, in one note. */
  relationships: 200,
  /** Of one file; the rest is text like any other. */
  headings: 2_000,
  /** Told of one file. */
  problems: 50,
} as const;
