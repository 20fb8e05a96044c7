import {
  type Client,
  type WithStartWorkflowOperation as StartOperation,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { fingerprint } from '#contract'
import { type Decision, taskQueue as defaultTaskQueue, type FlowInput } from '#contract/terms'
import type { AnyFlowName } from '#workflows/flows'
import * as messages from '#workflows/messages'
import type {
  Assigned,
  Booked,
  BookingPending,
  Cancelled,
  CancelPending,
  CaseFinished,
  CaseInUse,
  Decided,
  Ended,
  Refused,
  Released,
  ReleasePending,
  Started,
  Status,
  UnknownCase,
} from './answers.ts'
import { answered, handleOf, shortly } from './asking.ts'
import { endedCase, findCase } from './case.ts'
import { createOrders, defaultDeadline } from './orders.ts'
import { isDeadline, isPassing, refusalIn } from './refusals.ts'
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
  start(flow: AnyFlowName, input: FlowInput): Promise<Started | CaseInUse | CaseFinished>
  /** Starts a flow and waits until it is booked, or refused, or the deadline passes. */
  startAndWaitForBooking(
    flow: AnyFlowName,
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
  /**
   * Names who collects the shipment of a flow that waits for it; answers once the service has accepted. Throws past the
   * deadline; the flow may have taken it all the same. Naming the same user again does no harm.
   */
  assignReceiver(caseNo: string, toUserUid: string, options?: WaitOptions): Promise<Assigned | Refused | UnknownCase>
  /** Ends a booking that is kept; answers once its locker is free. */
  release(caseNo: string, options?: WaitOptions): Promise<Released | ReleasePending | Refused | UnknownCase>
  /** Decides about a window that has passed. Throws past the deadline; `status` tells whether the flow has taken it. */
  decide(caseNo: string, decision: Decision, options?: WaitOptions): Promise<Decided | Refused | UnknownCase>
}

/** Milliseconds. */
const statusDeadline = 10_000

/**
 * A flow client on a Temporal client of yours, which decides address and namespace. Payload codecs are not supported:
 * worker and gateway have none, and could read nothing that is encrypted.
 */
export function createFlowClient(client: Client, options: FlowClientOptions = {}): FlowClient {
  const taskQueue = options.taskQueue ?? defaultTaskQueue

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
        const mayRun = isStarted || isDeadline(error) || isPassing(error)
        const known = mayRun ? await shortly(client, () => findCase(client, caseNo)) : undefined
        if (known === undefined) throw error
        return isStarted ? endedCase(client, known, flow, input) : { kind: 'BookingPending', caseNo }
      }
    },

    async status(caseNo) {
      try {
        const status = await client.withDeadline(Date.now() + statusDeadline, () =>
          handleOf(client, caseNo).query(messages.status),
        )
        return { kind: 'Status', status }
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { kind: 'UnknownCase', caseNo }
        throw error
      }
    },

    result: caseNo =>
      answered(client, caseNo, async () => ({ kind: 'Ended', result: await handleOf(client, caseNo).result() })),

    ...createOrders(client),
  }
}
