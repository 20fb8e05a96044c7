import type { Client } from '@temporalio/client'
import type { Booking } from '#activities/interface'
import { type FlowShipment, toWorkflowId } from '#flows'

/** The history of a running flow. */
export interface GrowingHistory {
  /** Resolves once a workflow task that saw the signals of all these states is completed. */
  untilHandled(states: readonly { readonly shipmentUid: string; readonly stateCode: string }[]): Promise<void>
  /** Resolves once a workflow task that saw the result of an activity is completed. */
  untilDone(activity: string): Promise<void>
  /** Resolves once this number of bookings is handled, with their shipments. */
  untilBooked(count: number): Promise<readonly FlowShipment[]>
  /** Resolves once this number of child workflows has started. */
  untilStarted(children: number): Promise<void>
  /** Resolves once the flow is completed, with its number of events. */
  untilCompleted(): Promise<number>
}

/** Milliseconds for one long poll; the server answers after twenty seconds at the latest. */
const pollTimeout = 60_000

/**
 * Follows a history by long polls of the server. The worker is not involved, so its measurement stays undisturbed.
 */
export function followHistory(client: Client, caseNo: string): GrowingHistory {
  const { namespace } = client.options
  const execution = { workflowId: toWorkflowId(caseNo) }
  let nextPageToken: Uint8Array | undefined
  let events = 0
  let completed = false
  /** States in signals, and results of activities, since the last completed workflow task. */
  let pending: string[] = []
  const handled = new Set<string>()
  /** The shipments of each booking that has ended. */
  const booked: FlowShipment[][] = []
  let children = 0
  /** Names of activities by the number of the event that scheduled them. */
  const scheduled = new Map<string, string>()

  async function readNext(): Promise<void> {
    if (events > 0 && !nextPageToken?.length)
      throw new Error(`${caseNo} must end as completed, but its history ended without that`)
    const response = await client.withDeadline(Date.now() + pollTimeout, () =>
      client.workflowService.getWorkflowExecutionHistory({
        namespace,
        execution,
        waitNewEvent: true,
        ...(nextPageToken && { nextPageToken }),
      }),
    )
    nextPageToken = response.nextPageToken
    for (const event of response.history?.events ?? []) {
      events++
      const signal = event.workflowExecutionSignaledEventAttributes?.input?.payloads?.[0]?.data
      if (signal) pending.push(toKey(JSON.parse(Buffer.from(signal).toString())))
      const activity = event.activityTaskScheduledEventAttributes?.activityType?.name
      if (activity) scheduled.set(String(event.eventId), activity)
      const done = event.activityTaskCompletedEventAttributes
      if (done) {
        const ended = scheduled.get(String(done.scheduledEventId)) ?? ''
        pending.push(toDone(ended))
        if (ended === 'bookShipments') booked.push(readBooking(done.result?.payloads?.[0]?.data))
      }
      if (event.childWorkflowExecutionStartedEventAttributes) children++
      if (event.workflowTaskCompletedEventAttributes) {
        for (const key of pending) handled.add(key)
        pending = []
      }
      if (event.workflowExecutionCompletedEventAttributes) completed = true
    }
  }

  return {
    async untilHandled(states) {
      while (!states.every(state => handled.has(toKey(state)))) await readNext()
    },
    async untilDone(activity) {
      while (!handled.has(toDone(activity))) await readNext()
    },
    async untilBooked(count) {
      while (booked.length < count || pending.includes(toDone('bookShipments'))) await readNext()
      return booked.flat()
    },
    async untilStarted(count) {
      while (children < count) await readNext()
    },
    async untilCompleted() {
      while (!completed) await readNext()
      return events
    },
  }
}

function toKey({ shipmentUid, stateCode }: { readonly shipmentUid: string; readonly stateCode: string }): string {
  return `${shipmentUid} ${stateCode}`
}

function toDone(activity: string): string {
  return `done ${activity}`
}

/** The oldest booking in the result of the activity. */
function readBooking(result: Uint8Array | null | undefined): FlowShipment[] {
  const [oldest = []] = JSON.parse(Buffer.from(result ?? []).toString()) as Booking[]
  return oldest.map(shipment => ({ ...shipment }))
}
