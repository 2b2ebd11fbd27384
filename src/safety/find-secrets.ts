import type { SecretFinding } from './model';

/** What is shorter is no secret: neither a token nor a password with the name that says so. */
const SHORTEST = 8;

/** All secrets of a text, in its order. Loads what finds them with the first call. In short turns. */
export async function findSecrets(text: string, signal?: AbortSignal): Promise<SecretFinding[]> {
  if (text.length < SHORTEST) return [];
  const { findSecretsIn } = await import('./secrets/index');
  return findSecretsIn(text, signal);
}

/** The text with `[redacted: GitHub token]` in the place of each of them. */
export function withoutSecrets(text: string, findings: readonly SecretFinding[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, kind } of findings) {
    result += `${text.slice(from, start)}[redacted: ${kind}]`;
    from = end;
  }
  return result + text.slice(from);
}
