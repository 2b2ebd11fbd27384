/** What page and extension agree on about the graph of relations, apart from its messages: no zod is in the browser. */

/** Of an overview; those with most relations are shown. */
export const MOST_NODES = 2_000;
/** Relations that are looked at for an overview. */
export const MOST_RELATIONS = 50_000;
/** Relations of one thing that are told beside the picture. */
export const MOST_DETAILS = 200;
/** As far as one sees from the beginning. */
export const MOST_STEPS = 3;
/** Nodes that are unfolded at once. */
export const MOST_EXPANDED = 50;

export const DIRECTIONS = ['both', 'outgoing', 'incoming'] as const;
