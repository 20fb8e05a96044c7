import { describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { pass } from '../../../../testing/stack/wire.ts'
import { eventually } from '../../../support/eventually.ts'
import { requireRole } from '../../../support/flows/underway.ts'
import { useWorkshop } from '../../../support/flows/useWorkshop.ts'
import { parcel } from '../../../support/world/apiWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

/** A customer who declines gives the locker back. */
const declined: FlowDeclaration = {
  name: 'declined',
  summary: 'A locker is freed if the customer declines.',
  steps: [
    { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsStock' },
    {
      ...{ name: 'offer', summary: 'The customer answers.', who: 'customer', ask: { agree: {}, decline: {} } },
      ...{ window: '1h', onTimeout: 'cancel' },
    },
    {
      ...{ name: 'giveUp', summary: 'The locker is freed.', when: { 'offer.answer': 'decline' } },
      ...{ call: 'CancelShipment', request: { shipmentUid: { from: 'stock.shipmentUid' } } },
    },
    {
      ...{ name: 'dropOff', summary: 'The parcel is placed in the locker.', when: { 'offer.answer': 'agree' } },
      ...{ wait: { stock: 'WaitForReceiver' }, window: '1h', onTimeout: 'cancel' },
    },
  ],
}

/** The customer of a swap declines, and both lockers are freed: the second by the service, with the first. */
const swapDeclined: FlowDeclaration = {
  ...declined,
  name: 'swapDeclined',
  steps: [
    { name: 'booking', summary: 'Lockers are booked.', book: 'CreateLocalShipmentAsIssueAndSwapIntake' },
    free('issue'),
    {
      ...{ name: 'offer', summary: 'The customer answers.', who: 'customer', ask: { decline: {} } },
      ...{ when: { 'input.AllowOverflowLockers': true }, window: '1h', onTimeout: 'cancel' },
    },
    free('intake'),
  ],
}

function free(role: string): Step {
  const request = { shipmentUid: { from: `${role}.shipmentUid` as const } }
  return { name: `${role}Free`, summary: 'The locker is freed.', call: 'CancelShipment', request }
}

const world = useWorld()
const { startFlow, give, resultOf } = useWorkshop(world, { flows: [declined, swapDeclined] })
const start = () => startFlow('declined', { booked: 1, request: parcel })
const isAsked = ({ asks }: { readonly asks: object | null }) => asks !== null

test('a call that cancels a shipment of the flow completes it, and the locker is free', async () => {
  const caseNo = await start()
  const { shipments } = await world.statusWhen(caseNo, isAsked)
  await give(caseNo, { step: 'offer', answer: 'decline' })
  expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed', leftOver: [] })
  const { shipmentUid } = requireRole(shipments, 'stock')
  expect((await world.api.call('GetShipments', { shipmentUid })).items).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('so does a call whose response is lost: its repetition is refused', async () => {
  const caseNo = await start()
  await world.statusWhen(caseNo, isAsked)
  let calls = 0
  world.toService.rule = ({ path }) =>
    path.endsWith('/CancelShipment') && calls++ === 0 ? { kind: 'loseAnswer' } : pass
  await give(caseNo, { step: 'offer', answer: 'decline' })
  expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed', leftOver: [] })
  expect(calls).toBe(2)
})

test('so does one whose activity an operator resets after its response is lost', async () => {
  const caseNo = await start()
  await world.statusWhen(caseNo, isAsked)
  const headers = { 'retry-after': '60' }
  let calls = 0
  world.toService.rule = ({ path }) => {
    if (!path.endsWith('/CancelShipment')) return pass
    return calls++ === 0 ? { kind: 'loseAnswer' } : { kind: 'status', status: 503, headers }
  }
  await give(caseNo, { step: 'offer', answer: 'decline' })
  const execution = { workflowId: toWorkflowId(caseNo) }
  await eventually(async () => {
    const { raw } = await world.client.workflow.getHandle(execution.workflowId).describe()
    return raw.pendingActivities?.some(({ currentRetryInterval }) => Number(currentRetryInterval?.seconds) === 60)
  })
  world.toService.rule = () => pass
  const { namespace } = world.client.options
  await world.client.workflowService.resetActivity({ namespace, execution, type: 'callOperation' })
  expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed', leftOver: [] })
})

test('a customer who agrees brings the parcel', async () => {
  const caseNo = await start()
  const { shipments } = await world.statusWhen(caseNo, isAsked)
  await give(caseNo, { step: 'offer', answer: 'agree' })
  await world.open(requireRole(shipments, 'stock'), 'deliveryCode')
  expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed' })
})

describe('calls that cancel both shipments of a swap complete the flow', () => {
  const ended = { outcome: 'completed', leftOver: [] }

  test('the second one too, which the service refuses since the first has cancelled both', async () => {
    const caseNo = await startFlow('swapDeclined', { booked: 2, request: { ...parcel, ToUserUid: world.userUid } })
    expect(await resultOf(caseNo)).toMatchObject(ended)
    const { items } = await world.api.call('GetShipments', { referenceCaseNo: caseNo })
    expect(items.map(({ stateCode }) => stateCode)).toEqual(['Cancelled', 'Cancelled'])
  })

  test('after the flow has heard that the service has cancelled both', async () => {
    const request = { ...parcel, ToUserUid: world.userUid, AllowOverflowLockers: true }
    const caseNo = await startFlow('swapDeclined', { booked: 2, request })
    await world.statusWhen(caseNo, ({ asks, shipments }) => {
      return asks !== null && shipments.every(({ stateCode }) => stateCode === 'Cancelled')
    })
    await give(caseNo, { step: 'offer', answer: 'decline' })
    expect(await resultOf(caseNo)).toMatchObject(ended)
  })
})
