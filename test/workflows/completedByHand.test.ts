import protos, { type temporal } from '@temporalio/proto'
import { expect, onTestFinished, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { type Handling, pass } from '../../testing/stack/wire.ts'
import { eventually, gate } from '../support/eventually.ts'
import { book, requestOf } from '../support/flows/booking.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

const started = protos.temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_STARTED

test('a booking that an operator fails after a lost response is searched and undone', async () => {
  const { opened, open } = gate()
  onTestFinished(open)
  const fates: Handling[] = [{ kind: 'status', status: 429 }, { kind: 'loseAnswer' }]
  world.toService.rule = ({ path }) => {
    if (!path.includes('/CreateLocal')) return pass
    return fates.shift() ?? { kind: 'arriveLater', until: opened }
  }
  const caseNo = world.newCase()
  await world.flows.start('stock', { caseNo, request: requestOf(world, 'stock') })
  await eventually(async () => (await world.shipmentsOf(caseNo)).length === 1)
  const { activityId } = await pending(
    caseNo,
    'bookShipments',
    ({ attempt, state }) => attempt === 2 && state === started,
  )
  await world.client.workflowService.respondActivityTaskFailedById({
    namespace: world.client.options.namespace,
    workflowId: toWorkflowId(caseNo),
    activityId: String(activityId),
    failure: { message: 'by hand', applicationFailureInfo: { nonRetryable: true } },
  })
  world.toService.rule = () => pass
  expect(await world.flows.waitForEnd(caseNo, { timeout: 15_000 })).toMatchObject({ kind: 'Refused' })
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('a clean-up that is completed with its shipments ends the flow', async () => {
  const { caseNo, shipment } = await book(world, 'stock')
  const { shipmentUid } = shipment
  world.toService.rule = () => ({ kind: 'status', status: 503 })
  await world.client.workflow.getHandle(toWorkflowId(caseNo)).cancel()
  const { activityId } = await pending(caseNo, 'cancelShipments')
  const result = [{ shipmentUid, stateCode: 'Cancelled' }]
  await world.client.activity.complete({ workflowId: toWorkflowId(caseNo), activityId: String(activityId) }, result)
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled', leftOver: [] } })
  world.toService.rule = () => pass
  await world.api.call('CancelShipment', { shipmentUid })
})

type Pending = temporal.api.workflow.v1.IPendingActivityInfo

/** Waits until a flow has such an activity. */
function pending(caseNo: string, name: string, isSuch = (_: Pending): boolean => true): Promise<Pending> {
  return eventually(async () => {
    const { raw } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
    return raw.pendingActivities?.find(each => each.activityType?.name === name && isSuch(each))
  })
}
