import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { type BookingFlowName as FlowName, bookingFlows as flows, rolesOf, toExistingShipmentUid } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { eventually } from '../../../support/eventually.ts'
import { journeys, requestBeforeStock } from '../../../support/flows/journeys.ts'
import { type Fate, pass } from '../../../support/wire.ts'
import type { World } from '../../../support/world/flowWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const flowNames = Object.keys(flows) as FlowName[]

/** Milliseconds; a flow that waits for the outcome waits this long. */
const createDelay = 1_000

interface Attempted {
  readonly flow: FlowName
  readonly caseNo: string
  /** The uid of the stock shipment that the flow issues; empty for other flows. */
  readonly stockUid: string
}

/**
 * Starts every flow with a service whose creates all meet faults, cancels it, and ends the faults when its clean-up has
 * begun. Returns when every flow has ended.
 * @param firstFate the fate of the first create of a case; no later one arrives
 * @param callback the state of a shipment that no create of the case has booked, which arrives before the cancellation
 */
async function cancelWhileBooking(
  world: World,
  names: readonly FlowName[],
  prepare: (flow: FlowName) => Promise<Record<string, unknown>>,
  firstFate: Fate,
  callback?: string,
): Promise<Attempted[]> {
  const started = await Promise.all(
    names.map(async flow => {
      const request = await prepare(flow)
      const caseNo = world.newCase()
      const issues = Object.values(rolesOf(flows[flow])).some(({ existing }) => existing)
      return { flow, caseNo, request, stockUid: issues ? toExistingShipmentUid({ request }) : '' }
    }),
  )
  const attempts = new Map<string, number>()
  const mended = new Set<string>()
  world.toService.rule = ({ path, body }) => {
    const caseNo = started.find(({ caseNo }) => body.includes(caseNo))?.caseNo
    if (caseNo === undefined || mended.has(caseNo)) return pass
    // Without keys, attempts after the first one search the case.
    const isCreate = /\/Create(Local|CollectOnly)/.test(path)
    if (!isCreate) return (attempts.get(caseNo) ?? 0) > 0 ? { kind: 'cut' } : pass
    const attempt = (attempts.get(caseNo) ?? 0) + 1
    attempts.set(caseNo, attempt)
    return attempt === 1 ? firstFate : { kind: 'cut' }
  }
  const ended = started.map(async ({ flow, caseNo, request }) => {
    await world.flows.start(flow, { caseNo, request })
    await eventually(() => (attempts.get(caseNo) ?? 0) > 0)
    if (firstFate.kind === 'loseAnswer') await eventually(async () => (await world.shipmentsOf(caseNo))[0])
    if (callback !== undefined) {
      const status = { shipmentUid: randomUUID(), stateCode: callback, stateStart: '' }
      await world.flows.handle(caseNo).signal(shipmentStatus, status)
    }
    const cancelled = world.flows.cancel(caseNo, 'over', { timeout: 150_000 })
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp' || state === 'ended')
    mended.add(caseNo)
    expect(await cancelled).toMatchObject({ kind: 'Cancelled', outcome: 'cancelled' })
    world.cases.set(caseNo, (await world.shipmentsOf(caseNo)).length)
  })
  await Promise.all(ended)
  return started
}

async function stockOf({ api }: World, shipmentUid: string) {
  const { items } = await api.call('GetShipments', { shipmentUid })
  return items[0]
}

async function leftOverOf({ flows }: World, caseNo: string) {
  const ended = await flows.result(caseNo)
  return ended.kind === 'Ended' ? ended.result.leftOver : ended
}

/** The active shipments of the case, without the stock shipment that existed before. */
async function activeOf(world: World, { caseNo, stockUid }: Attempted) {
  const items = await world.shipmentsOf(caseNo)
  const active = items.filter(({ stateCode }) => stateCode !== 'Cancelled')
  return active.filter(({ shipmentUid }) => shipmentUid !== stockUid).map(({ stateCode }) => stateCode)
}

describe.each([
  ['with keys and reads', fullProfile],
  ['with keys, and reads without the case filter', { ...fullProfile, readsByCase: false }],
  ['with keys only', { ...fullProfile, reads: false, readsByCase: false }],
  ['with reads only', { ...fullProfile, idempotent: false }],
])('flows that are cancelled before a response to their create, at a service %s', (_, profile) => {
  const world = useWorld({ profile, createDelay })
  const prepare = (flow: FlowName) => journeys[flow].prepare(world)

  test('leave nothing booked or issued if no create reached the service', async () => {
    const ended = await cancelWhileBooking(world, flowNames, prepare, { kind: 'cut' })
    for (const { flow, caseNo, stockUid } of ended) {
      const unknown = [{ step: 'booking', shipmentUid: stockUid, reason: 'the response to its booking was lost' }]
      const leftOver = stockUid !== '' && !profile.reads ? unknown : []
      expect({ flow, leftOver: await leftOverOf(world, caseNo) }).toEqual({ flow, leftOver })
      expect({ flow, active: await activeOf(world, { flow, caseNo, stockUid }) }).toEqual({ flow, active: [] })
      if (stockUid === '') continue
      expect(await stockOf(world, stockUid)).toMatchObject({ stateCode: 'WaitForReceiver', toUserUid: null })
    }
  })

  test('undo what a create has booked, and leave over only an issued item in its locker', async () => {
    const ended = await cancelWhileBooking(world, flowNames, prepare, { kind: 'loseAnswer' })
    for (const { flow, caseNo, stockUid } of ended) {
      const issued = [{ step: 'booking', shipmentUid: stockUid, reason: 'it was in stock before the flow' }]
      const leftOver = stockUid === '' ? [] : issued
      expect({ flow, leftOver: await leftOverOf(world, caseNo) }).toEqual({ flow, leftOver })
      expect({ flow, active: await activeOf(world, { flow, caseNo, stockUid }) }).toEqual({ flow, active: [] })
    }
  })

  test.runIf(!profile.reads).each(['Cancelled', 'unheardOf'])(
    'issue no item after a callback with the state %s',
    async state => {
      const issuing = flowNames.filter(flow => flow.startsWith('issueFromStock'))
      const ended = await cancelWhileBooking(world, issuing, prepare, { kind: 'cut' }, state)
      for (const { flow, caseNo, stockUid } of ended) {
        const unknown = [{ step: 'booking', shipmentUid: stockUid, reason: 'the response to its booking was lost' }]
        expect({ flow, leftOver: await leftOverOf(world, caseNo) }).toEqual({ flow, leftOver: unknown })
        expect(await stockOf(world, stockUid)).toMatchObject({ stateCode: 'WaitForReceiver', toUserUid: null })
      }
    },
  )

  test.runIf(profile.reads)('remove the receiver of a stock shipment whose item has not arrived', async () => {
    const issuing = flowNames.filter(flow => flow.startsWith('issueFromStock'))
    const ended = await cancelWhileBooking(world, issuing, () => requestBeforeStock(world), { kind: 'loseAnswer' })
    for (const { flow, caseNo, stockUid } of ended) {
      expect({ flow, leftOver: await leftOverOf(world, caseNo) }).toEqual({ flow, leftOver: [] })
      expect({ flow, active: await activeOf(world, { flow, caseNo, stockUid }) }).toEqual({ flow, active: [] })
      expect(await stockOf(world, stockUid)).toMatchObject({ stateCode: 'ReadyForDropOff', toUserUid: null })
    }
  })
})
