import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { LogThrottle } from '#logs'
import { type OpenSpan, type SpanOptions, tracing } from '#telemetry'
import type { DeliveryResult, Observer } from '../observer.ts'
import type { Store } from '../store/index.ts'
import { createDeletion, type OutboxMessage, type Tenant } from './claims.ts'
import { createFailures, logFailure } from './failures.ts'
import type { createLanes, Lane } from './lanes.ts'
import { type DeliverySettings, retryDelay } from './retryPolicy.ts'
import type { DeliveryOutcome, Sender } from './sender.ts'

/** One delivery of a message and its outcome. */
export interface Delivery {
  readonly tenantId: string
  readonly messageId: string
  readonly shipmentUid: string
  readonly url: string
  readonly body: string
  /** Failed deliveries before this one. */
  readonly failures: number
  readonly delivered: boolean
  /** The status of the response, or the code of an error without one. */
  readonly answer: string
  readonly durationMs: number
}

export interface ClaimedMessage {
  readonly lane: Lane
  readonly tenant: Tenant
  readonly message: OutboxMessage
  /** By `performance.now()`. */
  readonly leasedUntil: number
}

/** Milliseconds between two tries to store the outcome of a delivery. */
const storeRetryInterval = 500

interface DeliveryOptions {
  readonly store: Store
  readonly clock: () => number
  readonly log: Pick<Logger, 'warn' | 'error'>
  readonly throttled: LogThrottle
  readonly sender: Pick<Sender, 'send'>
  readonly lanes: Pick<ReturnType<typeof createLanes>, 'begin'>
  readonly settings: DeliverySettings
  readonly observer?: Pick<Observer, 'delivered'> | undefined
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined
  /** Called when the lane may have room, or a message that is due. */
  readonly continueDraining: () => void
  readonly isStopped: () => boolean
}

/** Returns a function that sends a message once and records the outcome. It throws if the outcome could not be recorded. */
export function createDelivery(options: DeliveryOptions): (claimed: ClaimedMessage) => Promise<void> {
  const { store, clock, log, throttled, sender, lanes, settings, observer, onDelivery, continueDraining } = options
  const deleteMessage = createDeletion(store)
  const recordFailure = createFailures({ store, clock, maxAge: settings.maxAge })
  async function deliver(claimed: ClaimedMessage, span?: OpenSpan): Promise<void> {
    const { lane, tenant, message, leasedUntil } = claimed
    const counted = lanes.begin(lane, { isRetry: message.next_attempt_at > 0, onSlow: continueDraining })
    let result: DeliveryResult = 'failed'
    const startedAt = performance.now()
    try {
      const outcome = await sender.send(tenant, message, span)
      counted.respond()
      // Others are claimed while this outcome is stored.
      if (lane.fresh) continueDraining()
      onDelivery?.(toDelivery(claimed, outcome, performance.now() - startedAt))
      if (outcome.delivered) {
        const wakes = lane.wakes
        const hasNext = await record(leasedUntil, () => deleteMessage(message))
        result = 'delivered'
        // The next message of the shipment. One that was committed meanwhile may have been found too early.
        if (hasNext || lane.wakes !== wakes) lane.fresh = true
      } else {
        span?.fail(outcome.reason)
        if (await fail(claimed, outcome)) result = 'given_up'
      }
    } finally {
      counted.end(result === 'delivered')
      observer?.delivered(result, performance.now() - startedAt)
    }
  }

  /** Returns whether the message is given up. */
  async function fail(
    { lane, tenant, message, leasedUntil }: ClaimedMessage,
    { reason, retryAfter }: Extract<DeliveryOutcome, { delivered: false }>,
  ): Promise<boolean> {
    const retryInMs = retryDelay(settings, message.attempts + 1, retryAfter)
    const failed = { message, version: tenant.callback_version, retryInMs }
    const isDead = await record(leasedUntil, () => recordFailure(failed))
    logFailure(log, throttled, { ...failed, reason, isDead })
    lane.retryAt = Math.min(lane.retryAt, performance.now() + retryInMs)
    return isDead
  }

  /** Retries while the lease lasts, because no other process sends the message in that time. */
  async function record<Result>(leasedUntil: number, write: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (options.isStopped() || performance.now() + storeRetryInterval >= leasedUntil) throw error
        await sleep(storeRetryInterval)
      }
    }
  }
  return claimed =>
    tracing === undefined ? deliver(claimed) : tracing.inSpan(toSpan(claimed.message), span => deliver(claimed, span))
}

function toDelivery({ tenant, message }: ClaimedMessage, outcome: DeliveryOutcome, durationMs: number): Delivery {
  const { message_id: messageId, shipment_uid: shipmentUid, body, attempts: failures } = message
  return {
    tenantId: tenant.tenant_id,
    messageId,
    shipmentUid,
    url: tenant.callback_url ?? '',
    body,
    failures,
    delivered: outcome.delivered,
    answer: outcome.delivered ? String(outcome.status) : outcome.reason,
    durationMs: Math.round(durationMs),
  }
}

/** The span of a delivery, in the trace of the change. */
function toSpan({ tenant_id, message_id, shipment_uid, attempts, traceparent }: OutboxMessage): SpanOptions {
  return {
    name: 'deliver callback',
    kind: 'producer',
    parent: traceparent ?? 'none',
    attributes: {
      'lockerflow.tenant_id': tenant_id,
      'lockerflow.message_id': message_id,
      'lockerflow.shipment_uid': shipment_uid,
      'lockerflow.failures': attempts,
    },
  }
}
