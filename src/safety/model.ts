import type { Sentence } from '../core/sentence';
import type { Located } from './searching';

/** Safety of what is written: secrets, and text that tries to instruct agents. */

/** A secret in a text. Offsets are UTF-16 code units. Never holds the secret. */
export type SecretFinding = Located;

/** A passage that speaks to an agent in place of telling it something. */
export type InstructionFinding = Located;

/** What becomes of a text with a secret, the tighter first. */
export const SECRET_POLICIES = ['refuse', 'redact'] as const;
export type SecretPolicy = (typeof SECRET_POLICIES)[number];

/** Where in what was to be written a secret was found. Never holds the secret. */
export interface SecretPlace {
  /** `content`, `metaknowledge.REASON`, `tasks[2].name`. */
  field: string;
  kind: Sentence;
  /** From 1. */
  line: number;
  column: number;
}

export interface WriteSafetyOptions {
  /** `refuse` unless told. */
  policy?: SecretPolicy | undefined;
  /**
   * Asked before a person's write is refused, whether it is to be stored all the same. Never asked for what an agent
   * writes. Without it nothing is stored.
   */
  onFound?: ((places: readonly SecretPlace[]) => boolean | Promise<boolean>) | undefined;
  /** Told what was taken out of a person's write. What an agent wrote is told to the agent. */
  onRedacted?: ((places: readonly SecretPlace[]) => void) | undefined;
}
