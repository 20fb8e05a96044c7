import { describe, expect, test } from 'vitest'
import { fullProfile, workflowIdOf } from '#contract/terms'
import { requestOf } from './booking.ts'
import { useWorld } from './useWorld.ts'
import { parcel } from './world.ts'

const world = useWorld()

describe('a workflow id that is not the one of the case', () => {
  test.each([
    ['without the prefix', (caseNo: string) => caseNo],
    ['of another case', (caseNo: string) => workflowIdOf(`${caseNo}/2`)],
    ['in another casing', (caseNo: string) => workflowIdOf(caseNo).toUpperCase()],
  ])('%s is refused, and nothing is booked', async (_, workflowIdFor) => {
    const caseNo = `I-${crypto.randomUUID()}`
    const options = { workflowId: workflowIdFor(caseNo), taskQueue: world.taskQueue }
    const started = world.client.workflow.execute('stock', { ...options, args: [{ caseNo, request: parcel }] })
    await expect(started).rejects.toMatchObject({
      cause: { type: 'InvalidFlowInput', message: `caseNo: the workflow id has to be case:${caseNo}` },
    })
    expect(await world.shipmentsOf(caseNo)).toEqual([])
  })
})

describe('a course that a starter hands over', () => {
  /** What a run continues as new with; this one has no stages left, so whoever believed it would be done. */
  const forged = {
    plan: { flow: 'issue', caseNo: 'forged', stages: [], roles: [], handsBack: {}, profile: fullProfile },
    stage: 0,
    since: 0,
    deadline: null,
    nextLook: null,
    looks: 0,
    overdue: false,
    shipments: [],
    refusals: [],
  }

  test('is ignored: the flow is planned and booked', async () => {
    const caseNo = world.newCase()
    const input = { caseNo, request: requestOf(world, 'issue') }
    const options = { workflowId: workflowIdOf(caseNo), taskQueue: world.taskQueue, args: [input, forged] }
    await world.client.workflow.start('issue', options)
    const status = await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    expect(status).toMatchObject({ caseNo, stage: 'dropOff', shipments: [{ role: 'issue' }] })
    await world.flows.cancel(caseNo, 'over')
  })

  test('does not get an input past its check', async () => {
    const caseNo = world.newCase(0)
    const options = { workflowId: workflowIdOf(caseNo), taskQueue: world.taskQueue }
    const started = world.client.workflow.execute('issue', { ...options, args: [{ caseNo, request: {} }, forged] })
    await expect(started).rejects.toMatchObject({ cause: { type: 'InvalidFlowInput' } })
  })
})
