import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import type { BookingFlowName as FlowName } from '#flows'
import { book } from '../../../support/flows/booking.ts'
import { resetToStart } from '../../../support/flows/reset.ts'
import { startFor, walk } from '../../../support/flows/underway.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const fromStock: FlowName[] = [
  'issueFromStock',
  'issueFromStockAndSwapIntake',
  'issueFromStockAndSubsequentIntakeAndCircularStock',
]

describe.each([
  ['with idempotency keys', fullProfile],
  ['without idempotency keys', { ...fullProfile, idempotent: false }],
  ['without idempotency keys and the case filter', { ...fullProfile, idempotent: false, readsByCase: false }],
])('a flow that is reset to before its booking, at a service %s', (_, profile) => {
  const world = useWorld({ profile })

  test.each(['issue', 'issueAndSwapIntake', ...fromStock] as const)('%s keeps its shipments', async flow => {
    const underway = await startFor(world, flow)
    await world.statusWhen(underway.caseNo, ({ state }) => state === 'waiting')
    await resetToStart(world, underway.caseNo)
    const { shipments } = await world.statusWhen(underway.caseNo, ({ state }) => state === 'waiting')
    expect(shipments.map(({ role, shipmentUid }) => [role, shipmentUid])).toEqual(
      underway.shipments.map(({ role, shipmentUid }) => [role, shipmentUid]),
    )
    await walk(world, underway)
    expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('after its cancellation, books no locker', async () => {
    const { caseNo } = await book(world, 'stock')
    await world.flows.cancel(caseNo, 'over')
    await resetToStart(world, caseNo)
    await world.flows.cancel(caseNo, 'over again')
    const ended = await world.flows.result(caseNo)
    expect(ended).toMatchObject({ kind: 'Ended', result: { outcome: 'cancelled' } })
    const shipments = await world.shipmentsOf(caseNo)
    expect(new Set(shipments.map(({ stateCode }) => stateCode))).toEqual(new Set(['Cancelled']))
    world.cases.set(caseNo, shipments.length)
  })
})
