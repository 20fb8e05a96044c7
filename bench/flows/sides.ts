import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Client, WithStartWorkflowOperation, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client'
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common'
import { createFlowClient, type FlowRequest } from '#client'
import { type FlowShipment, searchAttributes, toWorkflowId } from '#flows'
import { waitForBooking } from '#flows/messages'
import { createDataConverter, readKeyRing } from '#platform/codec'
import { type Child, startChild } from '../child.ts'
import type { BareInput } from './bare/bookings.ts'
import { inspection } from './inspection.ts'
import type { Journey } from './journeys.ts'
import type { Used, WorkerJob } from './workerProcess.ts'
import type { World } from './world.ts'

/** A worker process with one of the two sets of workflows, and the function that starts them. */
export interface Side {
  readonly taskQueue: string
  readonly worker: Child<WorkerJob, Used>
  /** Starts a flow and returns its booking. @throws Error if it is not booked */
  readonly start: Start
}

/** `baseline`: the minimal hand-written workflows; `visible`: those with the same visibility. */
export type SideName = 'ours' | 'baseline' | 'visible'

/** The sides of every row. */
export type Compared = Exclude<SideName, 'visible'>

type Start = (journey: Journey, caseNo: string, request: Record<string, unknown>) => Promise<readonly FlowShipment[]>

/** Milliseconds that a caller waits for a booking. */
const timeout = 60_000
/** Flows that a worker may keep in memory. */
const maxCachedWorkflows = 10_000

const sides: Readonly<
  Record<SideName, { readonly workflows?: string; callers(client: Client, taskQueue: string): Start }>
> = {
  ours: { callers: ourCallers },
  baseline: { workflows: fileURLToPath(new URL('./bare/index.ts', import.meta.url)), callers: bareCallers },
  visible: { workflows: fileURLToPath(new URL('./visible/index.ts', import.meta.url)), callers: visibleCallers },
}

/**
 * Starts a worker, by default on a new task queue. The sides differ in their workflows only.
 * @param variables further settings of the worker
 */
export async function startSide(
  world: World,
  name: SideName,
  taskQueue = `${name}-${randomUUID()}`,
  variables: Readonly<Record<string, string>> = {},
): Promise<Side> {
  const { workflows, callers } = sides[name]
  const threads = new URL('./threads.ts', import.meta.url).href
  const options = ['--expose-gc', '--import', threads]
  const worker = startChild<WorkerJob, Used>(new URL('./workerProcess.ts', import.meta.url), options, variables)
  const start = { maxCachedWorkflows, ...world.workerSettings, taskQueue }
  await worker.run({ start, ...(workflows !== undefined && { workflows }) })
  return { taskQueue, worker, start: callers(clientWith(world, variables.LOCKERFLOW_CODEC_KEYS), taskQueue) }
}

function clientWith({ client }: World, codecKeys: string | undefined): Client {
  const ring = codecKeys === undefined ? undefined : readKeyRing(codecKeys)
  if (typeof ring !== 'object') return client
  const { namespace } = client.options
  return new Client({ connection: client.connection, namespace, dataConverter: createDataConverter(ring) })
}

function ourCallers(client: Client, taskQueue: string): Start {
  const flows = createFlowClient(client, { taskQueue, flows: [inspection] })
  return async ({ flow }, caseNo, request) => {
    const result = await flows.startAndWaitForBooking(
      flow,
      { caseNo, request: request as FlowRequest<'issue'> },
      { timeout },
    )
    if (result.kind !== 'Booked') throw new Error(`${caseNo}: ${JSON.stringify(result)}`)
    return result.shipments
  }
}

type ToAttributes = (flow: string, caseNo: string) => SearchAttributePair[]

/** Starts with the search attributes that our client sets. */
function visibleCallers(client: Client, taskQueue: string): Start {
  const keyword = (attribute: 'caseNo' | 'flow', value: string): SearchAttributePair => ({
    key: defineSearchAttributeKey(searchAttributes[attribute].name, SearchAttributeType.KEYWORD),
    value,
  })
  return bareCallers(client, taskQueue, (flow, caseNo) => [keyword('caseNo', caseNo), keyword('flow', flow)])
}

function bareCallers(client: Client, taskQueue: string, attributes?: ToAttributes): Start {
  return async ({ flow, withCase }, caseNo, request) => {
    const input: BareInput = { caseNo, request: withCase(request, caseNo) }
    const startWorkflowOperation = new WithStartWorkflowOperation(flow, {
      workflowId: toWorkflowId(caseNo),
      taskQueue,
      args: [input],
      ...(attributes && { typedSearchAttributes: attributes(flow, caseNo) }),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    })
    const { shipments } = await client.withDeadline(Date.now() + timeout, () =>
      client.workflow.executeUpdateWithStart(waitForBooking, { startWorkflowOperation, updateId: randomUUID() }),
    )
    return shipments
  }
}
