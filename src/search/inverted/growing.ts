type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** The array itself where it is long enough, else a longer copy. */
export function atLeast<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const Kind = array.constructor as new (length: number) => T;
  const longer = new Kind(Math.max(length, Math.ceil(array.length * 1.5), 64));
  longer.set(array);
  return longer;
}
