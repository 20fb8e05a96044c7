import { setTimeout as sleep } from 'node:timers/promises'
import { createLogThrottle, type LogThrottle } from '#platform/logs'
import { type OpenSpan, tracing } from '#platform/telemetry'
import type { DeliveryResult } from '../observer.ts'
import {
  type Claimed,
  claimForLane,
  createDeletion,
  leaseDuration,
  leaseMargin,
  type OutboxMessage,
  type Tenant,
} from './claims.ts'
import { toDelivery, toSpan } from './deliveryReports.ts'
import { createFailures, logFailure } from './failures.ts'
import type { Drain, DrainParts } from './interface.ts'
import type { Lane } from './lane.ts'
import { retryDelay } from './retryPolicy.ts'
import { findTenantsWithWork } from './schedule.ts'
import type { DeliveryOutcome } from './sender.ts'

/** Milliseconds between two tries to store the outcome of a delivery. */
const storeRetryInterval = 500
/** Tenants whose messages are claimed at the same time: a fraction of the connections to PostgreSQL. */
const concurrentClaims = 4

export function createDrain(parts: DrainParts): Drain {
  const { store, log, clock, delivery, lanes, stopping } = parts
  const lease = leaseDuration(delivery)
  const throttled = createLogThrottle()
  const { send, finish } = createDeliveries({ ...parts, throttled, onCapacity: start })
  /** Tenants that may have new messages. */
  const woken = new Set<string>()
  let draining: Promise<void> | undefined
  let pollAt = 0
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    if (!stopping.aborted) draining ??= drain()
  }

  /** Claims messages for some lanes at a time and sends them, until no lane can claim. */
  async function drain(): Promise<void> {
    clearTimeout(timer)
    // `draining ??= drain()` must be assigned before `drain` can set it to undefined.
    await undefined
    let wait = 0
    while (!stopping.aborted && wait <= 0) {
      const now = performance.now()
      try {
        if (now >= pollAt) await poll()
        const laneClaims = lanes.next(concurrentClaims, now, woken)
        if (laneClaims.length === 0) {
          wait = Math.min(pollAt - now, lanes.untilNextClaim(now))
          continue
        }
        const claims: Promise<Claimed>[] = []
        for (const laneClaim of laneClaims) claims.push(claimForLane(store, clock, laneClaim, lease))
        const results = await Promise.allSettled(claims)
        for (const result of results) if (result.status === 'fulfilled') send(result.value, now)
        for (const result of results) if (result.status === 'rejected') throw result.reason
      } catch (error) {
        throttled('not read', suppressed => {
          log.error({ logId: 'callbacks-not-read', err: error, suppressed }, 'callbacks not read: store unavailable')
        })
        wait = delivery.pollInterval
      }
    }
    // Synchronous with the last search for a lane, or a wake in between would wait for the next poll.
    draining = undefined
    if (!stopping.aborted) timer = setTimeout(start, wait)
  }

  /** Finds messages of other processes and retries of earlier ones. */
  async function poll(): Promise<void> {
    try {
      for (const tenantId of await findTenantsWithWork(store, clock, lanes.full())) {
        lanes.open(tenantId).retryAt = 0
        woken.add(tenantId)
      }
      lanes.forgetIdle()
    } finally {
      // Also after a failure, so that a wake claims without a poll.
      pollAt = performance.now() + delivery.pollInterval
    }
  }

  return {
    start,
    send,
    wake(tenantId) {
      woken.add(tenantId)
      start()
    },
    isWoken: tenantId => woken.has(tenantId),
    async end() {
      clearTimeout(timer)
      await draining
      await finish()
    },
  }
}

interface DeliveriesParts extends DrainParts {
  readonly throttled: LogThrottle
  /** Called when other messages may be claimed. */
  readonly onCapacity: () => void
}

interface ClaimedMessage {
  readonly lane: Lane
  readonly tenant: Tenant
  readonly message: OutboxMessage
  /** By `performance.now()`. */
  readonly leasedUntil: number
}

/** Sends claimed messages and records the outcomes. */
function createDeliveries({ store, log, clock, delivery, sender, lanes, stopping, ...parts }: DeliveriesParts) {
  const { throttled, onCapacity } = parts
  const lease = leaseDuration(delivery)
  const deleteMessage = createDeletion(store)
  const recordFailure = createFailures({ store, clock, maxAge: delivery.maxAge })
  const inFlight = new Map<number, Promise<void>>()

  function send({ lane, tenant, messages }: Claimed, claimedAt: number): void {
    // After a slow claim a lease could end during the delivery, so let it expire unused.
    if (tenant === undefined || performance.now() - claimedAt > leaseMargin) return
    const leasedUntil = claimedAt + lease
    for (const message of messages) {
      if (inFlight.has(message.seq)) continue
      const claimed = { lane, tenant, message, leasedUntil }
      const sending =
        tracing === undefined ? deliver(claimed) : tracing.inSpan(toSpan(message), span => deliver(claimed, span))
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
          onCapacity()
        })
      inFlight.set(message.seq, sent)
    }
  }

  /** Sends a message once and records the outcome. */
  async function deliver(claimed: ClaimedMessage, span?: OpenSpan): Promise<void> {
    const { lane, tenant, message, leasedUntil } = claimed
    const counted = lanes.begin(lane, { isRetry: message.next_attempt_at > 0, onSlow: onCapacity })
    let result: DeliveryResult = 'failed'
    const startedAt = performance.now()
    try {
      const outcome = await sender.send(tenant, message, span)
      counted.respond(outcome.delivered)
      // Others are claimed while this outcome is stored.
      if (lane.mayHaveNewMessages) onCapacity()
      parts.onDelivery?.(toDelivery(claimed, outcome, performance.now() - startedAt))
      if (outcome.delivered) {
        const { enqueueCount } = lane
        const hasNext = await recordUntilLeaseEnds(stopping, leasedUntil, () => deleteMessage(message))
        result = 'delivered'
        // The next message of the shipment. One that was committed meanwhile may have been found too early.
        if (hasNext || lane.enqueueCount !== enqueueCount) lane.mayHaveNewMessages = true
      } else {
        span?.fail(outcome.reason)
        if (await fail(claimed, outcome)) result = 'given_up'
      }
    } finally {
      counted.end()
      parts.observer?.delivered(result, performance.now() - startedAt)
    }
  }

  /** Returns whether the message is given up. */
  async function fail(
    { lane, tenant, message, leasedUntil }: ClaimedMessage,
    { reason, retryAfter }: Extract<DeliveryOutcome, { delivered: false }>,
  ): Promise<boolean> {
    const retryInMs = retryDelay(delivery, message.attempts + 1, retryAfter)
    const failed = { message, version: tenant.callback_version, retryInMs }
    const isDead = await recordUntilLeaseEnds(stopping, leasedUntil, () => recordFailure(failed))
    logFailure(log, throttled, { ...failed, reason, isDead })
    lane.retryAt = Math.min(lane.retryAt, performance.now() + retryInMs)
    return isDead
  }

  /** Waits up to `stopTimeout` for deliveries in flight, and then aborts them. */
  async function finish(): Promise<void> {
    const all = Promise.all(inFlight.values())
    const { promise: timedOut, resolve } = Promise.withResolvers<void>()
    const timeout = setTimeout(resolve, delivery.stopTimeout)
    await Promise.race([all, timedOut])
    clearTimeout(timeout)
    await sender.abort()
    await all
  }

  return { send, finish }
}

/** Retries while the lease lasts, because no other process sends the message in that time. */
async function recordUntilLeaseEnds<Result>(
  stopping: AbortSignal,
  leasedUntil: number,
  write: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (stopping.aborted || performance.now() + storeRetryInterval >= leasedUntil) throw error
      await sleep(storeRetryInterval)
    }
  }
}
