import {
  type Client,
  type WithStartWorkflowOperation as StartOperation,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { fingerprint } from '#contract'
import {
  type Decision,
  taskQueue as defaultTaskQueue,
  type FlowInput,
  type FlowResult,
  workflowIdOf,
} from '#contract/terms'
import type { FlowName } from '#workflows/flows'
import * as messages from '#workflows/messages'
import type {
  Booked,
  BookingPending,
  Cancelled,
  CancelPending,
  CaseFinished,
  CaseInUse,
  Decided,
  Ended,
  Refused,
  Started,
  Status,
  UnknownCase,
} from './answers.ts'
import { endedCase, findCase } from './case.ts'
import { isDeadline, isPassing, refusalIn, refused } from './refusals.ts'
import { repeatedly } from './repeating.ts'
import { start, startOptions } from './starting.ts'

export interface FlowClientOptions {
  readonly taskQueue?: string
}

export interface WaitOptions {
  /** How long the caller waits, in milliseconds. */
  readonly deadline?: number
}

/** Starts flows and talks to them, by case number. What is not an answer, Temporal being away for instance, is thrown. */
export interface FlowClient {
  /** Starts a flow without waiting for its booking; a second start of the same case finds the first. */
  start(flow: FlowName, input: FlowInput): Promise<Started | CaseInUse | CaseFinished>
  /** Starts a flow and waits until it is booked, or refused, or the deadline passes. */
  startAndWaitForBooking(
    flow: FlowName,
    input: FlowInput,
    options?: WaitOptions,
  ): Promise<Booked | BookingPending | CaseInUse | CaseFinished | Refused>
  status(caseNo: string): Promise<Status | UnknownCase>
  /** Waits until the flow has ended. */
  result(caseNo: string): Promise<Ended | Refused | UnknownCase>
  /** Ends the flow; answers once clean-up is done. Past the deadline the flow is told to end all the same. */
  cancel(
    caseNo: string,
    reason: string,
    options?: WaitOptions,
  ): Promise<Cancelled | CancelPending | Refused | UnknownCase>
  /** Decides about a window that has passed. */
  decide(caseNo: string, decision: Decision, options?: WaitOptions): Promise<Decided | Refused | UnknownCase>
}

/** Milliseconds. */
const defaultDeadline = 30_000
const statusDeadline = 10_000
const afterthought = 2_000

/** A flow client on a Temporal client of yours, which decides address, namespace and encryption. */
export function createFlowClient(client: Client, options: FlowClientOptions = {}): FlowClient {
  const taskQueue = options.taskQueue ?? defaultTaskQueue

  /** Turns what the other side said into a value. */
  async function answered<Answer>(caseNo: string, ask: () => Promise<Answer>): Promise<Answer | Refused | UnknownCase> {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) {
        const known = await findCase(client, caseNo)
        return known === undefined ? { kind: 'UnknownCase', caseNo } : refused('FlowEnded', 'The flow has ended.')
      }
      const refusal = refusalIn(error)
      if (refusal !== undefined) return refusal
      throw error
    }
  }

  /** What a call answers within a short time; undefined when it does not. The caller's own deadline is over already. */
  async function shortly<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    return client.withDeadline(Date.now() + afterthought, call).catch(() => undefined)
  }

  function handle(caseNo: string) {
    return client.workflow.getHandle<() => Promise<FlowResult>>(workflowIdOf(caseNo))
  }

  return {
    start: (flow, input) => start(client, taskQueue, flow, input),

    async startAndWaitForBooking(flow, input, { deadline = defaultDeadline } = {}) {
      const { caseNo, request } = input
      const question = { flow, fingerprint: fingerprint(request) }
      // An operation is for one call only, hence one for each try.
      const operation = (): StartOperation<() => Promise<unknown>> =>
        new WithStartWorkflowOperation(flow, {
          ...startOptions(taskQueue, flow, input),
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        })
      try {
        const booked = await repeatedly(client, deadline, updateId =>
          client.workflow.executeUpdateWithStart(messages.booked, {
            startWorkflowOperation: operation(),
            args: [question],
            updateId,
          }),
        )
        return { kind: 'Booked', ...booked }
      } catch (error) {
        const refusal = refusalIn(error)
        if (refusal?.code === 'CaseInUse') return { kind: 'CaseInUse', caseNo, message: refusal.message }
        if (refusal?.code === 'BookingPending') return { kind: 'BookingPending', caseNo }
        if (refusal !== undefined) return refusal
        const isStarted = error instanceof WorkflowExecutionAlreadyStartedError
        const known = isStarted || isDeadline(error) ? await shortly(() => findCase(client, caseNo)) : undefined
        if (known === undefined) throw error
        return isStarted ? endedCase(client, known, flow, input) : { kind: 'BookingPending', caseNo }
      }
    },

    async status(caseNo) {
      try {
        const status = await client.withDeadline(Date.now() + statusDeadline, () =>
          handle(caseNo).query(messages.status),
        )
        return { kind: 'Status', status }
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { kind: 'UnknownCase', caseNo }
        throw error
      }
    },

    result: caseNo => answered(caseNo, async () => ({ kind: 'Ended', result: await handle(caseNo).result() })),

    cancel: (caseNo, reason, { deadline = defaultDeadline } = {}) =>
      answered(caseNo, async () => {
        try {
          const cancelled = await repeatedly(client, deadline, updateId =>
            handle(caseNo).executeUpdate(messages.cancel, { args: [{ reason }], updateId }),
          )
          return { kind: 'Cancelled', ...cancelled }
        } catch (error) {
          if (!isDeadline(error) && !isPassing(error)) throw error
          // Needs no worker, and no place among the updates.
          if ((await shortly(() => handle(caseNo).cancel())) === undefined) throw error
          return { kind: 'CancelPending', caseNo }
        }
      }),

    decide: (caseNo, decision, { deadline = defaultDeadline } = {}) =>
      answered(caseNo, async () => {
        const status = await repeatedly(client, deadline, updateId =>
          handle(caseNo).executeUpdate(messages.decide, { args: [decision], updateId }),
        )
        return { kind: 'Decided', status }
      }),
  }
}
