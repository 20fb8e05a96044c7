import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { defaultUidSignatureScheme, type UidSignatureScheme } from '#contract'
import { createLogThrottle } from '#logs'
import { type OpenSpan, type SpanOptions, tracing } from '#telemetry'
import type { Secrets } from '../encryption/index.ts'
import type { DeliveryResult, Observer } from '../observer.ts'
import type { Store } from '../store/index.ts'
import { type Claimed, claimTurn, deleteMessage, type OutboxMessage, reschedule, type Tenant } from './claims.ts'
import { createDeadLetterReport } from './deadLetters.ts'
import { createLanes, type Lane } from './lanes.ts'
import { type DeliverySettings, defaultDelivery, maxRetryAfter, retryDelay } from './retryPolicy.ts'
import { findTenantsWithWork, recallDistantRetries } from './schedule.ts'
import { createSender } from './sender.ts'

export interface OutboxOptions {
  readonly store: Store
  readonly secrets: Pick<Secrets, 'decrypt' | 'refresh'>
  readonly log: Pick<Logger, 'warn' | 'error'>
  /** Allows callbacks to private, loopback and plain HTTP addresses. */
  readonly allowPrivateNetworks: boolean
  readonly uidSignatureScheme?: UidSignatureScheme
  readonly delivery?: Partial<DeliverySettings>
  /** Undefined without metrics. */
  readonly observer?: Pick<Observer, 'delivered'> | undefined
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

export interface Outbox {
  /** Sends the new messages of a tenant; call it after every commit that may have enqueued some. */
  wake(tenantId: string): void
  /** Waits up to `stopTimeout` for deliveries in flight. Undelivered messages stay in the store. */
  stop(): Promise<void>
}

/** Milliseconds between two tries to store the outcome of a delivery. */
const storeRetryInterval = 500
/** Milliseconds that a lease outlasts the delivery timeout. It bounds the delay after a process was killed. */
const leaseMargin = 5_000
/** Tenants whose messages are claimed at the same time: a fraction of the connections to PostgreSQL. */
const concurrentClaims = 4

/** Delivers enqueued callbacks until it is stopped. Several processes can share one store. */
export function createOutbox({ store, secrets, log, allowPrivateNetworks, ...options }: OutboxOptions): Outbox {
  const { uidSignatureScheme = defaultUidSignatureScheme, clock = Date.now } = options
  const delivery: DeliverySettings = { ...defaultDelivery, ...options.delivery }
  const limits = { lease: delivery.timeout + leaseMargin, longestDelay: maxRetryAfter }
  const sender = createSender({ secrets, allowPrivateNetworks, uidSignatureScheme, timeout: delivery.timeout, clock })
  const lanes = createLanes(delivery)
  const throttled = createLogThrottle()
  const reportDead = createDeadLetterReport(store, log)
  const inFlight = new Map<number, Promise<void>>()
  /** Tenants that may have new messages. */
  const woken = new Set<string>()
  let draining: Promise<void> | undefined
  let pollAt = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  function wake(tenantId: string): void {
    woken.add(tenantId)
    continueDraining()
  }

  function continueDraining(): void {
    if (!stopped) draining ??= drain()
  }

  /** Claims messages for some lanes at a time and sends them, until no lane can claim. */
  async function drain(): Promise<void> {
    clearTimeout(timer)
    let wait = 0
    while (!stopped && wait <= 0) {
      const now = performance.now()
      try {
        if (now >= pollAt) await poll()
        const turns = lanes.next(concurrentClaims, now, woken)
        const claims: Promise<Claimed>[] = []
        for (const turn of turns) claims.push(claimTurn(store, clock, turn, limits.lease))
        const results = await Promise.allSettled(claims)
        for (const result of results) if (result.status === 'fulfilled') send(result.value, now)
        for (const result of results) if (result.status === 'rejected') throw result.reason
        if (turns.length === 0) wait = Math.min(pollAt - now, lanes.untilNextRetry(now))
      } catch (error) {
        throttled('not read', suppressed => {
          log.error({ logId: 'callbacks-not-read', err: error, suppressed }, 'callbacks not read: store unavailable')
        })
        wait = delivery.pollInterval
      }
    }
    // Synchronous with the last search for a lane, or a wake in between would wait for the next poll.
    draining = undefined
    if (!stopped) timer = setTimeout(continueDraining, wait)
  }

  /** Finds messages of other processes and retries of earlier ones. */
  async function poll(): Promise<void> {
    const found = await findTenantsWithWork(store, clock, limits)
    for (const { tenant_id, isDistant } of found) {
      if (isDistant) await recallDistantRetries(store, clock, tenant_id, limits)
      lanes.open(tenant_id).retryAt = 0
      woken.add(tenant_id)
    }
    await reportDead()
    const now = performance.now()
    lanes.forgetIdle(now)
    pollAt = now + delivery.pollInterval
  }

  function send({ lane, tenant, messages }: Claimed, claimedAt: number): void {
    // After a slow claim a lease could end during the delivery, so let it expire unused.
    if (tenant === undefined || performance.now() - claimedAt > leaseMargin) return
    for (const message of messages) {
      if (inFlight.has(message.seq)) continue
      const leasedUntil = claimedAt + limits.lease
      const sending =
        tracing === undefined
          ? deliver(lane, tenant, message, leasedUntil)
          : tracing.inSpan(toSpan(message), span => deliver(lane, tenant, message, leasedUntil, span))
      const sent = sending
        // When its lease expires, the message is sent again.
        .catch(error =>
          throttled('not recorded', suppressed => {
            log.error(
              { logId: 'delivery-not-recorded', err: error, messageId: message.message_id, suppressed },
              'callback delivery not recorded',
            )
          }),
        )
        .finally(() => {
          inFlight.delete(message.seq)
          continueDraining()
        })
      inFlight.set(message.seq, sent)
    }
  }

  /** Sends a message once and records the outcome. `leasedUntil` is a time of `performance.now()`. */
  async function deliver(
    lane: Lane,
    tenant: Tenant,
    message: OutboxMessage,
    leasedUntil: number,
    span?: OpenSpan,
  ): Promise<void> {
    const ended = lanes.begin(lane, { isRetry: message.next_attempt_at > 0, onSlow: continueDraining })
    let delivered = false
    let result: DeliveryResult = 'failed'
    const startedAt = performance.now()
    try {
      const outcome = await sender.send(tenant, message, span)
      if (outcome.delivered) {
        await record(leasedUntil, () => deleteMessage(store, message))
        delivered = true
        result = 'delivered'
        // The next message of the shipment.
        lane.fresh = true
      } else {
        span?.fail(outcome.reason)
        const isDead = await recordFailure(lane, tenant, message, { ...outcome, leasedUntil })
        if (isDead) result = 'given_up'
      }
    } finally {
      ended(delivered)
      options.observer?.delivered(result, performance.now() - startedAt)
    }
  }

  async function recordFailure(
    lane: Lane,
    tenant: Tenant,
    message: OutboxMessage,
    { reason, retryAfter, leasedUntil }: { reason: string; retryAfter?: number | undefined; leasedUntil: number },
  ): Promise<boolean> {
    const failures = message.attempts + 1
    const retryInMs = retryDelay(delivery, failures, retryAfter)
    const { tenant_id: tenantId, shipment_uid: shipmentUid, message_id: messageId } = message
    const failed = { version: tenant.callback_version, retryInMs, maxAge: delivery.maxAge }
    const isDead = await record(leasedUntil, () => reschedule(store, clock, message, failed))
    if (isDead) {
      log.error({ logId: 'callback-given-up', tenantId, shipmentUid, messageId, failures, reason }, 'callback given up')
    } else {
      throttled(`${tenantId} ${reason}`, suppressed => {
        log.warn(
          {
            logId: 'callback-not-delivered',
            tenantId,
            shipmentUid,
            messageId,
            failures,
            reason,
            retryInMs,
            suppressed,
          },
          'callback delivery failed',
        )
      })
    }
    lane.retryAt = Math.min(lane.retryAt, performance.now() + retryInMs)
    return isDead
  }

  /** Retries while the lease lasts, because no other process sends the message in that time. */
  async function record<Result>(leasedUntil: number, write: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (stopped || performance.now() + storeRetryInterval >= leasedUntil) throw error
        await sleep(storeRetryInterval)
      }
    }
  }

  async function stop(): Promise<void> {
    stopped = true
    clearTimeout(timer)
    await draining
    const all = Promise.all(inFlight.values())
    const { promise: timedOut, resolve } = Promise.withResolvers<void>()
    const timeout = setTimeout(resolve, delivery.stopTimeout)
    await Promise.race([all, timedOut])
    clearTimeout(timeout)
    await sender.abort()
    await all
  }

  continueDraining()
  return { wake, stop }
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
