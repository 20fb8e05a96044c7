import { WithStartWorkflowOperation } from '@temporalio/client'
import { beforeAll, expect, test } from 'vitest'
import { type AnswerUpdate, toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { answer } from '#flows/messages'
import { eventually } from '../../support/eventually.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { codeOf } from '../../support/flows/useWorkshop.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const question = {
  name: 'question',
  summary: 'Asks the staff.',
  input: {},
  steps: [{ name: 'approval', summary: 'Ask.', ask: { yes: {} }, who: 'staff', window: '1h', onTimeout: 'cancel' }],
} as const satisfies FlowDeclaration

const world = useWorld()

beforeAll(() => world.restartWorker({ flows: [question] }))

test('an answer that is sent with the start is rejected, and accepted later', async () => {
  const caseNo = world.newCase(0)
  const yes: AnswerUpdate = { step: 'approval', answer: 'yes' }
  const { client, taskQueue } = world
  const startWorkflowOperation = new WithStartWorkflowOperation('question', {
    taskQueue,
    workflowId: toWorkflowId(caseNo),
    workflowIdConflictPolicy: 'FAIL',
    args: [{ caseNo, request: {} }],
  })
  const early = client.workflow.executeUpdateWithStart(answer, { startWorkflowOperation, args: [yes] })
  expect(await codeOf(early)).toBe('NotAskedYet')
  const updatesOf = async () =>
    (await eventsOf(world, caseNo)).filter(event => event.workflowExecutionUpdateAcceptedEventAttributes).length
  expect(await updatesOf()).toBe(0)
  const flow = client.workflow.getHandle(toWorkflowId(caseNo))
  const send = () => flow.executeUpdate(answer, { args: [yes] })
  await eventually(() => send().catch(() => undefined))
  expect(await flow.result()).toMatchObject({ outcome: 'completed' })
})
