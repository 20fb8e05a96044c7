import type { WorkflowHandle } from '@temporalio/client'
import protos from '@temporalio/proto'
import type { History } from '@temporalio/worker'
import { beforeAll, expect, test } from 'vitest'
import { createFlowClient } from '#client'
import { type FlowResult, type RunCall, toWorkflowId } from '#flows'
import { checkFlows } from '#flows/check'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { replay } from '#worker'
import { drive } from '../support/flows/drive.ts'
import { bundle } from '../support/world/bundle.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { useWorld } from '../support/world/useWorld.ts'

const { temporal } = protos

/** Events after which Temporal suggests a new run, so few that each step can be the last one of a run. */
const limit = 10

const world = useWorld({}, useOwnTemporal([`limit.historyCount.suggestContinueAsNew=${limit}`]))

/** Ten steps, with a parcel that comes and goes. */
function tenSteps(at: number): Step[] {
  const role = `parcel${at}`
  const run = (name: string): Step => ({
    name: `${name}${at}`,
    summary: 'A machine of the workshop does its part of the work.',
    run: 'work',
    with: { name, at },
    keep: { note: 'text' },
    undo: 'undoWork',
    timeout: '30s',
  })
  const ask = (name: string): Step => ({
    name: `${name}${at}`,
    summary: 'A person of the workshop approves the work.',
    ask: { approved: { note: 'text' } },
    who: 'staff',
    window: '1h',
    onTimeout: 'remind',
  })
  return [
    run('measure'),
    {
      name: `book${at}`,
      summary: 'A locker for the part is booked.',
      book: 'CreateLocalShipmentAsIntake',
      as: { intake: role },
      request: {
        PupUid: 'pup-1',
        FromUserUid: { from: 'input.userUid' },
        AllowLargerLockers: true,
        AllowOverflowLockers: false,
        Dimension: { width: 10, height: 10, length: 10 },
      },
    },
    {
      name: `in${at}`,
      summary: 'The part is brought.',
      wait: { [role]: 'ReadyForPickup' },
      window: '1h',
      onTimeout: 'remind',
    },
    {
      name: `out${at}`,
      summary: 'The part is fetched.',
      wait: { [role]: 'Completed' },
      window: '1h',
      onTimeout: 'remind',
    },
    run('cut'),
    ask('approve'),
    run('glue'),
    { name: `dry${at}`, summary: 'The glue dries.', sleep: '20ms' },
    run('paint'),
    ask('inspect'),
  ]
}

const flow: FlowDeclaration = {
  name: 'hundredSteps',
  summary: 'A flow of one hundred steps.',
  input: { userUid: 'uid' },
  steps: Array.from({ length: 10 }, (_, at) => tenSteps(at)).flat(),
}

/** Keys of the runs that were started and undone, in their order. */
const [started, undone]: [string[], string[]] = [[], []]

const note = 'The work was done as the order says. '.repeat(10)

const activities = {
  async work(_: unknown, { key }: RunCall) {
    started.push(key)
    return { note }
  },
  async undoWork(_: unknown, { key }: RunCall) {
    undone.push(key)
  },
}

beforeAll(() => world.restartWorker({ flows: [flow], activities }))

interface Run {
  readonly workflowId: string
  readonly history: History
  readonly events: NonNullable<History['events']>
  /** Bytes. */
  readonly size: number
}

/** The runs of a case, oldest first. */
async function runsOf(caseNo: string, firstRunId: string): Promise<Run[]> {
  const runs: Run[] = []
  for (let runId: string | null | undefined = firstRunId; runId; ) {
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo), runId)
    const history: History = await handle.fetchHistory()
    const events = history.events ?? []
    runs.push({ workflowId: `${caseNo} ${runId}`, history, events, size: sizeOf(history) })
    runId = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  }
  return runs
}

function sizeOf(history: History): number {
  return temporal.api.history.v1.History.encode(history).finish().length
}

/** The largest progress that a run hands over, in bytes. */
function carriedBy(runs: readonly Run[]): number {
  const inputs = runs.flatMap(
    ({ events }) => events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.input ?? [],
  )
  return Math.max(
    ...inputs.map(({ payloads }) => (payloads ?? []).reduce((sum, { data }) => sum + (data?.length ?? 0), 0)),
  )
}

/** Temporal's own limits: events and bytes at which it suggests a new run, and bytes of a payload that it refuses. */
const temporalLimits = { events: 4_096, bytes: 4 * 1024 * 1024, payload: 2 * 1024 * 1024 }

test('one hundred steps stay below the limits of Temporal, and are undone in reverse order', async () => {
  expect(flow.steps).toHaveLength(100)
  expect(checkFlows([flow], { activities: Object.keys(activities) }).filter(({ warning }) => !warning)).toEqual([])
  const caseNo = world.newCase(10)
  const flows = createFlowClient(world.client, { taskQueue: world.taskQueue, flows: [flow] })
  const answer = await flows.start('hundredSteps', { caseNo, request: { userUid: world.userUid } })
  if (answer.kind !== 'Started') throw new Error(JSON.stringify(answer))
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const random = { flow, cancelIn: 'inspect9', neglected: [], choices: [] }
  await drive(world, caseNo, random, async stage => {
    if (stage === 'approve5') await expectReadableBoard(handle)
  })
  const result: FlowResult = await handle.result()
  expect(result).toMatchObject({ outcome: 'cancelled', leftOver: [] })
  expect(result.shipments).toHaveLength(10)
  expect(started).toHaveLength(40)
  expect(undone).toEqual(started.toReversed())
  const runs = await runsOf(caseNo, answer.runId)
  const events = runs.reduce((sum, run) => sum + run.events.length, 0)
  const bytes = runs.reduce((sum, run) => sum + run.size, 0)
  console.info(`hundred steps: ${runs.length} runs, ${events} events, ${bytes} bytes, ${carriedBy(runs)} bytes carried`)
  expect(runs.length).toBeGreaterThan(40)
  // One run would have no more than all of them together, and no more than one of their inputs.
  expect(events).toBeLessThan(temporalLimits.events)
  expect(bytes - runs.length * carriedBy(runs)).toBeLessThan(temporalLimits.bytes)
  expect(carriedBy(runs)).toBeLessThan(temporalLimits.payload / 10)
  expect(await replay(await bundle(), runs)).toEqual([])
})

/** The current details in the middle of the flow: the step, its neighbours, and the number of the others. */
async function expectReadableBoard(handle: WorkflowHandle): Promise<void> {
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')
  expect(Buffer.byteLength(currentDetails)).toBeLessThan(20_000)
  expect(currentDetails.split('\n').length).toBeLessThan(60)
  expect(currentDetails).toMatch(/\d+ earlier/)
  expect(currentDetails).toMatch(/and \d+ more/)
}
