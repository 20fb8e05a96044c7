/** Calls `work` with 0 to `times` - 1, with at most `concurrency` running calls. Returns the results in that order. */
export async function inParallel<Result>(
  times: number,
  concurrency: number,
  work: (n: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  async function caller(): Promise<void> {
    while (next < times) {
      const n = next++
      results[n] = await work(n)
    }
  }
  await Promise.all(Array.from({ length: Math.min(times, concurrency) }, caller))
  return results
}
