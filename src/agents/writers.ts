import { SERVER_WRITERS } from './clients';
import { HOOK_WRITERS } from './hooks';
import { INSTRUCTION_WRITERS } from './instructions';
import { KNOWLEDGE_WRITERS } from './knowledge-section';
import type { PieceWriter } from './piece';

/**
 * Every piece that can be set up, in the order in which it is shown, and before them what can be there beside: of a file
 * that Kaizen made, with all that is in it, nothing is left when the instructions go last.
 */
export const WRITERS: readonly PieceWriter[] = [
  ...KNOWLEDGE_WRITERS,
  ...INSTRUCTION_WRITERS,
  ...SERVER_WRITERS,
  ...HOOK_WRITERS,
];
