import { expect, onTestFinished, vi } from 'vitest'
import type { Settings } from '#service'
import { booking } from './places.ts'
import { type Answers, type Receiver, startReceiver } from './receiver.ts'
import { startWorld, type World } from './world.ts'

/** Waits that a test can sit out, in milliseconds. */
export const quick = { firstRetry: 20, longestRetry: 100, poll: 50 }

/** What a receiver that hangs says. */
export const never = new Promise<never>(() => undefined)

/** A world whose callbacks for acme go to a receiver that answers so. */
export async function startWithReceiver(
  answers?: Answers,
  overrides: Partial<Settings> = {},
): Promise<{ world: World; receiver: Receiver }> {
  const world = await startWorld({ delivery: quick, ...overrides })
  const receiver = await startReceiver(answers)
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  return { world, receiver }
}

/** Books stock and tells its uid. */
export async function stock(world: World, ask: object = {}): Promise<string> {
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, ...ask })
  return shipmentUids[0] ?? ''
}

/** Waits until the receiver got so many callbacks and so many messages are left in the store, none of them leased. */
export async function drained(world: World, receiver: Receiver, count: number, left: number): Promise<void> {
  await receiver.until(count)
  await vi.waitFor(async () => {
    const rows = await world.service.store.selectFrom('outbox').select(['attempts', 'leased_until']).execute()
    expect(rows).toHaveLength(left)
    for (const row of rows) expect(row.leased_until).toBe(0)
  })
  expect(receiver.received).toHaveLength(count)
}

/** What the service logged of failed attempts. */
export function failures({ service }: World): readonly Record<string, unknown>[] {
  return service.lines.filter(({ msg }) => msg === 'callbacks: an attempt failed')
}
