import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two askings: they double up to the longest, since each question to a flow is work for it. */
const firstPause = 10
const longestPause = 80

/**
 * Asks until there is an answer; fails when there is none within the time, in milliseconds. By itself that is longer than
 * the ten seconds after which Temporal gives a workflow task again that a worker lost.
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

/** A promise and what settles it, for a fault that lasts until the test says so. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
