import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  type Client,
  isGrpcDeadlineError,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { fingerprint } from '#contract'
import {
  type Booked as BookedShipments,
  type Decision,
  taskQueue as defaultTaskQueue,
  type FlowInput,
  type FlowResult,
  workflowIdOf,
} from '#contract/terms'
import { type FlowName, flows } from '#workflows/flows'
import * as messages from '#workflows/messages'
import type {
  Booked,
  BookingPending,
  Cancelled,
  CaseFinished,
  CaseInUse,
  Decided,
  Ended,
  Refused,
  Started,
  Status,
  UnknownCase,
} from './answers.ts'
import { caseInUse, endedCase, findCase, isSameCase } from './case.ts'

export interface FlowClientOptions {
  readonly taskQueue?: string
}

export interface WaitOptions {
  /** How long the caller waits for the booking, in milliseconds. */
  readonly deadline?: number
}

/** Starts flows and talks to them, by case number. */
export interface FlowClient {
  /** Starts a flow without waiting for its booking; a second start of the same case finds the first. */
  start(flow: FlowName, input: FlowInput): Promise<Started | CaseInUse | CaseFinished>
  /** Starts a flow and waits until it is booked, or refused, or the deadline passes. */
  startAndWaitForBooking(
    flow: FlowName,
    input: FlowInput,
    options?: WaitOptions,
  ): Promise<Booked | BookingPending | CaseInUse | CaseFinished | Refused>
  status(caseNo: string): Promise<Status | Refused | UnknownCase>
  /** Waits until the flow has ended. */
  result(caseNo: string): Promise<Ended | Refused | UnknownCase>
  /** Ends the flow; answers once clean-up is done. */
  cancel(caseNo: string, reason: string): Promise<Cancelled | Refused | UnknownCase>
  /** Decides about a window that has passed. */
  decide(caseNo: string, decision: Decision): Promise<Decided | Refused | UnknownCase>
}

const bookingDeadline = 30_000

/** What the server answers when the workflow task that held an update failed, and the pause before the next try. */
const failedPrecondition = 9
const taskPause = 100

/** A flow client on a Temporal client of yours, which decides address, namespace and encryption. */
export function createFlowClient(client: Client, options: FlowClientOptions = {}): FlowClient {
  const taskQueue = options.taskQueue ?? defaultTaskQueue

  function startOptions(flow: FlowName, input: FlowInput) {
    return {
      workflowId: workflowIdOf(input.caseNo),
      taskQueue,
      args: [input],
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
      // A name that is no flow is started all the same: the worker answers it with UnknownFlow.
      ...(flow in flows && { staticSummary: flows[flow].summary }),
    }
  }

  return {
    async start(flow, input) {
      try {
        const { firstExecutionRunId } = await client.workflow.start(flow, startOptions(flow, input))
        return { kind: 'Started', caseNo: input.caseNo, runId: firstExecutionRunId, isNew: true }
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
      const known = await findCase(client, input.caseNo)
      // It was there and is gone again: its namespace forgot it in between.
      if (known === undefined) return this.start(flow, input)
      if (!known.running) return endedCase(client, known, flow, input)
      if (!isSameCase(known, flow, input)) return caseInUse(input.caseNo, known)
      return { kind: 'Started', caseNo: input.caseNo, runId: known.runId, isNew: false }
    },

    async startAndWaitForBooking(flow, input, { deadline = bookingDeadline } = {}) {
      const { caseNo } = input
      try {
        return { kind: 'Booked', ...(await bookedWithin(Date.now() + deadline, flow, input)) }
      } catch (error) {
        const known = await findCase(client, caseNo)
        if (error instanceof WorkflowExecutionAlreadyStartedError && known !== undefined) {
          return endedCase(client, known, flow, input)
        }
        const refused = refusalIn(error)
        if (refused?.code === 'CaseInUse') return { kind: 'CaseInUse', caseNo, message: refused.message }
        if (refused !== undefined) return refused
        if (isDeadline(error) && known !== undefined) return { kind: 'BookingPending', caseNo }
        throw error
      }
    },

    status: caseNo =>
      answered(caseNo, async () => ({ kind: 'Status', status: await handle(caseNo).query(messages.status) })),

    result: caseNo => answered(caseNo, async () => ({ kind: 'Ended', result: await handle(caseNo).result() })),

    cancel: (caseNo, reason) =>
      answered(caseNo, async () => {
        const { leftOver } = await handle(caseNo).executeUpdate(messages.cancel, { args: [{ reason }] })
        return { kind: 'Cancelled', leftOver }
      }),

    decide: (caseNo, decision) =>
      answered(caseNo, async () => ({
        kind: 'Decided',
        status: await handle(caseNo).executeUpdate(messages.decide, { args: [decision] }),
      })),
  }

  /**
   * Update with start, with one update id for the call and its repetitions. A workflow task that fails takes the
   * update down with it, for instance when a callback arrives in the moment in which the flow ends; the next one takes it.
   */
  async function bookedWithin(deadline: number, flow: FlowName, input: FlowInput): Promise<BookedShipments> {
    const updateId = randomUUID()
    for (;;) {
      try {
        return await client.withDeadline(deadline, () =>
          client.workflow.executeUpdateWithStart(messages.booked, {
            startWorkflowOperation: new WithStartWorkflowOperation(flow, {
              ...startOptions(flow, input),
              workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
            }),
            args: [{ flow, fingerprint: fingerprint(input.request) }],
            updateId,
          }),
        )
      } catch (error) {
        const taskFailed = isGrpcServiceError(error) && error.code === failedPrecondition
        if (!taskFailed || Date.now() + taskPause >= deadline) throw error
        await setTimeout(taskPause)
      }
    }
  }

  function handle(caseNo: string) {
    return client.workflow.getHandle<() => Promise<FlowResult>>(workflowIdOf(caseNo))
  }
}

/** Turns what the other side said into a value; anything else, Temporal being away for instance, is thrown. */
async function answered<Answer>(caseNo: string, ask: () => Promise<Answer>): Promise<Answer | Refused | UnknownCase> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { kind: 'UnknownCase', caseNo }
    const refused = refusalIn(error)
    if (refused !== undefined) return refused
    throw error
  }
}

function refusalIn(error: unknown): Refused | undefined {
  const failed = error instanceof WorkflowUpdateFailedError || error instanceof WorkflowFailedError
  if (!failed || !(error.cause instanceof ApplicationFailure)) return undefined
  return { kind: 'Refused', code: error.cause.type ?? 'InternalError', message: error.cause.message }
}

function isDeadline(error: unknown): boolean {
  return error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)
}
