import { Refusal } from '../operations/call.ts'

/** Does some work when it is its turn. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * So much work at the same time, and so much that waits for it.
 * @throws Refusal Unavailable when more waits already
 */
export function createTurns({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): Turns {
  const queue: (() => void)[] = []
  let running = 0
  return async work => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new Refusal('Unavailable', 'Too many files are being read; try again later.')
      // Whoever ends hands its place over, so that nobody slips in between.
      await new Promise<void>(resolve => void queue.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
