import type { Logger } from 'pino'
import { defaultUidSignatureScheme, type UidSignatureScheme } from '#contract'
import { createLogThrottle } from '#logs'
import type { Secrets } from '../encryption/index.ts'
import type { Observer } from '../observer.ts'
import type { Store } from '../store/index.ts'
import { type Claimed, claimTurn, type OutboxMessage, type Tenant } from './claims.ts'
import { createDeadLetterReport } from './deadLetters.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import type { NewMessage } from './enqueue.ts'
import { createLanes } from './lanes.ts'
import { type DeliverySettings, defaultDelivery, maxRetryAfter } from './retryPolicy.ts'
import { findTenantsWithWork, recallDistantRetries } from './schedule.ts'
import { createSender, type Sender } from './sender.ts'

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
  /** Called after each delivery, failed ones included. */
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined
}

export interface Outbox {
  /** Sends the new messages of a tenant; call it after every commit that may have enqueued some. */
  wake(tenantId: string): void
  /** Returns a place for a new message of a tenant, or undefined if it must wait for its turn. */
  reserve(tenantId: string): Place | undefined
  readonly probe: Sender['probe']
  /** Waits up to `stopTimeout` for deliveries in flight. Undelivered messages stay in the store. */
  stop(): Promise<void>
}

/** A message that was inserted with its lease. */
export type LeasedMessage = NewMessage & Pick<OutboxMessage, 'seq' | 'lease_expires_at'>

/** Counts as a delivery of its tenant until one of its functions is called, once (D-320). */
export interface Place {
  /** Milliseconds for which the message is to be leased. */
  readonly lease: number
  /** Sends the message, which is committed. */
  deliver(tenant: Tenant, message: LeasedMessage): void
  /** The message is not inserted, or its commit is unknown. */
  release(): void
}

/** Milliseconds that a lease outlasts the delivery timeout. It bounds the delay after a process was killed. */
const leaseMargin = 5_000
/** Tenants whose messages are claimed at the same time: a fraction of the connections to PostgreSQL. */
const concurrentClaims = 4

/** Delivers enqueued callbacks until it is stopped. Several processes can share one store. */
export function createOutbox({ store, secrets, log, allowPrivateNetworks, ...options }: OutboxOptions): Outbox {
  const { uidSignatureScheme = defaultUidSignatureScheme, clock = Date.now } = options
  const settings: DeliverySettings = { ...defaultDelivery, ...options.delivery }
  const limits = { lease: settings.timeout + leaseMargin, longestDelay: maxRetryAfter }
  const sender = createSender({ secrets, allowPrivateNetworks, uidSignatureScheme, timeout: settings.timeout, clock })
  const lanes = createLanes(settings)
  const throttled = createLogThrottle()
  const reportDead = createDeadLetterReport(store, log)
  const inFlight = new Map<number, Promise<void>>()
  /** Tenants that may have new messages. */
  const woken = new Set<string>()
  let draining: Promise<void> | undefined
  let pollAt = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const deliver = createDelivery({
    ...options,
    store,
    clock,
    log,
    throttled,
    sender,
    lanes,
    settings,
    continueDraining,
    isStopped: () => stopped,
  })

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
    let wait = 0
    while (!stopped && wait <= 0) {
      const now = performance.now()
      try {
        if (now >= pollAt) await poll()
        const turns = lanes.next(concurrentClaims, now, woken)
        const claims: Promise<Claimed>[] = []
        for (const turn of turns) claims.push(claimTurn(store, clock, turn, limits.lease))
        // Also without turns: the function must not end before its caller has its promise.
        const results = await Promise.allSettled(claims)
        for (const result of results) if (result.status === 'fulfilled') send(result.value, now)
        for (const result of results) if (result.status === 'rejected') throw result.reason
        if (turns.length === 0) wait = Math.min(pollAt - now, lanes.untilNextRetry(now))
      } catch (error) {
        throttled('not read', suppressed => {
          log.error({ logId: 'callbacks-not-read', err: error, suppressed }, 'callbacks not read: store unavailable')
        })
        wait = settings.pollInterval
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
    pollAt = now + settings.pollInterval
  }

  function send({ lane, tenant, messages }: Claimed, claimedAt: number): void {
    // After a slow claim a lease could end during the delivery, so let it expire unused.
    if (tenant === undefined || performance.now() - claimedAt > leaseMargin) return
    const leasedUntil = claimedAt + limits.lease
    for (const message of messages) {
      if (inFlight.has(message.seq)) continue
      const claimed = { lane, tenant, message, leasedUntil }
      const sent = deliver(claimed)
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

  async function stop(): Promise<void> {
    stopped = true
    clearTimeout(timer)
    await draining
    const all = Promise.all(inFlight.values())
    const { promise: timedOut, resolve } = Promise.withResolvers<void>()
    const timeout = setTimeout(resolve, settings.stopTimeout)
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
