/** A part of a text that another one takes the place of. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** Puts splices that do not overlap into a text. What is put in where something goes comes first. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const splice of splices.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}
