import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two polls, doubled up to the longest, because each query costs the worker time. */
const firstPause = 10
const longestPause = 80

/**
 * Polls until the value is neither undefined nor false.
 * @param within milliseconds. The default exceeds the ten seconds after which Temporal retries a lost workflow task
 * @throws Error after that time
 */
export async function eventually<Answer>(
  ask: () => Answer | undefined | Promise<Answer | undefined>,
  within = 20_000,
): Promise<Answer> {
  const start = Date.now()
  for (let pause = firstPause; Date.now() - start < within; pause = Math.min(2 * pause, longestPause)) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    await setTimeout(pause)
  }
  throw new Error(`nothing after ${within} ms`)
}

/** A promise with the function that resolves it, for a fault that lasts until the test ends it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
