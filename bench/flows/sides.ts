import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client'
import { createFlowClient } from '#client'
import { type FlowShipment, workflowIdOf } from '#contract/terms'
import { booked } from '#workflows/messages'
import { type Child, startChild } from '../child.ts'
import type { BareInput } from './bare/input.ts'
import type { Journey } from './journeys.ts'
import type { Used, WorkerJob } from './workerProcess.ts'
import type { World } from './world.ts'

/** A worker process with one of the two sets of workflows, and how callers start them. */
export interface Side {
  readonly worker: Child<WorkerJob, Used>
  /** Starts a flow and waits for its booking. Throws when there is none. */
  readonly start: Start
}

export type SideName = 'ours' | 'baseline'

type Start = (journey: Journey, caseNo: string, request: Record<string, unknown>) => Promise<readonly FlowShipment[]>

/** How long a caller waits for a booking, in milliseconds, and how many flows a worker may keep in memory. */
const deadline = 60_000
const cached = 10_000

const sides: Readonly<
  Record<SideName, { readonly workflows?: string; callers(client: Client, taskQueue: string): Start }>
> = {
  ours: { callers: ourCallers },
  baseline: { workflows: fileURLToPath(new URL('./bare/index.ts', import.meta.url)), callers: bareCallers },
}

/** Starts a worker of its own, on a task queue of its own; the one thing that differs is the workflows. */
export async function startSide(world: World, name: SideName): Promise<Side> {
  const { workflows, callers } = sides[name]
  const taskQueue = `${name}-${randomUUID()}`
  const threads = new URL('./threads.ts', import.meta.url).href
  const options = ['--expose-gc', '--import', threads]
  const worker = startChild<WorkerJob, Used>(new URL('./workerProcess.ts', import.meta.url), options)
  const start = { ...world.workerSettings, taskQueue, maxCachedWorkflows: cached }
  await worker.run({ start, ...(workflows !== undefined && { workflows }) })
  return { worker, start: callers(world.client, taskQueue) }
}

function ourCallers(client: Client, taskQueue: string): Start {
  const flows = createFlowClient(client, { taskQueue })
  return async ({ flow }, caseNo, request) => {
    const answer = await flows.startAndWaitForBooking(flow, { caseNo, request }, { deadline })
    if (answer.kind !== 'Booked') throw new Error(`${caseNo}: ${JSON.stringify(answer)}`)
    return answer.shipments
  }
}

function bareCallers(client: Client, taskQueue: string): Start {
  return async ({ flow, withCase }, caseNo, request) => {
    const input: BareInput = { caseNo, request: withCase(request, caseNo) }
    const startWorkflowOperation = new WithStartWorkflowOperation(flow, {
      workflowId: workflowIdOf(caseNo),
      taskQueue,
      args: [input],
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    })
    const { shipments } = await client.withDeadline(Date.now() + deadline, () =>
      client.workflow.executeUpdateWithStart(booked, { startWorkflowOperation, updateId: randomUUID() }),
    )
    return shipments
  }
}
