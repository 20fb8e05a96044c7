import { webhookHeaders } from '#contract'
import type { Passed } from '#testing/stack'
import { createJournal, type WritableJournal } from './journal.ts'

/** A callback of the service that reached the wire to the gateway. */
export interface CallbackEntry {
  readonly caseNo: string | null
  readonly shipmentUid: string | null
  readonly stateCode: string | null
  /** All deliveries of one callback share it. */
  readonly messageId: string | null
  /** The response that the service got; null if the connection broke. */
  readonly status: number | null
}

/** A request of the flows to the service. */
export interface RequestEntry {
  /** The case in the request; null in a request without one. */
  readonly caseNo: string | null
  readonly operation: string
  readonly body: unknown
  /** The response that the flow got; null if the connection broke. */
  readonly status: number | null
  /** The code of a refusal. */
  readonly error: string | null
}

export interface Traffic {
  readonly callbacks: WritableJournal<CallbackEntry>
  readonly requests: WritableJournal<RequestEntry>
  /** For the wires in the two directions. */
  noteCallback(passed: Passed): void
  noteRequest(passed: Passed): void
}

export function createTraffic(): Traffic {
  const callbacks = createJournal<CallbackEntry>('callback')
  const requests = createJournal<RequestEntry>('request')
  return {
    callbacks,
    requests,
    noteCallback({ body, headers, status }) {
      const message = fieldsOf(fieldsOf(parse(body)).message)
      const messageId = headers[webhookHeaders.id]
      callbacks.add({
        caseNo: toText(message.referenceCaseNo),
        shipmentUid: toText(message.shipmentUid),
        stateCode: toText(message.stateCode),
        messageId: toText(messageId),
        status,
      })
    },
    noteRequest({ path, body, status, response }) {
      // The token's request contains the client's secret.
      if (path.endsWith('/connect/token')) return
      requests.add({
        caseNo: /"referenceCaseNo":"((?:[^"\\]|\\.)*)"/i.exec(body)?.[1] ?? null,
        operation: path.split('/').at(-1) ?? path,
        body: parse(body),
        status,
        error: toText(fieldsOf(parse(response)).error),
      })
    },
  }
}

/** Null for a body that is not JSON, such as a file. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {}
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
