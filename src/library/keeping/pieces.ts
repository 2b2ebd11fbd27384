/** UTF-16 code units that are looked at or become bytes in one go: some milliseconds. */
const PIECE = 256 * 1024;

/** A long text in pieces that cut no surrogate pair in two. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to++;
    yield text.slice(from, to);
    from = to;
  }
}
