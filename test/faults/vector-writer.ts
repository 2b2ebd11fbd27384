// Appends vectors to a cache until it is killed, and says the number of the last that is kept:
//   node vector-writer.js DIRECTORY NAME
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { type Quantised, quantise } from '../../src/search/vectors/quantised';
import { VectorCache } from '../../src/search/vectors/vector-cache';
import { prng } from './prng';

const BATCH = 32;

export function hashOf(name: number, number: number): Buffer {
  return createHash('sha256').update(`${name}/${number}`).digest();
}

export function vectorOf(name: number, number: number): Quantised {
  const random = prng(name * 1_000_003 + number);
  return quantise(Float32Array.from({ length: 384 }, () => random() - 0.5));
}

function main(directory: string, name: number): void {
  const cache = new VectorCache(directory, 'model');
  for (let first = 0; ; first += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, index) => first + index);
    cache.append(numbers.map((number) => ({ hash: hashOf(name, number), vector: vectorOf(name, number) })));
    writeSync(1, `${first + BATCH - 1}\n`);
  }
}

if (require.main === module) main(process.argv[2]!, Number(process.argv[3]));
