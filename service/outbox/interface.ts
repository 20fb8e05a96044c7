import type { Logger } from 'pino'
import type { UidSignatureScheme } from '#contract'
import type { Secrets } from '../encryption/index.ts'
import type { Observer } from '../observer.ts'
import type { Store } from '../store/index.ts'
import type { Claimed, OutboxMessage, Tenant } from './claims.ts'
import type { NewMessage } from './enqueue.ts'
import type { Lanes } from './lanes.ts'
import type { DeliverySettings } from './retryPolicy.ts'
import type { Sender } from './sender.ts'

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

export interface Outbox {
  /** Sends the new messages of a tenant; call it after every commit that may have enqueued some. */
  wake(tenantId: string): void
  /** Returns a slot in which a new message of a tenant is delivered without a claim. Undefined if it must wait for a claim. */
  reserve(tenantId: string): DeliverySlot | undefined
  readonly probe: Sender['probe']
  /** Waits up to `stopTimeout` for deliveries in flight. Undelivered messages stay in the store. */
  stop(): Promise<void>
}

/** A message that was inserted with its lease. */
export type LeasedMessage = NewMessage & Pick<OutboxMessage, 'seq' | 'lease_expires_at'>

/** Counts as a delivery of its tenant until `deliver` or `release` is called. Call only one of them, and once. */
export interface DeliverySlot {
  /** Milliseconds for which the message is to be leased. */
  readonly lease: number
  /** Sends the message, which is committed. */
  deliver(tenant: Tenant, message: LeasedMessage): void
  /** Frees the slot: the message was not inserted, or its commit is unknown. */
  release(): void
}

export interface DrainParts extends Pick<OutboxOptions, 'store' | 'log' | 'observer' | 'onDelivery'> {
  readonly clock: () => number
  readonly delivery: DeliverySettings
  readonly sender: Sender
  readonly lanes: Lanes
  /** Aborted when the outbox begins to stop. */
  readonly stopping: AbortSignal
}

/** Claims messages and delivers them while there are any, and again after a wake, when a retry is due, and at intervals. */
export interface Drain {
  wake(tenantId: string): void
  /** True until the messages of the last wake are claimed. */
  isWoken(tenantId: string): boolean
  start(): void
  /** @param claimedAt by `performance.now()` */
  send(claimed: Claimed, claimedAt: number): void
  /** Waits up to `stopTimeout` for deliveries in flight. */
  end(): Promise<void>
}
