/** What a page takes in a field and the extension takes in a message; the domain's own limits are lower, and it tells of them. */

/** Characters of a text on the project's page. */
export const LONGEST_TEXT = 16_384;
/** Characters of an entry's content, or of one value of its metaknowledge. */
export const LONGEST_CONTENT = 1_000_000;
/** Characters of a note. Longer ones are shown as text only. */
export const LONGEST_NOTE = 2_000_000;
