import { z } from 'zod';

/** What the dashboard page says to the extension. */
export const dashboardRequest = z.discriminatedUnion('type', [z.strictObject({ type: z.literal('ready') })]);
export type DashboardRequest = z.output<typeof dashboardRequest>;

/** What the extension says to the dashboard page. */
export type DashboardMessage = { type: 'state' };
