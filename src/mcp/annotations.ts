import type { ToolAnnotations } from './tool';

/** What clients are told of the tools; none of them leaves this machine. */

export const READ: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const ADD: ToolAnnotations = { ...READ, readOnlyHint: false };
export const REPLACE: ToolAnnotations = { ...ADD, destructiveHint: true };
