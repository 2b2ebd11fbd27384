import { SERVER_WRITERS } from './clients';
import { HOOK_WRITERS } from './hooks';
import { INSTRUCTION_WRITERS } from './instructions';
import type { PieceWriter } from './piece';

/** Every piece that can be set up, in the order in which it is shown. */
export const WRITERS: readonly PieceWriter[] = [...INSTRUCTION_WRITERS, ...SERVER_WRITERS, ...HOOK_WRITERS];
