import { expect } from 'vitest'
import type { ShipmentItem } from '#contract'
import { states } from '#contract/terms'
import type { ServiceWorld } from '../world/serviceWorld.ts'

const isActive = ({ stateCode }: ShipmentItem) => !states[stateOf(stateCode)].final
const holdsItem = ({ stateCode }: ShipmentItem) => states[stateOf(stateCode)].holdsItem
const same = (texts: readonly (string | null)[]) => [...new Set(texts)].sort()

/** All shipments, from the oldest to the newest. */
export async function shipmentsOf(world: ServiceWorld): Promise<ShipmentItem[]> {
  return (await world.call('GetShipments', { pageSize: 500 })).items
}

/** Asserts the invariants of shipments, lockers and access codes, from responses and from the stored codes. */
export async function expectSound(world: ServiceWorld): Promise<readonly ShipmentItem[]> {
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
    if (stateCode === 'WaitForPriorShipment') expect(isActive(prior), 'waits for an active prior shipment').toBe(true)
    if (swapsShipmentUid === null || !isActive(prior)) continue
    expect(shipment.deliveryCode, 'a swap shares its code').toBe(prior.pickUpCode)
    expect(stateCode === 'ReadyForDropOff', 'ready after its prior shipment').toBe(prior.stateCode === 'ReadyForPickup')
    expect(holdsItem(shipment), 'holds no item before the swap').toBe(false)
  }
}

async function expectCodes({ service }: ServiceWorld, shipments: readonly ShipmentItem[]): Promise<void> {
  const shared = new Set(shipments.filter(isActive).map(({ swapsShipmentUid }) => swapsShipmentUid))
  const codes = shipments.flatMap(({ shipmentUid, pickUpCode, deliveryCode }) => [
    // A swap has the same code while both are active.
    ...(shared.has(shipmentUid) ? [] : [pickUpCode]),
    deliveryCode,
  ])
  const live = codes.filter(code => code !== null)
  expect(live, 'each code belongs to one locker').toHaveLength(new Set(live).size)
  for (const shipment of shipments) {
    const has = isActive(shipment) ? expect.stringMatching(/^\d{6}$/) : null
    expect(shipment).toMatchObject({ pickUpCode: has, deliveryCode: has })
  }
  const taken = await service.store.selectFrom('access_codes').select('code_hash').execute()
  const hashes = shipments
    .filter(isActive)
    .flatMap(({ pupUid, pickUpCode, deliveryCode }) =>
      [pickUpCode, deliveryCode]
        .filter(code => code !== null)
        .flatMap(code => service.secrets.hashCodes(pupUid, [code]).map(({ code_hash }) => code_hash)),
    )
  expect(taken.map(({ code_hash }) => code_hash).sort(), 'reserved codes').toEqual(same([...new Set(hashes)]))
}

async function expectLockers(world: ServiceWorld, shipments: readonly ShipmentItem[]): Promise<void> {
  const full = shipments.filter(holdsItem).map(({ lockerUid }) => lockerUid)
  expect(full, 'a locker holds at most one item').toHaveLength(new Set(full).size)
  const booked = new Set(shipments.filter(isActive).map(({ lockerUid }) => lockerUid))
  const { items } = await world.call('GetPickUpPoints', { pupUid: 'square', includeDetails: true })
  const sizes = items[0]?.lockers ?? []
  const count = (of: 'total' | 'free') => sizes.reduce((sum, size) => sum + size[of], 0)
  expect(count('total') - count('free'), 'booked lockers').toBe(items[0]?.outOfService ? count('total') : booked.size)
}

/** The state of a state code. */
export function stateOf(code: string): keyof typeof states {
  if (code in states) return code as keyof typeof states
  throw new Error(`unknown state ${code}`)
}
