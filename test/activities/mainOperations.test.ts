import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import type { FlowName } from '#workflows/flows'
import { pass } from '../wire/wire.ts'
import { createsOf, dropOff, orderOf, overService, parcel } from './over.ts'

const over = overService()
const unkeyed = { ...fullProfile, idempotent: false }

/** Something inside that can be swapped. */
async function intakeInside(): Promise<string> {
  const Details = { ReferenceCaseNo: `before-${crypto.randomUUID()}` }
  const request = { ...parcel, FromUserUid: over.userUid, Details }
  const { shipmentUids } = await over.api.call('CreateLocalShipmentAsIntake', request)
  await dropOff(over.api, shipmentUids[0] ?? '')
  return shipmentUids[0] ?? ''
}

interface Row {
  readonly flow: FlowName
  readonly as: string
  readonly request: () => Promise<Record<string, unknown>>
}

const rows: Row[] = [
  { flow: 'localShipment', as: 'to a user', request: async () => ({ ...parcel, ToUserUid: over.userUid }) },
  {
    flow: 'localShipment',
    as: 'from a user, to nobody yet',
    request: async () => ({ ...parcel, FromUserUid: over.userUid, IsReceiverDelayed: true }),
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
    request: async () => ({ ...parcel, ToUserUid: over.userUid, KeepBookedAfterPickUp: false }),
  },
]

describe.each(rows)('$flow $as', ({ flow, request }) => {
  test('is booked, and read back with its role', async () => {
    const order = await orderOf(over, flow, { request: await request() })
    const [set] = await over.activities.book(order)
    expect(set).toMatchObject([{ role: order.roles[0]?.name, pupUid: 'pup-1', lockerName: expect.any(String) }])
  })

  test('is found by a second attempt at a service without keys', async () => {
    const order = { ...(await orderOf(over, flow, { request: await request() })), profile: unkeyed }
    over.wire.rule = ({ path }) => (path.includes('/Create') ? { kind: 'loseAnswer' } : pass)
    await expect(over.activities.book(order)).rejects.toThrow()
    over.wire.rule = () => pass
    const before = createsOf(over)
    const [found] = await over.activities.book(order)
    expect(found).toMatchObject([{ role: order.roles[0]?.name }])
    expect(createsOf(over)).toBe(before)
    const { items } = await over.api.call('GetShipments', { referenceCaseNo: order.caseNo })
    expect(items.map(({ shipmentUid }) => shipmentUid)).toEqual([found?.[0]?.shipmentUid])
  })
})

test('a swap is not taken for a shipment that swaps nothing', async () => {
  const caseNo = `A-${crypto.randomUUID()}`
  const swap = { ...parcel, SwapsShipmentUid: await intakeInside(), FromUserUid: over.userUid }
  await over.activities.book(await orderOf(over, 'localShipment', { caseNo, request: swap }))
  const plain = await orderOf(over, 'localShipment', { caseNo, request: { ...parcel, FromUserUid: over.userUid } })
  const booking = over.activities.book({ ...plain, profile: unkeyed })
  await expect(booking).rejects.toMatchObject({ type: 'BookingUncertain' })
})
