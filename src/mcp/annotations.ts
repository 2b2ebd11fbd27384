import type { ToolAnnotations } from './tool';

/** What clients are told of the tools; those that leave this machine say so themselves. */

export const READ: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const ADD: ToolAnnotations = { ...READ, readOnlyHint: false };
export const REPLACE: ToolAnnotations = { ...ADD, destructiveHint: true };

/** The same for tools that may ask the registry. */
export function overNetwork(annotations: ToolAnnotations): ToolAnnotations {
  return { ...annotations, openWorldHint: true };
}
