/** The text with `\n` at the end of each line, as texts are compared: an editor or git changes line ends by itself. */
export function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** As `withPlainLineEnds` where lines end in `\r` alone, which readers of Markdown and YAML do not know; else the text as it is. */
export function withKnownLineEnds(text: string): string {
  return text.includes('\r') && !text.includes('\n') ? text.replaceAll('\r', '\n') : text;
}
