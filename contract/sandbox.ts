import { z } from 'zod'

/** Routes of a service in staging in addition to the operations. Each needs an access token, and shows its tenant. */
export const sandboxPaths = {
  requests: '/sandbox/requests',
  callbacks: '/sandbox/callbacks',
  resend: '/sandbox/callbacks/resend',
  probe: '/sandbox/callbacks/probe',
} as const

/** The media type of the two lists: one JSON object per line, and blank lines that keep the connection open. */
export const jsonLines = 'application/x-ndjson'

/** The query of the two lists. */
export const recentQuery = z.object({
  /** The `id` of the last entry that the reader has. Without it, the list begins with the oldest entry in memory. */
  after: z.string().max(100).optional(),
  /** True keeps the response open and adds each new entry. */
  follow: z.enum(['true', 'false']).optional(),
})

/** A request that the service has answered. It has no body: bodies have personal data and access codes. */
export interface RecentRequest {
  /** Ordered within one process of the service. */
  readonly id: string
  /** ISO 8601 in UTC, by the clock of the service. */
  readonly at: string
  readonly requestId: string
  readonly clientId: string
  readonly operation: string
  readonly status: number
  /** Null for a success. */
  readonly errorCode: string | null
  readonly durationMs: number
  /** The case that the request names; null if it names none. */
  readonly caseNo: string | null
  /** The shipment that the request names; null if it names none. */
  readonly shipmentUid: string | null
}

/** One delivery of a callback, with the response of the receiver. */
export interface RecentCallback {
  readonly id: string
  readonly at: string
  /** The `webhook-id`, the same for each delivery of a callback. */
  readonly messageId: string
  /** The address that it was sent to. */
  readonly url: string
  /** Failed deliveries before this one. */
  readonly failures: number
  readonly delivered: boolean
  /** The status of the response, or the code of an error without a response. */
  readonly answer: string
  readonly durationMs: number
  readonly caseNo: string | null
  readonly shipmentUid: string
  /** The body as it was sent. */
  readonly body: string
}

/** The first line of the list of callbacks. */
export interface CallbackAddress {
  /** The registered address of the tenant; null without one, and then no callbacks exist. */
  readonly callbackUrl: string | null
}

/** The response of the tenant's registered address to a HEAD of the service. */
export interface CallbackProbe extends CallbackAddress {
  /** Any response counts. */
  readonly reachable: boolean
  /** The status of the response, or the code of an error without a response. */
  readonly answer: string
}

/** Selects shipments whose state is sent again. At least one field is required. */
export const resendRequest = z
  .object({
    /** Shipments whose state began at this moment or later. */
    since: z.iso.datetime({ offset: true }).optional(),
    shipmentUid: z.string().min(1).max(100).optional(),
    caseNo: z.string().min(1).max(255).optional(),
    /** The `webhook-id` of a callback that is undelivered or in memory. */
    messageId: z.string().min(1).max(100).optional(),
  })
  .refine(request => Object.values(request).some(value => value !== undefined), {
    error: 'must have since, shipmentUid, caseNo or messageId',
  })

export type ResendRequest = z.infer<typeof resendRequest>
