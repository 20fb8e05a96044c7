import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { pass } from '../../testing/stack/wire.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { createsOf, itemInStock, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()

/** Faults that by themselves say that nothing was done: what was booked before the reading is. */
const faults = [
  { status: 429, type: 'RateLimited' },
  { status: 403, type: 'Forbidden' },
]

test.each(faults)('a booking whose read fails with $status is possibly made, and its key finds it', async fault => {
  const { status, type } = fault
  const order = await orderOf(world, 'stock', { request: parcel })
  world.toService.rule = ({ path }) => (path.endsWith('/GetShipments') ? { kind: 'status', status } : pass)
  await expect(world.activities.bookShipments(order)).rejects.toMatchObject({
    type,
    nonRetryable: false,
    details: [{ attempt: 1, outcomeUnknown: true }],
  })
  const { items } = await world.api.call('GetShipments', { referenceCaseNo: order.caseNo })
  expect(items).toHaveLength(1)

  world.toService.rule = () => pass
  const before = createsOf(world)
  const [set] = await world.activities.bookShipments(order)
  expect(set?.map(({ shipmentUid }) => shipmentUid)).toEqual(items.map(({ shipmentUid }) => shipmentUid))
  expect(createsOf(world)).toBe(before + 1)
})

const withoutKeys = { ...fullProfile, idempotent: false }

/** A search says the same, and the booking that it follows exists. */
test.each(faults)(
  'a booking without a key whose search fails with $status is possibly made',
  async ({ status, type }) => {
    const order = { ...(await orderOf(world, 'stock', { request: parcel })), profile: withoutKeys }
    let reads = 0
    // The search before the create, the reading of the booking, and the search after it.
    world.toService.rule = ({ path }) =>
      path.endsWith('/GetShipments') && ++reads > 2 ? { kind: 'status', status } : pass
    await expect(world.activities.bookShipments(order)).rejects.toMatchObject({
      type,
      nonRetryable: false,
      details: [{ attempt: 1, outcomeUnknown: true }],
    })
    const { items } = await world.api.call('GetShipments', { referenceCaseNo: order.caseNo })
    expect(items).toHaveLength(1)
  },
)

test.each([
  ['a refusal', { kind: 'answer', body: { success: false, error: 'AccessDenied', message: null } }],
  ['a fault that is permanent', { kind: 'status', status: 404 }],
] as const)('a booking without a key is returned if its search ends with %s', async (_, handling) => {
  const order = { ...(await orderOf(world, 'stock', { request: parcel })), profile: withoutKeys }
  let reads = 0
  world.toService.rule = ({ path }) => (path.endsWith('/GetShipments') && ++reads > 2 ? handling : pass)
  expect(await world.activities.bookShipments(order)).toMatchObject([[{ role: 'stock' }]])
})

/** The order of a loan, whose booking has three shipments. */
async function loanOrder() {
  const request = { PriorShipmentUid: await itemInStock(world), ToUserUid: world.userUid }
  return orderOf(world, 'issueFromStockAndSubsequentIntakeAndCircularStock', { request })
}

const readsOf = () => world.toService.passings.filter(({ path }) => path.endsWith('/GetShipments')).length

test('the shipments of a booking are read by their case number in one request', async () => {
  const order = await loanOrder()
  const before = readsOf()
  const [booking] = await world.activities.bookShipments(order)
  expect(booking?.map(({ role }) => role)).toEqual(['issue', 'intake', 'stock'])
  expect(readsOf() - before).toBe(1)
})

test('at a service that cannot search by case number, each is read by its uid', async () => {
  const order = await loanOrder()
  const before = readsOf()
  const [booking] = await world.activities.bookShipments({
    ...order,
    profile: { ...order.profile, readsByCase: false },
  })
  expect(booking?.map(({ role }) => role)).toEqual(['issue', 'intake', 'stock'])
  expect(readsOf() - before).toBe(3)
})

test('a shipment that is not on the first page of its case is read by its uid', async () => {
  const order = await loanOrder()
  const Details = { ReferenceCaseNo: order.caseNo }
  // The page has ten, of which the item in stock is the first.
  for (let n = 0; n < 8; n++) await world.api.call('CreateLocalShipmentAsStock', { ...parcel, Details })
  const before = readsOf()
  const [booking] = await world.activities.bookShipments(order)
  expect(booking?.map(({ role }) => role)).toEqual(['issue', 'intake', 'stock'])
  expect(readsOf() - before).toBe(2)
})

/** The service does not list shipments before a certain reading, like one that reads from a replica. */
function listsLate(readings: number) {
  const nothing = { items: [], pageNo: 1, pageSize: 10, totalItems: 0, totalPages: 0, success: true }
  let count = 0
  world.toService.rule = ({ path }) =>
    path.endsWith('/GetShipments') && count++ < readings ? { kind: 'answer', body: nothing } : pass
}

test('shipments that the service lists later than it creates them are read again, since only their links tell the roles', async () => {
  const order = await loanOrder()
  listsLate(8)
  const [booking] = await world.activities.bookShipments(order)
  world.toService.rule = () => pass
  expect(booking?.map(({ role }) => role)).toEqual(['issue', 'intake', 'stock'])
  expect(booking?.map(({ lockerName }) => typeof lockerName)).toEqual(['string', 'string', 'string'])
  expect(booking?.[0]?.stateCode).toBe('ReadyForPickup')
})

describe('a search after the create that does not list the booking', () => {
  /** A service without keys, which lists this shipment for every search after a create. */
  async function listsInstead(caseNo: string, changes: Record<string, unknown>) {
    const { shipmentUids } = await world.api.call('CreateLocalShipmentAsStock', parcel)
    const { items } = await world.api.call('GetShipments', { shipmentUid: shipmentUids[0] })
    const listed = items.map(item => ({ ...item, referenceCaseNo: caseNo, ...changes }))
    const before = createsOf(world)
    const page = { pageNo: 1, pageSize: 10, totalItems: 1, totalPages: 1, success: true }
    world.toService.rule = ({ path, body }) =>
      path.endsWith('/GetShipments') && body.includes('bookedPupUid') && createsOf(world) > before
        ? { kind: 'answer', body: { ...page, items: listed } }
        : pass
    return shipmentUids
  }

  async function bookUnkeyed() {
    const order = await orderOf(world, 'stock', { request: parcel })
    const profile = { ...order.profile, idempotent: false, readsByCase: false }
    return { order, book: () => world.activities.bookShipments({ ...order, profile }) }
  }

  test('keeps it beside an earlier one, which the flow then cancels or keeps instead', async () => {
    const { order, book } = await bookUnkeyed()
    const [earlier] = await listsInstead(order.caseNo, {})
    const bookings = await book()
    expect(bookings).toHaveLength(2)
    expect(bookings[0]?.map(({ shipmentUid }) => shipmentUid)).toEqual([earlier])
  })

  test('keeps it also if the others of the case make up no booking', async () => {
    const { order, book } = await bookUnkeyed()
    await listsInstead(order.caseNo, { priorShipmentUid: randomUUID() })
    const [booking, ...others] = await book()
    expect(booking?.map(({ role }) => role)).toEqual(['stock'])
    expect(others).toEqual([])
  })
})
