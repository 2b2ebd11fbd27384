/** What is being typed between two opening brackets: offsets of the whole text. */
export interface TypedLink {
  /** What a choice replaces. */
  from: number;
  to: number;
  /** The target, or the one whose section is meant. */
  typed: string;
  /** The letters of a section behind `#`. */
  section: string | undefined;
  isClosed: boolean;
}

/** Longer than an id with its folders. */
const LONGEST = 300;

/** The link that the caret stands in, as far as it is typed; undefined outside of one, and in its alias. */
export function typedLink(text: string, caret: number): TypedLink | undefined {
  const before = text.slice(Math.max(text.lastIndexOf('\n', caret - 1) + 1, caret - LONGEST), caret);
  const inner = /\[\[([^[\]|]*)$/.exec(before)?.[1];
  if (inner === undefined) return undefined;
  const rest = /^[^[\]|#\n]*/.exec(text.slice(caret, caret + LONGEST))![0];
  const isClosed = text.startsWith(']]', caret + rest.length);
  const hash = inner.indexOf('#');
  const section = hash === -1 ? undefined : inner.slice(hash + 1);
  return {
    from: caret - (section ?? inner).length,
    to: isClosed ? caret + rest.length + 2 : caret,
    typed: section === undefined ? inner : inner.slice(0, hash),
    section,
    isClosed,
  };
}

/** Where a place in a text area is, in its own pixels: a copy of it that is laid out the same tells. */
export function caretPlace(field: HTMLTextAreaElement, offset: number): { top: number; left: number; line: number } {
  const style = getComputedStyle(field);
  const copy = document.createElement('div');
  const copied = [
    'boxSizing',
    'fontFamily',
    'fontSize',
    'fontWeight',
    'letterSpacing',
    'lineHeight',
    'paddingTop',
    'paddingRight',
    'paddingBottom',
    'paddingLeft',
    'borderTopWidth',
    'borderLeftWidth',
    'borderRightWidth',
    'tabSize',
  ] as const;
  for (const name of copied) copy.style[name] = style[name];
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    top: '0',
    width: `${field.clientWidth}px`,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  copy.textContent = field.value.slice(0, offset);
  const mark = document.createElement('span');
  mark.textContent = '\u200b';
  copy.append(mark);
  field.parentElement!.append(copy);
  const line = Number.parseFloat(style.lineHeight) || mark.offsetHeight;
  const place = { top: mark.offsetTop - field.scrollTop, left: mark.offsetLeft, line };
  copy.remove();
  return place;
}
