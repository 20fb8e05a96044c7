import { type ApplicationFailure, CancellationScope } from '@temporalio/workflow'
import type {
  CompletingUpdate,
  FlowInput,
  FlowResult,
  FlowShipment,
  FlowState,
  FlowStatus,
  LeftOver,
  Plan,
  Rejection,
  ShipmentStatus,
} from '#flows'

/** Rejections that a flow remembers. */
const maxRejections = 20

/** A shipment of the flow, in its last known state. */
export interface HeldShipment extends FlowShipment {
  /** As the service wrote it; empty when unknown. */
  stateStart: string
}

/** The progress of a planned flow: the state that continue-as-new carries to the next run. Moments are in milliseconds. */
export interface FlowProgress {
  readonly plan: Plan
  /** Index of the current stage. */
  stage: number
  stageEntered: boolean
  /** The start of the stage. */
  since: number
  deadline: number | null
  /** Null for a service that cannot be read. */
  nextPoll: number | null
  /** Scheduled polls in this stage. */
  pollCount: number
  /** A callback of the flow has arrived. Noted only while the plan polls early without one. */
  calledBack?: true
  overdue: boolean
  /** The stage whose policy was applied to the present outage of a locker, and whether it asked. Absent without one. */
  outOfService?: { stage: number; asked: boolean }
  shipments: HeldShipment[]
  rejections: Rejection[]
  /** The moment until which a create without a response can still book a second time; null when it cannot. */
  duplicatesUntil?: number | null
  /** Duplicate bookings that could not be cancelled. */
  duplicatesLeft?: LeftOver[]
  /** Notifications so far; absent in a flow that sends none. */
  notificationCount?: number
}

type BookingOutcome = 'booked' | { readonly failure: ApplicationFailure }

/** Everything that one workflow run knows. Update and signal handlers write it, and the main loop reads it. */
export interface FlowContext {
  readonly name: string
  readonly input: FlowInput
  /** Undefined until the flow is planned. */
  progress: FlowProgress | undefined
  /** Written by `setState` only. */
  readonly state: FlowState
  booking: 'open' | BookingOutcome
  /** Callbacks that arrived before the booking's response, in their order. */
  bufferedCallbacks: ShipmentStatus[]
  /** Handlers that wait for the booking, or for the end. */
  readonly waiters: Readonly<Record<'booking' | 'end', (() => void)[]>>
  /** The scope of the whole run. The Web UI's cancel button cancels it. */
  readonly scope: CancellationScope
  cancelRequested: boolean
  releaseRequested: boolean
  /** A callback contradicts our state; poll before going on. */
  pollRequested: boolean
  /** A handler changed something that the main loop has to evaluate. */
  needsEvaluation: boolean
  /** History length when the last recorded event arrived. Rejected updates are not recorded. */
  historyLengthAtLastEvent: number | undefined
  leftOver: LeftOver[]
  result: FlowResult | undefined
  /** Child workflows that Temporal has not started yet, by id. */
  readonly startingNotifications: Set<string>
  readonly undeliveredNotifications: Set<string>
}

/** A flow with a plan. */
export type PlannedFlow = FlowContext & { progress: FlowProgress }

/** @param continuedFrom the progress of the run that continued as new */
export function createContext(name: string, input: FlowInput, continuedFrom: FlowProgress | undefined): FlowContext {
  const first = continuedFrom?.overdue ? 'overdue' : 'waiting'
  return {
    name,
    input,
    progress: continuedFrom,
    state: continuedFrom === undefined ? 'booking' : first,
    booking: continuedFrom === undefined ? 'open' : 'booked',
    bufferedCallbacks: [],
    waiters: { booking: [], end: [] },
    scope: CancellationScope.current(),
    cancelRequested: false,
    releaseRequested: false,
    pollRequested: false,
    needsEvaluation: false,
    historyLengthAtLastEvent: undefined,
    leftOver: [],
    result: undefined,
    startingNotifications: new Set(),
    undeliveredNotifications: new Set(),
  }
}

export function startProgress(plan: Plan, now: number): FlowProgress {
  return {
    plan,
    stage: 0,
    stageEntered: false,
    since: now,
    deadline: now + plan.bookingWindow,
    nextPoll: null,
    pollCount: 0,
    overdue: false,
    shipments: [],
    rejections: [],
  }
}

/** @throws Error before the flow is planned */
export function requirePlanned(flow: FlowContext): PlannedFlow {
  if (flow.progress === undefined) throw new Error('The flow is not planned yet.')
  return flow as PlannedFlow
}

const nextStates: Readonly<Record<FlowState, readonly FlowState[]>> = {
  booking: ['waiting', 'cleaningUp', 'ended'],
  waiting: ['overdue', 'cleaningUp', 'ended'],
  overdue: ['waiting', 'cleaningUp', 'ended'],
  cleaningUp: ['ended'],
  ended: [],
}

/** @throws Error for a step that is not in the table above */
export function setState(flow: FlowContext, state: FlowState): void {
  if (flow.state === state) return
  if (!nextStates[flow.state].includes(state)) throw new Error(`A flow in ${flow.state} cannot become ${state}.`)
  Object.assign(flow, { state })
  if (flow.progress !== undefined) flow.progress.overdue = state === 'overdue'
}

export function setBooking(flow: FlowContext, booking: BookingOutcome): void {
  flow.booking = booking
  resume(flow, 'booking')
}

/** Resumes the handlers that wait for the booking, or for the end. */
export function resume(flow: FlowContext, waitsFor: keyof FlowContext['waiters']): void {
  for (const go of flow.waiters[waitsFor].splice(0)) go()
}

/** Logs a rejected callback or a failed call. The text is public: it must not contain personal data. */
export function recordRejection({ progress }: FlowContext, what: string): void {
  if (progress === undefined) return
  progress.rejections = [...progress.rejections, { at: new Date().toISOString(), what }].slice(-maxRejections)
}

/** The stage that an update completes, and its shipment; undefined for a flow without such a stage. */
export function findCompletedBy({ progress }: FlowContext, update: CompletingUpdate['update']) {
  if (progress === undefined) return undefined
  const { plan, shipments } = progress
  const stage = plan.stages.findIndex(({ completedBy }) => completedBy?.update === update)
  const role = plan.stages[stage]?.completedBy?.role
  // There are no shipments before the booking.
  return role === undefined ? undefined : { stage, shipment: shipments.find(held => held.role === role) }
}

/** Everything that a person has to take care of. */
export function listLeftOver({ progress, leftOver }: FlowContext): LeftOver[] {
  return [...(progress?.duplicatesLeft ?? []), ...leftOver]
}

/** The shipments in their public form. */
export function toFlowShipments(shipments: readonly HeldShipment[]): FlowShipment[] {
  return shipments.map(({ stateStart: _, ...shipment }) => shipment)
}

/** The result of the query `status`. */
export function toStatus(flow: FlowContext): FlowStatus {
  const { name, input, progress, state, result } = flow
  const inStage = state === 'waiting' || state === 'overdue'
  return {
    flow: name,
    caseNo: input?.caseNo ?? '',
    state,
    stage: inStage ? (progress?.plan.stages[progress.stage]?.name ?? null) : null,
    overdue: state === 'overdue',
    since: new Date(progress?.since ?? Date.now()).toISOString(),
    deadline: state !== 'ended' && progress?.deadline ? new Date(progress.deadline).toISOString() : null,
    shipments: toFlowShipments(progress?.shipments ?? []),
    rejections: progress?.rejections ?? [],
    result: result ?? null,
  }
}
