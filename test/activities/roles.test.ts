import { describe, expect, test } from 'vitest'
import type { Booking } from '#activities/interface'
import { fullProfile } from '#contract/terms'
import type { BookingFlowName as FlowName } from '#flows'
import { type Answer, pass, type Rule } from '../../testing/stack/wire.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { createsOf, itemInStock, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const unkeyed = { ...fullProfile, idempotent: false }

type Item = Record<string, unknown>

/** Changes the answers of one operation on their way. */
function answersOf(operation: string, change: (answer: Answer) => object): Rule {
  return ({ path }) => (path.includes(operation) ? { kind: 'rewrite', change } : pass)
}

function items(change: (item: Item, index: number) => Item): (answer: Answer) => object {
  return answer => ({ ...answer, items: (answer.items as Item[]).map(change) })
}

async function requestOf(flow: FlowName): Promise<Record<string, unknown>> {
  if (flow.startsWith('issueFromStock')) return { PriorShipmentUid: await itemInStock(world), ToUserUid: world.userUid }
  return { ...parcel, [flow.startsWith('intake') ? 'FromUserUid' : 'ToUserUid']: world.userUid }
}

function rolesOf(set: Booking | undefined): Record<string, string> {
  return Object.fromEntries(set?.map(({ role, shipmentUid }) => [role, shipmentUid]) ?? [])
}

const linked: FlowName[] = [
  'issueAndSwapIntake',
  'intakeAndCircularStock',
  'issueFromStockAndSwapIntake',
  'issueFromStockAndSubsequentIntakeAndCircularStock',
]

test.each(linked)('the links of %s decide the roles, regardless of the order in the response', async flow => {
  const order = await orderOf(world, flow, { request: await requestOf(flow) })
  world.toService.rule = answersOf('/CreateLocal', answer => ({
    ...answer,
    shipmentUids: (answer.shipmentUids as string[]).toReversed(),
  }))
  const [reversed] = await world.activities.bookShipments(order)
  world.toService.rule = () => pass
  // The same key: the same booking, in its own order.
  const [straight] = await world.activities.bookShipments(order)
  expect(rolesOf(reversed)).toEqual(rolesOf(straight))
  expect(reversed?.map(({ role }) => role)).toEqual(order.roles.map(({ name }) => name))
})

describe('a service whose lists have no links', () => {
  const unlinked = answersOf(
    'GetShipments',
    items(({ swapsShipmentUid: _, priorShipmentUid: __, circularPriorShipmentUid: ___, ...item }) => item),
  )

  test.each(linked)('an earlier booking of %s has no recognizable roles, so nothing is booked again', async flow => {
    const order = await orderOf(world, flow, { request: await requestOf(flow) })
    await world.activities.bookShipments(order)
    const before = createsOf(world)
    world.toService.rule = unlinked
    const again = world.activities.bookShipments({ ...order, profile: unkeyed })
    await expect(again).rejects.toMatchObject({ type: 'BookingUncertain', nonRetryable: true })
    expect(createsOf(world)).toBe(before)
  })

  test('with keys, the roles follow the order of the response', async () => {
    const order = await orderOf(world, 'issueAndSwapIntake', { request: await requestOf('issueAndSwapIntake') })
    const [straight] = await world.activities.bookShipments(order)
    world.toService.rule = unlinked
    const [set] = await world.activities.bookShipments(order)
    expect(rolesOf(set)).toEqual(rolesOf(straight))
    expect(set?.map(({ stateCode }) => stateCode)).toEqual(['ReadyForDropOff', 'WaitForPriorShipment'])
  })
})

test('bookings of the same moment are distinguished by links, in a stable order', async () => {
  const request = await requestOf('issueAndSwapIntake')
  const order = await orderOf(world, 'issueAndSwapIntake', { request })
  const [one] = await world.activities.bookShipments(order)
  const [other] = await world.activities.bookShipments({ ...order, idempotencyKey: 'another' })
  const sameMoment = items(item => ({ ...item, created: '2026-11-20T10:00:00.000' }))
  const reversed = (answer: Answer) => ({ ...answer, items: (answer.items as Item[]).toReversed() })
  const since = '2026-11-20T10:00:00.000Z'
  const found: Record<string, string>[][] = []
  for (const order_ of [(answer: Answer) => answer, reversed]) {
    world.toService.rule = answersOf('GetShipments', answer => order_(sameMoment(answer) as Answer))
    found.push((await world.activities.findBookings({ ...order, since })).map(rolesOf))
  }
  expect(found[0]).toEqual(found[1])
  expect(found[0]).toHaveLength(2)
  expect(found[0]).toEqual(expect.arrayContaining([rolesOf(one), rolesOf(other)]))
})
