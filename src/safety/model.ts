/** Safety of what is written: secrets, and text that tries to instruct agents. */

/** A secret in a text. Offsets are UTF-16 code units, `end` exclusive. */
export interface SecretFinding {
  /** What kind it is, for a person: `GitHub token`. Never holds the secret. */
  kind: string;
  /** Stable, for settings and tests: `github-token`. */
  id: string;
  start: number;
  end: number;
  /** From 1. */
  line: number;
  column: number;
}

/** A passage that speaks to an agent in place of telling it something. */
export interface InstructionFinding {
  /** What it tries, for a person: `asks to ignore earlier instructions`. */
  kind: string;
  id: string;
  start: number;
  end: number;
  line: number;
}

/** What becomes of a text with a secret. */
export const SECRET_POLICIES = ['refuse', 'redact'] as const;
export type SecretPolicy = (typeof SECRET_POLICIES)[number];
