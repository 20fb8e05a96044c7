/** Calls to Temporal that run at the same time. */
const size = 10

/** Calls `work` with each item, some at the same time. Returns the results in order. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += size) {
    results.push(...(await Promise.all(items.slice(at, at + size).map(work))))
  }
  return results
}
