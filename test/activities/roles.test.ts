import { describe, expect, test } from 'vitest'
import type { BookedSet } from '#activities/interface'
import { fullProfile } from '#contract/terms'
import type { FlowName } from '#workflows/flows'
import { type Answer, pass, type Rule } from '../wire/wire.ts'
import { createsOf, itemInStock, orderOf, overService, parcel } from './over.ts'

const over = overService()
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
  if (flow.startsWith('issueFromStock')) return { PriorShipmentUid: await itemInStock(over), ToUserUid: over.userUid }
  return { ...parcel, [flow.startsWith('intake') ? 'FromUserUid' : 'ToUserUid']: over.userUid }
}

function rolesOf(set: BookedSet | undefined): Record<string, string> {
  return Object.fromEntries(set?.map(({ role, shipmentUid }) => [role, shipmentUid]) ?? [])
}

const linked: FlowName[] = [
  'issueAndSwapIntake',
  'intakeAndCircularStock',
  'issueFromStockAndSwapIntake',
  'issueFromStockAndSubsequentIntakeAndCircularStock',
]

test.each(linked)('the shipments of %s have their roles by links, in whatever order they are answered', async flow => {
  const order = await orderOf(over, flow, { request: await requestOf(flow) })
  over.wire.rule = answersOf('/CreateLocal', answer => ({
    ...answer,
    shipmentUids: (answer.shipmentUids as string[]).toReversed(),
  }))
  const [reversed] = await over.activities.book(order)
  over.wire.rule = () => pass
  // The same key: the same booking, in its own order.
  const [straight] = await over.activities.book(order)
  expect(rolesOf(reversed)).toEqual(rolesOf(straight))
  expect(reversed?.map(({ role }) => role)).toEqual(order.roles.map(({ name }) => name))
})

describe('a service whose lists have no links', () => {
  const unlinked = answersOf(
    'GetShipments',
    items(({ swapsShipmentUid: _, priorShipmentUid: __, circularPriorShipmentUid: ___, ...item }) => item),
  )

  test.each(linked)('an earlier booking of %s is not understood, so nothing is booked again', async flow => {
    const order = await orderOf(over, flow, { request: await requestOf(flow) })
    await over.activities.book(order)
    const before = createsOf(over)
    over.wire.rule = unlinked
    const again = over.activities.book({ ...order, profile: unkeyed })
    await expect(again).rejects.toMatchObject({ type: 'BookingUncertain', nonRetryable: true })
    expect(createsOf(over)).toBe(before)
  })

  test('with keys, the order of the answer is all there is', async () => {
    const order = await orderOf(over, 'issueAndSwapIntake', { request: await requestOf('issueAndSwapIntake') })
    const [straight] = await over.activities.book(order)
    over.wire.rule = unlinked
    const [set] = await over.activities.book(order)
    expect(rolesOf(set)).toEqual(rolesOf(straight))
    expect(set?.map(({ stateCode }) => stateCode)).toEqual(['ReadyForDropOff', 'WaitForPriorShipment'])
  })
})

test('bookings that were made in the same moment are told apart by links, and always in the same order', async () => {
  const request = await requestOf('issueAndSwapIntake')
  const order = await orderOf(over, 'issueAndSwapIntake', { request })
  const [one] = await over.activities.book(order)
  const [other] = await over.activities.book({ ...order, idempotencyKey: 'another' })
  const sameMoment = items(item => ({ ...item, created: '2026-11-20T10:00:00.000' }))
  const reversed = (answer: Answer) => ({ ...answer, items: (answer.items as Item[]).toReversed() })
  const since = '2026-11-20T10:00:00.000Z'
  const found: Record<string, string>[][] = []
  for (const order_ of [(answer: Answer) => answer, reversed]) {
    over.wire.rule = answersOf('GetShipments', answer => order_(sameMoment(answer) as Answer))
    found.push((await over.activities.findBooked({ ...order, since })).map(rolesOf))
  }
  expect(found[0]).toEqual(found[1])
  expect(found[0]).toHaveLength(2)
  expect(found[0]).toEqual(expect.arrayContaining([rolesOf(one), rolesOf(other)]))
})
