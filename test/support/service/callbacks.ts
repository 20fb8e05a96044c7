import { expect, onTestFinished, vi } from 'vitest'
import type { Settings } from '#service'
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
