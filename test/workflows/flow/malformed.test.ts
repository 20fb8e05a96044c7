import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

/** Starts a workflow as a client in any language does. */
function run(workflowType: string, workflowId: string, ...args: unknown[]): Promise<unknown> {
  const { taskQueue } = world
  return world.client.workflow.execute(workflowType, { workflowId, taskQueue, args, workflowExecutionTimeout: '10s' })
}

/** The failure of a workflow, or that of its activity. */
const failedWith = (message: string) => {
  const failure = { type: 'InvalidFlowInput', message: expect.stringContaining(message) }
  return expect.toSatisfy((error: { cause?: { cause?: unknown } }) =>
    [error.cause, error.cause?.cause].some(cause => expect.objectContaining(failure).asymmetricMatch(cause)),
  )
}

test('a flow with misspelled windows fails', async () => {
  const caseNo = `M-${randomUUID()}`
  const input = { caseNo, request: parcel, windws: { dropOff: '1s' } }
  await expect(run('stock', toWorkflowId(caseNo), input)).rejects.toEqual(failedWith('windws: must not be given'))
})

test.each([
  ['booking', {}, 'caseNo: must be'],
  ['booking', undefined, 'caseNo: must be'],
  ['booking', { caseNo: 5, key: 'k' }, 'caseNo: must be'],
  ['booking', { caseNo: 'M-1' }, 'key: must be'],
  ['notification', {}, 'id: must be'],
  ['notification', undefined, 'id: must be'],
  ['notification', { id: 'n', notification: 'ended' }, 'notification: must be'],
  ['notification', { id: 'n', notification: {}, deliveryTimeout: 'soon' }, 'deliveryTimeout: must be'],
  ['notification', { id: 'n', notification: {}, deliveryTimeout: -1 }, 'deliveryTimeout: must be'],
  ['notification', { id: 'n', notification: {}, deliveryTimeout: 1e21 }, 'deliveryTimeout: must be'],
])('the workflow %s fails with %j', async (workflowType, input, message) => {
  await expect(run(workflowType, `malformed:${randomUUID()}`, input)).rejects.toEqual(failedWith(message))
})
