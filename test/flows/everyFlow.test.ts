import { describe, expect, test } from 'vitest'
import { type FlowDeclaration, type FlowName, flows, type Stage } from '#workflows/flows'
import { journeys, requestBeforeStock } from './journeys.ts'
import { startFor, startWith, type Underway, walk } from './underway.ts'
import { useWorld } from './useWorld.ts'

const world = useWorld()

const inside = 'there is an item in the locker'
const before = 'it was in stock before the flow'

const declared = Object.values(flows) as FlowDeclaration[]
/** A stage that is over as soon as it begins cannot be waited in; `ready` can, when the item is not in stock yet. */
const stages = declared.flatMap(({ name, stages }) =>
  stages
    .filter(stage => stage.name === 'ready' || journeys[name as FlowName].openings[stage.name] !== null)
    .map(stage => ({ name: name as FlowName, stage: stage.name, declaration: stage })),
)

test.each(declared)('$name runs to its end', async ({ name, roles, handsBack }) => {
  const journey = journeys[name as FlowName]
  const underway = await startFor(world, name as FlowName)
  expect(underway.shipments.map(({ role }) => role)).toEqual(Object.keys(roles))
  await walk(world, underway)
  const ended = await world.flows.result(underway.caseNo)
  const result = ended.kind === 'Ended' ? ended.result : undefined
  expect(result).toMatchObject({ flow: name, outcome: 'completed', leftOver: [] })
  const endsIn = Object.fromEntries(result?.shipments.map(({ role, stateCode }) => [role, stateCode]) ?? [])
  expect(endsIn).toEqual(journey.ends)
  for (const [field, role] of Object.entries(handsBack)) {
    expect(result?.[field]).toBe(underway.shipments.find(shipment => shipment.role === role)?.shipmentUid)
  }
})

/** What is left when a flow ends in a stage: what holds an item, and what was there before. */
async function expectCleanedUp({ caseNo }: Underway, flow: FlowName, { cancels }: Stage): Promise<void> {
  const ended = await world.flows.result(caseNo)
  if (ended.kind !== 'Ended') throw new Error(JSON.stringify(ended))
  const { shipments, leftOver } = ended.result
  const roles: FlowDeclaration['roles'] = flows[flow].roles
  for (const { role, shipmentUid, stateCode } of shipments) {
    const left = leftOver.find(item => item.shipmentUid === shipmentUid)
    if (stateCode === 'Completed' || stateCode === 'Cancelled') expect(left).toBeUndefined()
    else expect({ role, why: left?.why }).toEqual({ role, why: roles[role]?.given ? before : inside })
    if (cancels.includes(role)) expect(['Cancelled', 'Completed', 'ReadyForPickup']).toContain(stateCode)
  }
}

describe.each(stages)('$name in $stage', ({ name, stage, declaration }) => {
  test('is cancelled, and cleans up', async () => {
    const underway = await startFor(world, name, stage)
    await walk(world, underway, stage)
    expect(await world.flows.cancel(underway.caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
    await expectCleanedUp(underway, name, declaration)
  })

  test(`is overdue: ${declaration.answer}`, async () => {
    const underway = await startFor(world, name, stage, { [stage]: '400ms' })
    await walk(world, underway, stage)
    if (declaration.answer === 'cancel') {
      expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'expired' } })
      await expectCleanedUp(underway, name, declaration)
      return
    }
    const status = await world.statusWhen(underway.caseNo, ({ overdue }) => overdue)
    expect(status).toMatchObject({ state: 'overdue', stage })
    await world.flows.decide(underway.caseNo, { decision: 'cancel' })
    expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
    await expectCleanedUp(underway, name, declaration)
  })

  test('is ended by somebody else who cancels its shipment', async () => {
    const underway = await startFor(world, name, stage)
    await walk(world, underway, stage)
    const { items } = await world.api.call('GetShipments', { activeShipments: true, referenceCaseNo: underway.caseNo })
    const [first] = items
    await world.api.call('CancelShipment', { shipmentUid: first?.shipmentUid ?? '' })
    expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
    await expectCleanedUp(underway, name, declaration)
  })
})

const fromStock = declared.filter(({ roles }) => Object.values(roles).some(({ given }) => given))

test.each(fromStock)('$name waits for an item that is not in stock yet', async ({ name }) => {
  const request = await requestBeforeStock(world)
  const underway = await startWith(world, name as FlowName, request)
  expect(await world.statusWhen(underway.caseNo, () => true)).toMatchObject({ stage: 'ready' })
  await world.openShipment(String(request.PriorShipmentUid), 'deliveryCode')
  await walk(world, underway)
  expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test('a returned item is lent again, and the loan before is left alone', async () => {
  const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'
  const first = await startFor(world, loan)
  await walk(world, first)
  const ended = await world.flows.result(first.caseNo)
  const stockShipmentUid = ended.kind === 'Ended' ? ended.result.stockShipmentUid : undefined
  // Issuing gives the shipment the new case, so the loan before counts one shipment less from now on.
  world.cases.set(first.caseNo, 2)
  const second = await startWith(world, loan, { PriorShipmentUid: stockShipmentUid, ToUserUid: world.userUid })
  await walk(world, second)
  expect(await world.flows.result(second.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})
