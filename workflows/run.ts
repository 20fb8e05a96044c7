import { type ApplicationFailure, CancellationScope } from '@temporalio/workflow'
import type { Plan } from '#activities/interface'
import type {
  FlowInput,
  FlowResult,
  FlowShipment,
  FlowState,
  FlowStatus,
  LeftOver,
  Refusal,
  ShipmentStatus,
} from '#contract/terms'
import type { Order } from '#workflows/flows'
import { flowFailure } from './failures.ts'

/** How many refusals a flow remembers, and how many early callbacks. */
const remembered = 20

/** A shipment of the flow, in the last state that the flow believes. */
export interface HeldShipment extends FlowShipment {
  /** As the service wrote it; empty when it was never told. */
  stateStart: string
}

/** What travels to the next run when a flow continues as new. */
export interface Course {
  readonly plan: Plan
  stage: number
  /** Milliseconds since 1970: when the stage began, when its window passes, when to look next. */
  since: number
  deadline: number | null
  /** Null for a service that cannot be asked. */
  nextLook: number | null
  /** How often this stage was looked at. */
  looks: number
  overdue: boolean
  shipments: HeldShipment[]
  refusals: Refusal[]
  /** Until when a create without an answer can come through besides this booking; null when there can be none. */
  surplusUntil?: number | null
  /** What was booked twice and could not be cancelled. */
  surplusLeft?: LeftOver[]
  /** How many notices there were; not there when the flow sends none. */
  notices?: number
}

/** Everything that one run of a flow knows. Handlers write here; the interpreter reads. */
export interface Run {
  readonly flow: string
  readonly input: FlowInput
  /** There once the flow is planned. */
  course: Course | undefined
  state: FlowState
  /** Callbacks from before the booking's answer, in the order of their coming. */
  early: ShipmentStatus[]
  /** How the booking ended; `settleBooking` writes it. */
  booking: 'open' | SettledBooking
  /** Handlers that wait for the booking, and for the end. */
  readonly awaiting: Readonly<Record<'booking' | 'end', Waiter[]>>
  /** Cancelled by an update or a decision; `isCancelled` has the cancel button too. */
  cancelOrdered: boolean
  /** Of the whole run: the Web UI's cancel button cancels it. */
  readonly scope: CancellationScope
  /** The booking that is kept is to be ended. */
  released: boolean
  /** Something was said that only the service can settle. */
  lookWanted: boolean
  /** The window and the looks of the stage are set. */
  entered: boolean
  /** A handler changed something that the interpreter has to see. */
  stirred: boolean
  /** The length of the history at the task in which something came last that is in it; a refused update is not. */
  heardAt: number | undefined
  leftOver: LeftOver[]
  result: FlowResult | undefined
  /** Notices that Temporal has not taken yet, and those that their receiver has not. */
  readonly untaken: Set<string>
  readonly unsent: Set<string>
  /** Nothing more will change; `settleEnd` writes it. */
  over: boolean
}

type SettledBooking = 'booked' | { readonly failure: ApplicationFailure }
type Waiter = () => void

export function startRun(flow: string, input: FlowInput, carried: Course | undefined): Run {
  return {
    flow,
    input,
    course: carried,
    state: carried === undefined ? 'booking' : stateOf(carried),
    early: [],
    booking: carried === undefined ? 'open' : 'booked',
    awaiting: { booking: [], end: [] },
    cancelOrdered: false,
    scope: CancellationScope.current(),
    released: false,
    lookWanted: false,
    entered: carried !== undefined,
    stirred: false,
    heardAt: undefined,
    leftOver: [],
    result: undefined,
    untaken: new Set(),
    unsent: new Set(),
    over: false,
  }
}

export function planned(plan: Plan, now: number): Course {
  return {
    plan,
    stage: 0,
    since: now,
    deadline: now + plan.bookingWindow,
    nextLook: null,
    looks: 0,
    overdue: false,
    shipments: [],
    refusals: [],
  }
}

/** Waiting or overdue, by what the course says. */
export function stateOf({ overdue }: Course): FlowState {
  return overdue ? 'overdue' : 'waiting'
}

/** The course of a run that is planned. */
export function courseOf(run: Run): Course {
  if (run.course === undefined) throw new Error('the flow is not planned yet')
  return run.course
}

/** Notes what the flow did not believe or could not do; never personal data. */
export function refuse(run: Run, what: string): void {
  if (run.course === undefined) return
  run.course.refusals = [...run.course.refusals, { at: new Date().toISOString(), what }].slice(-remembered)
}

/** Says how the booking ended. */
export function settleBooking(run: Run, booking: SettledBooking): void {
  run.booking = booking
  wake(run.awaiting.booking)
}

/** Says that nothing more will change. */
export function settleEnd(run: Run): void {
  run.over = true
  wake(run.awaiting.end)
}

/** Cancels the flow, for an update or a decision. */
export function orderCancel(run: Run): void {
  run.cancelOrdered = true
}

/** The cancel update, a decision and the Web UI's cancel button end the flow in the same way. */
export function isCancelled({ cancelOrdered, scope }: Run): boolean {
  return cancelOrdered || scope.consideredCancelled
}

/** Everything that a person has to see to. */
export function leftOverOf({ course, leftOver }: Run): LeftOver[] {
  return [...(course?.surplusLeft ?? []), ...leftOver]
}

/** What an update of only some flows is about. */
export interface Ordered {
  /** The number of the stage that it brings about. */
  readonly stage: number
  /** Undefined before the booking. */
  readonly shipment: HeldShipment | undefined
}

/** What an update is about; undefined when no stage of this flow is brought about by it. */
export function orderedBy(run: Run, update: Order['update']): Ordered | undefined {
  const { plan, shipments } = run.course ?? { plan: { stages: [] }, shipments: [] }
  const stage = plan.stages.findIndex(({ order }) => order?.update === update)
  const role = plan.stages[stage]?.order?.role
  return role === undefined ? undefined : { stage, shipment: shipments.find(held => held.role === role) }
}

/** Refuses an update that comes after the end. */
export function refuseEnded(run: Run): void {
  if (run.over) throw flowFailure('FlowEnded', 'The flow has ended.')
}

/** Remembers a callback that came before the booking's answer. */
export function rememberEarly(run: Run, status: ShipmentStatus): void {
  run.early = [...run.early, status].slice(-remembered)
}

/** The shipments as everybody may see them. */
export function shown(shipments: readonly HeldShipment[]): FlowShipment[] {
  return shipments.map(({ stateStart: _, ...shipment }) => shipment)
}

/** The answer of the query `status`. */
export function statusOf(run: Run): FlowStatus {
  const { course, state } = run
  const waits = state === 'waiting' || state === 'overdue'
  return {
    flow: run.flow,
    caseNo: run.input?.caseNo ?? '',
    state,
    stage: waits ? (course?.plan.stages[course.stage]?.name ?? null) : null,
    overdue: state === 'overdue',
    since: new Date(course?.since ?? Date.now()).toISOString(),
    deadline: state !== 'ended' && course?.deadline ? new Date(course.deadline).toISOString() : null,
    shipments: shown(course?.shipments ?? []),
    refusals: course?.refusals ?? [],
    result: run.result ?? null,
  }
}

function wake(waiters: Waiter[]): void {
  for (const go of waiters.splice(0)) go()
}
