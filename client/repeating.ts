import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { isPassing, refusalIn } from './refusals.ts'

/** Milliseconds between two tries: they double from the first to the longest. */
const firstPause = 100
const longestPause = 1_000

/**
 * Sends an update until it is taken or the time is over, with one update id for all its tries: the server answers a
 * repeated one as it answered the first. The more often it is refused, the longer the pauses: each try is a task of the
 * flow, and many callers who hurry keep it from everything else.
 * @param within milliseconds
 */
export async function repeatedly<Answer>(
  client: Client,
  within: number,
  send: (updateId: string) => Promise<Answer>,
): Promise<Answer> {
  const deadline = Date.now() + within
  for (let updateId = randomUUID(), pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    // Callers who were refused together do not come back together.
    const spread = pause * (0.5 + Math.random() / 2)
    try {
      return await client.withDeadline(deadline, () => send(updateId))
    } catch (error) {
      if (!isPassing(error) || Date.now() + spread >= deadline) throw error
      // A refused update keeps its refusal under its id.
      if (refusalIn(error) !== undefined) updateId = randomUUID()
      await setTimeout(spread)
    }
  }
}
