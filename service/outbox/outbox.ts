import { setTimeout as passed } from 'node:timers/promises'
import type { Logger } from 'pino'
import { defaultWeakScheme, type WeakScheme } from '#contract'
import type { Store } from '../store/index.ts'
import type { TenantRow } from '../store/tables.ts'
import { createSender } from './attempt.ts'
import { claim, forget, giveBack, type Message, nextDue, tenantsWithWork } from './claims.ts'
import { type Delivery, defaultDelivery, retryDelay } from './delivery.ts'

export interface OutboxOptions {
  readonly store: Store
  readonly log: Pick<Logger, 'warn' | 'error'>
  /** Whether callbacks may go to private, loopback and plain-http addresses. */
  readonly privateCallbacks: boolean
  readonly weakScheme?: WeakScheme
  readonly delivery?: Partial<Delivery>
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

export interface Outbox {
  /** There may be something to send; called after every commit. */
  wake(): void
  /** Waits for attempts under way, for a few seconds; what was not delivered stays for the next start. */
  stop(): Promise<void>
}

/** How long until what an attempt came to is written down again when the store did not take it, in milliseconds. */
const noteAgain = 500

/** How much longer than an attempt a lease lasts, in milliseconds: a killed process holds messages up no longer. */
const leaseMargin = 5_000

/** Delivers queued callbacks until it is stopped; several processes can do so on one store. */
export function createOutbox({ store, log, privateCallbacks, ...options }: OutboxOptions): Outbox {
  const { weakScheme = defaultWeakScheme, clock = Date.now } = options
  const delivery: Delivery = { ...defaultDelivery, ...options.delivery }
  const sender = createSender({ privateCallbacks, weakScheme, timeout: delivery.timeout, clock })
  const underWay = new Map<string, Set<Promise<void>>>()
  let passing: Promise<void> | undefined
  let wokenMeanwhile = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (stopped) return
    wokenMeanwhile = true
    passing ??= passes()
  }

  async function passes(): Promise<void> {
    clearTimeout(timer)
    let pause = delivery.poll
    while (wokenMeanwhile && !stopped) {
      wokenMeanwhile = false
      try {
        pause = await pass()
      } catch (error) {
        log.error({ err: error }, 'callbacks: the store did not answer')
      }
    }
    // In the same step as the last look at `wokenMeanwhile`: a wake in between would be lost until the next poll.
    passing = undefined
    if (!stopped) timer = setTimeout(wake, pause)
  }

  /** Starts what can be started, and says for how long there is nothing more to do. */
  async function pass(): Promise<number> {
    for (const tenant of await tenantsWithWork(store, clock())) {
      const sending = underWay.get(tenant.tenant_id) ?? new Set()
      const limit = delivery.concurrency - sending.size
      if (limit <= 0 || stopped) continue
      underWay.set(tenant.tenant_id, sending)
      const now = clock()
      const until = now + delivery.timeout + leaseMargin
      const claimed = await claim(store, tenant.tenant_id, { now, until, limit })
      // A claim that took long leaves less of its lease than an attempt may take: then it is left to run out.
      if (until - clock() < delivery.timeout) continue
      for (const message of claimed) send(tenant, message, sending)
    }
    const due = await nextDue(store, clock())
    return due === undefined ? delivery.poll : Math.min(delivery.poll, Math.max(0, due - clock()))
  }

  function send(tenant: TenantRow, message: Message, sending: Set<Promise<void>>): void {
    const sent = deliver(tenant, message)
      // The lease runs out, and the message is sent again.
      .catch(error => log.error({ err: error, messageId: message.message_id }, 'callbacks: an attempt was not noted'))
      .finally(() => {
        sending.delete(sent)
        wake()
      })
    sending.add(sent)
  }

  async function deliver(tenant: TenantRow, message: Message): Promise<void> {
    const outcome = await sender.attempt(tenant, message)
    if (outcome.delivered) return noted(message, () => forget(store, message))
    const failures = message.attempts + 1
    const delay = retryDelay(delivery, failures, outcome.retryAfter)
    await noted(message, () => giveBack(store, message, clock() + delay))
    const { tenant_id: tenantId, shipment_uid: shipmentUid, message_id: messageId } = message
    log.warn({ tenantId, shipmentUid, messageId, failures, why: outcome.why, delay }, 'callbacks: an attempt failed')
  }

  /** While the lease lasts nobody else sends the message, so a store that is away for a moment may come back. */
  async function noted(message: Message, note: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await note()
      } catch (error) {
        if (stopped || clock() + noteAgain >= message.leased_until) throw error
        await passed(noteAgain)
      }
    }
  }

  async function stop(): Promise<void> {
    stopped = true
    clearTimeout(timer)
    await passing
    const all = Promise.all([...underWay.values()].flatMap(sending => [...sending]))
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const grace = setTimeout(resolve, delivery.stopGrace)
    await Promise.race([all, late])
    clearTimeout(grace)
    await sender.cut()
    await all
  }

  wake()
  return { wake, stop }
}
