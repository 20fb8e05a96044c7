import type { WorkflowHandle } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { isFinalState, states } from '#contract/terms'
import { checkFlows } from '#declarations'
import { type FlowResult, type RunCall, toWorkflowId, type UndoRun } from '#flows'
import { drive } from '../support/flows/drive.ts'
import { type RandomFlow, randomFlow } from '../support/flows/randomFlows.ts'
import { seeded } from '../support/seed.ts'
import { useWorld } from '../support/world/useWorld.ts'

/** LOCKERFLOW_TEST_RUNS asks for more. */
const runs = Number(process.env.LOCKERFLOW_TEST_RUNS ?? 10)
const concurrency = 5
const parameters = seeded(runs)
const flows = fc
  .sample(randomFlow('random'), parameters)
  .map((random, index): RandomFlow => ({ ...random, flow: { ...random.flow, name: `random${index}` } }))
console.info(`random flows: LOCKERFLOW_TEST_SEED=${parameters.seed}`)

/** Temporal's number of the cause (temporal.api.enums.v1.WorkflowTaskFailedCause). */
const unhandledCommand = 1

describe('valid declarations at random', () => {
  const world = useWorld()
  /** Keys of the runs that were started and undone. */
  const [started, undone] = [new Map<string, string>(), new Map<string, string>()]

  const activities = {
    async work({ at, fails }: { at: number; fails: boolean }, { key, step, caseNo }: RunCall) {
      const isFirst = !started.has(key)
      started.set(key, `${caseNo} ${step}`)
      if (fails && isFirst) throw ApplicationFailure.retryable('the first attempt fails')
      return { at, other: 'dropped' }
    },
    async undoWork({ output, certain }: UndoRun, { key, step, caseNo }: RunCall) {
      if (certain !== (output !== null)) throw ApplicationFailure.nonRetryable('a certain run has an output')
      undone.set(key, `${caseNo} ${step}`)
    },
  }

  beforeAll(() => world.restartWorker({ flows: flows.map(({ flow }) => flow), activities }))

  test('run to an end without a failed workflow task, and are undone when cancelled', {
    timeout: runs * 60_000,
  }, async () => {
    const waiting = [...flows]
    const failures: string[] = []
    async function work(): Promise<void> {
      for (let random = waiting.shift(); random !== undefined; random = waiting.shift()) {
        await runOne(random).catch(error => failures.push(`${error}\n${JSON.stringify(random)}`))
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    expect(failures.join('\n\n')).toBe('')
  })

  async function runOne(random: RandomFlow): Promise<void> {
    const { name, steps } = random.flow
    const caseNo = world.newCase(0)
    const handle = await world.client.workflow.start(name, {
      workflowId: toWorkflowId(caseNo),
      taskQueue: world.taskQueue,
      args: [{ caseNo, request: { userUid: world.userUid } }],
    })
    await drive(world, caseNo, random)
    const result: FlowResult = await handle.result()
    const shipments = await world.shipmentsOf(caseNo)
    world.cases.set(caseNo, shipments.length)
    expect(await failedTasks(handle)).toEqual([])
    const active = shipments.filter(({ stateCode }) => !isFinalState(stateCode))
    expect(active.filter(({ stateCode }) => !states[stateCode as keyof typeof states].holdsItem)).toEqual([])
    const undoable = steps.filter(step => 'run' in step && step.undo === 'undoWork').map(step => step.name)
    const ofCase = (all: Map<string, string>) =>
      [...all.values()].filter(each => each.startsWith(`${caseNo} `)).toSorted()
    if (result.outcome === 'completed') expect([...active, ...ofCase(undone)]).toEqual([])
    else expect(ofCase(undone)).toEqual(ofCase(started).filter(each => undoable.includes(each.split(' ')[1] ?? '')))
  }

  test('have no fault', () => {
    expect(
      checkFlows(
        flows.map(({ flow }) => flow),
        { activities: Object.keys(activities) },
      ),
    ).toEqual([])
  })
})

/** Failures of the flow's own code. Temporal rejects the end of a flow when a callback arrives in the same moment. */
async function failedTasks(handle: WorkflowHandle) {
  const { events } = await handle.fetchHistory()
  return (events ?? [])
    .flatMap(event => event.workflowTaskFailedEventAttributes ?? [])
    .filter(({ cause }) => cause !== unhandledCommand)
}
