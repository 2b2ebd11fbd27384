import { ISSUED_TOKENS } from './issued';
import { LOG_INS } from './log-ins';
import type { Rule } from './rule';
import { TOKENS } from './tokens';

/**
 * Tokens that say by their form what they are: what the preset of secretlint does not have, or has in fewer forms. The
 * forms are those that their issuers document or announce for secret scanning.
 */
export const TOKEN_RULES: readonly Rule[] = [...ISSUED_TOKENS, ...TOKENS, ...LOG_INS];
