import { setTimeout as sleep } from 'node:timers/promises'
import { defaultUidSignatureScheme } from '#contract'
import { createLogThrottle } from '#logs'
import { type OpenSpan, type SpanOptions, tracing } from '#telemetry'
import type { DeliveryResult } from '../observer.ts'
import { type Claimed, claimTurn, createDeletion, type OutboxMessage, type Tenant } from './claims.ts'
import { createDeadLetterReport } from './deadLetters.ts'
import { createFailures, logFailure } from './failures.ts'
import type { Delivery, Outbox, OutboxOptions, Place } from './interface.ts'
import { createLanes, type Lane } from './lanes.ts'
import { type DeliverySettings, defaultDelivery, maxRetryAfter, retryDelay } from './retryPolicy.ts'
import { findTenantsWithWork, recallDistantRetries } from './schedule.ts'
import { createSender, type DeliveryOutcome } from './sender.ts'

interface ClaimedMessage {
  readonly lane: Lane
  readonly tenant: Tenant
  readonly message: OutboxMessage
  /** By `performance.now()`. */
  readonly leasedUntil: number
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
  const deleteMessage = createDeletion(store)
  const recordFailure = createFailures({ store, clock, maxAge: delivery.maxAge })
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

  function reserve(tenantId: string): Place | undefined {
    if (stopped || woken.has(tenantId)) return undefined
    const lane = lanes.open(tenantId)
    const release = lanes.reserve(lane, performance.now())
    if (release === undefined) return undefined
    const leasedAt = performance.now()
    return {
      lease: limits.lease,
      release() {
        release()
        // Others may have waited for the room.
        if (lane.fresh) continueDraining()
      },
      deliver(tenant, message) {
        lanes.beginInTurn(lane, () => {
          release()
          if (!stopped) send({ lane, tenant, messages: [{ ...beforeDelivery, ...message }] }, leasedAt)
        })
      },
    }
  }

  function continueDraining(): void {
    if (!stopped) draining ??= drain()
  }

  /** Claims messages for some lanes at a time and sends them, until no lane can claim. */
  async function drain(): Promise<void> {
    clearTimeout(timer)
    // The function must not end before its caller has its promise.
    await undefined
    let wait = 0
    while (!stopped && wait <= 0) {
      const now = performance.now()
      try {
        if (now >= pollAt) await poll()
        const turns = lanes.next(concurrentClaims, now, woken)
        if (turns.length === 0) {
          wait = Math.min(pollAt - now, lanes.untilNextRetry(now))
          continue
        }
        const claims: Promise<Claimed>[] = []
        for (const turn of turns) claims.push(claimTurn(store, clock, turn, limits.lease))
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
    if (!stopped) timer = setTimeout(continueDraining, wait)
  }

  /** Finds messages of other processes and retries of earlier ones. */
  async function poll(): Promise<void> {
    const found = await findTenantsWithWork(store, clock, limits, lanes.full())
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
    const leasedUntil = claimedAt + limits.lease
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
          continueDraining()
        })
      inFlight.set(message.seq, sent)
    }
  }

  /** Sends a message once and records the outcome. */
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
      options.onDelivery?.(toDelivery(claimed, outcome, performance.now() - startedAt))
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
      options.observer?.delivered(result, performance.now() - startedAt)
    }
  }

  /** Returns whether the message is given up. */
  async function fail(
    { lane, tenant, message, leasedUntil }: ClaimedMessage,
    { reason, retryAfter }: Extract<DeliveryOutcome, { delivered: false }>,
  ): Promise<boolean> {
    const retryInMs = retryDelay(delivery, message.attempts + 1, retryAfter)
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
  return { wake, reserve, probe: sender.probe, stop }
}

/** The columns of a message before its first delivery. */
const beforeDelivery = {
  attempts: 0,
  next_attempt_at: 0,
  waits_for: null,
  attempted_version: 0,
  resent_at: null,
  dead_since: null,
} satisfies Partial<OutboxMessage>

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
