import { describe, expect, test } from 'vitest'
import { fullProfile, isFinalState } from '#contract/terms'
import { type BookingFlowName as FlowName, toExistingShipmentUid } from '#flows'
import { type Handling, pass } from '../../../../testing/stack/wire.ts'
import { journeys } from '../../../support/flows/journeys.ts'
import type { World } from '../../../support/world/flowWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

/** Flows of each kind: one shipment, two, from stock, and a collection. */
const flowNames: readonly FlowName[] = [
  'intake',
  'issueAndSwapIntake',
  'intakeAndCircularStock',
  'issueFromStockAndSubsequentIntakeAndCircularStock',
  'collectByUser',
]
const internal = { success: false, error: 'InternalError', message: null }

/** How each attempt of a create is handled, by its number from one. */
const faults: Readonly<Record<string, (attempt: number) => Handling>> = {
  'responses that are cut': attempt => (attempt < 4 ? { kind: 'loseAnswer' } : pass),
  'a body of another shape': attempt => (attempt < 3 ? { kind: 'rewrite', change: () => ({ success: true }) } : pass),
  'InternalError after it has booked': attempt => (attempt < 3 ? { kind: 'rewrite', change: () => internal } : pass),
  'cut responses, then a refusal': attempt =>
    attempt === 1
      ? { kind: 'loseAnswer' }
      : { kind: 'answer', body: { success: false, error: 'NoLockerAvailable', message: null } },
  'cut responses, then HTTP 404': attempt => (attempt === 1 ? { kind: 'loseAnswer' } : { kind: 'status', status: 404 }),
}

interface Ended {
  readonly flow: FlowName
  readonly caseNo: string
  readonly stockUid: string
}

/** Starts each flow, cancels it when it is booked, and returns when all have ended. */
async function runAll(world: World, fateOf: (attempt: number) => Handling): Promise<Ended[]> {
  const attempts = new Map<string, number>()
  world.toService.rule = ({ path, body }) => {
    const caseNo = [...world.cases.keys()].find(each => body.includes(each))
    if (caseNo === undefined || !/\/Create(Local|CollectOnly)/.test(path)) return pass
    const attempt = (attempts.get(caseNo) ?? 0) + 1
    attempts.set(caseNo, attempt)
    return fateOf(attempt)
  }
  return Promise.all(
    flowNames.map(async flow => {
      const request = await journeys[flow].prepare(world)
      const caseNo = world.newCase()
      const booking = await world.flows.startAndWaitForBooking(flow, { caseNo, request })
      if (booking.kind === 'Booked') await world.flows.cancel(caseNo, 'over', { timeout: 150_000 })
      await world.flows.result(caseNo)
      world.cases.set(caseNo, (await world.shipmentsOf(caseNo)).length)
      return { flow, caseNo, stockUid: 'PriorShipmentUid' in request ? toExistingShipmentUid({ request }) : '' }
    }),
  )
}

/** The uids that a flow reports; null stands for a booking without one. */
async function reported(world: World, caseNo: string): Promise<Set<string | null>> {
  const status = await world.flows.status(caseNo)
  if (status.kind !== 'Status') throw new Error(JSON.stringify(status))
  const { result, failure } = status.status
  const end = result ?? failure
  if (end === null) throw new Error(`${caseNo} has not ended`)
  return new Set(end.leftOver.map(({ shipmentUid }) => shipmentUid))
}

describe.each([
  ['with keys and reads', fullProfile],
  ['with keys only', { ...fullProfile, reads: false, readsByCase: false }],
  ['with reads only', { ...fullProfile, idempotent: false }],
  ['with neither', { ...fullProfile, idempotent: false, reads: false, readsByCase: false }],
])('at a service %s', (_, profile) => {
  const world = useWorld({ profile, createDelay: 1_000 })

  // A service with keys repeats its first response. Without reads the flow has to believe it.
  const believed = profile.idempotent && !profile.reads ? ['cut responses, then a refusal'] : []

  test.each(Object.entries(faults).filter(([name]) => !believed.includes(name)))(
    'no locker stays booked unnoticed after %s',
    async (_, fateOf) => {
      for (const { flow, caseNo, stockUid } of await runAll(world, fateOf)) {
        const left = await reported(world, caseNo)
        const active = (await world.shipmentsOf(caseNo)).filter(({ stateCode }) => !isFinalState(stateCode))
        const unnoticed = active.filter(
          ({ shipmentUid }) => !left.has(shipmentUid) && !left.has(null) && !left.has(stockUid),
        )
        expect({ flow, unnoticed }).toEqual({ flow, unnoticed: [] })
      }
    },
  )
})

describe('a service that lists a part of a booking first', () => {
  const world = useWorld({ profile: { ...fullProfile, idempotent: false }, createDelay: 1_000 })

  test('keeps no locker booked after a response that is cut', async () => {
    const caseNo = world.newCase(2)
    let creates = 0
    let searches = 0
    world.toService.rule = ({ path, body }) => {
      if (!body.includes(caseNo)) return pass
      if (path.endsWith('CreateLocalShipmentAsIssueAndSwapIntake')) {
        creates++
        return { kind: 'loseAnswer' }
      }
      if (!path.endsWith('GetShipments') || creates === 0 || ++searches > 1) return pass
      return { kind: 'rewrite', change: ({ items, ...page }) => ({ ...page, items: (items as unknown[]).slice(0, 1) }) }
    }
    const request = await journeys.issueAndSwapIntake.prepare(world)
    const booking = await world.flows.startAndWaitForBooking('issueAndSwapIntake', { caseNo, request })
    expect(booking).toMatchObject({ kind: 'Refused', code: 'BookingUncertain' })
    await world.flows.result(caseNo)
    expect((await world.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode)).toEqual(['Cancelled', 'Cancelled'])
  })
})
