/** Two bytes a dimension, as a whole number from -32,639 to 32,639, times `scale`: off by less than 0.00001 of the largest. */
export interface Quantised {
  values: Int16Array;
  scale: number;
}

/** Its upper byte, rounded, lies from -127 to 127. */
const LARGEST = 127 * 256 + 127;

/** What a vector is kept as. Its length stays what it was; a vector of zeros is one of zeros. */
export function quantise(vector: ArrayLike<number>): Quantised {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  const values = new Int16Array(vector.length);
  if (largest === 0) return { values, scale: 1 };
  const factor = LARGEST / largest;
  for (let i = 0; i < vector.length; i++) values[i] = Math.round(vector[i]! * factor);
  // As the float32 that it is kept as, so that what comes from the disk is the same to the last bit.
  return { values, scale: Math.fround(largest / LARGEST) };
}

/** The upper byte, rounded to the nearest: `value = upper * 256 + lower`, both of them int8. */
export function upperByte(value: number): number {
  return (value + 128) >> 8;
}

/** Of length 1; undefined when it has no direction or holds what is no number. */
export function normalised(vector: ArrayLike<number>): Float32Array | undefined {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!;
  if (!Number.isFinite(squares) || squares === 0) return undefined;
  const factor = 1 / Math.sqrt(squares);
  return Float32Array.from(vector, (value) => value * factor);
}
