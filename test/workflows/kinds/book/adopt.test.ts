import { expect, test } from 'vitest'
import { type BookingFlowName as FlowName, bookingFlows as flows, rolesOf } from '#flows'
import type { SimulatedStart, Simulation } from '#testing/simulator'
import { requireOperation, toRequest } from '../../../../activities/plan/request.ts'
import { type Journey, journeys, requestBeforeStock, type Service } from '../../../support/flows/journeys.ts'
import { stages } from '../../../support/flows/stages.ts'
import { holdResults } from '../../../support/simulator/heldResults.ts'
import { eventsUntil, tell } from '../../../support/simulator/journeys.ts'
import { type SimulatedTest, useSimulations } from '../../../support/simulator/useSimulations.ts'
import { parcel } from '../../../support/world/apiWorld.ts'

const start = useSimulations()
const caseNo = 'SIM-1'
const stock = { ...parcel, Details: { ReferenceCaseNo: caseNo } }

function serviceOf(simulation: Simulation): Service {
  return {
    api: { call: (name, request) => simulation.call(name as never, request as never) } as Service['api'],
    userUid: simulation.values.user(1),
    openShipment: (shipmentUid, code) => simulation.openLocker(shipmentUid, code),
  }
}

interface Lost {
  readonly flow: FlowName
  /** The step in which the flow was lost; by default its first one. */
  readonly step?: string
  readonly start?: Partial<SimulatedStart>
  readonly options?: SimulatedTest
}

/** Starts a flow again that was lost in a step. It adopts its booking. */
async function startLost({
  flow,
  step,
  start: given,
  options,
}: Lost): Promise<{ simulation: Simulation; uids: string[] }> {
  const request: Record<string, unknown> = {}
  const uids: string[] = []
  const prepare = async (simulation: Simulation) => {
    const service = serviceOf(simulation)
    Object.assign(request, await (step === 'ready' ? requestBeforeStock(service) : journeys[flow].prepare(service)))
    const [operation = ''] = flows[flow].steps.flatMap(each => ('book' in each ? [each.book] : []))
    const asked = toRequest(requireOperation(operation), request, caseNo)
    const booked = await service.api.call(operation as 'CreateLocalShipmentAsIssue', asked as never)
    uids.push(...('shipmentUid' in booked ? [String(booked.shipmentUid)] : booked.shipmentUids))
    const { openings }: Journey = journeys[flow]
    for (const [stage, opening] of Object.entries(openings)) {
      if (step === undefined || stage === step) break
      if (opening === null) continue
      await service.openShipment(uids[Object.keys(rolesOf(flows[flow])).indexOf(opening.role)] ?? '', opening.code)
    }
  }
  const simulation = await start({ flow, request, caseNo, adopt: true, ...given }, { ...options, prepare })
  return { simulation, uids }
}

async function expectUnchanged(simulation: Simulation, uids: readonly string[]): Promise<void> {
  const { items } = await simulation.call('GetShipments', { referenceCaseNo: caseNo })
  expect(items.map(({ shipmentUid }) => shipmentUid).toSorted()).toEqual(uids.toSorted())
  expect(items.map(({ stateCode }) => stateCode)).toEqual(uids.map(() => 'ReadyForDropOff'))
}

test.each(stages)('$name goes on in $stage with the same shipments, and completes', async ({ name, stage }) => {
  const { simulation, uids } = await startLost({ flow: name, step: stage })
  const { state, stage: reached, shipments } = simulation.status()
  expect({ state, reached }).toEqual({ state: 'waiting', reached: stage })
  const roles = Object.keys(rolesOf(flows[name])).map((role, index) => [role, uids[index]])
  expect(shipments.map(({ role, shipmentUid }) => [role, shipmentUid])).toEqual(roles)
  if (stage === 'ready') return
  await tell(simulation, eventsUntil(name).slice(eventsUntil(name, stage).length))
  expect(simulation.run().outcome).toBe('completed')
})

test('a case with two bookings is adopted by no flow, which books nothing', async () => {
  const uids: string[] = []
  const prepare = async (simulation: Simulation) => {
    for (let made = 0; made < 2; made++) {
      uids.push(...(await simulation.call('CreateLocalShipmentAsStock', stock)).shipmentUids)
    }
  }
  const simulation = await start({ flow: 'stock', request: parcel, caseNo, adopt: true }, { prepare })
  expect(simulation.run()).toMatchObject({ outcome: 'failed', code: 'NothingToAdopt' })
  await expectUnchanged(simulation, uids)
})

test('an issue is not adopted under the name of another flow, which books nothing', async () => {
  const { simulation, uids } = await startLost({ flow: 'issue', start: { flow: 'issueAndSwapIntake' } })
  expect(simulation.run()).toMatchObject({ outcome: 'failed', code: 'BookingUncertain' })
  await expectUnchanged(simulation, uids)
})

test('a flow that is cancelled before it has the booking undoes nothing', async () => {
  const { delivery, hold, deliver } = holdResults()
  hold('planAndBook')
  const { simulation, uids } = await startLost({ flow: 'issueFromStock', step: 'ready', options: { delivery } })
  await simulation.apply({ cancelInWebUi: true })
  expect(simulation.hasEnded).toBe(false)
  await deliver(simulation)
  const leftOver = [{ step: 'booking', shipmentUid: uids[0], reason: 'it was in stock before the flow' }]
  expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver })
  await expectUnchanged(simulation, uids)
  const { items } = await simulation.call('GetShipments', { referenceCaseNo: caseNo })
  expect(items[0]?.toUserUid).toBe(simulation.values.user(1))
})

test('a flow gives up if the service cannot list the bookings, and cancels nothing', async () => {
  const options = { faults: [{ call: 'GetShipments', fault: 'requestLost' }] } as const
  const { simulation, uids } = await startLost({ flow: 'stock', start: { windows: { booking: '10s' } }, options })
  await simulation.apply({ after: '1m' })
  expect(simulation.run()).toMatchObject({ outcome: 'failed', code: 'BookingGivenUp' })
  await expectUnchanged(simulation, uids)
})
