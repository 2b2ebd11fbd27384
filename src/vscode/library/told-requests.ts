/** Ids that are remembered, beside those of requests that are open now. */
const MOST = 200;

/**
 * The ids of requests that the person was told of, after `fresh` ones. What is open is never forgotten, however many an agent
 * makes: it would be told of again and again.
 * @param open all that are open now
 */
export function withTold(told: readonly string[], open: readonly string[], fresh: readonly string[]): string[] {
  const isOpen = new Set(open);
  const others = told.filter((id) => !isOpen.has(id)).slice(-MOST);
  return [...others, ...told.filter((id) => isOpen.has(id)), ...fresh];
}
