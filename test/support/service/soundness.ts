import { expect } from 'vitest'
import type { ShipmentItem } from '#contract'
import { states } from '#contract/terms'
import type { World } from './world.ts'

const isActive = ({ stateCode }: ShipmentItem) => !states[stateOf(stateCode)].final
const holdsItem = ({ stateCode }: ShipmentItem) => states[stateOf(stateCode)].holdsItem
const same = (texts: readonly (string | null)[]) => [...new Set(texts)].sort()

/** All shipments, from the oldest to the newest. */
export async function shipmentsOf(world: World): Promise<ShipmentItem[]> {
  return (await world.call('GetShipments', { pageSize: 500 })).items
}

/** Holds what callers can see, and the codes that the store keeps, against what is always true. */
export async function expectSound(world: World): Promise<readonly ShipmentItem[]> {
  const shipments = await shipmentsOf(world)
  expectLinks(shipments)
  await expectCodes(world, shipments)
  await expectLockers(world, shipments)
  return shipments
}

function expectLinks(shipments: readonly ShipmentItem[]): void {
  for (const shipment of shipments.filter(isActive)) {
    const { swapsShipmentUid, priorShipmentUid, circularPriorShipmentUid, stateCode } = shipment
    const priorUid = swapsShipmentUid ?? priorShipmentUid ?? circularPriorShipmentUid
    const prior = shipments.find(({ shipmentUid }) => shipmentUid === priorUid)
    if (prior === undefined) {
      expect(stateCode).not.toBe('WaitForPriorShipment')
      continue
    }
    expect(prior).toMatchObject({ pupUid: shipment.pupUid, lockerUid: shipment.lockerUid })
    if (stateCode === 'WaitForPriorShipment') expect(isActive(prior), 'waits for one that has ended').toBe(true)
    if (swapsShipmentUid === null || !isActive(prior)) continue
    expect(shipment.deliveryCode, 'one code for both of a swap').toBe(prior.pickUpCode)
    expect(stateCode === 'ReadyForDropOff', 'its turn').toBe(prior.stateCode === 'ReadyForPickup')
    expect(holdsItem(shipment), 'dropped off onto the other').toBe(false)
  }
}

async function expectCodes({ service }: World, shipments: readonly ShipmentItem[]): Promise<void> {
  const shared = new Set(shipments.filter(isActive).map(({ swapsShipmentUid }) => swapsShipmentUid))
  const codes = shipments.flatMap(({ shipmentUid, pickUpCode, deliveryCode }) => [
    // The swap has it too, while both live.
    ...(shared.has(shipmentUid) ? [] : [pickUpCode]),
    deliveryCode,
  ])
  const live = codes.filter(code => code !== null)
  expect(live, 'a code for one locker only').toHaveLength(new Set(live).size)
  for (const shipment of shipments) {
    const has = isActive(shipment) ? expect.stringMatching(/^\d{6}$/) : null
    expect(shipment).toMatchObject({ pickUpCode: has, deliveryCode: has })
  }
  const taken = await service.store.selectFrom('access_codes').select('code').execute()
  expect(taken.map(({ code }) => code).sort(), 'codes that are taken').toEqual(same(live))
}

async function expectLockers(world: World, shipments: readonly ShipmentItem[]): Promise<void> {
  const full = shipments.filter(holdsItem).map(({ lockerUid }) => lockerUid)
  expect(full, 'a locker with two items').toHaveLength(new Set(full).size)
  const booked = new Set(shipments.filter(isActive).map(({ lockerUid }) => lockerUid))
  const { items } = await world.call('GetPickUpPoints', { pupUid: 'square', includeDetails: true })
  const sizes = items[0]?.lockers ?? []
  const count = (of: 'total' | 'free') => sizes.reduce((sum, size) => sum + size[of], 0)
  expect(count('total') - count('free'), 'booked lockers').toBe(booked.size)
}

/** The state that a code of the wire means. */
export function stateOf(code: string): keyof typeof states {
  if (code in states) return code as keyof typeof states
  throw new Error(`${code} is no state`)
}
