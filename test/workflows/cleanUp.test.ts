import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { type LeftOver, searchAttributes, toWorkflowId } from '#flows'
import { type Handling, pass, type Rule } from '../../testing/stack/wire.ts'
import { eventually, gate } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { textOf } from '../support/flows/history.ts'
import { startFor } from '../support/flows/underway.ts'
import { parcel } from '../support/world/apiWorld.ts'
import type { World } from '../support/world/flowWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const refusal: Handling = { kind: 'answer', body: { success: false, error: 'InvalidShipmentState', message: 'no' } }
/** Responses that a retry cannot change. */
const noes: [string, Handling, string][] = [
  ['404', { kind: 'status', status: 404 }, 'UnknownOperation'],
  ['400', { kind: 'status', status: 400 }, 'InvalidRequest'],
  ['a refusal', refusal, 'InvalidShipmentState'],
]

function at(operation: string, handling: Handling, of = ''): Rule {
  return ({ path, body }) => (path.endsWith(operation) && body.includes(of) ? handling : pass)
}

/** The flow ends with an answer for everybody, and is found as one that cleaned up last. */
async function expectLeftOver(world: World, caseNo: string, expected: LeftOver[]): Promise<void> {
  const { flows, client } = world
  const { shipments } = await world.statusWhen(caseNo, () => true)
  const held = new Map(shipments.map(shipment => [shipment.shipmentUid, shipment]))
  const leftOver = expected.map(left => {
    const { pupUid, lockerName } = held.get(left.shipmentUid ?? '') ?? {}
    return { ...left, ...(pupUid && { pupUid }), ...(lockerName && { lockerName }) }
  })
  expect(await flows.cancel(caseNo, 'over')).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver })
  const result = { outcome: 'cancelled', leftOver }
  expect(await flows.result(caseNo)).toMatchObject({ kind: 'Ended', result })
  const { typedSearchAttributes } = await client.workflow.getHandle(toWorkflowId(caseNo)).describe()
  const found = new Map(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]))
  const { state, steps, overdue } = searchAttributes
  expect([found.get(state.name), found.get(steps.name), found.get(overdue.name)]).toEqual([
    'cleaningUp',
    undefined,
    false,
  ])
}

describe.each([
  ['that can be asked', fullProfile],
  ['that cannot be asked', { ...fullProfile, reads: false, readsByCase: false }],
])('a clean-up at a service %s', (_, profile) => {
  const world = useWorld({ profile })

  test.each(noes)(
    'whose response to CancelShipment is %s, reports the shipment as left over',
    async (_, handling, code) => {
      const { caseNo, shipment } = await book(world, 'stock')
      world.toService.rule = at('CancelShipment', handling)
      const { shipmentUid } = shipment
      await expectLeftOver(world, caseNo, [{ step: 'booking', shipmentUid, reason: `the service refused: ${code}` }])
      await world.api.call('CancelShipment', { shipmentUid })
    },
  )

  test('retries while the service is unavailable, and the caller gets a pending result', async () => {
    const { caseNo } = await book(world, 'stock')
    world.toService.rule = at('CancelShipment', { kind: 'status', status: 503 })
    expect(await world.flows.cancel(caseNo, 'over', { timeout: 1_500 })).toMatchObject({
      kind: 'CancelPending',
      caseNo,
    })
    expect(await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')).toMatchObject({ stage: null })
    world.toService.rule = () => pass
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled', leftOver: [] } })
  })
})

describe('a clean-up', () => {
  const world = useWorld()

  test.each(noes)('whose every read returns %s reports the shipment as left over', async (_, handling, code) => {
    const { caseNo, shipment } = await book(world, 'stock')
    world.toService.rule = at('GetShipments', handling)
    const { shipmentUid } = shipment
    await expectLeftOver(world, caseNo, [{ step: 'booking', shipmentUid, reason: `the service refused: ${code}` }])
    await world.api.call('CancelShipment', { shipmentUid })
  })

  test('of two shipments reports each one that is left', async () => {
    const { caseNo, shipments } = await startFor(world, 'issueAndSwapIntake')
    world.toService.rule = at('CancelShipment', { kind: 'status', status: 404 })
    const reason = 'the service refused: UnknownOperation'
    await expectLeftOver(
      world,
      caseNo,
      shipments.map(({ shipmentUid }) => ({ step: 'booking', shipmentUid, reason })),
    )
    for (const { shipmentUid } of shipments.toReversed()) await world.api.call('CancelShipment', { shipmentUid })
  })

  test('continues with the other shipment after a refusal', async () => {
    const { caseNo, shipments } = await startFor(world, 'issueAndSwapIntake')
    const [{ shipmentUid } = { shipmentUid: '' }] = shipments
    world.toService.rule = at('CancelShipment', { kind: 'status', status: 404 }, shipmentUid)
    await expectLeftOver(world, caseNo, [
      { step: 'booking', shipmentUid, reason: 'the service refused: UnknownOperation' },
    ])
    const there = new Map((await world.shipmentsOf(caseNo)).map(item => [item.shipmentUid, item.stateCode]))
    expect(shipments.map(shipment => there.get(shipment.shipmentUid))).toEqual(['ReadyForDropOff', 'Cancelled'])
    await world.api.call('CancelShipment', { shipmentUid })
  })

  test('of an abandoned booking: the failure names the left-over shipments', async () => {
    const caseNo = world.newCase()
    world.toService.rule = ({ path }) => {
      if (path.endsWith('CancelShipment')) return { kind: 'status', status: 404 }
      return path.includes('/CreateLocal') ? { kind: 'loseAnswer' } : pass
    }
    const input = { caseNo, request: parcel, windows: { booking: '1s' } } as const
    const refused = { kind: 'Refused', code: 'BookingGivenUp' }
    expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject(refused)
    world.toService.rule = at('CancelShipment', { kind: 'status', status: 404 })
    const ended = await world.flows.result(caseNo)
    const [item] = await world.shipmentsOf(caseNo)
    const { shipmentUid, pupUid, lockerName } = item ?? {}
    const reason = 'the service refused: UnknownOperation'
    const leftOver = [{ step: 'booking', shipmentUid, reason, pupUid, lockerName }]
    expect(ended).toMatchObject({ ...refused, leftOver })
    expect(await textOf(world, caseNo)).toContain(JSON.stringify([{ leftOver }]).slice(1, -1))
    await world.api.call('CancelShipment', { shipmentUid: item?.shipmentUid ?? '' })
  })

  test('with a Retry-After of a day retries within a minute', async () => {
    const { caseNo } = await book(world, 'stock')
    const later = { kind: 'status', status: 429, headers: { 'Retry-After': '86400' } } as const
    world.toService.rule = at('CancelShipment', later)
    expect(await world.flows.cancel(caseNo, 'over', { timeout: 1_500 })).toMatchObject({
      kind: 'CancelPending',
      caseNo,
    })
    const workflowId = toWorkflowId(caseNo)
    // Its first attempt can come after the caller's time.
    const activity = await eventually(async () => {
      const { raw } = await world.client.workflow.getHandle(workflowId).describe()
      return raw.pendingActivities?.find(({ lastFailure }) => lastFailure)
    })
    expect(activity.lastFailure?.applicationFailureInfo?.type).toBe('RateLimited')
    expect(Number(activity.currentRetryInterval?.seconds)).toBe(60)
    // Instead of waiting a minute, reset the activity, as an operator would.
    world.toService.rule = () => pass
    const { namespace } = world.client.options
    await world.client.workflowService.resetActivity({ namespace, execution: { workflowId }, type: 'cancelShipments' })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled', leftOver: [] } })
  })
})

describe('a clean-up at a service that cannot be read', () => {
  const world = useWorld({ profile: { ...fullProfile, reads: false, readsByCase: false } })

  test('leaves nothing over that a callback reports as cancelled, although the service refuses the repetition', async () => {
    const { caseNo } = await startFor(world, 'intakeAndCircularStock')
    const [told, asked] = [gate(), gate()]
    world.toService.rule = ({ path, before }) => {
      if (!path.endsWith('CancelShipment') || before > 0) return pass
      asked.open()
      return { kind: 'loseAnswer', until: told.opened }
    }
    const cancelled = world.flows.cancel(caseNo, 'over')
    await asked.opened
    const isOver = ({ stateCode }: { stateCode: string }) => stateCode === 'Cancelled'
    await world.statusWhen(caseNo, ({ shipments }) => shipments.some(isOver))
    told.open()
    expect(await cancelled).toMatchObject({ kind: 'Cancelled', leftOver: [] })
    expect((await world.shipmentsOf(caseNo)).every(isOver)).toBe(true)
  })
})
