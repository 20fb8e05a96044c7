import { type ActivityOptions, proxyActivities, sleep } from '@temporalio/workflow'
import type { BookedSet, BookOrder, FlowActivities } from '#activities/interface'

/**
 * A create is waited for by our client for five minutes, so it can come through that much later. Seconds between the
 * looks for one at a service that knows no keys.
 */
const lateLooks = [0, 5, 10, 20, 40, 75, 150]

/** Faults are retried, for as long as a window above allows. */
export const patience: ActivityOptions = {
  startToCloseTimeout: '30s',
  retry: { initialInterval: '250ms', maximumInterval: '30s' },
}

const settling = proxyActivities<Pick<FlowActivities, 'book' | 'findBooked'>>({
  ...patience,
  summary: 'find out what a booking without an answer left behind',
})

/**
 * With a key the same create is sent again: its answer is the truth, also when the first one is still on its way.
 * Without, the service is looked at for as long as a late create can come through.
 */
export async function whatIsLeft(order: BookOrder): Promise<BookedSet[]> {
  if (order.profile.idempotent) return settling.book(order)
  if (!order.profile.reads) return []
  for (const pause of lateLooks) {
    if (pause > 0) await sleep(pause * 1_000, { summary: 'wait for a late answer to the booking' })
    const found = await settling.findBooked(order)
    if (found.length > 0) return found
  }
  return []
}
