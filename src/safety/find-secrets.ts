import type { SecretFinding } from './model';
import { Redaction } from './redaction';

/** What is shorter is no secret: neither a token nor a password with the name that says so. */
const SHORTEST = 8;

/**
 * What every secret has: a mark between its name and its value, or so many characters without a space, or the line that
 * begins a private key, or the words that stand before a password in two formats. Most short texts have none of it: they
 * cost nothing, and what finds secrets is not even loaded.
 */
const POSSIBLE = /[:=|]|-----|\S{13}|\b(?:machine|sshpass|mysql\w*|mariadb\w*)\s/;

/** What is longer is searched in turns at once. */
const LONG = 32_768;

/** Once for all: to ask for what is loaded already takes longer than to search a short text. */
let searching: Promise<typeof import('./secrets/index')> | undefined;

/** All secrets of a text, in its order. Loads what finds them with the first text that could hold one. In short turns. */
export async function findSecrets(text: string, signal?: AbortSignal): Promise<SecretFinding[]> {
  signal?.throwIfAborted();
  if (text.length < SHORTEST || (text.length < LONG && !POSSIBLE.test(text))) return [];
  searching ??= import('./secrets/index');
  const { findSecretsIn } = await searching;
  return findSecretsIn(text, signal);
}

/** The text with `[redacted: GitHub token]` in the place of each of them. */
export function withoutSecrets(text: string, findings: readonly SecretFinding[]): string {
  return new Redaction(text, findings).text;
}
