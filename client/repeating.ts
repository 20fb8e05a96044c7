import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { isPassing, refusalIn } from './refusals.ts'

/** Milliseconds between two tries. */
const pause = 100

/**
 * Sends an update until it is taken or the time is over, with one update id for all its tries: the server answers a
 * repeated one as it answered the first.
 * @param within milliseconds
 */
export async function repeatedly<Answer>(
  client: Client,
  within: number,
  send: (updateId: string) => Promise<Answer>,
): Promise<Answer> {
  const deadline = Date.now() + within
  for (let updateId = randomUUID(); ; ) {
    try {
      return await client.withDeadline(deadline, () => send(updateId))
    } catch (error) {
      if (!isPassing(error) || Date.now() + pause >= deadline) throw error
      // A refused update keeps its refusal under its id.
      if (refusalIn(error) !== undefined) updateId = randomUUID()
      await setTimeout(pause)
    }
  }
}
