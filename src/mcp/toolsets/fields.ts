import * as z from 'zod';

/** Arguments and results as the tools of seeds 002 and 003 have them, with the limits of size that these leave open. */

const MAX_LINE = 1_000;
const MAX_TEXT = 16_384;
const MAX_ITEMS = 50;
const MAX_RESULTS = 100;

/** Empty is as if it were left out, as many models send it; what an operation needs is looked at there. */
export const line = z.string().max(MAX_LINE);
export const text = z.string().max(MAX_TEXT);
export const lines = z.array(z.string().min(1).max(MAX_LINE)).max(MAX_ITEMS);
export const share = z.number().min(0).max(1);
export const count = z.int().min(0);
/** A captured record or anything else with an address, by that or by its bare id. */
export const artifact = z.string().max(8_192);
export const results = z.int().min(1).max(MAX_RESULTS).meta({ default: 10 });

export const flag = (fallback: boolean) => z.boolean().meta({ default: fallback }).optional();
export const choice = <const Words extends readonly string[]>(words: Words, fallback: Words[number]) =>
  z.enum(words).meta({ default: fallback }).optional();

/** Of a result that an agent or strangers wrote, beside the seed's fields. */
export const origin = z.strictObject({ by: z.enum(['agent', 'registry']), author: z.string().optional() }).optional();
