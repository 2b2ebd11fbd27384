/** Where the content begins: behind the front matter, of which nothing is a risk. Cheap, so that no YAML is loaded. */
export function contentStart(text: string): number {
  const head = /^\uFEFF?---(?:[A-Za-z][\w+.-]{0,50})?[ \t]*\r?\n/.exec(text);
  if (!head) return 0;
  const closing = /^---[ \t]*(?:\r?\n|$)/gm;
  closing.lastIndex = head[0].length;
  const end = closing.exec(text);
  return end ? end.index + end[0].length : 0;
}
