import { describe, expect, test } from 'vitest'
import { fullProfile, type ServiceProfile } from '#contract/terms'
import { type BookingFlowName as FlowName, bookingFlows as flows, rolesOf } from '#flows'
import type { SimulatedStart, Simulation } from '#testing/simulator'
import { pass } from '../../../../testing/stack/wire.ts'
import { eventually } from '../../../support/eventually.ts'
import { journeys } from '../../../support/flows/journeys.ts'
import { startOf } from '../../../support/simulator/journeys.ts'
import { untilEnd, useSimulations } from '../../../support/simulator/useSimulations.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const flowNames = Object.keys(flows) as FlowName[]
const issuing = flowNames.filter(flow => flow.startsWith('issueFromStock'))
const issues = (flow: FlowName) => Object.values(rolesOf(flows[flow])).some(({ existing }) => existing)

/** Milliseconds; a flow that waits for the outcome waits this long. */
const createDelay = 1_000

const foreign = { shipmentUid: '00000000-0000-4000-8000-000000000000', stateStart: '' }
const noReceiver = { stateCode: 'WaitForReceiver', toUserUid: null }

interface Faults {
  readonly profile: ServiceProfile
  /** The fault of every create before the clean-up. */
  readonly fault: 'requestLost' | 'responseLost'
  /** The state of a shipment that no create has booked, whose callback arrives before the cancellation. */
  readonly callback?: string
}

const start = useSimulations({ createDelay })

/** Cancels a flow whose creates all meet faults, and ends the faults when its clean-up has begun. Returns its end. */
async function cancelWhileBooking(given: SimulatedStart, { profile, fault, callback }: Faults): Promise<Simulation> {
  const declaration = flows[given.flow as FlowName]
  const [book = ''] = declaration.steps.flatMap(step => ('book' in step ? [step.book] : []))
  const simulation = await start({ ...given, waits: false }, { profile, faults: [{ book, fault }] })
  // Without keys, attempts after the first one search the case.
  if (!profile.idempotent) await simulation.apply({ fail: { call: 'GetShipments', fault: 'requestLost' } })
  expect(simulation.status().state).toBe('booking')
  if (callback !== undefined) await simulation.signal({ ...foreign, stateCode: callback })
  await simulation.apply({ cancel: 'over' })
  await simulation.apply({ recover: book })
  await simulation.apply({ recover: 'GetShipments' })
  await untilEnd(simulation)
  return simulation
}

/** The left-overs of an ended flow, and the shipments of the service: the one that it issues, and its own active ones. */
async function endOf(simulation: Simulation) {
  const { outcome, leftOver, status } = simulation.run()
  const { items } = await simulation.call('GetShipments', {})
  const stockUid = issues(status.flow as FlowName) ? simulation.values.item('item') : ''
  const own = items.filter(
    ({ referenceCaseNo, shipmentUid }) => referenceCaseNo === 'SIM-1' && shipmentUid !== stockUid,
  )
  const active = own.filter(({ stateCode }) => stateCode !== 'Cancelled').map(({ stateCode }) => stateCode)
  return { outcome, leftOver, active, stockUid, stock: items.find(({ shipmentUid }) => shipmentUid === stockUid) }
}

const leave = (shipmentUid: string, reason: string) => [{ step: 'booking', shipmentUid, reason }]
const lost = 'the response to its booking was lost'
const before = 'it was in stock before the flow'

describe.each([
  ['with keys and reads', fullProfile],
  ['with keys, and reads without the case filter', { ...fullProfile, readsByCase: false }],
  ['with keys only', { ...fullProfile, reads: false, readsByCase: false }],
  ['with reads only', { ...fullProfile, idempotent: false }],
])('cancelled before a response to its create, at a service %s', (_, profile) => {
  test.each(flowNames)('%s leaves nothing booked or issued if no create reached the service', async flow => {
    const ended = await endOf(await cancelWhileBooking(startOf(flow), { profile, fault: 'requestLost' }))
    const leftOver = issues(flow) && !profile.reads ? leave(ended.stockUid, lost) : []
    expect(ended).toMatchObject({ outcome: 'cancelled', leftOver, active: [] })
    if (issues(flow)) expect(ended.stock).toMatchObject(noReceiver)
  })

  test.each(flowNames)('%s undoes what a create has booked, and leaves over only an issued item', async flow => {
    const ended = await endOf(await cancelWhileBooking(startOf(flow), { profile, fault: 'responseLost' }))
    const leftOver = issues(flow) ? leave(ended.stockUid, before) : []
    expect(ended).toMatchObject({ outcome: 'cancelled', leftOver, active: [] })
  })

  const rows = issuing.flatMap(flow => ['Cancelled', 'unheardOf'].map(state => [flow, state] as const))
  test.runIf(!profile.reads).each(rows)(
    '%s issues no item after a callback with the state %s',
    async (flow, callback) => {
      const ended = await endOf(await cancelWhileBooking(startOf(flow), { profile, fault: 'requestLost', callback }))
      expect(ended).toMatchObject({ leftOver: leave(ended.stockUid, lost), stock: noReceiver })
    },
  )

  test.runIf(profile.reads).each(issuing)('%s removes the receiver of an item that has not arrived', async flow => {
    const ended = await endOf(await cancelWhileBooking(startOf(flow, 'ready'), { profile, fault: 'responseLost' }))
    expect(ended).toMatchObject({ leftOver: [], active: [], stock: { stateCode: 'ReadyForDropOff', toUserUid: null } })
  })
})

describe('on Temporal', () => {
  const world = useWorld({ createDelay })

  test.each([
    ['stock', 'cut'],
    ['stock', 'loseAnswer'],
    ['issueFromStock', 'cut'],
    ['issueFromStock', 'loseAnswer'],
  ] as const)('%s comes to the same end if its first create is handled by %s', async (flow, kind) => {
    const request = await journeys[flow].prepare(world)
    const caseNo = world.newCase()
    let creates = 0
    world.toService.rule = ({ path, body }) => {
      if (!path.includes('/Create') || !body.includes(caseNo)) return pass
      return ++creates === 1 ? { kind } : { kind: 'cut' }
    }
    await world.flows.start(flow, { caseNo, request })
    await eventually(() => creates > 0)
    if (kind === 'loseAnswer') await eventually(async () => (await world.shipmentsOf(caseNo))[0])
    const cancelled = world.flows.cancel(caseNo, 'over', { timeout: 150_000 })
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp' || state === 'ended')
    world.toService.rule = () => pass
    const isIssued = flow === 'issueFromStock' && kind === 'loseAnswer'
    const leftOver = isIssued ? leave(String(request.PriorShipmentUid), before) : []
    expect(await cancelled).toMatchObject({ kind: 'Cancelled', outcome: 'cancelled', leftOver })
    const shipments = await world.shipmentsOf(caseNo)
    const active = shipments.filter(({ stateCode }) => stateCode !== 'Cancelled')
    expect(active.map(({ shipmentUid }) => shipmentUid)).toEqual(leftOver.map(({ shipmentUid }) => shipmentUid))
    world.cases.set(caseNo, shipments.length)
  })
})
