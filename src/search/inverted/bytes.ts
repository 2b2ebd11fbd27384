import { atLeast } from './growing';

/** Numbers as one byte for each 7 bits, the lowest first; texts as UTF-8 behind their length. The same on every machine. */
export class ByteWriter {
  private bytes = new Uint8Array(1024);
  private at = 0;

  number(value: number): void {
    this.bytes = atLeast(this.bytes, this.at + 5);
    let rest = value;
    while (rest > 0x7f) {
      this.bytes[this.at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.at++] = rest;
  }

  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.number(length);
    this.bytes = atLeast(this.bytes, this.at + length);
    Buffer.from(this.bytes.buffer, this.at, length).write(text);
    this.at += length;
  }

  done(): Uint8Array {
    return this.bytes.slice(0, this.at);
  }
}

/** What `ByteReader` throws when the bytes end too early or say what cannot be. */
export class DamagedBytes extends Error {}

export class ByteReader {
  private at = 0;
  private readonly buffer: Buffer;

  constructor(private readonly bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.at === this.bytes.length;
  }

  number(): number {
    const first = this.bytes[this.at]!;
    if (first < 0x80) {
      this.at++;
      return first;
    }
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new DamagedBytes();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new DamagedBytes();
  }

  /** How many things of at least one byte each follow: never more than there are bytes. */
  count(): number {
    const count = this.number();
    if (count > this.bytes.length - this.at) throw new DamagedBytes();
    return count;
  }

  /** A number below `limit`. */
  below(limit: number): number {
    const value = this.number();
    if (value >= limit) throw new DamagedBytes();
    return value;
  }

  /** Passes over `length` numbers, all of them below `limit`. Most of a snapshot is these. */
  skipNumbers(length: number, limit: number): void {
    const { bytes } = this;
    let at = this.at;
    for (let left = length; left > 0; left--) {
      let byte = bytes[at++]!;
      let value = byte & 0x7f;
      for (let factor = 0x80; byte > 0x7f && factor < 2 ** 35; factor *= 0x80) {
        byte = bytes[at++]!;
        value += (byte & 0x7f) * factor;
      }
      // Beyond the end a byte is undefined, and so not below 128.
      if (!(byte < 0x80 && value < limit)) throw new DamagedBytes();
    }
    this.at = at;
  }

  /** Reads `length` numbers, and puts what `table` has for each into `into`, from `at` on. They must have been checked. */
  numbersOf(table: Uint32Array, into: Uint32Array, at: number, length: number): void {
    const { bytes } = this;
    let from = this.at;
    for (let to = at; to < at + length; to++) {
      let value = bytes[from++]!;
      if (value > 0x7f) {
        let shift = 7;
        let byte: number;
        value &= 0x7f;
        do {
          byte = bytes[from++]!;
          value |= (byte & 0x7f) << shift;
          shift += 7;
        } while (byte > 0x7f);
      }
      into[to] = table[value]!;
    }
    this.at = from;
  }

  /** Passes over a text; answers how many bytes it has. */
  skipText(): number {
    const length = this.count();
    this.at += length;
    return length;
  }

  text(): string {
    const length = this.count();
    this.at += length;
    return this.buffer.toString('utf8', this.at - length, this.at);
  }
}
