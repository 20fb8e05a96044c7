import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two polls, doubled up to the longest, because each query costs the worker time. */
const firstPause = 10
const maxPause = 80

/** Maximum wait in milliseconds. It only guards against hanging, and is long enough for a busy machine. */
export const maxWait = 60_000

/** Milliseconds that one poll counts at most: a machine that stood still for longer gave no process any time. */
const maxPoll = 1_000

/**
 * Polls until the value is neither undefined nor false.
 * @param within milliseconds, without those in which the machine stood still
 * @throws Error after that time
 */
export async function eventually<Answer>(
  ask: () => Answer | undefined | Promise<Answer | undefined>,
  within = maxWait,
): Promise<Answer> {
  let waited = 0
  for (let pause = firstPause; waited < within; pause = Math.min(2 * pause, maxPause)) {
    const start = performance.now()
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    await setTimeout(pause)
    waited += Math.min(performance.now() - start, maxPoll)
  }
  throw new Error(`nothing after ${within} ms`)
}

/** A promise with the function that resolves it, for a fault that lasts until the test ends it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
