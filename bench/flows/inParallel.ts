/** Does something so many times, at most `concurrency` of them at once; answers in the order of the numbers. */
export async function inParallel<Answer>(
  times: number,
  concurrency: number,
  work: (n: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let taken = 0
  async function caller(): Promise<void> {
    while (taken < times) {
      const n = taken++
      answers[n] = await work(n)
    }
  }
  await Promise.all(Array.from({ length: Math.min(times, concurrency) }, caller))
  return answers
}
