/**
 * Calls `action` for each item, `limit` at once, and answers in the order of the items. The first error ends it: no
 * further call begins, and it is thrown when those under way are over.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  action: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      try {
        results[at] = await action(items[at]!);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return results;
}
