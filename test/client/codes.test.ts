import { randomUUID } from 'node:crypto'
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client'
import { RetryState } from '@temporalio/common'
import { expect, test } from 'vitest'
import { FlowCallError } from '#client'
import { toWorkflowId } from '#flows'
import { businessErrorIn } from '../../client/calls.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

/** A case whose workflow is another program's. */
async function foreignCase(): Promise<string> {
  const caseNo = `sweep-${randomUUID()}`
  const args = [{ act: 'list', olderThan: 1, caseNo }]
  await world.client.workflow.execute('sweep', { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue, args })
  return caseNo
}

type Row = [name: string, call: () => Promise<unknown>, code: string, sentence: string]

const pageSizes = [0, -1, 1.5, 1_001, Number.NaN, '10' as never].map((pageSize): Row => {
  const sentence = 'pageSize: must be a whole number from 1 to 1000.'
  return [`a list with a page size of ${pageSize}`, () => world.flows.list({ pageSize }), 'InvalidFilter', sentence]
})

test.each<Row>([
  ...pageSizes,
  ['a list with an unknown field', () => world.flows.list({ where: 'colour = red' }), 'InvalidFilter', 'where: '],
  ['a list with a foreign cursor', () => world.flows.list({ cursor: 'x' }), 'InvalidCursor', 'cursor'],
  ['the status of no case', () => world.flows.status(`T-${randomUUID()}`), 'UnknownCase', 'No flow'],
  ['the status of a lone surrogate', () => world.flows.status('T-\ud800'), 'UnknownCase', 'No flow'],
  ['the cancellation of a lone surrogate', () => world.flows.cancel('T-\ud800', 'over'), 'UnknownCase', 'No flow'],
  [
    'the changes of a lone surrogate',
    async () => (await world.flows.watch('T-\ud800').next()).value,
    'UnknownCase',
    'No flow',
  ],
  ['the end of a lone surrogate', () => world.flows.waitForEnd('T-\ud800'), 'UnknownCase', 'No flow'],
  ['the status of no flow', async () => world.flows.status(await foreignCase()), 'UnknownCase', 'No flow'],
])('%s has a code, a sentence and its page', async (_name, call, code, sentence) => {
  const answer = (await call().catch(error => {
    expect(error).toBeInstanceOf(FlowCallError)
    return error
  })) as { message: string }
  expect(answer).toMatchObject({ code, message: expect.stringContaining(sentence) })
  expect(answer.message.endsWith(` See docs/reference/errors.md#${code.toLowerCase()}.`)).toBe(true)
})

test('the details of a failure are those of a flow, and not what an own workflow may put there', () => {
  const known = { step: 'booking', shipmentUid: null, reason: 'the response to its booking was lost' }
  const others = [null, 'S-1', { ...known, step: 1 }, { ...known, shipmentUid: 1 }, { ...known, reason: undefined }]
  const refusalOf = (details: unknown) => {
    const failure = ApplicationFailure.create({ type: 'Own', message: 'no', details: [details] })
    return businessErrorIn(new WorkflowFailedError('failed', failure, RetryState.NON_RETRYABLE_FAILURE))
  }
  const refused = { kind: 'Refused', code: 'Own', message: 'no' }
  expect(refusalOf({ leftOver: [known, ...others], requestId: 'R-1' })).toEqual({
    ...refused,
    leftOver: [known],
    serviceRequestId: 'R-1',
  })
  expect(refusalOf({ leftOver: 'all', requestId: 1 })).toEqual(refused)
  expect(refusalOf(null)).toEqual(refused)
})
