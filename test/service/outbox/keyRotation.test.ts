import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type CallbackAuthType, defaultUidSignatureScheme } from '#contract'
import { type Answer, type Received, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { quick } from '../../support/service/callbacks.ts'
import { booking } from '../../support/service/topology.ts'
import { signatureFault } from '../../support/signatureFault.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const keyAt = (count: number) => `the-key-number-${count}-of-acme`
const rotations = 3
/** Callbacks that come before and after each rotation at least. */
const between = 12
/** The steps of each shipment, in order. */
const life = ['ReadyForDropOff', 'WaitForReceiver', 'Cancelled']

interface Row {
  readonly authType: CallbackAuthType
  /** The side that gets the next key first. With HMAC it must be the receiver: the uid signature uses only the newest key. */
  readonly first: 'receiver' | 'service'
}

const rows: Row[] = [
  { authType: 'HMAC', first: 'receiver' },
  { authType: 'ApiKey', first: 'receiver' },
  { authType: 'ApiKey', first: 'service' },
  { authType: 'None', first: 'service' },
]

describe('replacing a key while shipments change loses no callback', () => {
  test.each(rows)('$authType, the $first has it first', async ({ authType, first }) => {
    const world = await createWorld({ service: { delivery: quick } })
    // Told later, it can go by the strong signature only, which is by both keys.
    const gateway = await startGateway(first === 'receiver' && authType !== 'None' ? [true, false] : [true])
    onTestFinished(async () => {
      await world.stop()
      await gateway.stop()
    })
    const configure = (authKey: string) =>
      world.call('ConfigureCallback', { url: gateway.url, authType, authKey, resetKey: true })
    gateway.keys = [keyAt(0)]
    await configure(keyAt(0))

    const state = { stopped: false }
    const changing = Array.from({ length: 6 }, () => changeShipments(world, state))
    onTestFinished(async () => {
      state.stopped = true
      await Promise.allSettled(changing)
    })
    for (let count = 1; count <= rotations; count++) {
      await gateway.until(gateway.taken.length + between)
      const next = [keyAt(count), keyAt(count - 1)]
      if (first === 'receiver') gateway.keys = next
      expect(await configure(keyAt(count))).toMatchObject({ changed: true, authKey: keyAt(count) })
      await gateway.until(gateway.taken.length + between)
      gateway.keys = next
      await sentUpTo(world)
    }
    await gateway.until(gateway.taken.length + between)
    state.stopped = true
    const shipmentUids = (await Promise.all(changing)).flat()
    await sentUpTo(world)

    expect(gateway.refused).toEqual([])
    expect(gateway.putOff).toBeGreaterThan(rotations)
    for (const shipmentUid of shipmentUids) {
      const messages = gateway.taken.filter(({ message }) => message.shipmentUid === shipmentUid)
      expect(messages.map(({ message }) => message.stateCode)).toEqual(life)
    }
    expect(gateway.taken).toHaveLength(shipmentUids.length * life.length)
  })
})

/**
 * A receiver that verifies as the gateway does, with a key and the one before it, for services with Standard Webhooks
 * and without; every tenth callback it asks for again.
 */
async function startGateway(standards: readonly boolean[]) {
  const gateway = { keys: [] as readonly string[], taken: [] as Received[], refused: [] as string[], putOff: 0 }
  const receiver = await startReceiver((callback, count): Answer => {
    const faults = standards.map(standardWebhooks =>
      signatureFault(
        { keys: gateway.keys, uidSignatureScheme: defaultUidSignatureScheme, standardWebhooks },
        callback.headers,
        callback.body,
        callback.message.shipmentUid,
        Math.floor(Date.now() / 1_000),
      ),
    )
    const fault = faults.find(one => one !== undefined)
    if (fault !== undefined) {
      gateway.refused.push(fault)
      return { status: 401 }
    }
    if (count % 10 === 0) {
      gateway.putOff += 1
      return { status: 503 }
    }
    gateway.taken.push(callback)
    return { status: 204 }
  })
  return Object.assign(gateway, {
    url: receiver.url,
    stop: receiver.stop,
    until: (count: number) =>
      vi.waitFor(() => expect(gateway.taken.length).toBeGreaterThanOrEqual(count), { timeout: 30_000 }),
  })
}

/** Takes one shipment after the other through its life, until it is told to stop; tells their uids. */
async function changeShipments(world: ServiceWorld, state: { readonly stopped: boolean }): Promise<string[]> {
  const uids: string[] = []
  while (!state.stopped) {
    const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' })
    const [shipmentUid = ''] = shipmentUids
    uids.push(shipmentUid)
    await world.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' })
    await world.call('CancelShipment', { shipmentUid })
  }
  return uids
}

/** Waits until everything that is queued now is delivered. */
async function sentUpTo({ service: { store } }: ServiceWorld): Promise<void> {
  const { newest } = await store
    .selectFrom('outbox')
    .select(({ fn }) => fn.max('seq').as('newest'))
    .executeTakeFirstOrThrow()
  const older = store
    .selectFrom('outbox')
    .select('seq')
    .where('seq', '<=', newest ?? 0)
  await vi.waitFor(async () => expect(await older.execute()).toEqual([]), { timeout: 30_000 })
}
