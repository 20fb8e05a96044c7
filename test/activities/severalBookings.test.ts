import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Booking, BookStepInput } from '#activities/interface'
import { fullProfile } from '#contract/terms'
import { parcel } from '../support/world/apiWorld.ts'
import { createsOf, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const unkeyed = { ...fullProfile, idempotent: false }

/** The inputs of two book steps of one case, by the same operation. */
async function twoSteps(): Promise<[first: BookStepInput, second: BookStepInput]> {
  const first = await orderOf(world, 'stock', { request: parcel })
  return [first, { ...first, idempotencyKey: `${first.caseNo}:${randomUUID()}:again` }]
}

const uidsOf = (bookings: readonly Booking[]) => bookings.flat().map(({ shipmentUid }) => shipmentUid)

test('two steps of one operation book twice, and each finds its own booking again', async () => {
  const [first, second] = await twoSteps()
  const one = uidsOf(await world.activities.bookShipments(first))
  const other = uidsOf(await world.activities.bookShipments({ ...second, others: one }))
  expect(other).not.toEqual(one)
  expect(uidsOf(await world.activities.bookShipments({ ...second, others: one }))).toEqual(other)
})

test('without keys a step does not mistake the booking of another one for its own', async () => {
  const [first, second] = await twoSteps()
  const one = uidsOf(await world.activities.bookShipments({ ...first, profile: unkeyed }))
  const before = createsOf(world)
  const input = { ...second, profile: unkeyed, others: one }
  expect(await world.activities.findBookings(input)).toEqual([])
  const other = uidsOf(await world.activities.bookShipments(input))
  expect(createsOf(world)).toBe(before + 1)
  expect(uidsOf(await world.activities.bookShipments(input))).toEqual(other)
  expect(createsOf(world)).toBe(before + 1)
})

test('a request with an output is checked, and gets the case number', async () => {
  const [first] = await twoSteps()
  await expect(
    world.activities.bookShipments({ ...first, request: { ...parcel, PupUid: 4900 } }),
  ).rejects.toMatchObject({ type: 'InvalidFlowInput', nonRetryable: true })
  const [uid = ''] = uidsOf(await world.activities.bookShipments({ ...first, request: parcel }))
  const { items } = await world.api.call('GetShipments', { shipmentUid: uid })
  expect(items).toMatchObject([{ referenceCaseNo: first.caseNo }])
})

describe('adoption by a flow with several bookings', () => {
  test('takes a first booking that has ended, which a flow with one booking refuses', async () => {
    const request = { ...parcel, ToUserUid: world.userUid }
    const first = await orderOf(world, 'issue', { request })
    const [uid = ''] = uidsOf(await world.activities.bookShipments(first))
    await world.openShipment(uid, 'deliveryCode')
    await world.openShipment(uid, 'pickUpCode')
    const adopt = (adopt: 'active' | 'any') => world.activities.bookShipments({ ...first, adopt })
    expect(uidsOf(await adopt('any'))).toEqual([uid])
    await expect(adopt('active')).rejects.toMatchObject({ type: 'NothingToAdopt' })
  })

  test('fills the later step if a booking fits, and books it otherwise', async () => {
    const [first, second] = await twoSteps()
    const others = uidsOf(await world.activities.bookShipments(first))
    const input = { ...second, others, adopt: 'anyOrNew' } as const
    const made = uidsOf(await world.activities.bookShipments(input))
    expect(others).not.toContain(made[0])
    const before = createsOf(world)
    expect(uidsOf(await world.activities.bookShipments({ ...input, idempotencyKey: randomUUID() }))).toEqual(made)
    expect(createsOf(world)).toBe(before)
  })

  test('leaves the choice between two bookings to a person', async () => {
    const [first, second] = await twoSteps()
    await world.activities.bookShipments(first)
    await world.activities.bookShipments(second)
    await expect(world.activities.bookShipments({ ...first, adopt: 'any' })).rejects.toMatchObject({
      type: 'NothingToAdopt',
    })
  })
})
