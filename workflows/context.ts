import type { ApplicationFailure } from '@temporalio/common'
import type { AnswerUpdate, Cause, FlowInput, FlowResult, FlowState, LeftOver, ShipmentStatus } from '#flows'
import { toFlowFailure } from './failures.ts'
import type { Attempt, Pending, Resolving } from './pending.ts'
import { shareParts } from './planParts.ts'
import { type Claim, type FlowProgress, isPastBooking, stepOf } from './progress.ts'
import type { RunInfo, Runtime } from './runtime.ts'
import { isOverdue, rootOf, type Token } from './tokens.ts'

/** Rejections that a flow remembers. */
const maxRejections = 20

/** Most flows wait without work, so they share this list. */
const none: readonly never[] = []

type BookingOutcome = 'booked' | { readonly failure: ApplicationFailure }

/** Everything that one workflow run knows. Update and signal handlers write it, and the main loop reads it. */
export interface FlowContext {
  readonly runtime: Runtime
  readonly name: string
  readonly input: FlowInput
  /** Undefined until the flow is planned. */
  progress: FlowProgress | undefined
  hasEnded: boolean
  /** The outcome of the first book step, and of the flow if it books nothing. */
  booking: 'open' | BookingOutcome
  /** The first attempt to book, until the book step has it. */
  firstAttempt: Attempt | undefined
  /** The work of the steps: it was started, and the loop does not wait for it. */
  work: readonly Pending[]
  resolving: readonly Resolving[]
  /** A poll of the service is under way, and so may be a search for late bookings. */
  isPolling: boolean
  /** The end of the last poll for a deadline that had no response, in milliseconds. Undefined without one. */
  unreadAt: number | undefined
  /** Callbacks that arrived before the response of a booking, in their order. */
  bufferedCallbacks: ShipmentStatus[]
  /** Answers that Temporal applied again after a reset, to steps that the flow has not reached. Undefined without one. */
  earlyAnswers: readonly AnswerUpdate[] | undefined
  /** Handlers that wait for the booking, or for the end. */
  readonly waiters: Readonly<Record<'booking' | 'end', (() => void)[]>>
  /** Undefined while no caller has cancelled the flow. */
  cancelRequested: Extract<Cause, 'cancel' | 'ask.cancel'> | undefined
  /** A callback contradicts our state; poll before going on. */
  pollRequested: boolean
  /** The claims of the callbacks that have requested the poll. Undefined before the first one. */
  claims: readonly Claim[] | undefined
  /** The earliest moment of the next poll for hints. Undefined unless a long run cannot continue as new. */
  hintsHeldUntil: number | undefined
  /** A handler changed something that the main loop has to evaluate. */
  needsEvaluation: boolean
  /** History length when the last recorded event arrived. Rejected updates are not recorded. */
  historyLengthAtLastEvent: number | undefined
  /** The failure of the flow. */
  failure: ApplicationFailure | undefined
  result: FlowResult | undefined
  /** The notifications whose child workflow Temporal has not started yet, by id. Undefined before the first one. */
  startingNotifications: Set<string> | undefined
  undeliveredNotifications: Set<string> | undefined
}

/** A flow with a plan. */
export type PlannedFlow = FlowContext & { progress: FlowProgress }

/** A flow before its plan. */
export function createContext(runtime: Runtime, { workflowType }: RunInfo, input: FlowInput): FlowContext {
  return {
    runtime,
    name: workflowType,
    input,
    progress: undefined,
    hasEnded: false,
    booking: 'open',
    firstAttempt: undefined,
    work: none,
    resolving: none,
    isPolling: false,
    unreadAt: undefined,
    bufferedCallbacks: [],
    earlyAnswers: undefined,
    waiters: { booking: [], end: [] },
    cancelRequested: undefined,
    pollRequested: false,
    claims: undefined,
    hintsHeldUntil: undefined,
    needsEvaluation: false,
    historyLengthAtLastEvent: undefined,
    failure: undefined,
    result: undefined,
    startingNotifications: undefined,
    undeliveredNotifications: undefined,
  }
}

/** Goes on with the progress of the run before. */
export function restore(flow: FlowContext, progress: FlowProgress): void {
  const { plan, lockers, earlyAnswers } = progress
  const { bookingFailure } = lockers
  flow.progress = { ...progress, plan: shareParts(plan) }
  flow.earlyAnswers = earlyAnswers
  flow.runtime.setAhead(progress.clock?.ahead ?? 0)
  if (bookingFailure !== undefined) flow.booking = { failure: toFlowFailure(bookingFailure) }
  else if (isPastBooking(progress)) flow.booking = 'booked'
}

/** True if the run repeats events of a run before a reset, which may have told its callers of a booking. */
export function isAfterReset({ runtime, progress }: FlowContext): boolean {
  const { runId, originalExecutionRunId } = runtime.info()
  return progress?.reset === true || runId !== originalExecutionRunId
}

/** @throws Error before the flow is planned */
export function requirePlanned(flow: FlowContext): PlannedFlow {
  if (flow.progress === undefined) throw new Error('The flow is not planned yet.')
  return flow as PlannedFlow
}

/** The state of the flow for people, by where its tokens stand. */
export function stateOf({ hasEnded, progress }: FlowContext): FlowState {
  if (hasEnded) return 'ended'
  if (progress === undefined) return 'booking'
  if (progress.ending !== undefined) return 'cleaningUp'
  if (isFirstBooking(progress, rootOf(progress))) return 'booking'
  return progress.tokens.some(isOverdue) ? 'overdue' : 'waiting'
}

/** True for a step that books before anything else: its callers wait for it. */
export function isFirstBooking(progress: FlowProgress, token: Token): boolean {
  return token.step === 0 && stepOf(progress, token)?.kind === 'book'
}

export function addWork(flow: FlowContext, pending: Pending): void {
  flow.work = [...flow.work, pending]
}

export function endWork(flow: FlowContext, pending: Pending): void {
  const rest = flow.work.filter(other => other !== pending)
  flow.work = rest.length > 0 ? rest : none
}

/** True while an activity is under way whose end a run must not lose. */
export function isBusy({ work, resolving, isPolling }: FlowContext): boolean {
  return work.length > 0 || resolving.length > 0 || isPolling
}

export function dropResolving(flow: FlowContext, dropped: readonly Resolving[]): void {
  const rest = flow.resolving.filter(other => !dropped.includes(other))
  flow.resolving = rest.length > 0 ? rest : none
}

/** Answers the callers that wait for the booking. The first outcome counts. */
export function setBooking(flow: FlowContext, booking: BookingOutcome): void {
  if (flow.booking !== 'open') return
  flow.booking = booking
  resume(flow, 'booking')
}

/** Resumes the handlers that wait for the booking, or for the end. */
export function resume(flow: FlowContext, waitsFor: keyof FlowContext['waiters']): void {
  for (const go of flow.waiters[waitsFor].splice(0)) go()
}

/** The `cancel` update, the decision `cancel` and the Web UI's cancel button all end a flow in the same way. */
export function isCancelled({ cancelRequested, runtime }: FlowContext): boolean {
  return cancelRequested !== undefined || runtime.isCancelRequested()
}

/** True if the work of the step has to stop. It can end in the task of a cancellation, before the loop has told it. */
export function isEnding(flow: FlowContext, { stopRequested }: Pending): boolean {
  return stopRequested || isCancelled(flow)
}

/** Logs a rejected callback or a failed call. The text is public: it must not contain personal data. */
export function recordRejection({ progress, runtime }: FlowContext, what: string): void {
  if (progress === undefined) return
  const at = new Date(runtime.now()).toISOString()
  progress.rejections = [...progress.rejections, { at, what }].slice(-maxRejections)
}

/** Everything that a person has to take care of, and where. */
export function listLeftOver({ progress }: FlowContext): LeftOver[] {
  return [...(progress?.duplicatesLeft ?? []), ...(progress?.leftOver ?? [])].map(left => {
    const held = progress?.lockers.shipments.find(({ shipmentUid }) => shipmentUid === left.shipmentUid)
    const { pupUid, lockerName } = held ?? {}
    return { ...left, ...(pupUid && { pupUid }), ...(lockerName && { lockerName }) }
  })
}

/** The shipments of the flow, and those that it has left over. */
export function toKnownUids(flow: PlannedFlow): Set<string | null> {
  return new Set([...flow.progress.lockers.shipments, ...listLeftOver(flow)].map(({ shipmentUid }) => shipmentUid))
}
