import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { UndoBookingInput } from '#activities/interface'
import { fullProfile } from '#contract/terms'
import { leftOverReasons } from '#flows'
import { parcel } from '../support/world/apiWorld.ts'
import { itemInStock, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const existedBefore = leftOverReasons.existedBefore

async function emptyStock(): Promise<string> {
  const Details = { ReferenceCaseNo: `before-${randomUUID()}` }
  const { shipmentUids } = await world.api.call('CreateLocalShipmentAsStock', { ...parcel, Details })
  return shipmentUids[0] ?? ''
}

/** Issues stock to the user, and returns the input of the undo. */
async function issue(PriorShipmentUid: string): Promise<UndoBookingInput> {
  const request = { PriorShipmentUid, ToUserUid: world.userUid }
  const { roles, caseNo, profile, ...order } = await orderOf(world, 'issueFromStock', { request })
  const [shipments = []] = await world.activities.bookShipments({ ...order, roles, caseNo, profile })
  return { shipments, roles, caseNo, profile, toUserUid: world.userUid, announced: false }
}

async function receiverOf(shipmentUid: string): Promise<string | null | undefined> {
  const { items } = await world.api.call('GetShipments', { shipmentUid })
  return items[0]?.toUserUid
}

describe('the undo of an issue from stock', () => {
  test('removes the receiver before the item has arrived, and may be repeated', async () => {
    const shipmentUid = await emptyStock()
    const input = await issue(shipmentUid)
    const undone = [{ shipmentUid, stateCode: 'ReadyForDropOff', left: null }]
    expect(await world.activities.undoBooking(input)).toEqual(undone)
    expect(await receiverOf(shipmentUid)).toBeNull()
    expect(await world.activities.undoBooking(input)).toEqual(undone)
  })

  test.each<[string, Partial<UndoBookingInput>]>([
    ['a caller may know of it', { announced: true }],
    ['the service cannot be read', { profile: { ...fullProfile, reads: false } }],
    ['the request has no receiver', { toUserUid: null }],
    ['it has another receiver by now', { toUserUid: 'another' }],
    ['it belongs to another case by now', { caseNo: 'another' }],
  ])('leaves the receiver if %s', async (_, changes) => {
    const shipmentUid = await emptyStock()
    const input = { ...(await issue(shipmentUid)), ...changes }
    const left = { shipmentUid, stateCode: 'ReadyForDropOff', left: existedBefore }
    expect(await world.activities.undoBooking(input)).toEqual([left])
    expect(await receiverOf(shipmentUid)).toBe(world.userUid)
  })

  test('leaves an item that the receiver can collect', async () => {
    const shipmentUid = await itemInStock(world)
    const left = { shipmentUid, stateCode: 'ReadyForPickup', left: existedBefore }
    expect(await world.activities.undoBooking(await issue(shipmentUid))).toEqual([left])
    expect(await receiverOf(shipmentUid)).toBe(world.userUid)
  })
})

test('the undo of a collection cancels it, although it is created as if it held an item', async () => {
  const order = await orderOf(world, 'collectByUser', {
    request: { ...parcel, ToUserUid: world.userUid, KeepBookedAfterPickUp: false },
  })
  const [shipments = []] = await world.activities.bookShipments(order)
  const { roles, caseNo, profile } = order
  const input = { shipments, roles, caseNo, profile, toUserUid: world.userUid }
  const shipmentUid = shipments[0]?.shipmentUid
  expect(await world.activities.undoBooking({ ...input, announced: true })).toEqual([
    { shipmentUid, stateCode: 'ReadyForPickup', left: leftOverReasons.itemInside },
  ])
  expect(await world.activities.undoBooking({ ...input, announced: false })).toEqual([
    { shipmentUid, stateCode: 'Cancelled', left: null },
  ])
})
