import type { Sentence } from '../../../core/sentence';

/** What the worker is given at its start. */
export interface WorkerTask {
  /** Of the model, with all its files. */
  directory: string;
  /** Path in the directory → SHA-256 in hexadecimal: nothing else is loaded. */
  checksums: Readonly<Record<string, string>>;
}

export interface WorkerQuestion {
  number: number;
  texts: readonly string[];
}

/** A fault that is told as a sentence comes over as a plain object; see `saidElsewhere`. */
export type WorkerAnswer = { number: number; vectors: Float32Array[] } | { number: number; fault: Sentence | string };
