/** Something in the front matter that cannot be read. Offsets are UTF-16 code units of the whole text, `end` exclusive. */
export interface FrontMatterFault {
  message: string;
  range: { start: number; end: number };
}

/** An entry as a Markdown document: metaknowledge as YAML front matter, then the content, byte for byte. */
export interface EntryText {
  metaknowledge: Record<string, string>;
  content: string;
  /** Where the content begins in the text. */
  contentStart: number;
  /** Empty when all of it could be read. */
  faults: FrontMatterFault[];
}

export function parseEntryText(_text: string): EntryText {
  throw new Error('not yet');
}

/** The document of an entry; without metaknowledge it is the content alone, unless that looks like front matter. */
export function formatEntryText(_entry: { metaknowledge: Record<string, string>; content: string }): string {
  throw new Error('not yet');
}
