import { createHash } from 'node:crypto'

const received = 'callback received'

/**
 * The outcomes of a callback, each with the HTTP status of its response and its log line. The service retries every status but
 * 2xx forever, and holds back the shipment's later callbacks, so only faults that can be repaired get another status.
 */
export const outcomes = {
  signalled: { status: 204, level: 'info', logId: undefined, message: received },
  /** The flow has ended, or the case has no flow. */
  noFlow: { status: 200, level: 'info', logId: undefined, message: received },
  /** Signalled before, so the flow knows it. */
  repeated: { status: 200, level: 'info', logId: undefined, message: received },
  /** No repetition can succeed. The log line is the only trace of it. */
  rejected: { status: 202, level: 'warn', logId: 'callback-rejected', message: 'callback rejected' },
  /** Not signed by the service. */
  invalidSignature: { status: 401, level: 'warn', logId: 'callback-signature', message: 'callback signature invalid' },
  /** The case had too many signals, or its flow is ending. The retried callback brings the newest state. */
  limited: { status: 429, level: 'warn', logId: 'callback-limited', message: 'callback rate limited' },
  /** Temporal does not accept signals now. */
  unavailable: { status: 503, level: 'error', logId: 'callback-unavailable', message: 'callback not signalled' },
} as const

export type Outcome = keyof typeof outcomes

/** Number of callbacks per outcome since the start. */
export type Counts = Readonly<Record<Outcome, number>>

export function createCounts(): Record<Outcome, number> {
  return { signalled: 0, noFlow: 0, repeated: 0, rejected: 0, invalidSignature: 0, limited: 0, unavailable: 0 }
}

/** `Retry-After` of a 503, in seconds. */
export const retryAfter = 2

/** A rejected callback without its content: descriptions and users are personal data. */
export interface RejectedCallback {
  readonly at: string
  readonly reason: string
  readonly bytes: number
  readonly webhookId?: string | undefined
  readonly messageType?: string | undefined
  readonly shipmentUid?: string | undefined
  /** SHA-256 of the body in hex. It identifies the message in the sender's own records. */
  readonly sha256?: string | undefined
}

const maxRejected = 100

/**
 * The last rejected callbacks, in memory. The log keeps all of them. A file would add nothing, but cost a disk, a
 * permission and a clean-up per gateway.
 */
export function createRejectedCallbacks(): {
  add(callback: RejectedCallback): void
  list(): readonly RejectedCallback[]
} {
  const callbacks: RejectedCallback[] = []
  return {
    add(callback) {
      callbacks.push(callback)
      if (callbacks.length > maxRejected) callbacks.shift()
    },
    list: () => [...callbacks],
  }
}

export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
