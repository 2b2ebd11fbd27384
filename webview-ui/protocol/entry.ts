import { z } from 'zod';

/** What the entry page says to the extension. */
export const entryRequest = z.discriminatedUnion('type', [z.strictObject({ type: z.literal('ready') })]);
export type EntryRequest = z.output<typeof entryRequest>;

/** What the extension says to the entry page. */
export type EntryMessage = { type: 'state' };
