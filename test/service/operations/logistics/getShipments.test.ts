import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestOf } from '#contract'
import { booking } from '../../../support/service/topology.ts'
import { createWorld } from '../../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../../support/world/serviceWorld.ts'

let world: ServiceWorld
/** By the letter that stands for each: a at drop off, b cancelled, c in stock, d an issue elsewhere, e shared, f foreign. */
const uids: Record<string, string> = {}
let userUid = ''
let middle = ''

beforeAll(async () => {
  world = await createWorld()
  userUid = (await world.call('GetAccount', { userName: 'acme' })).userUid ?? ''
  const other = (await world.call('GetAccount', { userName: 'globex' }, 'globex')).userUid ?? ''
  const stock = async (letter: string, ask: object, tenant?: string) => {
    const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, ...ask }, tenant)
    uids[letter] = shipmentUids[0] ?? ''
    world.service.advance(1_000)
  }
  await stock('a', { Details: { ReferenceCaseNo: 'case-1' } })
  await stock('b', { Details: { ReferenceCaseNo: 'case-1' } })
  await stock('c', {})
  const issue = { ...booking, PupUid: 'reserve', ToUserUid: other }
  uids.d = (await world.call('CreateLocalShipmentAsIssue', issue)).shipmentUids[0] ?? ''
  world.service.advance(1_000)
  await stock('e', { PupUid: 'shared' })
  await stock('f', { PupUid: 'shared' }, 'globex')
  const foreign = { ...booking, PupUid: 'shared', ToUserUid: other }
  expect(await world.call('CreateLocalShipmentAsIssue', foreign, 'globex')).toMatchObject({ success: true })
  middle = new Date(world.service.settings.clock() - 500).toISOString()
  await world.call('CancelShipment', { shipmentUid: uids.b ?? '' })
  world.service.advance(1_000)
  const { deliveryCode } = await world.call('GetShipmentAccessCode', { shipmentUid: uids.c ?? '' })
  await world.call('SimulateLockerAccess', { pupUid: 'square', lockerName: 'M1', pinCode: deliveryCode ?? '' })
  userUid = other
})

afterAll(() => world.stop())

type Ask = RequestOf<'GetShipments'>
const rows: { what: string; ask: () => Ask; finds: string }[] = [
  { what: 'no filter', ask: () => ({}), finds: 'abcde' },
  {
    what: 'empty and null filters',
    ask: () => ({
      shipmentState: [],
      userUid: '',
      bookedPupUid: null,
      shipmentUid: '',
      updatedSince: '',
      referenceCaseNo: '',
      activeShipments: false,
      outOfService: false,
    }),
    finds: 'abcde',
  },
  { what: 'active ones', ask: () => ({ activeShipments: true }), finds: 'acde' },
  { what: 'a state', ask: () => ({ shipmentState: ['Cancelled'] }), finds: 'b' },
  { what: 'states in any casing', ask: () => ({ shipmentState: ['cancelled', 'WAITFORRECEIVER'] }), finds: 'bc' },
  { what: "the other spelling of a state's name", ask: () => ({ shipmentState: ['ReadyForDropoff'] }), finds: 'ade' },
  {
    what: 'active ones in an ended state',
    ask: () => ({ activeShipments: true, shipmentState: ['Cancelled'] }),
    finds: '',
  },
  { what: 'a case', ask: () => ({ referenceCaseNo: 'case-1' }), finds: 'ab' },
  { what: 'a case in another casing is another case', ask: () => ({ referenceCaseNo: 'CASE-1' }), finds: '' },
  { what: 'a pick up point', ask: () => ({ bookedPupUid: 'reserve' }), finds: 'd' },
  { what: 'a user who receives', ask: () => ({ userUid }), finds: 'd' },
  { what: 'an unknown user', ask: () => ({ userUid: 'nobody' }), finds: '' },
  { what: 'one shipment', ask: () => ({ shipmentUid: uids.c ?? '' }), finds: 'c' },
  { what: "somebody else's shipment", ask: () => ({ shipmentUid: uids.f ?? '' }), finds: '' },
  { what: 'what changed since', ask: () => ({ updatedSince: middle }), finds: 'bc' },
  { what: 'what changed since, without the offset', ask: () => ({ updatedSince: middle.slice(0, -1) }), finds: 'bc' },
  {
    what: 'what changed since, by another clock',
    ask: () => ({ updatedSince: middle.replace('Z', '-02:00') }),
    finds: '',
  },
  { what: 'several filters', ask: () => ({ referenceCaseNo: 'case-1', activeShipments: true }), finds: 'a' },
  { what: 'newest first', ask: () => ({ sortBy: 'CreatedDesc' }), finds: 'edcba' },
  { what: 'least recently changed first', ask: () => ({ sortBy: 'ActivityAsc' }), finds: 'adebc' },
  { what: 'most recently changed first', ask: () => ({ sortBy: 'ActivityDesc' }), finds: 'cbeda' },
]

describe('GetShipments lists by', () => {
  test.each(rows)('$what: "$finds"', async ({ ask, finds }) => {
    const response = await world.call('GetShipments', ask())
    expect(letters(response)).toBe(finds)
    expect(response).toMatchObject({ pageNo: 1, pageSize: 50, totalItems: finds.length })
  })
})

describe('GetShipments pages', () => {
  test.each([
    { pageNo: 1, finds: 'ab' },
    { pageNo: 2, finds: 'cd' },
    { pageNo: 3, finds: 'e' },
    { pageNo: 4, finds: '' },
  ])('page $pageNo of two each: "$finds"', async ({ pageNo, finds }) => {
    const response = await world.call('GetShipments', { pageNo, pageSize: 2 })
    expect(letters(response)).toBe(finds)
    expect(response).toMatchObject({ pageNo, pageSize: 2, totalItems: 5, totalPages: 3 })
  })

  test.each(
    (['CreatedAsc', 'CreatedDesc', 'ActivityAsc', 'ActivityDesc'] as const).flatMap(sortBy =>
      [{}, { activeShipments: true }].map(filter => ({ sortBy, pageSize: 2, ...filter })),
    ),
  )('all pages of %o together are the whole list', async ask => {
    const whole = await world.call('GetShipments', { ...ask, pageSize: 50 })
    const pages: string[] = []
    for (let pageNo = 1; (pageNo - 1) * ask.pageSize < whole.totalItems; pageNo++)
      pages.push(letters(await world.call('GetShipments', { ...ask, pageNo })))
    expect(pages.join('')).toBe(letters(whole))
    expect(pages).toHaveLength(Math.ceil(whole.totalItems / ask.pageSize))
  })

  test.each([
    { pageNo: 1, finds: 'c' },
    { pageNo: 2, finds: '' },
  ])('page $pageNo of one shipment: "$finds"', async ({ pageNo, finds }) => {
    const response = await world.call('GetShipments', { shipmentUid: uids.c ?? '', pageNo, pageSize: 1 })
    expect(letters(response)).toBe(finds)
    expect(response).toMatchObject({ pageNo, pageSize: 1, totalItems: 1, totalPages: 1 })
  })

  test.each([
    { pageNo: 1, pageSize: 1, finds: 'a' },
    { pageNo: 2, pageSize: 1, finds: 'b' },
    { pageNo: 1, pageSize: 2, finds: 'ab' },
    { pageNo: 2, pageSize: 2, finds: '' },
  ])('page $pageNo of a case, $pageSize each: "$finds"', async ({ pageNo, pageSize, finds }) => {
    const response = await world.call('GetShipments', { referenceCaseNo: 'case-1', pageNo, pageSize })
    expect(letters(response)).toBe(finds)
    expect(response).toMatchObject({ pageNo, pageSize, totalItems: 2, totalPages: 2 / pageSize })
  })

  test.each([{ pageNo: 0 }, { pageSize: 0 }, { pageSize: 501 }])('not %o', async page => {
    expect(await world.call('GetShipments', page)).toMatchObject({ error: 'InvalidRequest' })
  })
})

test('an unknown state is refused with its index in the list', async () => {
  const response = await world.call('GetShipments', { shipmentState: ['Cancelled', 'Lost'] })
  expect(response).toMatchObject({
    success: false,
    error: 'InvalidRequest',
    message: expect.stringMatching(/State\[1\]/),
  })
})

test('an item has every field that the decisions name (SPEC-7)', async () => {
  const { items } = await world.call('GetShipments', { shipmentUid: uids.d ?? '' })
  expect(items[0]).toEqual({
    shipmentUid: uids.d,
    shipmentType: 'LocalPupShipment',
    stateCode: 'ReadyForDropOff',
    stateStart: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
    created: items[0]?.stateStart,
    referenceNo: null,
    referenceCaseNo: null,
    description: null,
    fromUserUid: expect.any(String),
    toUserUid: userUid,
    pupUid: 'reserve',
    lockerUid: 'reserve:R1',
    lockerName: 'R1',
    pickUpCode: expect.stringMatching(/^\d{6}$/),
    deliveryCode: expect.stringMatching(/^\d{6}$/),
    swapsShipmentUid: null,
    priorShipmentUid: null,
    circularPriorShipmentUid: null,
    keepBookedAfterPickUp: false,
    outOfService: null,
    objects: [],
  })
})

function letters({ items }: { items: { shipmentUid: string }[] }): string {
  return items.map(({ shipmentUid }) => Object.keys(uids).find(letter => uids[letter] === shipmentUid) ?? '?').join('')
}
