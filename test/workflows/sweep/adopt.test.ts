import { describe, expect, test } from 'vitest'
import type { BookingFlowName as FlowName } from '#flows'
import { requestOfSwap } from '../../support/flows/journeys.ts'
import { sweepCase, terminate } from '../../support/flows/orphans.ts'
import { startWith } from '../../support/flows/underway.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

// The stages that hang on a field of the request and are ended by an update; steps/book/adopt.test.ts has all others.
const world = useWorld()

/** A lost flow: Temporal still has its input, or the operator names the flow. */
const ways = ['terminated', 'forgotten'] as const
type Way = (typeof ways)[number]

const keeping = () => ({ ...parcel, KeepBookedAfterPickUp: true })
const keepingForUser = () => ({ ...keeping(), ToUserUid: world.userUid })
const delaying = () => ({ ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true })

/** The shipment of a case as the service has it. */
async function shipmentOf(caseNo: string) {
  const [item] = await world.shipmentsOf(caseNo)
  if (item === undefined) throw new Error('nothing is booked')
  return { ...item, role: '' }
}

/**
 * Loses the flow and has it taken over; it is where it was then, with the shipment that it had. Answers the case, which
 * is another one when Temporal is to know nothing of it.
 */
async function loseAndAdopt(flow: FlowName, known: string, stage: string, way: Way): Promise<string> {
  await world.statusWhen(known, status => status.stage === stage)
  await terminate(world, known)
  const caseNo = way === 'forgotten' ? await moveFrom(known) : known
  const { shipmentUid, stateCode } = await shipmentOf(caseNo)
  const order = { act: 'adopt', ...(way === 'forgotten' && { flow }) } as const
  expect(await sweepCase(world, caseNo, order)).toMatchObject({ adopted: true })
  const status = await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
  expect(status).toMatchObject({ flow, stage, shipments: [{ shipmentUid, stateCode }] })
  return caseNo
}

async function moveFrom(known: string): Promise<string> {
  const { shipmentUid } = await shipmentOf(known)
  world.cases.delete(known)
  const caseNo = world.newCase()
  const references = { Description: null, ReferenceNo: 'moved', ReferenceCaseNo: caseNo }
  await world.api.call('SetShipmentDetails', { shipmentUid, ...references })
  return caseNo
}

describe.each(ways)('a kept booking whose flow is %s', way => {
  test.each([
    ['collectByDispatcher', keeping],
    ['collectByUser', keepingForUser],
  ] as const)('is adopted by %s, collected again, and released', async (flow, requestOf) => {
    const { caseNo: lost } = await startWith(world, flow, requestOf())
    await world.open(await shipmentOf(lost), 'pickUpCode')
    const caseNo = await loseAndAdopt(flow, lost, 'kept', way)
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ overdue: false, deadline: null })
    await world.open(await shipmentOf(caseNo), 'pickUpCode')
    expect(await world.flows.release(caseNo)).toMatchObject({ kind: 'Answered' })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed', leftOver: [] } })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })
})

describe.each(ways)('a local shipment without a receiver, whose flow is %s, is adopted', way => {
  /** The receiver is named, and collects the item. */
  async function nameAndCollect(caseNo: string): Promise<void> {
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ kind: 'Answered' })
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    expect(await shipmentOf(caseNo)).toMatchObject({ toUserUid: world.userUid })
    await world.open(await shipmentOf(caseNo), 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'completed', shipments: [{ role: 'shipment', stateCode: 'Completed' }], leftOver: [] },
    })
  }

  test('before the item is in, and is given its receiver afterwards', async () => {
    const { caseNo: lost } = await startWith(world, 'localShipment', delaying())
    const caseNo = await loseAndAdopt('localShipment', lost, 'earlyDropOff', way)
    await world.open(await shipmentOf(caseNo), 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'naming')
    await nameAndCollect(caseNo)
  })

  test('when the item is in, with the whole window for its receiver', async () => {
    const { caseNo: lost } = await startWith(world, 'localShipment', delaying())
    await world.open(await shipmentOf(lost), 'deliveryCode')
    const caseNo = await loseAndAdopt('localShipment', lost, 'naming', way)
    const { since, deadline } = await world.statusWhen(caseNo, () => true)
    expect(Date.parse(deadline ?? '') - Date.parse(since)).toBe(3 * 86_400_000)
    await nameAndCollect(caseNo)
  })

  test('as a swap', async () => {
    const request = await requestOfSwap(world)
    const { caseNo: lost } = await startWith(world, 'localShipment', request)
    await world.openShipment(String(request.SwapsShipmentUid), 'pickUpCode')
    const caseNo = await loseAndAdopt('localShipment', lost, 'naming', way)
    await nameAndCollect(caseNo)
  })
})
