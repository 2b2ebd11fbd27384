import { inTurns, Turns } from '../../core/turns';
import type { SecretFinding } from '../model';
import { type Search, searched } from '../searching';
import { findInAddresses } from './addresses';
import { findAssignments } from './assignments';
import { findPrivateKeys } from './private-keys';
import { findByRule } from './rule';
import { TOKEN_RULES } from './rules';
import { PRESET, PRESET_HINTS } from './secretlint';
import { findInTables } from './tables';

/**
 * Secrets in texts. A bundle of its own, loaded with the first text that is written: most of it is secretlint's.
 */

/** Everything but private keys and tables, which may be longer than a piece. */
const SEARCHES: readonly Search[] = [
  ...TOKEN_RULES.map((rule) => (text: string) => findByRule(rule, text)),
  ...PRESET,
  findInAddresses,
  findAssignments,
];

/** A text without any of what tokens begin with, or stand behind, has none, and most texts have none. */
const HINTS = new RegExp([...TOKEN_RULES.map(({ hint }) => hint), PRESET_HINTS].join('|'), 'i');
const TEXTUAL = [findInAddresses, findAssignments];

/** All secrets of a text, in its order, none within another. In short turns, however long the text is. */
export async function findSecretsIn(text: string, signal?: AbortSignal): Promise<SecretFinding[]> {
  const turns = new Turns(signal);
  const keys = await inTurns(findPrivateKeys(text), turns);
  const inTables = await inTurns(findInTables(text), turns);
  return searched(text, (piece) => (HINTS.test(piece) ? SEARCHES : TEXTUAL), turns, keys, inTables);
}
