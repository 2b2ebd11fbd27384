/**
 * SHA-256 (FIPS 180-4) of a text's UTF-8 bytes in hexadecimal, for names of files. Node's own is loaded with the whole of
 * its cryptography, which takes longer than all else that a hook does; for what is large, use that one.
 */
export function sha256(text: string): string {
  const bytes = Buffer.from(text);
  // One bit, zeros, and the length in bits, up to whole blocks.
  const padded = Buffer.alloc((((bytes.length + 8) >> 6) << 6) + 64);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(Math.floor(bytes.length / 0x2000_0000), padded.length - 8);
  padded.writeUInt32BE((bytes.length << 3) >>> 0, padded.length - 4);
  const { begin, constants } = tables();
  const state = Uint32Array.from(begin);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = padded.readUInt32BE(block + at * 4);
    for (let at = 16; at < 64; at++) {
      const [early, late] = [words[at - 15]!, words[at - 2]!];
      const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16]! + first + words[at - 7]! + second;
    }
    compress(state, words, constants);
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function compress(state: Uint32Array, words: Uint32Array, constants: Uint32Array): void {
  // One by one: where it runs but once, pairs that are taken apart cost more than the sums.
  let [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!];
  let [e, f, g, h] = [state[4]!, state[5]!, state[6]!, state[7]!];
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const one = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + constants[at]! + words[at]!) | 0;
    const two = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = state[at]! + value;
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

let known: { begin: Uint32Array; constants: Uint32Array } | undefined;

/** The fractional parts of the square roots of the first 8 primes, and of the cube roots of the first 64. */
function tables(): { begin: Uint32Array; constants: Uint32Array } {
  if (known) return known;
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  known = {
    begin: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    constants: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
  return known;
}
