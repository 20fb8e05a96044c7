import type { Client } from '@temporalio/client'
import { workflowIdOf } from '#contract/terms'

/** The history of one flow, as it grows. */
export interface GrowingHistory {
  /** Waits until the flow has been told all these states of shipments and has dealt with them. */
  untilTold(states: readonly { readonly shipmentUid: string; readonly stateCode: string }[]): Promise<void>
  /** Waits until the flow has completed; answers how many events it took. */
  untilCompleted(): Promise<number>
}

/** Milliseconds that one question for new events may take: the server lets it wait for twenty seconds. */
const patience = 60_000

/**
 * Follows a history the way the server offers it: each question waits there until there is something new. It costs the
 * worker nothing, so people can wait for what the flow has been told while its worker is measured.
 */
export function followHistory(client: Client, caseNo: string): GrowingHistory {
  const { namespace } = client.options
  const execution = { workflowId: workflowIdOf(caseNo) }
  let nextPageToken: Uint8Array | undefined
  let events = 0
  let completed = false
  /** What it was told since its last task, and before. */
  let fresh: string[] = []
  const dealtWith = new Set<string>()

  async function more(): Promise<void> {
    if (events > 0 && !nextPageToken?.length) throw new Error(`${caseNo} ended otherwise than expected`)
    const answer = await client.withDeadline(Date.now() + patience, () =>
      client.workflowService.getWorkflowExecutionHistory({
        namespace,
        execution,
        waitNewEvent: true,
        ...(nextPageToken && { nextPageToken }),
      }),
    )
    nextPageToken = answer.nextPageToken
    for (const event of answer.history?.events ?? []) {
      events++
      const signal = event.workflowExecutionSignaledEventAttributes?.input?.payloads?.[0]?.data
      if (signal) fresh.push(keyOf(JSON.parse(Buffer.from(signal).toString())))
      if (event.workflowTaskCompletedEventAttributes) {
        for (const key of fresh) dealtWith.add(key)
        fresh = []
      }
      if (event.workflowExecutionCompletedEventAttributes) completed = true
    }
  }

  return {
    async untilTold(states) {
      while (!states.every(state => dealtWith.has(keyOf(state)))) await more()
    },
    async untilCompleted() {
      while (!completed) await more()
      return events
    },
  }
}

function keyOf({ shipmentUid, stateCode }: { readonly shipmentUid: string; readonly stateCode: string }): string {
  return `${shipmentUid} ${stateCode}`
}
