import * as z from 'zod';
import type { KaizenParts } from '../kaizen';
import type { Change } from '../knowledge';
import type { ProposedWrite } from '../review';
import type { Held } from './policy';
import type { ToolCall } from './tool';

/** Who writes in a call, and why. */
export function changeBy({ author, signal }: ToolCall, more: Pick<Change, 'project_context' | 'reason'> = {}): Change {
  return { author, by_agent: true, signal, ...more };
}

/** Writes, or keeps for review what would be written, as the server's policy has it. */
export async function writeOrHold<Result>(
  { review }: KaizenParts,
  call: ToolCall,
  proposed: ProposedWrite,
  change: Change,
  write: () => Promise<Result>,
): Promise<Result | Held> {
  if (call.agentWrites !== 'review') return write();
  const { id } = await review.propose(proposed, change);
  return {
    success: false,
    pending: `Held for review as proposal ${id}: the user decides on it in Kaizen. It does not hold yet; do not store it again, and go on.`,
  };
}

/** The result of a tool that writes, where it may be held for review. One that has a word for it itself stays. */
export function orHeld(output: z.ZodType): z.ZodType {
  if (!(output instanceof z.ZodObject) || 'pending' in output.shape) return output;
  return output.partial().extend({ success: z.boolean(), pending: z.string().optional() });
}
