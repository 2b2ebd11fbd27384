/**
 * The text for a notification, which would make a link of `[label](command:…)` and run the command at a click: what
 * an agent or a file named must not become one. Dialogs and labels show text as it is.
 */
export function withoutLinks(text: string): string {
  // A space of no width between the brackets leaves the text as it looks.
  return text.replaceAll('](', ']\u200b(');
}

/** Markdown for a tooltip without its pictures: showing one would ask a server on the network for it. */
export function withoutPictures(markdown: string): string {
  return markdown.replaceAll('![', '!\u200b[');
}

/**
 * Markdown for the editor's own preview of what others wrote, without anything that would be fetched from the network at
 * a look at it: neither pictures nor elements of HTML with attributes nor style sheets. It looks as it did, as text.
 */
export function withoutFetching(markdown: string): string {
  // An element with an attribute has an `=` before the next `>`; all that begins before the last one is made text.
  const pieces = withoutPictures(markdown).split('>');
  const harmless = pieces.map((piece) => {
    const end = piece.lastIndexOf('=') + 1;
    return piece.slice(0, end).replace(/<(?=[a-z])/gi, '<\u200b') + piece.slice(end);
  });
  return harmless.join('>').replace(/<(?=style)/gi, '<\u200b');
}

/** One line for a list, which would draw `$(name)` as an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(').replace(/\s+/g, ' ');
}

/** Text that means nothing in Markdown. `appendText` would keep its lines from being broken. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()<>#+\-.!~|&$]/g, '\\$&');
}

/** A text that may be too long to be shown, so that the reader sees that it goes on. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
