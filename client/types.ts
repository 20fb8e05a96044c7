import type { WorkflowHandle } from '@temporalio/client'
import type { Decision, FlowName } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { AnswerOf, InputOf, NameOf, ResultOf } from './flowTypes.ts'
import type {
  Answered,
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
} from './results.ts'

export interface FlowClientOptions<Own extends FlowDeclaration = never> {
  /** The task queue of the workers; `lockerflow` by default. */
  readonly taskQueue?: string
  /**
   * Declarations of own flows. They type the calls and describe the flow in the Web UI. A worker whose declaration has
   * another input or other answers refuses the start with `FlowDiffers`.
   */
  readonly flows?: readonly Own[]
}

export interface WaitOptions {
  /** Limit of the call, in milliseconds. Each call documents its default. */
  readonly timeout?: number
}

/** A flow as a Temporal workflow. */
export type FlowWorkflow<Name extends NameOf<Own> = FlowName, Own extends FlowDeclaration = never> = (
  input: InputOf<Name, Own>,
) => Promise<ResultOf<Name, Own>>

/**
 * Starts flows and talks to them, by case number. Refusals are results (`kind: 'Refused'`, with a code). Missing responses
 * are thrown:
 *
 * - `FlowCallError`: no worker polls the task queue (`NoWorkerPolls`), or Temporal cannot be reached
 *   (`TemporalUnreachable`). Its `cause` is the error of `@temporalio/client`. A pending result has code and message too.
 * - `ServiceError`: Temporal denies access or does not know the namespace. Its `cause` is the gRPC error.
 * - `WorkflowUpdateRPCTimeoutOrCancelledError`: an update got no response within its timeout, although a worker polls.
 */
export interface FlowClient<Own extends FlowDeclaration = never> {
  /**
   * Starts a flow without waiting for its booking. A second start of the same case finds the first.
   *
   * ```ts
   * const started = await flows.start('stock', { caseNo: 'I1701-1982', request })
   * ```
   *
   * Without a `timeout` of its own: the deadline of the Temporal client applies.
   * @throws TypeError when `caseNo` is missing
   * @throws FlowCallError when Temporal cannot be reached
   */
  start<Name extends NameOf<Own>>(
    flow: Name,
    input: InputOf<Name, Own>,
  ): Promise<Started | CaseInUse | CaseFinished<Name, Own>>

  /**
   * Starts a flow, or finds the one that an earlier call started, and waits until its lockers are booked. A refusal of
   * the service, for instance `NoLockerAvailable`, returns `Refused`. Without a response in time it returns
   * `BookingPending`, and the flow continues.
   *
   * ```ts
   * const answer = await flows.startAndWaitForBooking('issue', {
   *   caseNo: 'I1701-1982',
   *   request: {
   *     PupUid: 'pup-1',
   *     ToUserUid: userUid,
   *     AllowLargerLockers: true,
   *     AllowOverflowLockers: false,
   *     Dimension: { width: 30, height: 15, length: 40 },
   *   },
   *   windows: { pickUp: '48h' },
   * })
   * if (answer.kind === 'Booked') console.log(answer.shipments)
   * ```
   * @param options `timeout` in milliseconds, 30,000 by default
   * @throws TypeError when `caseNo` is missing
   * @throws FlowCallError when Temporal cannot be reached
   * @throws WorkflowUpdateRPCTimeoutOrCancelledError when the timeout passes and no flow of the case is found
   */
  startAndWaitForBooking<Name extends NameOf<Own>>(
    flow: Name,
    input: InputOf<Name, Own>,
    options?: WaitOptions,
  ): Promise<Booked<Name, Own> | BookingPending | CaseInUse | CaseFinished<Name, Own> | Refused>

  /**
   * Queries the state of a flow, of an ended one too. Limited to 10,000 ms. Needs a worker.
   * @throws FlowCallError when Temporal cannot be reached or no worker polls
   * @throws QueryNotRegisteredError or QueryRejectedError when the workflow is not a flow
   */
  status(caseNo: string): Promise<Status | UnknownCase>

  /**
   * Waits until the flow has ended, without a limit. Returns `Refused` when the flow failed, with the code of its
   * failure: the booking was refused or given up, or the flow was terminated from outside (`FlowTerminated`).
   *
   * ```ts
   * const ended = await flows.result<'intakeAndCircularStock'>('I1701-1982')
   * if (ended.kind === 'Ended') console.log(ended.result.outcome)
   * ```
   *
   * The type parameter is the flow's name, if the caller knows it. Otherwise `result.flow` narrows the type.
   * @throws FlowCallError when Temporal cannot be reached
   */
  result<Name extends NameOf<Own> = NameOf<Own>>(caseNo: string): Promise<Ended<Name, Own> | Refused | UnknownCase>

  /**
   * Cancels the flow and waits until it is cleaned up. Without a response in time it requests the cancellation from
   * Temporal and returns `CancelPending`.
   * @param reason for the log of the flow
   * @param options `timeout` in milliseconds, 30,000 by default
   * @throws FlowCallError when Temporal cannot be reached
   * @throws WorkflowUpdateRPCTimeoutOrCancelledError when the request after the timeout fails too
   */
  cancel(
    caseNo: string,
    reason: string,
    options?: WaitOptions,
  ): Promise<Cancelled | CancelPending | Refused | UnknownCase>

  /**
   * Names the user who collects the shipment and waits until the service accepts. Refused with `NoReceiverExpected` by a
   * flow that expects no receiver. Repeating the call with the same user is safe.
   * @param options `timeout` in milliseconds, 70,000 by default: the flow tries for a minute
   * @throws FlowCallError when Temporal cannot be reached
   * @throws WorkflowUpdateRPCTimeoutOrCancelledError when the timeout passes; the flow may accept the receiver later
   */
  assignReceiver(caseNo: string, toUserUid: string, options?: WaitOptions): Promise<Assigned | Refused | UnknownCase>

  /**
   * Ends a kept booking and waits until its locker is free. Refused with `NothingToRelease` by a flow that keeps none.
   * @param options `timeout` in milliseconds, 30,000 by default
   * @throws FlowCallError when Temporal cannot be reached
   * @throws WorkflowUpdateRPCTimeoutOrCancelledError when the timeout passes before the flow accepted the release
   */
  release(caseNo: string, options?: WaitOptions): Promise<Released | ReleasePending | Refused | UnknownCase>

  /**
   * Decides about a window that has passed. Refused with `NothingToDecide` when none has.
   *
   * ```ts
   * await flows.decide('I1701-1982', { decision: 'extend', by: '24h' })
   * ```
   * @param options `timeout` in milliseconds, 30,000 by default
   * @throws FlowCallError when Temporal cannot be reached
   * @throws WorkflowUpdateRPCTimeoutOrCancelledError when the timeout passes; `status` tells whether the flow accepted
   */
  decide(caseNo: string, decision: Decision, options?: WaitOptions): Promise<Decided | Refused | UnknownCase>

  /**
   * Answers the ask step in which a flow is. Refused with `NotAskedYet` before the flow has come to the step, with
   * `AlreadyAnswered` after another answer, and with `InvalidFlowInput` for an answer or a field that the step does not
   * have. Repeating the same answer is safe: it returns the result of the first one.
   *
   * ```ts
   * await flows.answer<'repairShop'>('R-1', { step: 'quote', answer: 'priced', fields: { cents: 4900 }, by: 'kim' })
   * ```
   *
   * The type parameter is the flow's name, if the caller knows it.
   * @param options `timeout` in milliseconds, 30,000 by default
   * @throws FlowCallError when Temporal cannot be reached
   * @throws WorkflowUpdateRPCTimeoutOrCancelledError when the timeout passes; repeat the call with the same answer
   */
  answer<Name extends NameOf<Own> = NameOf<Own>>(
    caseNo: string,
    answer: AnswerOf<Name, Own>,
    options?: WaitOptions,
  ): Promise<Answered | Refused | UnknownCase>

  /**
   * Temporal's own handle of a flow, for calls that this client does not have: `describe`, `terminate`, `fetchHistory`.
   * Calls nothing and never throws; an unknown case is reported by the handle's methods (`WorkflowNotFoundError`).
   */
  handle<Name extends NameOf<Own> = NameOf<Own>>(caseNo: string): WorkflowHandle<FlowWorkflow<Name, Own>>
}
