import protos, { type temporal } from '@temporalio/proto'
import { expect, onTestFinished, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { eventually, gate } from '../support/eventually.ts'
import { book, requestOf } from '../support/flows/booking.ts'
import { failedTasks } from '../support/flows/history.ts'
import { useWorkshop } from '../support/flows/useWorkshop.ts'
import { relocation } from '../support/flows/workshop.ts'
import { type Fate, pass } from '../support/wire.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()
const { startFlow } = useWorkshop(world, { flows: [relocation] })

const unavailable: Fate = { kind: 'status', status: 503 }

const started = protos.temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_STARTED

const rubbish = [{ result: null }, { result: { done: true } }, { result: [[{ role: 7 }]] }]

test.each([...rubbish, { result: [] }])(
  'a booking that is completed with $result fails, and is undone',
  async ({ result }) => {
    world.toService.rule = () => unavailable
    const caseNo = world.newCase()
    await world.flows.start('stock', { caseNo, request: requestOf(world, 'stock') })
    await completeByHand(caseNo, 'bookShipments', result)
    world.toService.rule = () => pass
    expect(await world.flows.waitForEnd(caseNo, { timeout: 15_000 })).toMatchObject({
      kind: 'Refused',
      code: 'InvalidActivityResult',
      message: expect.stringContaining('by hand'),
    })
    expect((await world.shipmentsOf(caseNo)).filter(({ stateCode }) => stateCode !== 'Cancelled')).toEqual([])
    expect(await failedTasks(world, caseNo)).toEqual([])
  },
)

test.each(rubbish)('a clean-up that is completed with $result leaves its shipments over', async ({ result }) => {
  const { caseNo, shipment } = await book(world, 'stock')
  world.toService.rule = () => unavailable
  await world.client.workflow.getHandle(toWorkflowId(caseNo)).cancel()
  await completeByHand(caseNo, 'cancelShipments', result)
  const { shipmentUid } = shipment
  expect(await world.flows.result(caseNo)).toMatchObject({
    result: {
      outcome: 'cancelled',
      leftOver: [{ shipmentUid, reason: expect.stringContaining('InvalidActivityResult') }],
    },
  })
  expect(await failedTasks(world, caseNo)).toEqual([])
  world.toService.rule = () => pass
  await world.api.call('CancelShipment', { shipmentUid })
})

test('a call that is completed with null fails', async () => {
  world.toService.rule = () => unavailable
  const caseNo = await startFlow('relocation', { booked: 0, request: { customerUid: world.userUid } })
  await completeByHand(caseNo, 'callOperation', null)
  world.toService.rule = () => pass
  expect(await world.flows.waitForEnd(caseNo, { timeout: 15_000 })).toMatchObject({
    kind: 'Refused',
    code: 'InvalidActivityResult',
  })
  expect(await failedTasks(world, caseNo)).toEqual([])
})

test('a booking that an operator fails after a lost response is searched and undone', async () => {
  const { opened, open } = gate()
  onTestFinished(open)
  const fates: Fate[] = [{ kind: 'status', status: 429 }, { kind: 'loseAnswer' }]
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

/** Completes a pending activity of a flow, as the command `temporal activity complete` does. */
async function completeByHand(caseNo: string, name: string, result: unknown): Promise<void> {
  const { activityId } = await pending(caseNo, name)
  await world.client.activity.complete({ workflowId: toWorkflowId(caseNo), activityId: String(activityId) }, result)
}

type Pending = temporal.api.workflow.v1.IPendingActivityInfo

/** Waits until a flow has such an activity. */
function pending(caseNo: string, name: string, isSuch = (_: Pending): boolean => true): Promise<Pending> {
  return eventually(async () => {
    const { raw } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
    return raw.pendingActivities?.find(each => each.activityType?.name === name && isSuch(each))
  })
}
