import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { BookStepInput } from '#activities/interface'
import { fullProfile } from '#contract/terms'
import type { BookingFlowName as FlowName } from '#flows'
import { parcel } from '../support/world/apiWorld.ts'
import { itemInStock, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const minute = 60_000

async function anotherUser(): Promise<string> {
  const { userUid } = await world.api.call('CreateOrGetAccount', {
    emailAddress: `kim-${randomUUID()}@example.org`,
    firstName: 'Kim',
    lastName: 'Park',
    pickUpPointUid: 'pup-1',
  })
  return userUid ?? ''
}

/** An item in a locker that can be swapped. */
async function intakeInside(): Promise<string> {
  const request = { ...parcel, FromUserUid: world.userUid, Details: { ReferenceCaseNo: `before-${randomUUID()}` } }
  const { shipmentUids } = await world.api.call('CreateLocalShipmentAsIntake', request)
  const [shipmentUid = ''] = shipmentUids
  await world.openShipment(shipmentUid, 'deliveryCode')
  return shipmentUid
}

/** Books for another program, and returns the input of a flow with the same case number and another request. */
async function bookedByAnother(
  flow: FlowName,
  { theirs, ours }: Record<'theirs' | 'ours', Record<string, unknown>>,
): Promise<BookStepInput> {
  const order = await orderOf(world, flow, { request: theirs })
  await world.activities.bookShipments(order)
  return orderOf(world, flow, { caseNo: order.caseNo, request: ours })
}

describe('a booking with the case number is another one', () => {
  test.each<[string, FlowName, () => Promise<Record<'theirs' | 'ours', Record<string, unknown>>>]>([
    [
      'for another receiver',
      'issue',
      async () => ({
        theirs: { ...parcel, ToUserUid: await anotherUser() },
        ours: { ...parcel, ToUserUid: world.userUid },
      }),
    ],
    [
      'from another sender',
      'intake',
      async () => ({
        theirs: { ...parcel, FromUserUid: await anotherUser() },
        ours: { ...parcel, FromUserUid: world.userUid },
      }),
    ],
    [
      'that swaps another item',
      'localShipment',
      async () => {
        const request = { ...parcel, FromUserUid: world.userUid }
        return {
          theirs: { ...request, SwapsShipmentUid: await intakeInside() },
          ours: { ...request, SwapsShipmentUid: await intakeInside() },
        }
      },
    ],
  ])('%s', async (_, flow, requests) => {
    const input = await bookedByAnother(flow, await requests())
    await expect(world.activities.findBookings(input)).rejects.toMatchObject({ type: 'BookingUncertain' })
  })

  test('that issues the item to another receiver', async () => {
    const PriorShipmentUid = await itemInStock(world)
    const input = await bookedByAnother('issueFromStock', {
      theirs: { PriorShipmentUid, ToUserUid: await anotherUser() },
      ours: { PriorShipmentUid, ToUserUid: world.userUid },
    })
    expect(await world.activities.findBookings(input)).toEqual([])
  })
})

test('a booking of any age is adopted', async () => {
  world.clockOffset = -60 * minute
  const order = await orderOf(world, 'stock', { request: parcel })
  const booked = await world.activities.bookShipments(order)
  world.clockOffset = 0
  const since = new Date().toISOString()
  expect(await world.activities.findBookings({ ...order, since })).toEqual([])
  expect(await world.activities.bookShipments({ ...order, since, adopt: 'active' })).toEqual(booked)
})

test('a booking in an overflow locker is found at a service that cannot search by case number', async () => {
  const request = { ...parcel, Dimension: { width: 60, height: 60, length: 60 }, AllowOverflowLockers: true }
  const order = await orderOf(world, 'stock', { request })
  const booked = await world.activities.bookShipments(order)
  expect(booked).toMatchObject([[{ pupUid: 'pup-2' }]])
  const profile = { ...fullProfile, readsByCase: false }
  expect(await world.activities.findBookings({ ...order, profile })).toEqual(booked)
})
