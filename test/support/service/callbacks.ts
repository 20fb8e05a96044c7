import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, vi } from 'vitest'
import type { Settings } from '#service'
import type { Store } from '../../../service/store/index.ts'
import { type Answers, type Receiver, startReceiver } from '../servers/callbackReceiver.ts'
import { createWorld } from '../world/createWorld.ts'
import type { ServiceWorld } from '../world/serviceWorld.ts'
import { booking } from './topology.ts'

/** Milliseconds; short enough to wait for in a test. */
export const quick = { initialInterval: 20, maximumInterval: 100, pollInterval: 50 }

/** The response of a receiver that hangs. */
export const never = new Promise<never>(() => undefined)

/** A world whose callbacks for acme go to a receiver with these responses. */
export async function startWithReceiver(
  responses?: Answers,
  overrides: Partial<Settings> = {},
): Promise<{ world: ServiceWorld; receiver: Receiver }> {
  const world = await createWorld({ service: { delivery: quick, ...overrides } })
  const receiver = await startReceiver(responses)
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  return { world, receiver }
}

/** Books stock and returns its uid. */
export async function stock(world: ServiceWorld, ask: object = {}): Promise<string> {
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, ...ask })
  return shipmentUids[0] ?? ''
}

/** Waits until the receiver has `count` callbacks, and the store has `left` messages without a lease. */
export async function drained(world: ServiceWorld, receiver: Receiver, count: number, left: number): Promise<void> {
  await receiver.until(count)
  await vi.waitFor(async () => {
    const rows = await world.service.store.selectFrom('outbox').select(['attempts', 'lease_expires_at']).execute()
    expect(rows).toHaveLength(left)
    for (const row of rows) expect(row.lease_expires_at).toBe(0)
  })
  expect(receiver.received).toHaveLength(count)
}

/** The log lines of failed deliveries. */
export function failures({ service }: ServiceWorld): readonly Record<string, unknown>[] {
  return service.lines.filter(({ msg }) => msg === 'callback delivery failed')
}

export interface Backlog {
  readonly tenantId: string
  readonly shipments: number
  /** Messages of each shipment; all but the first wait for the one before. */
  readonly messages?: number
  /** Failed deliveries of each first message, and milliseconds until its retry. Without them the messages are new. */
  readonly failed?: { readonly attempts: number; readonly retryInMs: number }
}

/** Inserts messages of shipments that do not exist, as if the tenant's receiver had been down. Returns their uids. */
export async function fillOutbox(
  store: Store,
  { tenantId, shipments, messages = 1, failed }: Backlog,
): Promise<readonly string[]> {
  const now = Date.now()
  const { callback_version } = await store
    .selectFrom('tenants')
    .select('callback_version')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const uids = Array.from({ length: shipments }, () => randomUUID())
  const slice = 500
  for (let message = 0; message < messages; message++) {
    for (let from = 0; from < shipments; from += slice) {
      const part = uids.slice(from, from + slice)
      const before = await store
        .selectFrom('outbox')
        .select(['seq', 'shipment_uid'])
        .where('shipment_uid', 'in', part)
        .execute()
      const last = new Map(before.map(({ seq, shipment_uid }) => [shipment_uid, seq]))
      const rows = part.map(shipment_uid => ({
        message_id: `msg_${randomUUID()}`,
        tenant_id: tenantId,
        shipment_uid,
        body: JSON.stringify({ message: { shipmentUid: shipment_uid, stateCode: `State${message}` } }),
        created_at: now,
        waits_for: last.get(shipment_uid) ?? null,
        next_attempt_at: 0,
        ...(failed !== undefined &&
          message === 0 && {
            attempts: failed.attempts,
            attempted_version: callback_version,
            next_attempt_at: now + failed.retryInMs,
          }),
      }))
      await store.insertInto('outbox').values(rows).execute()
    }
  }
  return uids
}
