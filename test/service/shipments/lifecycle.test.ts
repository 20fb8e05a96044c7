import { describe, expect, onTestFinished, test } from 'vitest'
import type { ShipmentItem } from '#contract'
import { activeStates, type StateCode } from '#contract/terms'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { booking } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

type Kind = 'stock' | 'issue'
type Step = 'dropOff' | 'pickUp' | 'cancel'

const lives: { kind: Kind; steps: Step[]; states: StateCode[] }[] = [
  { kind: 'issue', steps: ['dropOff', 'pickUp'], states: ['ReadyForDropOff', 'ReadyForPickup', 'Completed'] },
  { kind: 'issue', steps: ['cancel'], states: ['ReadyForDropOff', 'Cancelled'] },
  { kind: 'issue', steps: ['dropOff', 'cancel'], states: ['ReadyForDropOff', 'ReadyForPickup', 'Cancelled'] },
  { kind: 'stock', steps: ['dropOff'], states: ['ReadyForDropOff', 'WaitForReceiver'] },
  { kind: 'stock', steps: ['cancel'], states: ['ReadyForDropOff', 'Cancelled'] },
  { kind: 'stock', steps: ['dropOff', 'cancel'], states: ['ReadyForDropOff', 'WaitForReceiver', 'Cancelled'] },
]

describe('the life of a shipment, with a callback for each state in its order (SPEC-8, SPEC-22, SPEC-27, SPEC-30)', () => {
  test.each(lives)('$kind, $steps: $states', async ({ kind, steps, states }) => {
    const { world, receiver } = await start()
    const shipmentUid = await create(world, kind)
    for (const [index, step] of steps.entries()) {
      expect(await take(world, shipmentUid, step)).toEqual({ success: true, error: null, message: null })
      expect((await look(world, shipmentUid)).stateCode).toBe(states[index + 1])
    }
    const callbacks = (await receiver.until(states.length, shipmentUid)).map(({ message }) => message)
    expect(callbacks.map(({ stateCode }) => stateCode)).toEqual(states)
    const starts = callbacks.map(({ stateStart }) => stateStart)
    expect(starts).toEqual([...starts].sort())
    expect((await look(world, shipmentUid)).stateStart).toBe(starts.at(-1))
  })
})

test('a callback has the values at the time of the change (SPEC-89)', async () => {
  const { world, receiver } = await start()
  const Details = { ReferenceNo: 'r-1', ReferenceCaseNo: 'case-1', Description: 'A drill' }
  const shipmentUid = await create(world, 'issue', { Details })
  const [callback] = await receiver.until(1, shipmentUid)
  const shipment = await look(world, shipmentUid)
  expect(JSON.parse(callback?.body ?? '')).toEqual({
    messageType: 'ShipmentStatusUpdate',
    message: {
      shipmentUid,
      stateCode: 'ReadyForDropOff',
      stateStart: shipment.stateStart,
      shipmentType: 'LocalPupShipment',
      referenceNo: 'r-1',
      referenceCaseNo: 'case-1',
      description: 'A drill',
      pupUid: 'square',
      fromUserUid: shipment.fromUserUid,
      toUserUid: shipment.toUserUid,
    },
  })
})

test('an issue goes from the dispatcher to the user, and stock has no receiver (SPEC-9)', async () => {
  const { world } = await start()
  const dispatcher = await world.call('GetAccount', { userName: 'acme' })
  const user = await world.call('GetAccount', { emailAddress: 'dispatch@globex.example' })
  expect(await look(world, await create(world, 'issue'))).toMatchObject({
    fromUserUid: dispatcher.userUid,
    toUserUid: user.userUid,
  })
  expect(await look(world, await create(world, 'stock'))).toMatchObject({
    fromUserUid: dispatcher.userUid,
    toUserUid: null,
  })
})

describe('an ended shipment accepts no event', () => {
  const ends: { kind: Kind; steps: Step[] }[] = [
    { kind: 'issue', steps: ['dropOff', 'pickUp'] },
    { kind: 'issue', steps: ['cancel'] },
    { kind: 'stock', steps: ['dropOff', 'cancel'] },
  ]
  test.each(ends)('$kind after $steps', async ({ kind, steps }) => {
    const { world, receiver } = await start()
    const shipmentUid = await create(world, kind)
    for (const step of steps) await take(world, shipmentUid, step)
    const before = await look(world, shipmentUid)
    expect(await world.call('CancelShipment', { shipmentUid })).toMatchObject({
      success: false,
      error: 'InvalidShipmentState',
    })
    expect(await look(world, shipmentUid)).toEqual(before)
    expect(activeStates).not.toContain(before.stateCode)
    expect(await receiver.until(steps.length + 1, shipmentUid)).toHaveLength(steps.length + 1)
  })
})

test.each<{ steps: Step[] }>([
  { steps: ['dropOff', 'pickUp'] },
  { steps: ['cancel'] },
  { steps: ['dropOff', 'cancel'] },
])('the locker is free again when the shipment has ended, and not before (SPEC-26): $steps', async ({ steps }) => {
  const { world } = await start()
  const there = { ...booking, PupUid: 'border' }
  const shipmentUid = await create(world, 'issue', there)
  for (const step of steps) {
    expect(await world.call('CreateLocalShipmentAsStock', there)).toMatchObject({ error: 'NoLockerAvailable' })
    await take(world, shipmentUid, step)
  }
  expect(await world.call('CreateLocalShipmentAsStock', there)).toMatchObject({ success: true })
})

test('a clock that is set back does not make a newer state older', async () => {
  const { world, receiver } = await start()
  const shipmentUid = await create(world, 'issue')
  world.service.advance(-60_000)
  await take(world, shipmentUid, 'dropOff')
  const [first, second] = await receiver.until(2, shipmentUid)
  expect(second?.message.stateStart).toBe(first?.message.stateStart)
})

test('a clock that is set back does not make a change older, or updatedSince would miss it', async () => {
  const { world } = await start()
  const [issue, stock] = [await create(world, 'issue'), await create(world, 'stock')]
  const { toUserUid } = await look(world, issue)
  const changes = async () => {
    const rows = await world.service.store.selectFrom('shipments').select('updated_at').orderBy('seq').execute()
    return rows.map(({ updated_at }) => updated_at)
  }
  const before = await changes()
  world.service.advance(-60_000)
  await take(world, issue, 'dropOff')
  const issued = { PriorShipmentUid: stock, ToUserUid: toUserUid ?? '' }
  expect(await world.call('CreateLocalShipmentAsIssueFromStock', issued)).toMatchObject({ success: true })
  expect(await changes()).toEqual(before)
})

async function start(): Promise<{ world: ServiceWorld; receiver: Receiver }> {
  const world = await createWorld()
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'None' })
  return { world, receiver }
}

async function create(world: ServiceWorld, kind: Kind, ask: object = {}): Promise<string> {
  const receiverUid = (await world.call('GetAccount', { emailAddress: 'dispatch@globex.example' })).userUid ?? ''
  const response =
    kind === 'stock'
      ? await world.call('CreateLocalShipmentAsStock', { ...booking, ...ask })
      : await world.call('CreateLocalShipmentAsIssue', { ...booking, ToUserUid: receiverUid, ...ask })
  expect(response).toEqual({ success: true, error: null, message: null, shipmentUids: [expect.any(String)] })
  return response.shipmentUids[0] ?? ''
}

async function look(world: ServiceWorld, shipmentUid: string): Promise<ShipmentItem> {
  const { items } = await world.call('GetShipments', { shipmentUid })
  return items[0] as ShipmentItem
}

async function take(world: ServiceWorld, shipmentUid: string, step: Step) {
  if (step === 'cancel') return world.call('CancelShipment', { shipmentUid })
  const { pupUid, lockerName, pickUpCode, deliveryCode } = await look(world, shipmentUid)
  const pinCode = (step === 'dropOff' ? deliveryCode : pickUpCode) ?? ''
  return world.call('SimulateLockerAccess', { pupUid, lockerName: lockerName ?? '', pinCode })
}
