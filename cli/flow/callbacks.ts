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

/** Events that are searched for callbacks, from the newest. */
const searched = 200

/**
 * Reads the last callbacks from the history of a flow's current run, the newest first. A flow that continued as new
 * begins without any.
 */
export async function readCallbacks(client: Client, caseNo: string, most: number): Promise<ReceivedCallback[]> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId: toWorkflowId(caseNo) },
    maximumPageSize: searched,
  })
  const { payloadConverter, payloadCodecs } = client.options.loadedDataConverter
  const received: ReceivedCallback[] = []
  for (const { eventTime, workflowExecutionSignaledEventAttributes: signal } of history?.events ?? []) {
    if (signal?.signalName !== shipmentStatus.name || received.length === most) continue
    let payloads = signal.input?.payloads ?? []
    for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads)
    const status = payloads[0] && decode(payloadConverter, payloads[0])
    // Any client can send the signal, and the flow ignores one without these fields.
    if (status === undefined || !isUid(status.shipmentUid) || !isUid(status.stateCode)) continue
    const at = Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1_000_000
    received.push({
      receivedAt: new Date(at).toISOString(),
      shipmentUid: status.shipmentUid,
      stateCode: status.stateCode,
    })
  }
  return received
}

/** Undefined for a signal that the flow could not decode either (D-480). */
function decode(converter: PayloadConverter, payload: Payload): { readonly [field: string]: unknown } | undefined {
  try {
    const status: unknown = converter.fromPayload(payload)
    return isRecord(status) ? status : undefined
  } catch {
    return undefined
  }
}
