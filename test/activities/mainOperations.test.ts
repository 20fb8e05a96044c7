import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { existingShipment, type BookingFlowName as FlowName } from '#flows'
import { pass } from '../../testing/stack/wire.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { createsOf, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const unkeyed = { ...fullProfile, idempotent: false }

/** Something inside that can be swapped. */
async function intakeInside(): Promise<string> {
  const Details = { ReferenceCaseNo: `before-${crypto.randomUUID()}` }
  const request = { ...parcel, FromUserUid: world.userUid, Details }
  const { shipmentUids } = await world.api.call('CreateLocalShipmentAsIntake', request)
  await world.openShipment(shipmentUids[0] ?? '', 'deliveryCode')
  return shipmentUids[0] ?? ''
}

interface Row {
  readonly flow: FlowName
  readonly as: string
  readonly request: () => Promise<Record<string, unknown>>
}

const rows: Row[] = [
  { flow: 'localShipment', as: 'to a user', request: async () => ({ ...parcel, ToUserUid: world.userUid }) },
  {
    flow: 'localShipment',
    as: 'from a user, without a receiver yet',
    request: async () => ({ ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }),
  },
  {
    flow: 'localShipment',
    as: 'as a swap',
    request: async () => ({ ...parcel, SwapsShipmentUid: await intakeInside(), IsReceiverDelayed: true }),
  },
  { flow: 'collectByDispatcher', as: 'kept', request: async () => ({ ...parcel, KeepBookedAfterPickUp: true }) },
  {
    flow: 'collectByUser',
    as: 'once',
    request: async () => ({ ...parcel, ToUserUid: world.userUid, KeepBookedAfterPickUp: false }),
  },
]

describe.each(rows)('$flow $as', ({ flow, request }) => {
  test('is booked, and read back with its role', async () => {
    const order = await orderOf(world, flow, { request: await request() })
    const [set] = await world.activities.bookShipments(order)
    expect(set).toMatchObject([{ role: order.roles[0]?.name, pupUid: 'pup-1', lockerName: expect.any(String) }])
  })

  test('is found by a second attempt at a service without keys', async () => {
    const order = { ...(await orderOf(world, flow, { request: await request() })), profile: unkeyed }
    world.toService.rule = ({ path }) => (path.includes('/Create') ? { kind: 'loseAnswer' } : pass)
    await expect(world.activities.bookShipments(order)).rejects.toThrow()
    world.toService.rule = () => pass
    const before = createsOf(world)
    const [found] = await world.activities.bookShipments(order)
    expect(found).toMatchObject([{ role: order.roles[0]?.name }])
    expect(createsOf(world)).toBe(before)
    const { items } = await world.api.call('GetShipments', { referenceCaseNo: order.caseNo })
    expect(items.map(({ shipmentUid }) => shipmentUid)).toEqual([found?.[0]?.shipmentUid])
  })
})

test('a swap is not mistaken for a shipment without a swap', async () => {
  const caseNo = `A-${crypto.randomUUID()}`
  const swap = { ...parcel, SwapsShipmentUid: await intakeInside(), FromUserUid: world.userUid }
  await world.activities.bookShipments(await orderOf(world, 'localShipment', { caseNo, request: swap }))
  const plain = await orderOf(world, 'localShipment', { caseNo, request: { ...parcel, FromUserUid: world.userUid } })
  const booking = world.activities.bookShipments({ ...plain, profile: unkeyed })
  await expect(booking).rejects.toMatchObject({ type: 'BookingUncertain' })
})

describe('a booking whose response was lost is found, if the plan', () => {
  const swap = { by: 'swap', to: existingShipment } as const

  test.each([
    ['expects a swap and the request names none', swap, false],
    ['expects no swap and the request names one', null, true],
  ])('%s', async (_, link, isSwap) => {
    const swapped = isSwap ? { SwapsShipmentUid: await intakeInside() } : {}
    const order = await orderOf(world, 'localShipment', {
      request: { ...parcel, ...swapped, FromUserUid: world.userUid, IsReceiverDelayed: true },
    })
    const roles = order.roles.map(role => ({ ...role, link }))
    world.toService.rule = ({ path }) => (path.includes('/Create') ? { kind: 'loseAnswer' } : pass)
    await expect(world.activities.bookShipments({ ...order, roles })).rejects.toThrow()
    const found = await world.activities.findBookings({ ...order, roles })
    expect(found).toMatchObject([[{ role: 'shipment' }]])
  })
})
