import { describe, expect, test } from 'vitest'
import { fullProfile, withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import type { FlowProgress } from '../../../workflows/progress.ts'
import { requestOf } from '../../support/flows/booking.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

describe('a workflow id that does not belong to the case', () => {
  test.each([
    ['without the prefix', (caseNo: string) => caseNo],
    ['of another case', (caseNo: string) => toWorkflowId(`${caseNo}/2`)],
    ['in another casing', (caseNo: string) => toWorkflowId(caseNo).toUpperCase()],
  ])('%s is refused, and nothing is booked', async (_, workflowIdFor) => {
    const caseNo = `I-${crypto.randomUUID()}`
    const options = { workflowId: workflowIdFor(caseNo), taskQueue: world.taskQueue }
    const started = world.client.workflow.execute('stock', { ...options, args: [{ caseNo, request: parcel }] })
    await expect(started).rejects.toMatchObject({
      cause: {
        type: 'InvalidFlowInput',
        message: withReference('InvalidFlowInput', `caseNo: the workflow id must be case:${caseNo}.`),
      },
    })
    expect(await world.shipmentsOf(caseNo)).toEqual([])
  })
})

describe('progress that a starter passes in', () => {
  /** The progress that a run continues as new with. This one has no steps left: a flow that trusts it would complete. */
  const forged = {
    plan: { version: 2, flow: 'issue', caseNo: 'forged', steps: [], input: {}, outputs: {}, profile: fullProfile },
    tokens: [{ id: '', up: null, to: 0, step: 0, entered: true, since: 0, deadline: null }],
    lockers: { nextPoll: null, pollCount: 0, shipments: [], bookings: {} },
    outputs: {},
    answered: {},
    undo: [],
    rejections: [],
    leftOver: [],
  } satisfies { [Field in keyof Omit<FlowProgress, 'plan'>]: unknown } & { plan: object }

  test('is ignored: the flow is planned and booked', async () => {
    const caseNo = world.newCase()
    const input = { caseNo, request: requestOf(world, 'issue') }
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue, args: [input, forged] }
    await world.client.workflow.start('issue', options)
    const status = await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    expect(status).toMatchObject({ caseNo, stage: 'dropOff', shipments: [{ role: 'issue' }] })
    await world.flows.cancel(caseNo, 'over')
  })

  test('does not bypass the check of the input', async () => {
    const caseNo = world.newCase(0)
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue }
    const started = world.client.workflow.execute('issue', { ...options, args: [{ caseNo, request: {} }, forged] })
    await expect(started).rejects.toMatchObject({ cause: { type: 'InvalidFlowInput' } })
  })
})
