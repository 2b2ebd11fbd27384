import { KERNEL_WASM } from './kernel-wasm';

/** Addresses within the scanner's memory; what they point at is said in kernel.wat. */
export interface Scan {
  rows: number;
  stride: number;
  count: number;
  query: number;
  scales: number;
  out: number;
}

/** Memory of its own, and the one loop over it that has to be fast. */
export interface Scanner {
  /** Bytes of memory held. */
  readonly size: number;
  /** The memory; another one after `reserve`. */
  readonly buffer: ArrayBuffer;
  /** The address of so many bytes more, all zero, a multiple of 16. Never given back. Throws when there is no more. */
  reserve(bytes: number): number;
  /** Writes the dot product of the query with each row, times the row's scale. Reads up to three rows beyond `count`. */
  scan(task: Scan): void;
}

/** By WebAssembly with SIMD; where the runtime has none, or when told so, by a loop of the language. */
export function createScanner(kind: 'fastest' | 'plain' = 'fastest'): Scanner {
  return (kind === 'fastest' ? wasmScanner() : undefined) ?? plainScanner();
}

/** As much of it as is used here: the types of Node name WebAssembly, but not as something to call. */
const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Memory: new (pages: { initial: number }) => { readonly buffer: ArrayBuffer; grow(pages: number): void };
    Instance: new (module: object, imports: object) => { exports: { scan(...addresses: number[]): void } };
  };
};

const PAGE = 65_536;

let compiled: object | null | undefined;

/** Null where the runtime cannot: WebAssembly is switched off, or knows no SIMD. */
function kernelModule(): object | null {
  if (compiled !== undefined) return compiled;
  try {
    compiled = new wasm.Module(Buffer.from(KERNEL_WASM, 'base64'));
  } catch {
    compiled = null;
  }
  return compiled;
}

function wasmScanner(): Scanner | undefined {
  const module = kernelModule();
  if (!module) return undefined;
  const memory = new wasm.Memory({ initial: 1 });
  const { exports } = new wasm.Instance(module, { vectors: { memory } });
  let used = 0;
  return {
    get size() {
      return memory.buffer.byteLength;
    },
    get buffer() {
      return memory.buffer;
    },
    reserve(bytes) {
      const address = used;
      used += aligned(bytes);
      const missing = used - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
      return address;
    },
    scan: ({ rows, stride, count, query, scales, out }) => exports.scan(rows, stride, count, query, scales, out),
  };
}

function plainScanner(): Scanner {
  let buffer = new ArrayBuffer(PAGE);
  let used = 0;
  return {
    get size() {
      return buffer.byteLength;
    },
    get buffer() {
      return buffer;
    },
    reserve(bytes) {
      const address = used;
      used += aligned(bytes);
      if (used > buffer.byteLength) {
        const grown = new ArrayBuffer(Math.max(used, Math.ceil(buffer.byteLength * 1.5)));
        new Uint8Array(grown).set(new Uint8Array(buffer));
        buffer = grown;
      }
      return address;
    },
    scan({ rows, stride, count, query, scales, out }) {
      const values = new Int8Array(buffer, rows, count * stride);
      const asked = new Int16Array(buffer, query, stride);
      const scale = new Float32Array(buffer, scales, count);
      const products = new Float32Array(buffer, out, count);
      for (let row = 0, at = 0; row < count; row++) {
        let sum = 0;
        for (let i = 0; i < stride; i++, at++) sum += values[at]! * asked[i]!;
        products[row] = sum * scale[row]!;
      }
    },
  };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}
