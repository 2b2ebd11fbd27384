import { z } from 'zod';

/** What the project page says to the extension. */
export const projectRequest = z.discriminatedUnion('type', [z.strictObject({ type: z.literal('ready') })]);
export type ProjectRequest = z.output<typeof projectRequest>;

/** What the extension says to the project page. */
export type ProjectMessage = { type: 'state' };
