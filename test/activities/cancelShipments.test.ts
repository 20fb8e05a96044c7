import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { leftOverReasons, toRefusedReason } from '#flows'
import { pass } from '../../testing/stack/wire.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { itemInStock, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const withoutReads = { ...fullProfile, reads: false }
const empty = 'ReadyForDropOff'

async function booked(): Promise<string> {
  const { shipmentUids } = await world.api.call('CreateLocalShipmentAsStock', parcel)
  return shipmentUids[0] ?? ''
}

async function stateOf(shipmentUid: string): Promise<string | undefined> {
  const { items } = await world.api.call('GetShipments', { shipmentUid })
  return items[0]?.stateCode
}

/** Cancels shipments that the flow saw in these states last. */
function cancel(shipments: readonly (readonly [shipmentUid: string, stateCode: string])[], more: object = {}) {
  const known = shipments.map(([shipmentUid, stateCode]) => ({ shipmentUid, stateCode }))
  return world.activities.cancelShipments({ shipments: known, profile: fullProfile, ...more })
}

const readsOf = () => world.toService.passings.filter(({ path }) => path.endsWith('/GetShipments')).length

describe('clean-up', () => {
  test('cancels what is empty, the last one first, and leaves the rest with the reason', async () => {
    const [one, inside, ended] = [await booked(), await itemInStock(world), await booked()]
    await world.api.call('CancelShipment', { shipmentUid: ended })
    const all = [one, inside, ended, 'nothing'].map(uid => [uid, empty] as const)
    expect(await cancel(all)).toEqual([
      { shipmentUid: 'nothing', stateCode: 'Unknown', left: leftOverReasons.unknownShipment },
      { shipmentUid: ended, stateCode: 'Cancelled', left: null },
      { shipmentUid: inside, stateCode: 'WaitForReceiver', left: leftOverReasons.itemInside },
      { shipmentUid: one, stateCode: 'Cancelled', left: null },
    ])
    expect([await stateOf(one), await stateOf(inside)]).toEqual(['Cancelled', 'WaitForReceiver'])
  })

  test('cancels a shipment in a state that means no item in this flow', async () => {
    const inside = await itemInStock(world)
    const unusedStates = ['WaitForReceiver'] as const
    expect(await cancel([[inside, empty]], { unusedStates })).toMatchObject([{ stateCode: 'Cancelled', left: null }])
    expect(await stateOf(inside)).toBe('Cancelled')
  })

  test('relies on the states that the flow knows, at a service that cannot be read', async () => {
    const [one, other] = [await booked(), await booked()]
    const before = readsOf()
    const cleaned = await cancel(
      [
        [one, empty],
        [other, 'ReadyForPickup'],
        ['new', 'Later'],
      ],
      { profile: withoutReads },
    )
    expect(readsOf()).toBe(before)
    expect(cleaned).toEqual([
      { shipmentUid: 'new', stateCode: 'Later', left: leftOverReasons.unknownState },
      { shipmentUid: other, stateCode: 'ReadyForPickup', left: leftOverReasons.itemInside },
      { shipmentUid: one, stateCode: 'Cancelled', left: null },
    ])
    expect([await stateOf(one), await stateOf(other)]).toEqual(['Cancelled', empty])
  })

  test('leaves a shipment that the service refuses to cancel', async () => {
    const one = await booked()
    const body = { success: false, error: 'InvalidShipmentState', message: '' }
    world.toService.rule = ({ path }) => (path.endsWith('/CancelShipment') ? { kind: 'answer', body } : pass)
    const left = toRefusedReason('InvalidShipmentState')
    expect(await cancel([[one, empty]])).toEqual([{ shipmentUid: one, stateCode: empty, left }])
  })

  test('leaves an item that came in after the read', async () => {
    const inside = await itemInStock(world)
    let reads = 0
    world.toService.rule = ({ path }) =>
      path.endsWith('/GetShipments') && reads++ === 0
        ? { kind: 'rewrite', change: page => ({ ...page, items: (page.items as object[]).map(toEmpty) }) }
        : path.endsWith('/CancelShipment')
          ? { kind: 'answer', body: { success: false, error: 'InvalidShipmentState', message: '' } }
          : pass
    const toEmpty = (item: object) => ({ ...item, stateCode: empty })
    expect(await cancel([[inside, empty]])).toEqual([
      { shipmentUid: inside, stateCode: 'WaitForReceiver', left: leftOverReasons.itemInside },
    ])
  })
})
