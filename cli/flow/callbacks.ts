import type { Client } from '@temporalio/client'
import type { Payload, PayloadConverter } from '@temporalio/common'
import { isRecord } from '#contract/terms'
import { isUid, toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'

/** A callback that a flow has received. */
export interface ReceivedCallback {
  /** ISO 8601 in UTC. */
  readonly receivedAt: string
  readonly shipmentUid: string
  readonly stateCode: string
}

type History = Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistoryReverse']>>['history']
type Event = NonNullable<NonNullable<NonNullable<History>['events']>[number]>

/** Events of a page. */
const pageSize = 200

/**
 * Reads the last callbacks from the history of a flow's current run, the newest first. A flow that continued as new
 * begins without any.
 */
export async function readCallbacks(client: Client, caseNo: string, maxCallbacks: number): Promise<ReceivedCallback[]> {
  const received: ReceivedCallback[] = []
  let nextPageToken: Uint8Array | undefined
  do {
    const page = await client.workflowService.getWorkflowExecutionHistoryReverse({
      namespace: client.options.namespace,
      execution: { workflowId: toWorkflowId(caseNo) },
      maximumPageSize: pageSize,
      ...(nextPageToken && { nextPageToken }),
    })
    for (const event of page.history?.events ?? []) {
      const callback = await toCallback(client, event)
      if (callback !== undefined) received.push(callback)
      if (received.length === maxCallbacks) return received
    }
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined
  } while (nextPageToken !== undefined)
  return received
}

/** Undefined for an event that is not a callback. */
async function toCallback(client: Client, event: Event): Promise<ReceivedCallback | undefined> {
  const { eventTime, workflowExecutionSignaledEventAttributes: signal } = event
  if (signal?.signalName !== shipmentStatus.name) return undefined
  const { payloadConverter, payloadCodecs } = client.options.loadedDataConverter
  let payloads = signal.input?.payloads ?? []
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads)
  const status = payloads[0] && decode(payloadConverter, payloads[0])
  // Any client can send the signal, and the flow ignores one without these fields.
  if (status === undefined || !isUid(status.shipmentUid) || !isUid(status.stateCode)) return undefined
  const at = Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1_000_000
  return { receivedAt: new Date(at).toISOString(), shipmentUid: status.shipmentUid, stateCode: status.stateCode }
}

/** Undefined for a signal that the flow could not decode either. */
function decode(converter: PayloadConverter, payload: Payload): { readonly [field: string]: unknown } | undefined {
  try {
    const status: unknown = converter.fromPayload(payload)
    return isRecord(status) ? status : undefined
  } catch {
    return undefined
  }
}
