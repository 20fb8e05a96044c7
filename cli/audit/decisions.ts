import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { isOpenRun } from '#flows'
import { CodecError } from '#platform/codec'
import type { FlowDecision } from '#service'

type Payloads = NonNullable<
  Parameters<Client['options']['loadedDataConverter']['payloadConverter']['fromPayload']>[0]
>[]

/** Starters wait for the booking by an update, which decides nothing. */
const waits = 'waitForBooking'
const decisions: readonly unknown[] = ['extend', 'keepWaiting', 'cancel']

/** Flows in one response of Temporal: each has several kilobytes of attributes, and gRPC limits a response to four megabytes. */
export const pageSize = 100

/** The events of each history that were read, by run: only a longer history has a new decision. */
export type SeenHistories = Map<string, number>

/**
 * Reads the accepted updates in the histories of flows that are open, or have ended since a moment: who decided what.
 * @param since milliseconds since 1970
 * @param seen the histories of the pass before, which are read again only if they have grown
 */
export async function* readDecisions(
  client: Client,
  since: number,
  seen: SeenHistories = new Map(),
): AsyncGenerator<FlowDecision> {
  const query = flowsSince(since)
  const listed = new Set<string>()
  for await (const { workflowId, runId } of client.workflow.list({ query, pageSize })) {
    const handle = client.workflow.getHandle(workflowId, runId)
    listed.add(runId)
    const before = seen.get(runId)
    if (before !== undefined && before === (await unlessDeleted(handle.describe()))?.historyLength) continue
    const { events } = (await unlessDeleted(handle.fetchHistory())) ?? {}
    for (const { eventTime, workflowExecutionUpdateAcceptedEventAttributes: accepted } of events ?? []) {
      const { meta, input } = accepted?.acceptedRequest ?? {}
      const name = input?.name ?? waits
      if (name === waits) continue
      const decision = name === 'decide' ? await readDecision(client, (input?.args?.payloads ?? []) as Payloads) : name
      yield {
        source: `${runId}:${meta?.updateId}`,
        at: Number(eventTime?.seconds ?? 0) * 1_000 + Math.floor((eventTime?.nanos ?? 0) / 1_000_000),
        workflowId,
        detail: `${decision} by ${meta?.identity || 'a caller without an identity'}`,
      }
    }
    // After its decisions are in the log.
    if (events) seen.set(runId, events.length)
  }
  for (const runId of seen.keys()) if (!listed.has(runId)) seen.delete(runId)
}

/** The query of the flows that are open, or have ended since a moment. @param since milliseconds since 1970 */
export function flowsSince(since: number): string {
  const ended = `CloseTime >= '${new Date(since).toISOString()}'`
  return `LockerflowCase IS NOT NULL AND (${isOpenRun} OR ${ended})`
}

/** Undefined for a flow that the retention has deleted since it was listed. */
async function unlessDeleted<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

/**
 * Reads the kind of a decision. Texts of callers stay in the history. If the key of a history was removed, the kind is
 * `decide`, so that later decisions still reach the log.
 */
async function readDecision({ options }: Client, payloads: Payloads): Promise<string> {
  const { payloadCodecs, payloadConverter } = options.loadedDataConverter
  try {
    let decoded = payloads
    for (const codec of payloadCodecs.toReversed()) decoded = await codec.decode(decoded)
    const [first] = decoded
    const { decision } = first === undefined ? {} : payloadConverter.fromPayload<{ decision?: unknown }>(first)
    return decisions.includes(decision) ? String(decision) : 'decide'
  } catch (error) {
    if (error instanceof CodecError) return 'decide'
    throw error
  }
}
