import { randomUUID } from 'node:crypto'
import { Context } from '@temporalio/activity'
import { defaultPayloadConverter, RawValue } from '@temporalio/common'
import { expect, test } from 'vitest'
import { type Json, toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { requestOf } from '../support/flows/booking.ts'
import { eventsOf } from '../support/flows/history.ts'
import { useWorkshop } from '../support/flows/useWorkshop.ts'
import { assembly } from '../support/flows/workshop.ts'
import { useWorld } from '../support/world/useWorld.ts'

/** Its label is printed once, and a silent printer is lost. */
const labels: FlowDeclaration = {
  ...assembly,
  name: 'labels',
  steps: [{ ...assembly.steps[0], retry: 'once', heartbeat: '1s' }],
}

const world = useWorld()
const { startFlow, state } = useWorkshop(world, { flows: [labels] })
const encode = (text: string) => new TextEncoder().encode(text)

/** Payloads that no worker can decode, as clients with converters of their own and the command line of Temporal send them. */
const undecodable = [
  { metadata: { encoding: encode('application/x-unknown') }, data: encode('{}') },
  { metadata: { encoding: encode('json/plain') }, data: encode('{"shipmentUid":') },
  { metadata: { encoding: encode('json/protobuf') }, data: encode('{}') },
  { metadata: {}, data: encode('{}') },
]

async function startStock(): Promise<string> {
  const caseNo = world.newCase()
  expect(
    await world.flows.startAndWaitForBooking('stock', { caseNo, request: requestOf(world, 'stock') }),
  ).toMatchObject({
    kind: 'Booked',
  })
  await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  return caseNo
}

function target(caseNo: string) {
  return {
    namespace: world.client.options.namespace,
    workflowExecution: { workflowId: toWorkflowId(caseNo) },
  }
}

test('a signal that cannot be decoded is ignored, and the flow goes on', async () => {
  const caseNo = await startStock()
  const service = world.client.workflowService
  const signal = (payloads: object[]) =>
    service.signalWorkflowExecution({
      ...target(caseNo),
      signalName: 'shipmentStatus',
      input: { payloads },
      requestId: randomUUID(),
    })
  for (const payload of undecodable) await signal([payload])
  // A further argument.
  for (const payload of undecodable) await signal([defaultPayloadConverter.toPayload({}), payload])
  const { rejections, shipments } = await world.statusWhen(caseNo, ({ rejections }) => rejections.length > 0)
  expect(rejections.map(({ what }) => what)).toEqual(
    undecodable.map(() => 'a signal shipmentStatus could not be decoded'),
  )
  for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  const failed = (await eventsOf(world, caseNo)).filter(event => event.workflowTaskFailedEventAttributes)
  expect(failed).toEqual([])
})

test.each(['stock', 'sweep', 'notification', 'booking'])(
  'the workflow %s fails if its input cannot be decoded',
  async workflowType => {
    const { client, taskQueue } = world
    const workflowId = `undecodable:${randomUUID()}`
    const args = [RawValue.fromPayload(undecodable[0] ?? {})]
    const failure = await client.workflow
      .execute(workflowType, { workflowId, taskQueue, args, workflowExecutionTimeout: '10s' })
      .catch(({ cause }) => cause)
    expect([failure, failure.cause]).toContainEqual(expect.objectContaining({ type: 'InvalidFlowInput' }))
  },
)

test.each(['header', 'memo'])('a %s that cannot be decoded does not stop a flow', async place => {
  const caseNo = randomUUID()
  const { namespace, workflowExecution } = target(caseNo)
  const [payload = {}] = undecodable
  await world.client.workflowService.startWorkflowExecution({
    namespace,
    workflowId: workflowExecution.workflowId,
    workflowType: { name: 'stock' },
    taskQueue: { name: world.taskQueue },
    requestId: randomUUID(),
    input: { payloads: [defaultPayloadConverter.toPayload({ caseNo, request: requestOf(world, 'stock') })] },
    [place]: { fields: { unknown: payload } },
  })
  const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
  expect(await world.client.workflow.getHandle(toWorkflowId(caseNo)).result()).toMatchObject({ outcome: 'completed' })
})

const raw = () => RawValue.fromPayload(undecodable[0] ?? {})

test.each<[string, () => Promise<Json>, string, string]>([
  ['result', async () => raw() as unknown as Json, 'InvalidActivityResult', 'labelNo'],
  [
    'heartbeat',
    () => {
      Context.current().heartbeat(raw())
      return Context.current().cancelled
    },
    'RunGivenUp',
    'heartbeat',
  ],
])('a run step fails whose %s cannot be decoded', async (_, printLabel, code, message) => {
  state.label = printLabel
  const caseNo = await startFlow('labels', { booked: 0, request: {} })
  expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
    kind: 'Refused',
    code,
    message: expect.stringContaining(message),
  })
})
