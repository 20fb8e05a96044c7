import type { WorkflowHandle } from '@temporalio/client'
import type { Decision, FlowName, FlowState } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { AnswerOf, InputOf, NameOf, ResultOf } from './flowTypes.ts'
import type {
  Answered,
  Booked,
  BookingPending,
  Cancelled,
  CancelPending,
  CaseFinished,
  CaseInUse,
  Decided,
  Ended,
  EndPending,
  Listed,
  Refused,
  Started,
  Status,
  UnknownCase,
  Watched,
} from './results.ts'

/** Options of the client. */
export interface FlowClientOptions<Own extends FlowDeclaration = never> {
  /** The task queue of the workers; `lockerflow` by default. */
  readonly taskQueue?: string
  /**
   * Declarations of custom flows. They type the calls and describe the flow in the Web UI. A worker whose declaration has
   * another input or other answers refuses the start with `FlowDiffers`.
   */
  readonly flows?: readonly Own[]
}

/** Options of a call that waits for a response. */
export interface WaitOptions {
  /** Limit of the call, in milliseconds. Each call documents its default. */
  readonly timeout?: number
}

/**
 * An update that takes effect once, however often and from however many processes it is sent. After the namespace's
 * retention has deleted the run that took it, it takes effect again.
 */
export interface Once {
  /** Names the update, in 1 to 100 characters. With another argument it returns the result of the first one. */
  readonly key: string
  /** A run of the flow from before the first attempt, as `list` returns it. */
  readonly runId: string
}

/** Options of an update. */
export interface OnceOptions extends WaitOptions {
  /** Makes the repetition of the call safe, even after the flow continued as new. */
  readonly once?: Once
}

/** Options of `waitForBooking`. */
export interface BookingOptions extends WaitOptions {
  /** 1 to 100 characters: calls with the same key count as one caller of the flow, which takes five. */
  readonly key?: string
}

/** Parts that `status` adds on request. */
export interface StatusOptions {
  /** The picture of the run: the path that it took, its current step, and the steps that may come. */
  readonly picture?: boolean
  /** Who answers each ask step of the flow. */
  readonly questions?: boolean
}

/** Options of a call that can be aborted. */
export interface SignalOptions {
  /** Aborts the call, which then throws the reason of the signal. The flow continues. */
  readonly signal?: AbortSignal
}

/** Options of a call that waits for the end of a flow. */
export interface EndOptions extends SignalOptions {
  /** Limit of the call, in milliseconds; none by default. */
  readonly timeout?: number
}

/** Options of `watch`. */
export interface WatchOptions extends SignalOptions {
  /** The cursor of the last change that an earlier watch returned. */
  readonly after?: string
}

/** Flows that meet every given condition. */
export interface ListFilter<Name extends string = FlowName> {
  readonly flow?: Name
  readonly state?: FlowState
  /** True for open flows whose window has passed, false for the other open ones with a booking. */
  readonly overdue?: boolean
  /** The uid of the user in the request. */
  readonly user?: string
  /** The uid of the pick up point. */
  readonly pickUpPoint?: string
  /**
   * A condition over `case`, `flow`, `state`, `step`, `user`, `pickUpPoint`, `shipment`, `overdue`, `started` and `ended`:
   * `overdue and pickUpPoint = 'pup-1' and started before 48h ago`. With `=`, `!=`, `in (…)`, `before`, `after`, `and`,
   * `or`, `not` and parentheses.
   */
  readonly where?: string
  /** 1 to 1,000 flows; 100 by default. */
  readonly pageSize?: number
  /** The cursor of the page before. The conditions must be the same. */
  readonly cursor?: string
}

/** A flow as a Temporal workflow. */
export type FlowWorkflow<Name extends NameOf<Own> = FlowName, Own extends FlowDeclaration = never> = (
  input: InputOf<Name, Own>,
) => Promise<ResultOf<Name, Own>>

/**
 * Starts flows and talks to them, by case number. Refusals and all that a caller can expect are results, told apart
 * by `kind`. Each failure has a `code` and a `message`, a sentence that ends with the address of its page.
 *
 * Every call can throw `FlowCallError` with one of these codes:
 *
 * - `NoWorkerPolls`: no worker polls the task queue. A pending result has this code too.
 * - `FlowPaused`: Temporal has paused the flow. `cancel` returns `CancelPending` with this code.
 * - `NoResponseInTime`: a worker polls, and the flow did not respond within the timeout.
 * - `TemporalUnreachable`: Temporal did not respond at its address.
 * - `TemporalDenied`: Temporal denies access, or does not know the namespace.
 * - `TemporalLimitReached`: the call exceeds a limit of Temporal, such as calls per second.
 * - `TemporalFailed`: Temporal returned another error.
 * - `FlowEnded`: the Temporal client has a `queryRejectCondition`.
 * - `DataNotConverted`: histories are encrypted and the client lacks the keys, or a value is not JSON.
 *
 * A `timeout` that is not a number throws a TypeError, as does an empty key. The interceptors of the Temporal client see
 * every call.
 */
export interface FlowClient<Own extends FlowDeclaration = never> {
  /**
   * Starts a flow without waiting for its booking. A second start of the same case finds the first. A start of a case that
   * the namespace's retention has deleted books again. A request that is too large, or does not match the declared input of
   * a custom flow, is `Refused` with `InvalidFlowInput`, by each of the three starts.
   *
   * ```ts
   * const started = await flows.start('stock', { caseNo: 'I1701-1982', request })
   * ```
   */
  start<Name extends NameOf<Own>>(
    flow: Name,
    input: InputOf<Name, Own>,
  ): Promise<Started | CaseInUse | CaseFinished<Name, Own> | Refused>

  /**
   * Starts a flow, or finds that of an earlier call, and waits until its lockers are booked. A refusal of
   * the service, for instance `NoLockerAvailable`, returns `Refused`. Without a response in time it returns
   * `BookingPending`, and the flow continues.
   *
   * ```ts
   * const answer = await flows.startAndWaitForBooking('stock', {
   *   caseNo: 'S1701-1982',
   *   request: {
   *     PupUid: 'pup-1',
   *     AllowLargerLockers: true,
   *     AllowOverflowLockers: false,
   *     Dimension: { width: 30, height: 15, length: 40 },
   *   },
   *   windows: { dropOff: '24h' },
   * })
   * if (answer.kind === 'Booked') console.log(answer.shipments)
   * ```
   * @param options `timeout`: 30,000 ms by default
   * @throws FlowCallError without a response, if no flow of the case is found
   */
  startAndWaitForBooking<Name extends NameOf<Own>>(
    flow: Name,
    input: InputOf<Name, Own>,
    options?: WaitOptions,
  ): Promise<Booked<Name, Own> | BookingPending | CaseInUse | CaseFinished<Name, Own> | Refused>

  /**
   * Waits for the booking of a started flow. An ended flow returns the shipments of its result, or `Refused` with
   * the code with which it ended: `FlowEnded` if all are cancelled, or it booked none. Without a response in time it returns
   * `BookingPending`, and the flow continues.
   * @param options `timeout`: 30,000 ms by default
   */
  waitForBooking<Name extends NameOf<Own> = NameOf<Own>>(
    caseNo: string,
    options?: BookingOptions,
  ): Promise<Booked<Name, Own> | BookingPending | Refused | UnknownCase>

  /**
   * Starts a flow, or finds that of an earlier call, and waits until it has ended. For the account flows, which
   * wait for no person.
   * @param options as those of `waitForEnd`
   */
  startAndWaitForEnd<Name extends NameOf<Own>>(
    flow: Name,
    input: InputOf<Name, Own>,
    options?: EndOptions,
  ): Promise<Ended<Name, Own> | EndPending | CaseInUse | Refused | UnknownCase>

  /**
   * Queries the state of a flow, of an ended one too. Limited to 10,000 ms. Needs a worker.
   * @throws FlowCallError without a response
   */
  status(caseNo: string, options?: StatusOptions): Promise<Status | UnknownCase>

  /**
   * Waits until the flow has ended. Returns `Refused` when the flow failed, with the code of its failure: the booking was
   * refused or given up, or the flow was terminated from outside (`FlowTerminated`). With a `timeout` it returns
   * `EndPending` when the flow continues, with `NoWorkerPolls` as its code if no worker polls.
   *
   * The type parameter is the flow's name, if known. Otherwise `result.flow` narrows the type.
   * @param options `timeout` in ms, none by default; `signal` aborts the call
   */
  waitForEnd<Name extends NameOf<Own> = NameOf<Own>>(
    caseNo: string,
    options?: EndOptions & { readonly timeout?: never },
  ): Promise<Ended<Name, Own> | Refused | UnknownCase>
  waitForEnd<Name extends NameOf<Own> = NameOf<Own>>(
    caseNo: string,
    options: EndOptions,
  ): Promise<Ended<Name, Own> | EndPending | Refused | UnknownCase>

  /** `waitForEnd` without options. */
  result<Name extends NameOf<Own> = NameOf<Own>>(caseNo: string): Promise<Ended<Name, Own> | Refused | UnknownCase>

  /**
   * Follows a flow until it has ended: its stages, its shipments, and whether it is overdue. The first items are the
   * state at the beginning, the last one is the end: `Ended`, `Refused` or `UnknownCase`. Changes between two reads are
   * merged.
   *
   * ```ts
   * for await (const change of flows.watch('I1701-1982')) {
   *   if (change.kind === 'Overdue' && change.overdue) console.log(`${change.stage} is late`)
   *   if (change.kind === 'Interrupted') console.error(change.message)
   * }
   * ```
   *
   * Without a response it yields `Interrupted` once, tries again with a backoff, and goes on where it was. Another process
   * goes on with the `cursor` of the last change: `flows.watch(caseNo, { after: cursor })`. The end comes again there.
   * It costs one waiting call to Temporal, and a query after each change.
   * @param options `after` is a cursor; `signal` aborts the watch, which then throws its reason
   * @throws FlowCallError when Temporal denies access or fails, and when the data converter does
   */
  watch<Name extends NameOf<Own> = NameOf<Own>>(
    caseNo: string,
    options?: WatchOptions,
  ): AsyncGenerator<Watched<Name, Own>, void, undefined>

  /**
   * Lists open flows, the last started first, then ended ones, the last ended first: the order of Temporal's visibility,
   * which is up to a few seconds late. An invalid cursor is `Refused` with `InvalidCursor`, and an invalid `where` or
   * `pageSize` with `InvalidFilter`, which names the field. Needs no worker. Limited to 10,000 ms.
   */
  list(filter?: ListFilter<NameOf<Own>>): Promise<Listed | Refused>

  /**
   * Cancels the flow and waits until it is cleaned up. Without a response in time it requests the cancellation from
   * Temporal and returns `CancelPending`.
   * @param reason for the history of the flow, 1 to 500 characters; `Refused` with `InvalidFlowInput` otherwise
   * @param options `timeout`: 30,000 ms by default; `once` returns the first response to a repeated call
   * @throws FlowCallError when Temporal cannot be reached, or when the request after the timeout fails too
   */
  cancel(
    caseNo: string,
    reason?: string,
    options?: OnceOptions,
  ): Promise<Cancelled | CancelPending | Refused | UnknownCase>

  /**
   * Names the user who collects the shipment of a flow `localShipment` whose receiver is delayed: `answer` by another name.
   * The flow sets the receiver, and asks again if the service refuses the user.
   */
  assignReceiver(caseNo: string, toUserUid: string, options?: WaitOptions): Promise<Answered | Refused | UnknownCase>

  /** Ends a kept booking: `answer` by another name. The flow cancels the shipment and completes. */
  release(caseNo: string, options?: WaitOptions): Promise<Answered | Refused | UnknownCase>

  /**
   * Decides about an expired window. Refused with `NothingToDecide` when none has.
   *
   * ```ts
   * await flows.decide('I1701-1982', { decision: 'extend', by: '24h' })
   * ```
   * @param options `timeout`: 30,000 ms by default; `once` makes a repeated call safe
   * @throws FlowCallError without a response; `status` tells whether the flow accepted, and a call with `once` can
   * be repeated
   */
  decide(caseNo: string, decision: Decision, options?: OnceOptions): Promise<Decided | Refused | UnknownCase>

  /**
   * Answers the ask step in which a flow is. Refused with `NotAskedYet` before the flow has come to the step, with
   * `AlreadyAnswered` after another, and with `InvalidFlowInput` for an answer or a field that the step does not
   * have. Repeating the same answer is safe, and returns the first result.
   *
   * ```ts
   * await flows.answer<'repairShop'>('R-1', { step: 'quote', answer: 'priced', fields: { cents: 4900 }, by: 'kim' })
   * ```
   * @param options `timeout`: 30,000 ms by default
   * @throws FlowCallError without a response; retry the call with the same answer
   */
  answer<Name extends NameOf<Own> = NameOf<Own>>(
    caseNo: string,
    answer: AnswerOf<Name, Own>,
    options?: WaitOptions,
  ): Promise<Answered | Refused | UnknownCase>

  /**
   * Temporal's own handle of a flow, for other calls: `describe`, `terminate`, `fetchHistory`.
   * It never throws; its methods report an unknown case (`WorkflowNotFoundError`).
   */
  handle<Name extends NameOf<Own> = NameOf<Own>>(caseNo: string): WorkflowHandle<FlowWorkflow<Name, Own>>
}
