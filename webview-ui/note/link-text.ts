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
