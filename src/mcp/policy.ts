/** What becomes of what agents write: it is written, it waits for a person, or no tool for it is offered. */
export const AGENT_WRITES = ['allow', 'review', 'deny'] as const;
export type AgentWrites = (typeof AGENT_WRITES)[number];

/** The result of a write that waits for a person. */
export interface Held {
  success: false;
  pending: string;
}
