import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { defaultUidSignatureScheme, type UidSignatureScheme } from '#contract'
import type { Store } from '../store/index.ts'
import type { TenantRow } from '../store/tables.ts'
import {
  claimMessages,
  deleteMessage,
  findNextAttemptAt,
  findTenantsWithDueMessages,
  type OutboxMessage,
  reschedule,
} from './claims.ts'
import { type DeliverySettings, defaultDelivery, retryDelay } from './retryPolicy.ts'
import { createSender } from './sender.ts'

export interface OutboxOptions {
  readonly store: Store
  readonly log: Pick<Logger, 'warn' | 'error'>
  /** Allows callbacks to private, loopback and plain HTTP addresses. */
  readonly allowPrivateNetworks: boolean
  readonly uidSignatureScheme?: UidSignatureScheme
  readonly delivery?: Partial<DeliverySettings>
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

export interface Outbox {
  /** Looks for due messages; call it after every commit. */
  wake(): void
  /** Waits up to `stopTimeout` for deliveries in flight. Undelivered messages stay in the store. */
  stop(): Promise<void>
}

/** Milliseconds between two tries to store the outcome of a delivery. */
const storeRetryInterval = 500

/** Milliseconds that a lease outlasts the delivery timeout. It bounds the delay after a process was killed. */
const leaseMargin = 5_000

/** Delivers enqueued callbacks until it is stopped. Several processes can share one store. */
export function createOutbox({ store, log, allowPrivateNetworks, ...options }: OutboxOptions): Outbox {
  const { uidSignatureScheme = defaultUidSignatureScheme, clock = Date.now } = options
  const delivery: DeliverySettings = { ...defaultDelivery, ...options.delivery }
  const sender = createSender({
    allowPrivateNetworks,
    uidSignatureScheme,
    timeout: delivery.timeout,
    clock,
  })
  const inFlight = new Map<string, Set<Promise<void>>>()
  let draining: Promise<void> | undefined
  let wakePending = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (stopped) return
    wakePending = true
    draining ??= drain()
  }

  async function drain(): Promise<void> {
    clearTimeout(timer)
    let pause = delivery.pollInterval
    while (wakePending && !stopped) {
      wakePending = false
      try {
        pause = await drainOnce()
      } catch (error) {
        log.error({ err: error }, 'callbacks not read: store unavailable')
      }
    }
    // Synchronous with the last check of `wakePending`, or a wake in between would wait for the next poll.
    draining = undefined
    if (!stopped) timer = setTimeout(wake, pause)
  }

  /** Starts all deliveries that are due. Returns the milliseconds until the next check. */
  async function drainOnce(): Promise<number> {
    for (const tenant of await findTenantsWithDueMessages(store, clock())) {
      const sending = inFlight.get(tenant.tenant_id) ?? new Set()
      const limit = delivery.concurrency - sending.size
      if (limit <= 0 || stopped) continue
      inFlight.set(tenant.tenant_id, sending)
      const now = clock()
      const until = now + delivery.timeout + leaseMargin
      const claimed = await claimMessages(store, tenant.tenant_id, { now, until, limit })
      // After a slow claim the lease could end during the delivery, so let it expire unused.
      if (until - clock() < delivery.timeout) continue
      for (const message of claimed) send(tenant, message, sending)
    }
    const due = await findNextAttemptAt(store, clock())
    return due === undefined ? delivery.pollInterval : Math.min(delivery.pollInterval, Math.max(0, due - clock()))
  }

  function send(tenant: TenantRow, message: OutboxMessage, sending: Set<Promise<void>>): void {
    const sent = deliver(tenant, message)
      // When its lease expires, the message is sent again.
      .catch(error => log.error({ err: error, messageId: message.message_id }, 'callback delivery not recorded'))
      .finally(() => {
        sending.delete(sent)
        wake()
      })
    sending.add(sent)
  }

  async function deliver(tenant: TenantRow, message: OutboxMessage): Promise<void> {
    const outcome = await sender.send(tenant, message)
    if (outcome.delivered) return record(message, () => deleteMessage(store, message))
    const failures = message.attempts + 1
    const retryInMs = retryDelay(delivery, failures, outcome.retryAfter)
    await record(message, () => reschedule(store, message, clock() + retryInMs))
    const { tenant_id: tenantId, shipment_uid: shipmentUid, message_id: messageId } = message
    const { reason } = outcome
    log.warn({ tenantId, shipmentUid, messageId, failures, reason, retryInMs }, 'callback delivery failed')
  }

  /** Retries while the lease lasts, because no other process sends the message in that time. */
  async function record(message: OutboxMessage, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (stopped || clock() + storeRetryInterval >= message.lease_expires_at) throw error
        await sleep(storeRetryInterval)
      }
    }
  }

  async function stop(): Promise<void> {
    stopped = true
    clearTimeout(timer)
    await draining
    const all = Promise.all([...inFlight.values()].flatMap(sending => [...sending]))
    const { promise: timedOut, resolve } = Promise.withResolvers<void>()
    const timeout = setTimeout(resolve, delivery.stopTimeout)
    await Promise.race([all, timedOut])
    clearTimeout(timeout)
    await sender.abort()
    await all
  }

  wake()
  return { wake, stop }
}
