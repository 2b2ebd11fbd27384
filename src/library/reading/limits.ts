const MEGABYTE = 1024 * 1024;

/** How much of a source is read; what is larger is refused, with the number. */
export const READING_LIMITS = {
  /** Bytes, by what the source is. */
  bytes: { pdf: 100 * MEGABYTE, docx: 50 * MEGABYTE, web: 10 * MEGABYTE, markdown: 10 * MEGABYTE },
  /** Pages of a PDF. */
  pages: 5_000,
  /** UTF-16 code units of the text that comes out. */
  text: 20_000_000,
  /** Pieces of text on one page: a page of a book has some hundred, a map some ten thousand. */
  pagePieces: 50_000,
  outlineEntries: 5_000,
  outlineDepth: 8,
  zip: {
    entries: 5_000,
    /** Bytes of all parts that are read, unpacked. */
    unpacked: 150 * MEGABYTE,
    /** Bytes of the document's own part. */
    document: 60 * MEGABYTE,
    /** Unpacked by packed, of a part of more than `ratioFrom` bytes: text comes to 20, a bomb to 1,000. */
    ratio: 150,
    ratioFrom: 5 * MEGABYTE,
  },
  html: {
    tags: 200_000,
    /** Elements within elements: what is deeper is refused. */
    nesting: 3_000,
    /** … and what is deeper than this is taken as plain text. */
    depth: 200,
    /** The article is looked for among at most so many elements. */
    articleElements: 60_000,
    tableCells: 50_000,
  },
  /** Of a title, in code units. */
  title: 300,
} as const;
