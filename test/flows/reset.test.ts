import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { workflowIdOf } from '#contract/terms'
import { book } from './booking.ts'
import { useWorld } from './useWorld.ts'

const world = useWorld()

test('a flow that is reset to before its booking books nothing twice', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  const workflowId = workflowIdOf(caseNo)
  const { events } = await world.client.workflow.getHandle(workflowId).fetchHistory()
  const firstTask = events?.find(({ workflowTaskCompletedEventAttributes: task }) => task != null)
  await world.client.workflowService.resetWorkflowExecution({
    namespace: world.client.options.namespace,
    workflowExecution: { workflowId },
    reason: 'as an operator would',
    requestId: randomUUID(),
    workflowTaskFinishEventId: firstTask?.eventId ?? null,
  })
  const status = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  expect(status.shipments).toMatchObject([{ shipmentUid: shipment.shipmentUid, stateCode: 'ReadyForPickup' }])
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})
