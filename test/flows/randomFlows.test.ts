import { ApplicationFailure } from '@temporalio/common'
import type { History } from '@temporalio/worker'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { isFinalState, states } from '#contract/terms'
import { type FlowResult, type RunCall, toWorkflowId, type UndoRun } from '#flows'
import { checkFlows, edgesOf, edgesOn } from '#flows/check'
import { type RecordedFlow, replayEdges } from '#worker'
import { drive } from '../support/flows/drive.ts'
import { type RandomFlow, randomFlow } from '../support/flows/randomFlows.ts'
import { seeded } from '../support/seed.ts'
import { bundle } from '../support/world/bundle.ts'
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
  /** The flows that have ended. */
  const histories: RecordedFlow[] = []
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
    const history = await handle.fetchHistory()
    histories.push({ workflowId: handle.workflowId, history })
    expect(failedTasks(history)).toEqual([])
    const active = shipments.filter(({ stateCode }) => !isFinalState(stateCode))
    expect(active.filter(({ stateCode }) => !states[stateCode as keyof typeof states].holdsItem)).toEqual([])
    const undoable = steps.filter(step => 'run' in step && step.undo === 'undoWork').map(step => step.name)
    const ofCase = (all: Map<string, string>) =>
      [...all.values()].filter(each => each.startsWith(`${caseNo} `)).toSorted()
    if (result.outcome === 'completed') expect([...active, ...ofCase(undone)]).toEqual([])
    else expect(ofCase(undone)).toEqual(ofCase(started).filter(each => undoable.includes(each.split(' ')[1] ?? '')))
  }

  test('take only the paths of their declarations', async () => {
    const edges = await replayEdges(await bundle(), histories)
    const strange = edges.flatMap(({ flow: name, ...taken }) => {
      const flow = flows.find(({ flow }) => flow.name === name)?.flow
      const known = flow && edgesOf(flow)?.map(edge => JSON.stringify(edge))
      const on = flow ? edgesOn(flow, taken) : []
      return on.filter(edge => !known?.includes(JSON.stringify(edge))).map(edge => ({ flow, edge }))
    })
    expect(strange).toEqual([])
    expect(new Set(edges.map(({ flow }) => flow)).size).toBe(flows.length)
  })

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
function failedTasks({ events }: History) {
  return (events ?? [])
    .flatMap(event => event.workflowTaskFailedEventAttributes ?? [])
    .filter(({ cause }) => cause !== unhandledCommand)
}
